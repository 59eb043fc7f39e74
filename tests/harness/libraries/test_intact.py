"""A package that is damaged inside a finished environment is noticed, and the environment built anew."""

import base64
import hashlib
import io
import json
import os
import sys
import zipfile

import pytest
from rich.console import Console

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import MARKER, EnvironmentFailure, environment_for
from metric_harness.libraries.intact import damaged, fingerprint
from metric_harness.system.progress import Reporter

HERE = ".".join(map(str, sys.version_info[:2]))


def wheel(folder):
    """A wheel with one module of one line."""
    files = {
        "tiny.py": "ONE = 1\n",
        "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        rows.append(f"{name},sha256={digest},{len(text)}")
    files["tiny-1.0.dist-info/RECORD"] = "\n".join([*rows, "tiny-1.0.dist-info/RECORD,,"]) + "\n"
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Makes the environment of a release that needs tiny; the folder of the package and what was said."""
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    path = wheel(tmp_path)
    release = Release("1.0", f"=={HERE}.*", (f"tiny @ {path.as_uri()}",), (), "")
    library = Library(tmp_path, "tiny", "Tiny", "tiny", "https://example.org", "MIT", "", (), {})

    def build():
        screen = io.StringIO()
        reporter = Reporter(quiet=False, verbose=True, console=Console(file=screen, force_terminal=False, width=500))
        python = environment_for(library, release, reporter)
        return python.parents[1] / "lib" / f"python{HERE}" / "site-packages", screen.getvalue()

    return build


def test_a_damaged_package_is_noticed_and_built_anew(built):
    packages, said = built()
    assert "built in" in said
    first = packages / "tiny.py"
    again, said = built()
    assert (again, said) == (packages, "")
    first.unlink()  # uv may have linked it to its own copy
    first.write_text("ONE = 2\n")
    packages, said = built()
    assert said.count("its environment is damaged (tiny-1.0: tiny.py)") == 1
    assert (packages / "tiny.py").read_text() == "ONE = 1\n"


def test_a_copy_of_uv_that_was_changed_through_a_link_is_not_run(built, tmp_path, monkeypatch):
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_LINK_MODE", "hardlink")
    packages, _ = built()
    (packages / "tiny.py").write_text("ONE = 2\n")
    assert [path.read_text() for path in (tmp_path / "uv").rglob("tiny.py")] == ["ONE = 2\n"]
    packages, said = built()
    assert (packages / "tiny.py").read_text() == "ONE = 1\n"
    assert said.count("uv's own copy is damaged") == 1
    assert built()[1] == ""


def test_an_environment_that_is_damaged_from_the_start_is_not_run(built, tmp_path):
    path = wheel(tmp_path)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content.replace(b"ONE = 1", b"ONE = 3"))
    with pytest.raises(EnvironmentFailure, match=r"not what their RECORD says|could not be built"):
        built()


def test_a_file_that_is_gone_is_noticed(built):
    packages, _ = built()
    (packages / "tiny.py").unlink()
    packages, said = built()
    assert "(tiny-1.0: tiny.py)" in said
    assert (packages / "tiny.py").exists()


def test_what_merely_moved_is_read_once(built):
    packages, _ = built()
    built()
    marker = packages.parents[3] / MARKER
    before = json.loads(marker.read_text())["fingerprint"]
    os.utime(packages / "tiny.py", (1, 1))
    assert built()[1] == ""
    after = json.loads(marker.read_text())["fingerprint"]
    assert before != after == fingerprint(packages.parents[2])


def test_compiled_files_play_no_part(built):
    packages, _ = built()
    before = fingerprint(packages.parents[2])
    (packages / "__pycache__").mkdir(exist_ok=True)
    (packages / "__pycache__" / "tiny.pyc").write_bytes(b"x")
    assert fingerprint(packages.parents[2]) == before
    assert damaged(packages.parents[2]) is None
