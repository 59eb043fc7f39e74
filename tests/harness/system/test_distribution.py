"""The wheel: what it puts into site-packages, and that it takes no name from another distribution."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from metric_harness import __version__
from metric_harness.libraries.describe import find_libraries
from tests.support.places import ROOT

pytestmark = pytest.mark.slow
OLD_NAMES = ("adapters", "harness", "reference", "reports")
"""Import names that other distributions have."""


BUILD = "import hatchling.build, os, sys; os.umask(int(sys.argv[2], 8)); hatchling.build.{}(sys.argv[1])"


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def neighbour(tmp_path: Path) -> Path:
    """A wheel that owns the four old names."""
    file = tmp_path / "neighbour-1.0-py3-none-any.whl"
    metadata = Message()
    metadata["Metadata-Version"], metadata["Name"], metadata["Version"] = "2.1", "neighbour", "1.0"
    contents = {f"{name}/__init__.py": f"OWNER = 'neighbour'  # {name}\n" for name in OLD_NAMES}
    contents["neighbour-1.0.dist-info/METADATA"] = str(metadata)
    contents["neighbour-1.0.dist-info/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents["neighbour-1.0.dist-info/RECORD"] = "".join(f"{name},,\n" for name in contents)
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return file


def test_the_wheel_holds_our_packages_and_the_libraries_as_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"metric_harness", "metric_reference", "metric_reports", "metric_adapters"}
    for key, library in find_libraries().items():
        for path in (library.folder / "library.toml", *library.folder.glob("recordings/*.json")):
            assert f"metric_harness/_libraries/{key}/{path.relative_to(library.folder).as_posix()}" in names
    assert all(f"{top}/py.typed" in names for top in tops)


def test_two_builds_are_equal_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the checkout, and of the unpacked source distribution: another folder, day and umask, no git."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "hatchling")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    first, second, unpacked = tmp_path / "first", tmp_path / "second", tmp_path / "unpacked"
    for kind in ("build_sdist", "build_wheel"):
        run(python, "-c", BUILD.format(kind), first, "022", cwd=ROOT)
    (sources,) = first.glob("*.tar.gz")
    with tarfile.open(sources) as archive:
        archive.extractall(unpacked, filter="data")
    (checkout,) = unpacked.iterdir()
    (checkout / "PKG-INFO").unlink()  # hatchling adds it, and would name it twice
    for path in checkout.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    for kind in ("build_sdist", "build_wheel"):
        run(python, "-c", BUILD.format(kind), second, "077", cwd=checkout)
    built = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in (first, second)]
    assert len(built[0]) == 2
    assert [name for name in built[0] if built[0][name] != built[1].get(name)] == []
    run(sys.executable, "-m", "twine", "check", "--strict", *first.iterdir())


def test_the_version_is_said_once(wheel: Path) -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert wheel.name.split("-")[1] == __version__
    assert f"\nversion: {__version__}\n" in citation
    assert f"\n## {__version__}\n" in changelog


def test_the_metadata_is_right(wheel: Path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", wheel)


@pytest.mark.parametrize("first", ["neighbour", "ours"])
def test_no_file_of_another_distribution_is_touched(wheel: Path, neighbour: Path, first: str, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    both = [neighbour, wheel] if first == "neighbour" else [wheel, neighbour]
    for file in both:
        run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", file)
    run(python, "-c", f"import importlib; [importlib.import_module(name).OWNER for name in {OLD_NAMES}]")
    run(python, "-c", "import metric_harness, metric_reference, metric_reports, metric_adapters")
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (record,) = site.glob("metric_harness-*.dist-info/RECORD")
    tops = {row[0].split("/")[0] for row in csv.reader(record.read_text().splitlines())}
    assert {name for name in tops if not name.endswith(".dist-info")} == {
        "..",  # the command, in bin/
        *("metric_harness", "metric_reference", "metric_reports", "metric_adapters"),
    }


def test_importing_costs_little() -> None:
    """It stands in users' test suites."""
    code = (
        "import sys, time; begun = time.perf_counter(); import metric_harness; took = time.perf_counter() - begun\n"
        "assert not {'matplotlib', 'pyarrow', 'numpy', 'pandas'} & set(sys.modules)\n"
        "print(took)"
    )
    assert min(float(run(sys.executable, "-c", code)) for _ in range(3)) < 0.3
