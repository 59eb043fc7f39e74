"""Which definitions of a scan differ."""

import pytest

from metric_harness.scanning.groups import compared_as, metric_groups, with_differences


def function(name, variant, call, deepest=1100):
    subject = {
        "variant": variant,
        "calling": {"about": "", "why": "", "call": call},
        "target": f"m.py:{name}",
        "evidence": {"confidence": "verified", "cutoffs": [1, deepest]},
        "edges": {},
        "findings": [],
        "metric": "reciprocal_rank",
    }
    return {"file": "m.py", "line": 1, "name": name, "label": "reciprocal_rank", "subjects": [subject]}


WHOLE, CUT = "rr({relevant}, {recommended})", "mrr({relevant}, {recommended}, {k})"


@pytest.mark.parametrize(
    ("call", "deepest", "differ"), [(WHOLE, 1100, False), (CUT, 1100, True), (None, 1100, True), (WHOLE, 10, True)]
)
def test_whole_lists_are_those_of_an_ignored_cut_off(call, deepest, differ):
    functions = [
        function("rr", "reciprocal_rank(over=first)", call, deepest),
        function("mrr", "reciprocal_rank(over=first, cut=none)", CUT),
    ]
    (group,) = metric_groups(functions)
    assert group["differ"] is differ
    found = [row["code"] for each in with_differences(functions) for row in each["subjects"][0]["findings"]]
    assert found == (["DIF001"] * 2 if differ else [])


def test_whole_lists_are_those_of_a_cut_off_where_none_is_ignored():
    (subject,) = function("rr", "reciprocal_rank(over=first)", WHOLE)["subjects"]
    assert compared_as(subject, ["reciprocal_rank(over=first)"]) == "reciprocal_rank(over=first)"
