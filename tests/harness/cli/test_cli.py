"""The command line: help, errors a user can mend, exit codes."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest

from metric_harness.cli.tree import ExplainTree, LibraryTree, Root, SignatureTree, loaded
from metric_harness.naming.findings.rules import rules
from tests.support.command import run
from tests.support.places import SUPPORT


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lists")
    pred = pd.DataFrame({"user_id": [1, 1, 2, 2], "item_id": [10, 11, 10, 12], "score": [0.9, 0.8, 0.7, 0.6]})
    truth = pd.DataFrame({"user_id": [1, 2], "item_id": [11, 10]})
    pred.to_csv(folder / "pred.csv", index=False)
    truth.to_csv(folder / "test.csv", index=False)
    return ["--recommendations", str(folder / "pred.csv"), "--truth", str(folder / "test.csv")]


def planted(out, *more):
    adapters = ["--adapters", str(SUPPORT / "planted"), "--libraries", "planted"]
    return ["compare", "--environment", "current", *adapters, "--out", str(out), "--k", "2", *more]


@pytest.fixture(scope="module")
def finished(lists, tmp_path_factory):
    """A comparison that ended, as its process ended, and its folder."""
    folder = tmp_path_factory.mktemp("finished") / "out"
    command = [sys.executable, "-m", "metric_harness", *planted(folder, *lists)]
    return subprocess.run(command, capture_output=True, text=True, check=False), folder


@pytest.mark.parametrize("command", [(), ("compare",), ("library",), ("library", "list"), ("explain",), ("report",)])
def test_help(command):
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_help_shows_examples():
    assert "--recommendations pred.csv --truth test.csv" in " ".join(run("compare", "--help").stdout.split())


def test_a_former_name_says_the_present_one():
    for name, present in Root.former.items():
        done = run(name)
        assert (done.returncode, f"is now `metric-harness {present}`" in done.stderr) == (2, True)


@pytest.mark.parametrize("cls", [Root, LibraryTree, SignatureTree, ExplainTree])
def test_every_row_is_a_command_with_its_help(cls):
    assert len({row.name for row in cls.rows}) == len(cls.rows) <= 12
    for row in cls.rows:
        command = loaded(row)
        assert command.name == row.name
        assert row.about.endswith(".")
        assert command.help


def test_help_imports_no_command():
    code = (
        "import sys\nsys.argv = ['metric-harness', '--help']\nfrom metric_harness.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    loaded = {'numpy', 'pandas', 'jsonschema'} & set(sys.modules)\n"
        "    sys.stderr.write(f'loaded {sorted(loaded)}')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "loaded []"


def test_version():
    assert run("--version").stdout.startswith("metric-harness ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dataset", "ml-3k"], "ml-3k"),
        (["--libraries", "nope"], "nope"),
        (["--k", "ten"], "whole numbers"),
        (["--k", "0"], "at least 1"),
        (["--k", "20", "--depth", "5"], "--depth 5"),
        (["--recommendations", "pred.csv"], "--truth"),
        (["--ratings", "no/such/file.csv"], "no/such/file.csv"),
        (["--split", "magic"], "magic"),
        (["--fail-on", "everything"], "everything"),
        (["--adapters", "no/such/folder"], "no/such/folder"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(options, message, tmp_path):
    done = run("compare", "--out", str(tmp_path), *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_writes_its_three_files_and_a_table(finished):
    done, folder = finished
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) + len(done.stderr.splitlines()) <= 40
    assert re.search(r"^MAP: 2 definitions|One definition: .*MAP 0", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout
    for name in ("run.json", "results.csv", "report.html"):
        assert (folder / name).stat().st_size > 0


def test_quiet_says_nothing_on_standard_error_and_fail_on_is_the_exit_code(finished, lists):
    done = run(*planted(finished[1], *lists, "--quiet", "--fail-on", "error"))
    assert (done.returncode, done.stderr) == (1, "")


def test_report_from_a_record(finished, tmp_path):
    done = run("report", str(finished[1] / "run.json"), "--out", str(tmp_path / "again.html"))
    assert done.returncode == 0
    assert (tmp_path / "again.html").read_text() == (finished[1] / "report.html").read_text()


def test_report_of_something_else(tmp_path):
    (tmp_path / "run.json").write_text('{"schema_version": 1}')
    done = run("report", str(tmp_path / "run.json"))
    assert (done.returncode, "no record of version 1" in done.stderr) == (2, True)


def test_explain():
    listed = run("explain", "rules").stdout
    assert all(code in listed for code in rules())
    assert "What to do" in run("explain", "ap004").stdout
    assert run("explain", "XX999").returncode == 2


@pytest.mark.slow
def test_libraries():
    assert "RecBole 1.2.1" in run("library", "list").stdout
    listed = run("library", "list", "--verbose").stdout
    assert all(name in listed for name in ("recbole", "map_at_k", "CalibratedRecallK"))
    rows = json.loads(run("library", "list", "--json").stdout)
    assert {row["library"] for row in rows if row["compiled"]} == {"neurec", "recsys_pytorch"}
