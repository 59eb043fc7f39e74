"""What a function does with its parameters tells what they are."""

import pytest

from metric_adapters.calls.facts import one_a_row
from metric_harness import audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough
STYLE = SUPPORT / "styles" / "from_use.py"
NAMED = {
    "recall_of_ratings": ["recall(divide_by=relevant)"],
    "precision_of_orders": ["precision(divide_by=k)"],
    "recall_mrr_of_sessions": ["hit_rate(value=any)", "reciprocal_rank(over=first)"],
    "mean_reciprocal_rank_of_rows": ["reciprocal_rank(over=first, cut=none)"],
    "recall_up_to_constant": ["recall(divide_by=relevant)"],
    "recalls_of_defaults": ["recall(divide_by=relevant)"],
    "Judge.reciprocal_rank": ["reciprocal_rank(over=first)"],
    "hits_of_texts": ["hit_rate(value=any)"],
    "precision_of_all": ["precision(divide_by=list)"],
    "auc_of_pairs": ["auc(scope=per_user)"],
    "mrr_of_rankings": ["reciprocal_rank(over=first)"],
    "area_of_both": ["auc(scope=per_user)"],
    "ndcg_undefined": ["ndcg(gain=linear)"],
    "ndcg_to_rank": ["ndcg(gain=linear, ideal=list_hits)"],
    "precision_to_position": ["precision(divide_by=k)"],
    "recalls_in_keys": ["recall(divide_by=relevant)"] * 2,
    "recall_of_ranks": ["recall(divide_by=relevant)"],
    "hits_of_a_batch": ["hit_rate(value=any, weight=sum)"],
    "reciprocal_rank_of_a_batch": ["reciprocal_rank(over=first, cut=none)"],
    "hits_of_rows": ["hit_rate(value=any, weight=sum)"],
    "recall_of_columns": ["recall(divide_by=relevant)"],
    "precision_of_flags": ["precision(divide_by=k)"],
    "recall_of_flags": ["recall(divide_by=relevant)"],
    "success_of_flags": ["hit_rate(value=any)"],
    "reciprocal_rank_of_results": ["reciprocal_rank(over=first, only=with_hit_or_nan)"],
    "dcg_of_users_with_gain": ["ndcg(gain=linear, ideal=none, only=with_hit)"],
    "average_precision_of_query_label": ["average_precision(divide_by=hits)"],
    "ndcg_of_the_shorter_list": ["ndcg(gain=linear, ideal=same_ranks)"],
    "recall_of_rank_matrix": ["recall(divide_by=relevant)"],
    "ndcg_of_places": ["ndcg(gain=linear, ideal=hits)"],
    "ndcg_of_ranking": ["ndcg(gain=linear, discount=max_log2, ideal=hits)"],
    "auc_of_columns": ["auc(scope=per_user)"],
    "recall_of_pairs": ["recall(divide_by=relevant)"],
    "accuracy_of_classes": ["hit_rate(value=any)"],
    "recalls_by_depth": ["recall(divide_by=relevant)"],
    "ndcg_with_gains": ["ndcg(gain=binary)"],
    "metrics_that_are_asked_for": ["hit_rate(value=any)", "precision(divide_by=k)"],
    "mrr_of_rows": ["reciprocal_rank(over=first)"],
    "mrr_of_a_frame": ["reciprocal_rank(over=first)"],
    "recall_of_chunks": ["recall(divide_by=relevant)"],
    "gain_of_rankings": ["ndcg(gain=exponential, ideal=none)"],
    "average_precision_of_rankings": ["average_precision(divide_by=min_k_relevant)"],
    "shares_at_one_and_five": ["recall(divide_by=relevant, times=100)"] * 2,
    "NDCG.evaluate": ["ndcg(gain=exponential, ideal=list_hits)"],
    "recall_without_junk": ["recall(divide_by=relevant)"],
    "MeanReciprocal.GetShare": ["reciprocal_rank(over=first)"],
    "HitsOf.__call__": ["hit_rate(value=any)"],
    "recall_beside_novelty": ["recall(divide_by=relevant)", "None"],
    "ndcg_in_float32": ["ndcg(gain=binary, ideal=relevant, rounded=4, rounds=users)"],
    "recall_of_products": ["recall(divide_by=relevant)"],
    "area_of_p_and_q": ["auc(scope=per_user)"],
    "hits_above_negatives": ["filtered_rank(value=recall)"],
    "reciprocal_rank_of_candidates": ["reciprocal_rank(over=first, cut=none)"],
    "recalls_of_features": ["recall(divide_by=relevant)"] * 2,
    "recall_of_frames": ["recall(divide_by=relevant)"],
    "Judged.HitRate": ["recall(divide_by=relevant, weight=micro)"],
    "Judged.average_reciprocal_hit_rank": ["reciprocal_rank(over=mean_relevant, weight=micro)"],
}
REFUSED = ("r_precision_of_classes", "precision_of_places")
WHERE = {
    "recall_up_to_constant": ["cut at 10"],
    "recalls_in_keys": ["cut at 10"],
    "fbeta": ["`beta` at its default"],
    "recall_until_beyond": ["ranks in ascending order", "ranks from 0"],
    "hits_of_a_batch": ["one relevant item a user"],
    "ndcg_of_graded_pairs": ["relevant items sorted by gain"],
    "accuracy_of_classes": ["one relevant item a user"],
    "average_precision_of_rankings": ["rows of at least k"],
    "mrr_of_rows": ["scores in descending order"],
    "recall_of_frames": ["`threshold` at its default"],
}
"""The conditions of a name, beside those of labels and short lists."""


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    if name == "recall_of_rank_matrix":
        pytest.importorskip("scipy")
    if name in ("mrr_of_a_frame", "recall_of_frames"):
        pytest.importorskip("pandas")
    found = audit(f"{STYLE}:{name}").subjects
    assert [str(subject.variant) for subject in found] == NAMED[name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_narrow_or_wrong_reading_gives_no_name(name):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert subject.variant is None


@pytest.mark.parametrize("name", WHERE)
def test_a_name_says_where_it_holds(name):
    subject = audit(f"{STYLE}:{name}").subjects[0].to_json()
    assert subject["variant"]
    assert [condition for condition in subject["where"] if "labels" not in condition] == WHERE[name]


ONE_POSITIVE = {
    "auc_of_positive": ("auc(scope=per_user)", "first_score,other_scores:arrays"),
    "auc_where_ties_win": ("auc(scope=per_user, ties=win)", "first_score,other_scores:arrays"),
    "hit_rate": ("hit_rate(value=any)", "first_score,other_scores"),
    "ndcg": ("ndcg(gain=binary)", "first_score,other_scores:matrix"),
    "reciprocal_rank": ("reciprocal_rank(over=first, cut=none)", "first_score,other_scores:column"),
}


@pytest.mark.parametrize("name", ONE_POSITIVE)
def test_one_positive_score_and_its_negatives_are_two_arguments(name):
    found = audit(f"{SUPPORT}/styles/one_positive.py:{name}").to_json()["subjects"][0]
    assert (found["variant"], found["convention"]) == ONE_POSITIVE[name]
    assert "one relevant item a user" in found["where"]
    assert any(note.startswith("the number depends on the candidates that you hand over") for note in found["notes"])


def test_what_ends_at_the_first_hit_is_told_where_it_holds():
    subject = audit(f"{SUPPORT}/styles/one_positive.py:ndcg_at_first_hit").to_json()["subjects"][0]
    assert (subject["variant"], subject["convention"]) == (None, "falling_scores,relevance_of_one:pairs")
    (departure,) = [row for row in subject["findings"] if row["code"] == "DOM001"]
    assert "It is ndcg(gain=binary) only where each user has one relevant item." in departure["message"]


def test_a_reciprocal_hit_rank_is_not_told_that_it_counts_all_hits():
    findings = audit(f"{STYLE}:Judged.average_reciprocal_hit_rank").to_json()["subjects"][0]["findings"]
    assert {row["code"]: row["severity"] for row in findings} == {"AVG001": "warning", "RR001": "note"}


def test_the_entries_of_all_users_in_one_row_are_another_definition():
    (subject,) = audit(f"{STYLE}:auc_of_pairs").subjects
    assert "called once with the entries of all users in one row, it is auc(scope=stacked)" in subject.notes


@pytest.mark.parametrize("shape", ["(n, k)", "[n x k]", "(n , k)"])
def test_a_docstring_says_which_argument_has_one_entry_for_each_row(shape):
    docstring = f"T : {shape[0]}n{shape[-1]} labels\nY : {shape} neighbours"
    assert one_a_row(docstring, {"T", "Y"}) == ["T"]


def test_a_letter_for_a_number_is_no_shape():
    docstring = "The ideal has min(R, k) hits.\nT : the total number of relevant documents (R) in the corpus"
    assert one_a_row(docstring, {"T"}) == []
