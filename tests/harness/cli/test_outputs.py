"""No command writes over what it reads, over another of its outputs, or over a file that no run wrote."""

import json
import os
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from metric_harness.cli import report, values
from metric_harness.cli.tree import Root, Tree, loaded
from metric_harness.system.outputs import require_ours, write_output
from tests.support.command import run
from tests.support.sample_record import sample_record

INPUTS = {
    "pred.csv": "user,item,score\n1,1,3\n1,2,2\n2,3,1\n",
    "truth.csv": "user,item\n1,1\n2,3\n",
    "own.py": "def recall(recommended, relevant, k):\n    return 1.0\n",
    "run.json": "{}\n",
    "other.json": "{}\n",
}
FOREIGN = "metric-harness did not write this file"
LISTS = ("evaluate", "--recommendations", "pred.csv", "--truth", "truth.csv", "-q")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*LISTS, "--json", "pred.csv"), "--json pred.csv: --recommendations names this file too"),
        ((*LISTS, "--json", "./truth.csv"), "--json truth.csv: --truth names this file too"),
        ((*LISTS, "--by-user", "pred.csv"), "--by-user pred.csv: --recommendations names"),
        ((*LISTS, "--json", "new", "--by-user", "new"), "new: --by-user names this file too"),
        (("audit", "own.py:recall", "--out", "own.py"), "--out own.py: target names this file too"),
        (("audit", "own.py:recall", "--out", "link.py"), "--out link.py: target names this file too"),
        (("audit", "x.py:f", "--compare", "own.py:recall", "--out", "own.py"), "--compare names this file too"),
        (("scan", "own.py", "-y", "--json", "own.py"), "names this file too"),
        (("scan", "own.py", "-y", "--json", "a", "--sarif", "a"), "names this file too"),
        (("report", "run.json", "--out", "run.json"), "names this file too"),
        (("report", "diff", "run.json", "other.json", "--out", "other.json"), "names this file too"),
        (("library", "conform", "--declare", "own.py:recall", "--out", "own.py"), "names this file too"),
        (("audit", "own:recall", "--out", "own.py"), "target names this file too"),
        (("audit", "exec:./own.py", "--out", "own.py"), "target names this file too"),
        (("scan", ".", "--list", "--json", "own.py", "--force"), "path reads the folder of this file"),
        (("compare", "--out", "mine", "-q"), f"--out mine/results.csv: {FOREIGN}"),
        (("paper", "--out", "mine", "-q"), f"--out mine/results.csv: {FOREIGN}"),
        (("audit", "own.py:recall", "--out", "mine/results.csv"), FOREIGN),
        (("scan", "own.py", "--list", "--json", "mine/results.csv"), FOREIGN),
        (("scan", "own.py", "--list", "--sarif", "mine/results.csv"), FOREIGN),
        (("scan", "own.py", "-y", "--out", "kept"), f"--out kept/scan.json: {FOREIGN}"),
        ((*LISTS, "--json", "mine/results.csv"), FOREIGN),
        ((*LISTS, "--by-user", "mine/results.csv"), FOREIGN),
        (("report", "run.json", "--out", "mine/results.csv"), FOREIGN),
        (("report", "kept/run.json"), f"kept/report.html: {FOREIGN}"),
        (("report", "diff", "run.json", "other.json", "--out", "mine/results.csv"), FOREIGN),
        (("library", "conform", "--declare", "own.py:recall", "--out", "mine/results.csv"), FOREIGN),
        (("library", "conform", "--badge", "kept"), f"--badge kept/metrics.svg: {FOREIGN}"),
        (("library", "conform", "--table", "mine/results.csv"), FOREIGN),
        (("library", "conform", "--table", "metrics.toml", "--force"), "file names this file too"),
        (("library", "check", "mine", "--json", "own.py"), FOREIGN),
        (("vectors", "--out", "mine/results.csv"), FOREIGN),
        (("vectors", "--out", "mine"), "it is a folder"),
        (("vectors", "--out", "pipe"), "it is a pipe or a device"),
    ],
)
def test_an_output_is_no_input(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in INPUTS.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "link.py").symlink_to("own.py")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "results.csv").write_text("mine\n")
    (tmp_path / "kept").mkdir()
    for name in ("scan.json", "report.html", "metrics.svg"):
        (tmp_path / "kept" / name).write_text("mine\n")
    (tmp_path / "kept" / "run.json").write_text(json.dumps(sample_record()))
    done = run(*words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert {name: (tmp_path / name).read_text() for name in INPUTS} == INPUTS
    for name in ("mine/results.csv", "kept/scan.json", "kept/report.html", "kept/metrics.svg"):
        assert (tmp_path / name).read_text() == "mine\n"


def test_what_we_wrote_is_replaced_unless_it_was_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run.json").write_text(json.dumps(sample_record()))
    command = ("report", "run.json", "--format", "csv", "--out", "new/folder/table.csv")
    table = Path(command[-1])
    assert [run(*command).returncode for _ in range(2)] == [0, 0]
    table.rename(table.with_name("moved.csv"))
    assert run(*command[:-1], "new/folder/moved.csv").returncode == 0
    edited = table.with_name("moved.csv").read_text() + "my remark\n"
    table.write_text(edited)
    assert run(*command).returncode == 2
    assert table.read_text() == edited
    assert run(*command, "--force").returncode == 0
    assert "my remark" not in table.read_text()
    table.write_text("")
    assert run(*command).returncode == 0


def test_without_a_cache_a_second_run_needs_force(tmp_path, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_CACHE", "/proc/none")
    write_output(tmp_path / "a.txt", "one")
    with pytest.raises(values.HarnessError, match="--force"):
        write_output(tmp_path / "a.txt", "two")
    write_output(tmp_path / "a.txt", "two", force=True)
    assert (tmp_path / "a.txt").read_text() == "two"


def test_the_marker_of_a_folder_holds_for_its_unchanged_files_alone(tmp_path):
    for marker in ("{}", '{"files": {"run.json": 1}}', "[]", "\\", '{"files": []}'):
        (tmp_path / "run.json").write_text("mine")
        (tmp_path / ".written.json").write_text(marker)
        with pytest.raises(values.HarnessError, match="did not write"):
            require_ours(tmp_path / "run.json")


def commands(tree: type[Tree] = Root):
    """The name and the function of each command."""
    for row in tree.rows:
        command = loaded(row)
        if isinstance(command, Tree):
            yield from commands(type(command))
        elif row.name not in ("report", "doctor"):
            yield row.name, command.callback
    if tree is Root:
        yield from (("report write", report.write), ("report diff", report.diff))


def test_every_option_that_names_an_output_passes_the_gate():
    outputs = {}
    for name, function in commands():
        hints = get_type_hints(getattr(function, "__wrapped__", function), include_extras=True)
        for parameter, hint in hints.items():
            if Path not in (get_args(hint)[:1] + get_args(get_args(hint)[0] if get_args(hint) else None)):
                continue
            _, info, *more = get_args(hint)
            assert info.callback in (values.read_from, values.file_to_write, values.folder_to_write), (name, parameter)
            if info.callback is values.file_to_write or any(isinstance(one, values.Writes) for one in more):
                outputs[name, parameter] = "force" in hints
    assert all(outputs.values()), outputs
    assert len(outputs) > 12


def test_no_command_opens_an_output_by_itself():
    home = Path(values.__file__).parent
    allowed = {"records.py", "scan.py"}  # the marker of a folder, and what the cache keeps
    opening = ("write_atomically", ".write_text(", ".write_bytes(", 'open("w')
    found = {file.name for file in home.rglob("*.py") if any(word in file.read_text() for word in opening)}
    assert found == allowed
