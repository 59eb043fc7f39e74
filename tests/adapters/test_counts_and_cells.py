"""Functions of numbers of hits, lists of two, cells, ranks with None, rows and scores beside names are named."""

import pytest

from metric_harness import audit
from tests.support.named import name_and_where
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLE = SUPPORT / "styles" / "counts_and_cells.py"
ONE, RECALL = "one relevant item a user", "recall(divide_by=relevant)"
NAMED = {
    "precision_of_counts": ("precision(divide_by=k, rounded=5)", []),
    "hit_ratio_of_counts": ("recall(divide_by=relevant, weight=micro)", []),
    "recall_of_two": (RECALL, []),
    "mrr_of_found": ("reciprocal_rank(over=first, who=with_hit)", [ONE]),
    "hits_of_ranks": ("hit_rate(value=any)", [ONE]),
    "mrr_of_cells": ("reciprocal_rank(over=first)", [ONE]),
    "ndcg_of_groups": ("ndcg(gain=linear, ideal=hits, only=with_hit)", []),
    "ndcg_cut_in_the_code": ("ndcg(gain=binary)", ["cut at 500"]),
    "recall_of_names": (RECALL, []),
    "ndcg_of_a_truth_that_is_cut": ("ndcg(gain=exponential)", ["gains of the relevant items in descending order"]),
    "mrr_of_queries": ("reciprocal_rank(over=first)", [ONE]),
    "map_of_rows": ("average_precision(divide_by=relevant, cut=none)", []),
    "ndcg_at_ten": ("ndcg(gain=binary)", ["cut at 10"]),
    "accuracy_of_one": ("hit_rate(value=any)", [ONE]),
    "always_one": ("None", []),
    "mrr_of_a_run": ("reciprocal_rank(over=first)", []),
    "ndcg_of_a_number": ("ndcg(gain=binary)", ["labels 0 or 1"]),
}
FRAMES = ("mrr_of_cells", "ndcg_of_groups")


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    if name in FRAMES:
        pytest.importorskip("pandas")
    assert name_and_where(STYLE, name) == NAMED[name]


def test_the_answer_for_no_user_counts_as_run():
    (subject,) = audit(f"{STYLE}:hits_of_ranks").subjects
    branches = subject.evidence.branches
    assert branches is not None
    assert branches.ran == branches.of


def test_a_name_of_distances_says_that_no_two_are_equal():
    """scikit-learn's average precision counts ties together, and a gallery shows none."""
    hits, precision = audit(f"{STYLE.with_name('galleries.py')}:cmc_and_map").subjects
    assert all("no two distances equal" in subject.to_json()["where"] for subject in (hits, precision))
