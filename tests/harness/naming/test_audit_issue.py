"""``audit --format issue``: texts for a maintainer to read, with scripts that show what they say without this tool."""

import re
import shutil
import subprocess
import sys
from math import log2
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from metric_adapters.calls.packages import EXAMPLE, show
from metric_adapters.calls.table import CALLS
from metric_adapters.calls.view import View
from metric_harness import audit
from metric_harness.naming.findings.reproduce import expression
from metric_harness.naming.findings.written_call import call_lines, case_of, written_call
from metric_harness.naming.probes.probe import build
from metric_reference.variant import RANKING, space
from metric_reports.audit.issue import BETWEEN, NONE, issues, script
from tests.support.places import SUPPORT
from tests.support.sample_audit import CASE, KNOWN, an_audit

pytestmark = pytest.mark.thorough

STYLES = SUPPORT / "styles"


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """A working folder with the file metrics.py."""
    shutil.copy(SUPPORT / "own_metrics.py", tmp_path / "metrics.py")
    monkeypatch.chdir(tmp_path)


def run_script(text):
    """The script of an issue run by a Python that sees nothing of ours; what it prints, by name."""
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```$", text)
    assert "harness" not in code
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "title"),
    [
        ("metrics.py:ap_over_k", "# `ap_over_k`: average precision divides by k"),
        ("metrics.py:ndcg_off_by_one", "# `ndcg_off_by_one`: another discount"),
        ("metrics.py:ndcg_square_root", "# `ndcg_square_root`: unexplained"),
        ("metrics.py:hits_counted", "# `hits_counted`: hit rate counts hits"),
        (f"{STYLES / 'ranks.py'}:ndcg_at_k", "# `ndcg_at_k`: ideal list made from the list's own hits"),
        (f"{STYLES / 'blog.py'}:average_precision", "# `average_precision`: no relevance indicator"),
        (f"{STYLES / 'deceivers.py'}:recall_of_forty", "# `recall_of_forty`: agrees on the probes, not at size"),
    ],
)
def test_an_issue_shows_what_the_audit_found(target, title):
    record = audit(target).to_json()
    text = issues(record)
    lines = text.splitlines()
    assert lines[0] == title
    case = next(row["case"] for row in record["subjects"][0]["findings"] if row["case"])
    shown = run_script(text)
    assert shown["returned"] == pytest.approx(case["value"], abs=1e-9)
    assert shown["expected"] in [pytest.approx(row["value"], abs=1e-9) for row in case["candidates"]]
    assert abs(shown["returned"] - shown["expected"]) > 1e-6
    assert f"**{case['value']:.6g}**" in lines[2]
    for heading in ("Smallest case", "Formulas", "How to reproduce", "What could be done"):
        assert f"## {heading}" in lines
    assert text.count("```math") in (1, 2)
    assert "Thank you for maintaining this code." in text


def test_an_expectation_is_what_the_issue_is_about():
    text = issues(audit("metrics.py:ap_over_k", expect="average_precision(divide_by=relevant)").to_json())
    title = "`ap_over_k` computes average_precision(divide_by=k), not average_precision(divide_by=relevant)"
    assert text.splitlines()[0] == f"# {title}"
    assert run_script(text) == {"returned": 0.5, "expected": 1.0}


def test_a_function_without_errors_and_warnings_has_no_issue():
    assert issues(audit("metrics.py:apk").to_json()) == NONE
    note = {**KNOWN, "findings": [KNOWN["findings"][2]]}
    assert issues({**an_audit(), "subjects": [note]}) == NONE


def test_several_functions_have_an_issue_each():
    text = issues({**an_audit(), "subjects": [KNOWN, KNOWN]})
    assert len(text.split(BETWEEN)) == 2
    assert text.count("\n# ") + text.startswith("# ") == 2


def test_hostile_text_cannot_leave_its_place():
    text = issues(an_audit())
    outside = re.sub(r"(?ms)^```.*?^```$", "", text)
    assert "<script" not in outside
    assert text.count("```") == 2 * len(re.findall(r"(?m)^```\w+$", text))


@pytest.mark.parametrize("target", ["recommenders==1.2.1:map_at_k", "exec:node metrics.mjs:f"])
def test_a_call_that_is_not_known_is_left_to_the_reader(target):
    assert written_call(target, KNOWN["calling"]) is None
    code = "\n".join(script({**KNOWN, "target": target}, {**CASE, "call": []}, CASE["candidates"][0]))
    assert "recommended = [[3, 7]]" in code
    assert f"# call {target.rpartition(':')[2]} with these lists and k" in code


def same(value):
    """What a tensor is made from, as text, so that torch is not needed."""
    return EXAMPLE.tensor(np.array(value))


def test_a_written_call_passes_what_the_audit_passes():
    """For every convention whose arguments are numbers, texts, arrays and tensors; the others have no lines."""
    containers = set()
    for convention in CALLS:
        call = f"f({', '.join(f'{{{role}}}' for role in convention.names)}, {{k}})"
        lines = call_lines(call, convention.name, {"k": 2, "users": [GRADED, PLAIN]})
        function = Mock(return_value=1.0)
        exec("\n".join(lines), {"np": np, "torch": SimpleNamespace(tensor=same), "f": function})
        passed = [call.args[:-1] for call in function.call_args_list]
        view = View(case_of([GRADED, PLAIN]), 2, cut=2 if convention.ends == "k" else None, kit=EXAMPLE)
        users = range(2 if convention.per_user else 1) if lines else ()
        assert [show(data) for data in passed] == [show(convention.arguments(view, user)) for user in users], convention
        containers |= {convention.container} if lines else set()
    assert {"lists", "sets", "arrays", "tensors", "all", "all-sets", "dicts", "dict-sets", "text"} <= containers
    assert not {"csr", "series", "objects"} & containers


GRADED = {
    "list": [3, 7, 1, 5],
    "hits": [True, False, True, True],
    "relevant": [1, 3, 5, 9],
    "gains": [2.0, 1.0, 4.0, 3.0],
}
PLAIN = {"list": [0, 2], "hits": [True, False], "relevant": [0, 4], "gains": [1.0, 1.0]}


@pytest.mark.parametrize("metric", RANKING)
def test_expected_values_are_arithmetic_that_gives_them(metric):
    """What is written as arithmetic gives the value; for the metrics that sum over ranks it is never a bare number."""
    users = [GRADED, PLAIN]
    real = build(
        [u["list"] for u in users], [u["relevant"] for u in users], 11, gains=[u["gains"] for u in users], threshold=1.0
    )
    for variant in space(metric):
        value = variant.value(real, k=3)
        text = expression(variant, real, 3, value) or repr(value)
        assert eval(text, {"log2": log2}) == pytest.approx(value, abs=1e-9)
        unusual = variant.metric.made().get("sum_over") == "all_ranks" or variant.weight == "micro"
        if metric in ("ndcg", "average_precision", "reciprocal_rank") and not unusual:
            assert "/" in text or "*" in text, variant
