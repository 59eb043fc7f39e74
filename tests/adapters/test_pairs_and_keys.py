"""Functions of pairs, galleries, padded truths, records and one user of a dict are named."""

import pytest

from metric_harness import audit
from tests.support.named import name_and_where
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLE = SUPPORT / "styles" / "pairs_and_keys.py"
ONE, RECALL, MRR = "one relevant item a user", "recall(divide_by=relevant)", "reciprocal_rank(over=first)"
NO_TIES = "no two distances equal"
NAMED = {
    "mrr_of_pairs": ("reciprocal_rank(over=first, cut=none)", [ONE]),
    "hits_in_a_gallery": ("hit_rate(value=any)", [NO_TIES]),
    "precision_of_columns": ("precision(divide_by=k)", [NO_TIES]),
    "hits_among_neighbours": ("hit_rate(value=any)", [ONE]),
    "mrr_of_records": (MRR, []),
    "hit_of_chapters": ("hit_rate(value=any)", [ONE]),
    "ndcg_of_places": ("ndcg(gain=linear)", ["no list shorter than k"]),
    "map_of_dicts": ("average_precision(divide_by=hits)", []),
    "recall_of_estimates": ("recall(divide_by=relevant, only=predicted)", []),
    "recall_of_padded": (RECALL, ["ids from 0"]),
    "ndcg_of_maps": ("ndcg(gain=exponential)", []),
    "precision_of_one": ("precision(divide_by=min_k_relevant)", []),
    "ndcg_of_a_count": ("ndcg(gain=binary, ideal=list)", ["labels 0 or 1"]),
    "precision_at_five": ("precision(divide_by=k)", ["no list shorter than k", "cut at 5"]),
    "ndcg_of_rows": ("None", []),
    "ndcg_beside_lengths": ("ndcg(gain=binary, weight=sum)", ["labels 0 or 1"]),
    "hits_by_step": ("hit_rate(value=any)", [ONE]),
    "gini": ("None", []),
    "hit_share": ("recall(divide_by=relevant, weight=micro)", []),
    "ndcg_of_first": ("ndcg(gain=binary, ideal=relevant, cut=none)", [ONE]),
    "r_precision": (RECALL, []),
    "hits_of_rows": ("hit_rate(value=any)", [ONE]),
    "mrr_of_impressions": ("reciprocal_rank(over=mean_relevant, cut=none)", ["labels 0 or 1"]),
    "precision_of_list": ("precision(divide_by=k)", ["labels 0 or 1"]),
    "ndcg_unread": ("ndcg(gain=binary, cut=none, weight=sum)", [ONE]),
    "by_user": ("hit_rate(value=any)", [ONE, "ranks from 0"]),
}


FRAMES = ("hits_of_rows",)


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    if name in FRAMES:
        pytest.importorskip("pandas")
    assert name_and_where(STYLE, name) == NAMED[name]


def test_both_directions_of_a_square_matrix_are_named():
    subjects = audit(f"{STYLE}:recall_both_ways").subjects
    called = {subject.to_json()["target"].split("[")[1]: subject.convention for subject in subjects}
    assert called == {"i2t_R@{k}]": "square_similarity:matrix", "t2i_R@{k}]": "column_similarity:matrix"}
    assert all(str(subject.variant) == "recall(divide_by=relevant, times=100)" for subject in subjects)


def test_the_name_of_the_function_tells_results_with_one_name_apart():
    subjects = audit(f"{STYLE}:precision_recall_at_k").subjects
    assert [str(subject.variant) for subject in subjects] == ["precision(divide_by=k)", RECALL]
