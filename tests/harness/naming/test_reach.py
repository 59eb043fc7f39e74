"""Wider calls that contradict a name, cut-offs, errors for some users, constants of the code, code that never ran."""

import pytest

from metric_harness import audit
from metric_reports.audit.case_lines import case_lines
from metric_reports.record import validate_audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough
NARROW = SUPPORT / "styles" / "narrow.py"
VERIFIED = {
    "recall_without_k": "recall(divide_by=relevant, cut=none)",
    "hit_rate_at_k": "hit_rate(value=any, cut=none)",
    "mean_reciprocal_rank": "reciprocal_rank(over=first, cut=none)",
    "mrr_ten": "reciprocal_rank(over=first), every judged item is relevant, cut at 10",
    "mrr_ten_loop": "reciprocal_rank(over=first), cut at 10",
    "recall_method": "recall(divide_by=relevant)",
    "recall_of_thousands": "recall(divide_by=relevant), cut at 5000",
    "mrr_of_best_label": "reciprocal_rank(over=first, cut=none), labels 0 or 1",
    "precision_of_sums": "precision(divide_by=k), labels 0 or 1",
    "precision_of_counts": "precision(divide_by=k)",
    "hit_by_words": "hit_rate(value=any), no text like another, `threshold` at its default",
    "recall_of_one_label": "recall(divide_by=relevant), one relevant item a user",
    "mrr_without_scores": "reciprocal_rank(over=first), one relevant item a user",
    "average_precision_untied": "average_precision(divide_by=relevant, cut=none), no two scores equal",
    "ndcg_guarded": "ndcg(gain=binary)",
    "recall_of_judged": "recall(divide_by=relevant), every judged item is relevant",
}
ONLY_WHERE = {
    "dcg_short": "lists hold every item",
    "best_overlap": "no two texts share words",
    "preference": "every judged item is relevant",
    "ndcg_of_cut_offs": "no other cut-off is asked for",
}
CONSTANTS = {
    "recall_seven": "7 or more relevant items",
    "recall_late_id": "item ids",
    "recall_big_users": "1501 or more users",
    "recall_exact_gain": "item ids",
    "recall_of_a_size": "83 or more relevant items",
}


def audited(name, **options):
    record = audit(f"{NARROW}:{name}", **options).to_json()
    validate_audit(record)
    (subject,) = record["subjects"]
    return subject


def test_a_name_that_holds_for_scores_above_0_says_so_and_what_never_ran():
    subject = audited("auc_without_zero")
    assert (subject["variant"], subject["where"]) == ("auc(scope=per_user)", ["every score above 0"])
    assert subject["evidence"]["confidence"] == "verified in part"


@pytest.mark.parametrize("name", VERIFIED)
def test_the_name_says_where_the_function_cuts(name):
    found = audited(name)
    assert ", ".join([found["variant"], *found["where"]]) == VERIFIED[name]
    assert found["evidence"]["confidence"] == "verified"
    branches = found["evidence"]["branches"]
    assert branches["ran"] == branches["of"] > 0
    if "cut at" in VERIFIED[name]:  # it was asked longer lists
        assert not any("asked no deeper" in note for note in found["notes"])


def test_an_item_0_that_is_padding_is_a_condition_of_the_name():
    found = audited("recall_padded")
    assert (found["variant"], found["where"]) == ("recall(divide_by=relevant)", ["no item has the number 0"])
    assert found["evidence"]["confidence"] == "verified in part"  # what it does with that item never ran


@pytest.mark.parametrize("name", ONLY_WHERE)
def test_a_function_that_departs_under_a_wider_call_has_no_name(name):
    found = audited(name)
    assert (found["variant"], found["only_where"]) == (None, [ONLY_WHERE[name]])
    (departure,) = [row for row in found["findings"] if row["code"] == "DOM001"]
    assert departure["severity"] == "error"
    (candidate,) = departure["case"]["candidates"]
    assert departure["case"]["value"] != candidate["value"]
    shown = "judged not relevant" in "\n".join(case_lines(departure["case"]))
    assert shown == (ONLY_WHERE[name] == "every judged item is relevant")
    (expected,) = [row for row in audited(name, expect=found["suggested"])["findings"] if row["code"] == "EXP001"]
    assert expected["severity"] == "error"


def test_of_two_results_one_is_not_cut_at_the_number_that_both_get():
    named = audit(f"{NARROW}:map_and_precision").to_json()["subjects"]
    expected = ["average_precision(divide_by=relevant, cut=none)", "precision(divide_by=k)"]
    assert [each["variant"] for each in named] == expected


def test_equal_scores_in_an_order_that_no_definition_has_are_left_out_of_the_name():
    found = audited("auc_argsort")
    assert (found["variant"], found["where"]) == ("auc(scope=per_user)", ["labels 0 or 1", "no two scores equal"])
    assert found["edges"]["ties"] == "unspecified"


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_of_the_source_is_asked(name):
    found = audited(name)
    (departure,) = [row for row in found["findings"] if row["code"] == "VER001"]
    assert CONSTANTS[name] in departure["message"]


def test_an_error_for_some_users_is_a_finding_and_the_name_stays():
    found = audited("rr_raises")
    assert found["variant"] == "reciprocal_rank(over=first)"
    (raised,) = [row for row in found["findings"] if row["code"] == "RAI001"]
    assert "IndexError: list index out of range for a user without a hit up to k" in raised["message"]
    assert raised["case"]["value"] is None


def test_the_lines_that_never_ran_are_given():
    found = audited("recall_try")
    evidence, lines = found["evidence"], NARROW.read_text().splitlines()
    (missed,) = evidence["branches"]["missed"]
    assert lines[missed["first"] - 1].strip() == "except TypeError:"
    assert evidence["confidence"] == "verified in part"
    assert evidence["reason"] == f"lines {missed['first']} to {missed['first'] + 1} never ran"
    expected = {"expect": "recall(divide_by=relevant)"}
    assert [row["code"] for row in audited("recall_try", **expected)["findings"]] == ["EXP001"]
    assert audited("recall_try", **expected, accept="verified in part")["findings"] == []


def test_the_reach_is_what_was_asked():
    reach = audited("recall_method")["evidence"]["reach"]
    assert reach["gains"] == "binary"
    assert reach["ids"] == "numbers"
    assert (reach["k"][0], reach["users"][1]) == (1, 2000)
    assert reach["k"][1] >= 1100  # of the case ``long``; drawn ones may go on
    assert reach["lists"][1] >= 1100
    assert reach["relevant"][1] > 150
