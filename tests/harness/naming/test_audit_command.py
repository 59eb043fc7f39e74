"""The command: exit codes, one clear line for what cannot be audited, an interrupt, a program of another language."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from metric_harness import audit
from tests.harness.naming.audited import codes
from tests.support.places import SUPPORT

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]


@pytest.mark.slow
def test_exit_codes_follow_the_findings_that_are_left(run):
    target = ("metrics.py:ap_over_k", "-q")
    assert run("metrics.py:apk", "-q", "--fail-on", "note")[0] == 0
    assert run(*target)[0] == 1
    assert run(*target, "--fail-on", "error")[0] == 0
    assert run(*target, "--ignore", "AP")[0] == 0
    assert run(*target, "--ignore", "AP", "--fail-on", "note")[0] == 1
    assert run(*target, "--ignore", "ap001,DUP001", "--fail-on", "note")[0] == 0
    assert run(*target, "--select", "NDCG,HR001")[0] == 0
    ended, printed, _ = run(*target, "--select", "DUP", "--format", "json", "--fail-on", "note")
    assert (ended, codes(json.loads(printed)["subjects"][0])) == (1, ["DUP001"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["metrics.py:missing"], "it has Recall, ap_over_k, apk"),
        (["metrics.py:not_a_function"], "is no function but int"),
        (["nowhere.py:apk"], "nowhere.py: no such file"),
        (["no_such_package.metrics:apk"], "No module named 'no_such_package'"),
        (["surprise"], "is no target"),
        (["surprise==1.1.4:rmse"], "no adapter for 'surprise'"),
        (["recbole:Foo"], "recbole has no 'Foo'"),
        (["exec:"], "name the program after exec:"),
        (["exec:no-such-program-anywhere"], "cannot be run"),
        (["metrics.py:apk", "--metric", "maap"], "give one of hit_rate"),
        (["metrics.py:apk", "--convention", "telepathy"], "is no convention"),
        (["metrics.py:apk", "--expect", "ndcg(gain=loss)"], "gain must be one of"),
        (["metrics.py:apk", "--expect", "coverage"], "an audit identifies the metrics"),
        (["metrics.py:apk", "--expect", "ndcg", "--compare", "metrics.py:recall"], "give one of them"),
        (["metrics.py:apk", "--compare", "recommenders"], "give recommenders:FUNCTION"),
        (["metrics.py:apk", "--select", "AP,XYZ1"], "no code begins with XYZ1"),
        (["metrics.py:apk", "--ignore", ","], "no code begins with nothing"),
        (["metrics.py:apk", "--fail-on", "doom"], "give one of error, warning, note"),
        (["metrics.py:apk", "--format", "pdf"], "give one of text, json, issue"),
        (["metrics.py:apk", "--environment", "nowhere"], "no Python there"),
        (["metrics.py:apk", "--timeout", "0"], "give one above 0"),
    ],
)
def test_what_cannot_be_audited_is_one_clear_line_and_exit_code_2(arguments, message, run):
    ended, printed, said = run(*arguments, "-q")
    assert (ended, printed) == (2, "")
    assert message in said
    assert said.count("\n") == 1


def test_an_interrupt_ends_it_and_what_it_started(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import os, pathlib, time\n"
        "def recall(relevant, recommended, k):\n"
        "    pathlib.Path('ID').write_text(str(os.getpid()))\n"
        "    time.sleep(60)\n"
        "    return 0.0\n".replace("ID", str(tmp_path / "id"))
    )
    command = [sys.executable, "-m", "metric_harness", "audit", "slow.py:recall", "--timeout", "60", "-q"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while not ((tmp_path / "id").exists() and (tmp_path / "id").read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=30)
    assert (process.returncode, printed) == (130, b"")
    assert b"Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "id").read_text()), 0)


def test_help_shows_examples(run):
    ended, printed, _ = run("--help")
    assert ended == 0
    assert 'metric-harness audit metrics.py:ndcg --expect "ndcg(gain=linear)"' in " ".join(printed.split())


def test_an_import_that_fails_says_why(run, tmp_path):
    text = "import no_such_thing_at_all\ndef ndcg(relevant, recommended, k): return no_such_thing_at_all.ndcg(k)\n"
    (tmp_path / "broken.py").write_text(text)
    ended, _, said = run("broken.py:ndcg", "-q")
    assert (ended, "No module named 'no_such_thing_at_all'" in said) == (2, True)


def test_the_working_folder_may_be_a_package(run, tmp_path, monkeypatch):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    text = "def hit_rate(recommended, relevant, k): return float(bool({*recommended[:k]} & {*relevant}))\n"
    (tmp_path / "shop" / "hits.py").write_text(text)
    monkeypatch.chdir(tmp_path / "shop")
    (subject,) = json.loads(run("hits.py:hit_rate", "-q", "--format", "json")[1])["subjects"]
    assert subject["imports"][2:] == ["sys.path.insert(0, '..')", "from shop.hits import hit_rate"]


def test_out_writes_the_format_and_prints_the_text(run, tmp_path):
    ended, printed, _ = run("metrics.py:ap_over_k", "-q", "--format", "json", "--out", str(tmp_path / "new" / "a.json"))
    assert (ended, printed) == (1, "")
    assert codes(json.loads((tmp_path / "new" / "a.json").read_text())["subjects"][0]) == ["AP001", "DUP001"]
    printed = run("metrics.py:ap_over_k", "--format", "html", "--out", str(tmp_path / "a.html"))[1]
    assert "AP001 warning" in printed
    assert "DUP001 note" not in printed
    assert "DUP001 note" in run("metrics.py:ap_over_k", "-q", "--verbose")[1]
    assert "\x1b" not in printed
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")


def test_a_name_that_looks_like_markup_is_printed_as_it_is(run):
    assert "recommenders has no 'ndcg_at_k[bold]'" in run("recommenders:ndcg_at_k[bold]")[2]


def test_a_program_of_another_language_is_audited(tmp_path, run):
    (tmp_path / "program.py").write_text(PROGRAM)
    ended, printed, _ = run(f"exec:{sys.executable} program.py", "-q", "--format", "json")
    (found,) = json.loads(printed)["subjects"]
    assert (found["variant"], found["convention"]) == ("precision(divide_by=k)", None)
    assert ended == 0


PROGRAM = """
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "quit":
        break
    if request["op"] == "start":
        answer = {"ok": True, "subjects": {"precision": {}}}
    else:
        k = request["k"]
        values = [len(set(u["list"][:k]) & set(u["relevant"])) / k for u in request["users"] if u["relevant"]]
        answer = {"ok": True, "value": sum(values) / len(values) if values else 0.0}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("name", ["precision_recall", "evaluate_user"])
def test_the_command_below_a_table_shows_that_element_in_full(name, run, own, tmp_path):
    shutil.copy(SUPPORT / "styles" / "several.py", tmp_path)
    several = audit(f"several.py:{name}")
    command = shlex.split(re.search("`(metric-harness audit .*?)` shows one in full", str(several))[1])
    ended, shown, said = run(*command[2:], "--format", "json", "-q")
    assert ended in (0, 1), said
    (subject,) = json.loads(shown)["subjects"]
    assert subject["target"] == command[2] == several.subjects[0].target
    assert subject["variant"] == several.to_json()["subjects"][0]["variant"] is not None


def test_an_element_that_is_not_returned_is_an_error(run, tmp_path):
    shutil.copy(SUPPORT / "styles" / "several.py", tmp_path)
    ended, _, said = run("several.py:precision_recall[auc]", "-q")
    assert (ended, "it has no [auc]; it returns [0], [1]" in said) == (2, True)
    assert "it returns one number" in run("metrics.py:apk[0]", "-q")[2]
