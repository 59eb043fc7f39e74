"""`metric-harness library check`: a sound folder, a bad one, and how the commands go on beside it."""

import json
from pathlib import Path

import pytest

from metric_harness.libraries.describe import find_libraries, find_usable
from metric_harness.system.errors import HarnessError
from tests.harness.libraries.sound_folder import ADAPTER, PAGE, checked, written
from tests.support.command import run
from tests.support.places import SUPPORT


def test_a_folder_without_mistakes(tmp_path: Path) -> None:
    result = checked(written(tmp_path / "mine"))
    assert [(one.check, one.status) for one in result.outcomes] == [
        (name, "ok") for name in ("library.toml", "adapter.py", "start", "subjects", "precision", "recall[raw]")
    ]
    assert (result.release, result.exit_code()) == ("1.10", 0)


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    page = PAGE.replace('"mine==1.0"', '"mine=1.0"').replace('metric = "recall"', 'metric = "recal"')
    result = checked(written(tmp_path / "mine", page, "import metric_reports\n"))
    assert [(one.check, one.mistake and one.mistake.line) for one in result.outcomes] == [
        ("library.toml", 12), ("library.toml", 27), ("adapter.py", 1), ("adapter.py", 1), ("adapter.py", 1),
        ("functions", None),
    ]  # fmt: skip


def test_a_bad_folder_is_set_aside(tmp_path: Path) -> None:
    written(tmp_path / "mine")
    written(tmp_path / "bad_page", PAGE.replace("Hits over k.", ""))
    written(tmp_path / "bad_adapter", adapter="SUBJECTS = {}")
    libraries, broken = find_usable([tmp_path])
    assert "mine" in libraries
    assert {key: error.mistakes[0].line for key, error in broken.items()} == {"bad_page": 22, "bad_adapter": 1}
    with pytest.raises(HarnessError, match=r"bad_page.library\.toml:22: "):
        find_libraries([tmp_path])


def test_a_mistake_in_the_projects_own_folder_is_raised(tmp_path: Path, monkeypatch) -> None:
    written(tmp_path / "own" / "mine", PAGE.replace("Hits over k.", ""))
    monkeypatch.setattr("metric_harness.libraries.describe.own_folders", lambda: tmp_path / "own")
    with pytest.raises(HarnessError, match=r"library\.toml:22: subjects\.precision\.claim: empty"):
        find_usable([])


def test_a_folder_inside_an_installed_package(tmp_path: Path) -> None:
    """It is loaded by path: the package around it is not imported, and its files import one another relatively."""
    package = tmp_path / "site-packages" / "mine_package"
    folder = written(
        package / "adapters" / "mine", adapter="from .functions import *\nfrom .functions import SUBJECTS\n"
    )
    (folder / "functions.py").write_text(ADAPTER)
    for place in (package, package / "adapters", folder):
        (place / "__init__.py").write_text("raise ImportError('imported')\n")
    result = checked(folder)
    assert result.exit_code() == 0, result.outcomes
    assert find_usable([package / "adapters"])[0]["mine"].folder == folder.resolve()


def test_the_command_prints_a_line_for_each_check(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "all" / "good"), written(tmp_path / "all" / "bad", PAGE.replace('"MIT"', "3"))
    done = run(
        "library", "check", str(tmp_path / "all"), "--environment", "current", "--json", str(tmp_path / "check.json")
    )
    assert done.returncode == 1, done.stderr
    assert f"finding     {bad / 'library.toml'}:4: licence: expected a text, got 3; write for example" in done.stdout
    assert "ok          precision: a number for 6 of 6 probes" in done.stdout
    assert "good 1.10: 6 ok" in done.stdout
    folders = {one["library"]: one for one in json.loads((tmp_path / "check.json").read_text())["folders"]}
    assert folders["good"]["exit_code"] == 0
    assert folders["bad"]["checks"][0] == {
        "check": "library.toml",
        "status": "finding",
        "text": f'{bad / "library.toml"}:4: licence: expected a text, got 3; write for example "MIT"',
        "file": str(bad / "library.toml"),
        "line": 4,
        "where": "licence",
        "what": "expected a text, got 3",
        "remedy": 'write for example "MIT"',
    }
    assert run("library", "check", str(good), "--environment", "current", "--release", "7").returncode == 2
    assert run("library", "check", str(tmp_path)).returncode == 2


@pytest.mark.slow
def test_compare_goes_on_beside_a_bad_folder(tmp_path: Path) -> None:
    written(tmp_path / "bad", PAGE.replace('claim = "Hits over k."', "claim = 3"))
    (tmp_path / "pred.csv").write_text("user_id,item_id,score\n1,10,0.9\n1,11,0.8\n2,10,0.7\n2,12,0.6\n")
    (tmp_path / "test.csv").write_text("user_id,item_id\n1,11\n2,10\n")
    lists = ["--recommendations", str(tmp_path / "pred.csv"), "--truth", str(tmp_path / "test.csv"), "--k", "2"]
    folders = ["--adapters", str(tmp_path / "bad"), "--adapters", str(SUPPORT / "planted")]
    common = ["compare", "--environment", "current", *lists, *folders, "--out", str(tmp_path / "out")]
    done = run(*common, "--libraries", "bad,planted")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "bad" / "library.toml"
    said = f"{file}:22: subjects.precision.claim: expected a text, got 3; write for example"
    assert f"bad: not available: its folder has mistakes\n{said}" in done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    rows = {row["name"]: row for row in record["libraries"]}
    assert (rows["bad"]["status"], rows["planted"]["status"]) == ("not_available", "ran")
    assert rows["bad"]["reason"].startswith(said)
    cells = {(cell["function"], cell["status"]) for cell in record["cells"] if cell["library"] == "bad"}
    assert cells == {("precision", "not_available"), ("recall[raw]", "not_available")}
    assert said in (tmp_path / "out" / "report.html").read_text().replace("&#34;", '"')
    done = run(*common, "--libraries", "bad")
    assert done.returncode == 2
    assert "no library is left; mend these mistakes" in done.stderr


@pytest.mark.slow
def test_the_other_commands_go_on_beside_a_bad_folder(tmp_path: Path) -> None:
    file = written(tmp_path / "bad", PAGE.replace('claim = "Hits over k."', "claim = 3")) / "library.toml"
    said = f"{file}:22: subjects.precision.claim: expected a text, got 3; write for example"
    folders = ["--adapters", str(tmp_path / "bad"), "--adapters", str(SUPPORT / "planted")]
    listed = run("library", "list", "--json", *folders)
    assert listed.returncode == 0
    assert said in listed.stderr
    assert {"planted", "recbole"} < {row["library"] for row in json.loads(listed.stdout)} - {"bad"}
    mine = written(tmp_path / "mine")
    folders = ["--adapters", str(tmp_path), "--environment", "current", "--quiet"]
    for words in (["audit", "bad:precision"], ["audit", "mine:precision", "--compare", "bad:precision"]):
        done = run(*words, *folders)
        assert done.returncode == 2
        assert said in done.stderr
    assert run("audit", "mine:precision", *folders).returncode < 2
    done = run("library", "record", "bad,mine", *folders)
    assert done.returncode == 2
    assert f"not recorded:\n{said}" in done.stderr
    assert list((mine / "recordings").glob("*.json"))
