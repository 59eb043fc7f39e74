"""Two functions compared: different definitions, the same one, the same apart from the edges."""

import json

import pytest

from metric_reports.record import validate_audit

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]


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
