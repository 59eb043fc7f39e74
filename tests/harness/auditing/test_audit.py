"""The audit end to end with real workers: one's own functions, hostile ones, expectations, comparisons, exit codes."""

import importlib.util
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from itertools import product

import pytest

from metric_harness import assert_computes, audit, identify
from metric_harness.auditing.session import Options
from metric_harness.cli import app as cli
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.environments import resolve_python
from metric_harness.system.errors import HarnessError
from metric_reports.record import validate_audit
from tests.support.places import ROOT, SUPPORT

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """A working folder with the file metrics.py; the functions in it, to call by hand."""
    shutil.copy(SUPPORT / "own_metrics.py", tmp_path / "metrics.py")
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("metrics", tmp_path / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "metrics", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line; its exit code, standard output and standard error."""

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["metric-harness", "audit", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return command


def subject(target, **settings):
    result = audit(target, **settings)
    validate_audit(result.to_json())
    (only,) = result.to_json()["subjects"]
    return only


def codes(found):
    return [finding["code"] for finding in found["findings"]]


# What is identified


@pytest.mark.parametrize(
    ("name", "variant", "expected"),
    [
        ("apk", "average_precision(divide_by=min_k_relevant)", []),
        ("ap_over_k", "average_precision(divide_by=k)", ["AP001", "DUP001"]),
        ("ndcg_off_by_one", "ndcg(gain=binary, discount=shifted_log2)", ["NDCG005", "DUP001"]),
        ("hits_counted", "hit_rate(value=hits)", ["HR001", "DUP001"]),
        ("recall", "recall(divide_by=relevant)", []),
        ("Recall", "recall(divide_by=relevant)", []),
        ("Recall.compute", "recall(divide_by=relevant)", []),
        ("recall_prints", "recall(divide_by=relevant)", []),
        ("recall_mutates", "recall(divide_by=relevant)", ["MUT001"]),
    ],
)
def test_own_functions_are_named(name, variant, expected):
    found = subject(f"metrics.py:{name}")
    assert (found["identified"], found["variant"], found["alternatives"]) == (True, variant, [])
    assert found["convention"].startswith("relevant,recommended")
    assert codes(found) == expected


def test_where_the_function_is_written():
    line = (SUPPORT / "own_metrics.py").read_text().splitlines().index("def apk(actual, predicted, k=10):") + 1
    assert subject("metrics.py:apk")["source"] == {"file": "metrics.py", "line": line}


def test_a_case_of_a_finding_shows_that_finding(own):
    """AP001 on the smallest list: what was returned, the variant, and the usual definition, worked out."""
    case = subject("metrics.py:ap_over_k")["findings"][0]["case"]
    (user,) = case["users"]
    assert (case["k"], user["list"], user["relevant"]) == (2, [0], [0])
    assert case["value"] == own.ap_over_k([0], [0], 2) == 0.5
    assert [row["value"] for row in case["candidates"]] == [0.5, 1.0]
    assert case["arithmetic"][0] == "average_precision(divide_by=k)@2: 1/1, divided by 2 = 0.5"


def test_an_edge_is_shown_beside_the_same_variant_behaving_otherwise(own):
    case = subject("metrics.py:ap_over_k")["findings"][1]["case"]
    values = [own.ap_over_k(user["relevant"], user["list"], case["k"]) for user in case["users"]]
    assert case["value"] == pytest.approx(sum(values) / len(values))
    (other,) = case["candidates"]
    assert other["variant"] == "average_precision(divide_by=k), duplicates: once"
    once = [own.ap_over_k(u["relevant"], distinct(u["list"][: case["k"]]), case["k"]) for u in case["users"]]
    assert other["value"] == pytest.approx(sum(once) / len(once))
    assert other["value"] < case["value"]


def distinct(items):
    """A list with a place that hits nothing where an item comes again."""
    return [item if item not in items[:rank] else -1 for rank, item in enumerate(items)]


# Unknown definitions


def ndcg_by_hand(hits, relevant, k):
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:k], start=1) if hit)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, relevant) + 1))


def test_an_unknown_definition_comes_with_a_counterexample_that_holds(own):
    found = subject("metrics.py:ndcg_square_root")
    assert (found["identified"], found["variant"], found["choices"], found["edges"]) == (False, None, {}, {})
    assert codes(found) == ["UNX001"]
    near = found["nearest"][0]
    assert near["variant"] == "ndcg(gain=binary)"
    assert {"plain", "full_lists"} <= set(near["fails"])
    assert (
        "The nearest is ndcg(gain=binary): it fails on 9 of 10 probes, off by up to" in found["findings"][0]["message"]
    )
    case = near["case"]
    assert found["findings"][0]["case"] == case
    (user,) = case["users"]
    assert user["hits"] == [item in user["relevant"] for item in user["list"]]
    assert case["value"] == pytest.approx(own.ndcg_square_root(user["relevant"], user["list"], case["k"]))
    value = ndcg_by_hand(user["hits"], len(user["relevant"]), case["k"])
    assert {row["variant"]: row["value"] for row in case["candidates"]} == {"ndcg(gain=binary)": pytest.approx(value)}
    assert abs(case["value"] - value) > 1e-3
    assert case["arithmetic"] == [f"ndcg(gain=binary)@{case['k']}: 1 x 0.63093 = 0.63093"]


def test_no_smaller_list_shows_it(own):
    """Every list with fewer items and missing relevant items than the counterexample, by brute force."""
    (user,) = subject("metrics.py:ndcg_square_root")["nearest"][0]["case"]["users"]
    size = len(set(user["list"]) | set(user["relevant"]))
    for length in range(1, size):
        for hits, missing in product(product((True, False), repeat=length), range(size - length)):
            relevant = [rank for rank, hit in enumerate(hits) if hit] + list(range(length, length + missing))
            for k in range(1, length + 2) if relevant else ():
                value = own.ndcg_square_root(relevant, list(range(length)), k)
                assert value == pytest.approx(ndcg_by_hand(hits, len(relevant), k))


def test_the_other_metrics_that_no_list_can_excuse():
    found = subject("metrics.py:recall_sevenfold")
    assert codes(found) == ["UNX001", "RNG001"]
    assert "outside [0, 1]" in found["findings"][1]["message"]


# Hostile functions


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("recall_raises", "ERR001", "RuntimeError: no answer today"),
        ("recall_exits", "ERR001", "SystemExit: 3"),
        ("recall_dies", "ERR001", "exit code 3"),
        ("recall_hangs", "ERR001", "timed out after 1 s"),
        ("recall_allocates", "ERR001", "MemoryError"),
        ("recall_text", "ERR001", "'0.5'"),
        ("recall_nan", "UNX001", "it returns NaN for ordinary users, so no definition fits"),
        ("recall_random", "UNX001", "another number each time it is asked for the same case, so no definition fits"),
    ],
)
def test_hostile_functions_are_findings(name, code, said, run):
    ended, printed, _ = run(f"metrics.py:{name}", "--timeout", "1", "--memory", "2", "--format", "json", "--quiet")
    (found,) = json.loads(printed)["subjects"]
    assert (ended, found["identified"]) == (2 if code == "ERR001" else 1, False)
    finding = next(row for row in found["findings"] if row["code"] == code)
    assert said in finding["message"]
    assert found["evidence"]["confidence"] == "refused"
    assert ("RND001" in codes(found)) == (name == "recall_random")


def test_a_nan_is_shown_as_one():
    case = subject("metrics.py:recall_nan")["findings"][0]["case"]
    assert (case["value"], case["error"]) == ("nan", None)


# Expectations


def test_what_was_expected_holds(run):
    ended, printed, _ = run("metrics.py:apk", "--expect", "average_precision@10", "-q")
    assert ended == 0
    assert "average_precision(divide_by=min_k_relevant)@10, and that is it" in " ".join(printed.split())


def test_what_was_expected_does_not_hold(run):
    options = ("metrics.py:ap_over_k", "--expect", "average_precision(divide_by=relevant)", "-q", "--format", "json")
    ended, printed, _ = run(*options)
    (found,) = json.loads(printed)["subjects"]
    assert (ended, codes(found)[0], found["expected"]["holds"]) == (1, "EXP001", False)
    case = found["findings"][0]["case"]
    (user,) = case["users"]
    assert [row["value"] for row in case["candidates"]] == [1.0, 0.5]
    assert (user["list"], user["relevant"], case["k"], case["value"]) == ([0], [0], 2, 0.5)
    assert run(*options, "--select", "NDCG")[0] == 1, "what was asked for counts unselected"
    assert run(*options, "--ignore", "EXP,AP001")[0] == 0


def test_an_unknown_definition_is_not_what_was_expected():
    found = subject("metrics.py:ndcg_square_root", expect="ndcg")
    assert codes(found) == ["EXP001", "UNX001"]
    assert "none of the known variants" in found["findings"][0]["message"]


# What a name rests on


DECEIVERS = SUPPORT / "styles" / "deceivers.py"
SLOW = (f"{DECEIVERS}:recall_too_slow", "--timeout", "0.5", "-q")


def test_a_name_that_does_not_hold_at_size_is_not_what_was_expected(run):
    ended, printed, _ = run(f"{DECEIVERS}:recall_of_forty", "--expect", "recall", "-q", "--format", "json")
    (found,) = json.loads(printed)["subjects"]
    assert (ended, found["identified"], found["variant"]) == (1, False, None)
    assert found["suggested"] == "recall(divide_by=relevant)"
    assert found["evidence"]["confidence"] == "refused"
    assert codes(found)[:2] == ["EXP001", "VER001"]
    expected, really = found["findings"][:2]
    assert "from k = 41 on" in really["message"]
    assert "from k = 41 on" in expected["message"]
    assert not found["expected"]["holds"]
    case = really["case"]
    assert (case["k"], case["candidates"][0]["variant"]) == (41, "recall(divide_by=relevant)")
    assert case["value"] < case["candidates"][0]["value"]


def test_less_than_verified_is_accepted_on_demand_alone(run):
    ended, printed, _ = run(*SLOW, "--expect", "recall")
    text = " ".join(printed.split())
    assert ended == 1
    assert "probes only 17 of 17 probes answered; " in text
    assert "timed out after 0.5 s" in text
    assert 'To accept that: --accept "probes only", in Python accept="probes only".' in text
    ended, printed, _ = run(*SLOW, "--expect", "recall", "--accept", "probes only")
    assert ended == 0
    assert "recall(divide_by=relevant), and that is it" in " ".join(printed.split())
    assert "accept 'guesses': give one of verified, probes only" in run(*SLOW, "--accept", "guesses")[2]


def test_accepting_less_does_not_accept_what_is_refused(run):
    assert run(f"{DECEIVERS}:recall_of_forty", "--expect", "recall", "--accept", "probes only", "-q")[0] == 1


@pytest.mark.slow
def test_identify_gives_no_name_that_is_not_verified():
    with pytest.raises(HarnessError, match=r"agrees with recall.* on the probes, not at size. It departs from k = 41"):
        identify(f"{DECEIVERS}:recall_of_forty")
    with pytest.raises(
        HarnessError, match=r"agrees with precision.* on the probes, not at size. It departs .*item ids"
    ):
        identify(f"{DECEIVERS}:precision_of_small_ids", accept="probes only")
    with pytest.raises(HarnessError, match=r'could not be verified at size: .*timed out.*accept="probes only"'):
        identify(f"{DECEIVERS}:recall_too_slow", timeout=0.5)
    slow = identify(f"{DECEIVERS}:recall_too_slow", timeout=0.5, accept="probes only")
    assert str(slow) == "recall(divide_by=relevant)"


@pytest.mark.slow
def test_assert_computes_fails_on_less_than_verified():
    with pytest.raises(AssertionError, match="from k = 41 on") as failed:
        assert_computes(f"{DECEIVERS}:recall_of_forty", "recall")
    assert "k = 41; hits in brackets" in str(failed.value)
    with pytest.raises(AssertionError, match="could not be verified at size"):
        assert_computes(f"{DECEIVERS}:recall_too_slow", "recall", timeout=0.5)
    assert_computes(f"{DECEIVERS}:recall_too_slow", "recall", timeout=0.5, accept="probes only")


SLIPS = {
    "blog.py:ndcg": ("NDCG005", 0.792481, 0.63093),  # off-by-one discount: log2(rank + 2)
    "ranks.py:ndcg_at_k": ("NDCG002", 1.0, 0.613147),  # the ideal list is made of the hits
    "blog.py:average_precision": ("AP003", 0.75, 0.5),  # no indicator: every rank's precision is summed
    "blog.py:recall": ("DUP001", 10 / 9, 8 / 9),  # a hit that is listed twice counts twice
    "ranks.py:precision_at_k": ("THR001", 1.0, 0.5),  # the threshold is a parameter that is not used
}


@pytest.mark.slow
@pytest.mark.parametrize("target", SLIPS)
def test_five_classic_slips_are_findings_with_a_case(target):
    code, returned, right = SLIPS[target]
    (row,) = [row for row in subject(str(SUPPORT / "styles" / target))["findings"] if row["code"] == code]
    assert row["case"]["value"] == pytest.approx(returned, abs=1e-6)
    assert row["case"]["candidates"][-1]["value"] == pytest.approx(right, abs=1e-6)


def test_a_threshold_that_is_heeded_is_no_finding(tmp_path):
    text = (SUPPORT / "styles" / "ranks.py").read_text(encoding="utf-8")
    heeded = (
        "def precision_at_k(ratings, k, threshold=3.5):\n    return sum(one >= threshold for one in ratings[:k]) / k\n"
    )
    (tmp_path / "heeded.py").write_text(text + "\n\n" + heeded)
    found = subject(f"{tmp_path / 'heeded.py'}:precision_at_k")
    assert (found["variant"], codes(found)) == ("precision(divide_by=k)", ["DUP001"])


def test_a_way_of_calling_that_mostly_raises_is_not_taken_for_the_right_one():
    """It ranks the whole catalogue; other arguments than its matrices make it raise mostly."""
    found = subject("metrics.py:label_ranking_average_precision")
    assert (found["convention"], found["variant"]) == (
        "y_true,y_score:matrix",
        "average_precision(divide_by=relevant, cut=none)",
    )


def test_a_multiple_of_a_definition_is_said_to_be_one(own):
    found = subject("metrics.py:recall_percent")
    assert found["variant"] == "recall(divide_by=relevant, times=100)"
    assert found["evidence"]["confidence"] == "verified"
    assert "times" not in subject("metrics.py:ndcg_square_root")["findings"][0]["message"]


# Comparisons


def test_two_functions_that_differ(run):
    ended, printed, _ = run("metrics.py:apk", "--compare", "metrics.py:ap_over_k", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert (ended, both["same"]) == (1, False)
    assert [row["code"] for row in both["findings"]] == ["CMP001"]
    assert (both["case"]["k"], both["case"]["value"], both["case"]["other"]) == (2, 1.0, 0.5)
    text = run("metrics.py:apk", "--compare", "metrics.py:ap_over_k", "-q")[1]
    assert "metrics.py:ap_over_k returned" in text
    assert text.endswith("Different definitions.\n")


def test_two_functions_that_are_the_same(run):
    ended, printed, _ = run("metrics.py:recall", "--compare", "metrics.py:Recall", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert (ended, both["same"], both["case"], both["findings"], both["edges"]) == (0, True, None, [], {})


@pytest.mark.slow
def test_two_functions_that_part_at_the_edges_alone(run):
    ended, printed, _ = run("metrics.py:recall", "--compare", "metrics.py:recall_undefined", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert (ended, both["same"], both["edges"]) == (1, False, {"no_relevant": ["zero", "poisons_mean"]})
    assert [row["code"] for row in both["findings"]] == ["CMP002"]
    assert (both["case"]["value"], both["case"]["other"]) == (pytest.approx((2 / 3 + 1 / 2) / 3), "nan")
    text = run("metrics.py:recall", "--compare", "metrics.py:recall_undefined", "-q")[1]
    assert "but they differ at the edges: no relevant: zero and poisons mean." in " ".join(text.split())
    assert text.endswith("Same definition, but they differ at the edges.\n")


def test_two_unknown_definitions_are_compared_by_what_they_return(run):
    assert run("metrics.py:recall_nan", "--compare", "metrics.py:ndcg_square_root", "-q")[0] == 1


# The command


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
        "    time.sleep(60)\n".replace("ID", str(tmp_path / "id"))
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
    (tmp_path / "broken.py").write_text("import no_such_thing_at_all\ndef ndcg(relevant, recommended, k): return 1.0\n")
    ended, _, said = run("broken.py:ndcg", "-q")
    assert (ended, "No module named 'no_such_thing_at_all'" in said) == (2, True)


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


# The Python interface


def test_settings_replace_the_fields_of_options(own):
    options = Options(metric="recall", accept="probes only")
    assert str(identify(f"{DECEIVERS}:recall_too_slow", options, timeout=0.5)).startswith("recall")
    assert str(identify("metrics.py:apk", None)).startswith("average_precision")
    said = audit("metrics.py:apk", options, expect="ndcg").subjects[0]
    assert (said.metric, str(said.expected)) == ("recall", "ndcg(gain=binary)")
    with pytest.raises(TypeError, match="metrics"):
        audit("metrics.py:apk", options, metrics="ndcg")


def test_a_dry_run_needs_no_sound_library_folders(run, tmp_path):
    broken = tmp_path / "more" / "broken"
    broken.mkdir(parents=True)
    (broken / "library.toml").write_text("name = ")
    options = ["--dry-run", "--adapters", str(broken.parent)]
    code, output, _ = run("recommenders:map_at_k", *options)
    assert (code, "map_at_k" in output) == (0, True)
    code, _, message = run("broken", *options)
    assert (code, "library.toml" in message) == (2, True)


def test_identify_and_audit_take_functions_and_texts(own):
    assert str(identify("metrics.py:apk")) == "average_precision(divide_by=min_k_relevant)"
    assert identify("metrics.py:ndcg_square_root") is None
    result = audit(own.Recall)
    assert result.subjects[0].target == "metrics.py:Recall"
    assert str(result.subjects[0].variant) == "recall(divide_by=relevant)"
    assert "recall(divide_by=relevant)" in str(result)
    assert "recall(divide_by=relevant)" in result._repr_html_()
    with pytest.raises(HarnessError, match="top of a file"):
        audit(lambda relevant, recommended, k: 1.0)


def test_the_names_of_the_package_are_functions_whatever_was_imported_before():
    code = (
        "import sys, metric_harness\n"
        "assert not {'numpy', 'metric_harness.auditing.api'} & set(sys.modules), 'import metric_harness is not light'\n"
        "import metric_harness.cli.app, metric_harness.auditing.testing, metric_harness.auditing.api\n"
        "from metric_harness import assert_computes, audit, identify\n"
        "assert all(callable(one) for one in (assert_computes, audit, identify))\n"
        "assert {'assert_computes', 'audit', 'identify'} < set(metric_harness.__all__) <= set(dir(metric_harness))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_help_and_an_audit_import_nothing_that_takes_long():
    heavy = "{'pandas', 'scipy', 'pyarrow', 'pooch', 'jinja2'}"
    code = (
        "import sys\n"
        "import metric_harness.cli.app, metric_harness.auditing.api, metric_harness.auditing.two_functions\n"
        f"assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_result_prints_as_the_command_does(own):
    result = audit(own.recall)
    assert repr(result) == str(result)
    first, computes, signature, verified, *_ = repr(result).splitlines()
    assert (first, computes.split()) == ("metrics.py:recall", ["computes", "recall(divide_by=relevant)"])
    assert signature.startswith("  signature     recall@k|")
    rests_on = r"17 of 17 probes answered; \d+ questions at size \(2,063 users, k = 1 to 1100\)"
    assert re.match(rf"  verified      {rests_on}: all", verified)


def test_assert_computes(own):
    assert_computes(own.apk, "average_precision@10")
    assert_computes("metrics.py:recall", "recall(divide_by=relevant)", timeout=5)
    with pytest.raises(AssertionError) as failed:
        assert_computes(own.ap_over_k, "average_precision(divide_by=relevant)")
    assert "expected average_precision(divide_by=relevant); it computes average_precision(divide_by=k)" in str(
        failed.value
    )
    assert "returned                               0.5" in str(failed.value)


def test_assert_computes_in_a_test_run(tmp_path):
    (tmp_path / "test_metrics.py").write_text(
        "from metric_harness import assert_computes\n"
        "from metrics import apk, ndcg_off_by_one\n"
        "def test_sound(): assert_computes(apk, 'average_precision')\n"
        "def test_slip(): assert_computes(ndcg_off_by_one, 'ndcg@10')\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_metrics.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "expected ndcg(gain=binary)@10; it computes ndcg(gain=binary, discount=shifted_log2)" in done.stdout
    assert "ndcg(gain=binary)@2:" in done.stdout
    assert "in assert_computes" not in done.stdout


# Libraries


@pytest.mark.live
def test_one_function_of_a_library():
    found = subject("recommenders:map_at_k", expect="average_precision")
    assert found["variant"] == "average_precision(divide_by=min_k_relevant)"
    assert found["expected"]["holds"]
    assert found["source"]["file"] == "recommenders/evaluation/python_evaluation.py"
    assert codes(found) == ["USR001", "DUP001"]


@pytest.mark.live
@pytest.mark.parametrize("library", ["rs_metrics", "recommenders"])
def test_a_whole_library(library):
    """Recommenders has metrics beyond accuracy with findings, whose cases have training data."""
    result = audit(library).to_json()
    validate_audit(result)
    assert len(result["subjects"]) > 4
    assert all(found["identified"] for found in result["subjects"])


@pytest.mark.live
def test_two_releases_of_a_library(run):
    ended, printed, _ = run("recbole==1.2.0:MAP", "--compare", "recbole:MAP", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert [found["target"] for found in both["subjects"]] == ["recbole==1.2.0:MAP", "recbole==1.2.1:MAP"]
    assert (ended, both["same"], both["edges"]) == (0, True, {})


@pytest.mark.live
def test_ones_own_function_against_a_library(run):
    ended, printed, _ = run("metrics.py:apk", "--compare", "recommenders:map", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert (ended, both["same"]) == (1, False)
    assert (both["case"]["value"], both["case"]["other"]) == (1.0, 0.5)


@pytest.mark.live
@pytest.mark.parametrize(
    ("target", "variant"),
    [
        ("lenskit:NDCG", "ndcg(gain=binary, discount=max_log2)"),
        ("lenskit:Recall", "recall(divide_by=min_k_relevant)"),
        ("torchmetrics:RetrievalMAP", "average_precision(divide_by=hits)"),
    ],
)
def test_libraries_with_unusual_definitions(target, variant):
    assert subject(target)["variant"] == variant


@pytest.mark.live
def test_functions_that_take_tensors_run_where_torch_is():
    torchmetrics = find_libraries()["torchmetrics"]
    python = str(resolve_python("isolated", torchmetrics, torchmetrics.newest()))
    found = subject(f"{SUPPORT / 'styles' / 'tensors.py'}:retrieval_reciprocal_rank", environment=python)
    assert (found["convention"], found["variant"]) == ("y_score,y_true:tensors", "reciprocal_rank(over=first)")
    found = subject("torchmetrics.functional.retrieval:retrieval_normalized_dcg", environment=python)
    assert (found["convention"], found["variant"]) == ("y_score,y_true_graded:tensors", "ndcg(gain=linear)")
    assert found["edges"]["ties"] == "expected"


# The page of the documentation


PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"(?ms)^```console\n\$ metric-harness (audit .*?)\n(.*?)^```$", PAGE)


def test_the_page_shows_audits():
    assert [bool(re.search(r"recommenders|recbole", command)) for command, _ in SHOWN] == [True, False, False]


@pytest.mark.parametrize(
    ("command", "output"),
    [pytest.param(*one, marks=[pytest.mark.live] if "recommenders" in one[0] else []) for one in SHOWN],
)
def test_what_the_page_shows_is_what_comes(command, output, run, tmp_path):
    (written,) = re.findall(r"(?ms)^```python\n(import math\n.*?)^```$", PAGE)
    (tmp_path / "metrics.py").write_text(written)
    audited, _, echo = command.partition("; ")
    ended, printed, _ = run(*shlex.split(audited)[1:])
    assert printed + (f"exit code {ended}\n" if echo else "") == output
