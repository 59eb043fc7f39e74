"""Functions as the code of papers has them: each is named, with the conditions of its name."""

import pytest

from metric_harness import audit
from metric_harness.naming.subject import TWICE
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLE = SUPPORT / "styles" / "papers.py"
ONE, FIRST = "one relevant item a user", "reciprocal_rank(over=first)"
RECALL, DCG = "recall(divide_by=relevant)", "ndcg(gain=exponential, ideal=none)"
NAMED = {
    "hits_of_variables": ("hit_rate(value=any, rounded=4)", [ONE]),
    "recalls_of_a_list[recall5]": (RECALL, ["cut at 5"]),
    "recalls_of_a_list[recall10]": (RECALL, ["cut at 10"]),
    "mrr_of_a_hundred": (FIRST, [ONE, "cut at 100"]),
    "recall_and_ndcg[0]": (RECALL, []),
    "recall_and_ndcg[1]": ("ndcg(gain=binary)", []),
    "r_precision_of_pairs": ("r_precision(divide_by=relevant)", []),
    "mean_inverse_rank": (
        "reciprocal_rank(over=mean_relevant, cut=none)",
        ["the smallest score the best"],
    ),
    "Meter.dcg_at_k": (DCG, []),
    "PrecisionAtK": ("precision(divide_by=list)", [ONE]),
    "mrr_of_columns": ("reciprocal_rank(over=first, cut=none)", ["labels 0 or 1"]),
    "first_of_the_lowest[0]": ("None", []),
    "cmc_that_needs_two": ("reciprocal_rank(over=first, cut=none)", [ONE]),
    "recalls_of_a_tuple": (RECALL, [ONE]),
    "ap_up_to_a_share": ("None", []),
    "hits_at_a_thousand": ("hit_rate(value=any)", ["cut at 1000"]),
    "matches_of_labels": ("hit_rate(value=any)", []),
}


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    pytest.importorskip("scipy")
    if name == "mrr_of_columns":
        pytest.importorskip("pandas")
    (subject,) = audit(f"{STYLE}:{name}").subjects
    where = [each for each in subject.to_json().get("where", []) if "default" not in each]
    assert (str(subject.variant), where) == NAMED[name]


def test_the_branch_past_a_cut_off_in_the_code_is_asked():
    pytest.importorskip("scipy")
    (subject,) = audit(f"{STYLE}:mrr_of_a_hundred").subjects
    branches = subject.evidence.branches
    assert branches is not None
    assert branches.ran == branches.of


def test_a_name_for_one_label_does_not_stand_where_several_contradict_it():
    pytest.importorskip("scipy")
    (subject,) = audit(f"{STYLE}:first_of_the_lowest[0]").subjects
    assert "DOM001" in {row["code"] for row in subject.findings}


def test_a_function_that_needs_two_users_is_asked_with_one_twice():
    pytest.importorskip("scipy")
    (subject,) = audit(f"{STYLE}:cmc_that_needs_two").subjects
    assert TWICE in subject.notes


def test_the_call_names_the_columns():
    pytest.importorskip("pandas")
    (subject,) = audit(f"{STYLE}:mrr_of_columns").subjects
    assert subject.calling is not None
    assert "predcol='score'" in str(subject.calling["call"])
