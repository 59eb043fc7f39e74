"""`metric-harness library new`: what it writes runs at once, and nothing is written over."""

import json
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from metric_harness.libraries.new import SUFFIX, TEMPLATE, new_library
from metric_harness.system.errors import HarnessError
from tests.support.command import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder that the command writes."""
    place = tmp_path_factory.mktemp("new") / "not" / "there yet"
    done = run("library", "new", "mylib", "--dir", str(place))
    assert done.returncode == 0, done.stderr
    assert f"written: {place / 'mylib' / 'adapter.py'}" in done.stdout
    assert f"metric-harness library check '{place / 'mylib'}' --environment current" in done.stdout
    return place / "mylib"


def test_it_writes_three_files_and_leaves_no_other(folder: Path) -> None:
    assert sorted(path.name for path in folder.parent.iterdir()) == ["mylib"]
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "adapter.py", "library.toml"]
    table = tomllib.loads((folder / "library.toml").read_text())
    assert table["name"] == "mylib"
    assert table["releases"][0]["requirements"] == [f"numpy=={version('numpy')}"]
    for path in folder.iterdir():
        assert "$" not in path.read_text()
        assert "REPLACE" in path.read_text()


def test_check_passes_on_it(folder: Path) -> None:
    done = run("library", "check", str(folder), "--environment", "current")
    assert done.returncode == 0, done.stdout
    assert "finding" not in done.stdout
    assert "recall_at_k: a number for 6 of 6 probes" in done.stdout


def test_compare_gives_cells(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "pred.csv").write_text("user_id,item_id,score\n1,10,0.9\n1,11,0.8\n2,10,0.7\n2,12,0.6\n")
    (tmp_path / "test.csv").write_text("user_id,item_id\n1,11\n2,10\n2,9\n")
    lists = ["--recommendations", str(tmp_path / "pred.csv"), "--truth", str(tmp_path / "test.csv"), "--k", "2"]
    asked = ["--adapters", str(folder), "--libraries", "mylib", "--environment", "current"]
    done = run("compare", *asked, *lists, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    cells = {cell["function"]: (cell["status"], cell["variant"], cell["value"]) for cell in record["cells"]}
    assert cells == {
        "precision_at_k": ("explained", "precision(divide_by=k)", 0.5),
        "recall_at_k": ("explained", "recall(divide_by=relevant)", 0.75),
    }


@pytest.mark.parametrize("name", ["my-lib", "2fast", "", "class", "a b", "../up", "größe"])
def test_a_name_that_cannot_name_a_library(tmp_path: Path, name: str) -> None:
    with pytest.raises(HarnessError, match="cannot name a library; use letters, digits and _ alone, a letter first"):
        new_library(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    done = run("library", "new", "recbole", "--dir", str(tmp_path))
    assert done.returncode == 2
    assert "there is a library 'recbole' already: " in done.stderr
    assert "choose another name" in done.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mylib").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_text("mine")
    for name in ("mylib", "link", "file"):
        with pytest.raises(
            HarnessError, match="exists already and stays as it is; choose another name or another --dir"
        ):
            new_library(name, tmp_path)
    assert not list((tmp_path / "mylib").iterdir())
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(HarnessError, match="it is a file; give a folder"):
        new_library("other", tmp_path / "file")


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    with pytest.raises(HarnessError, match="cannot be written: Permission denied; give another --dir"):
        new_library("mylib", tmp_path)


def test_the_templates_and_the_schema_travel_with_the_package() -> None:
    """They lie inside the package, and no rule of the build or of git leaves them out."""
    names = sorted(path.name for path in TEMPLATE.iterdir())
    assert names == [f"{name}{SUFFIX}" for name in ("README.md", "adapter.py", "library.toml")]
    root = TEMPLATE.parents[3]
    if (root / ".git").exists():
        files = [str(path) for path in (*TEMPLATE.iterdir(), TEMPLATE.parent / "library.schema.json")]
        ignored = subprocess.run(["git", "check-ignore", *files], cwd=root, capture_output=True, text=True)
        assert ignored.stdout == ""
