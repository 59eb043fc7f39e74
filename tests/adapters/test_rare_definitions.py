"""Definitions that public code has and textbooks do not: each is named and verified."""

import pytest

from metric_harness.naming.api import audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLE = SUPPORT / "styles" / "rare_definitions.py"
NAMED = {
    "ndcg_off_by_one": "ndcg(gain=exponential_plus_one)",
    "ndcg_of_squares": "ndcg(gain=squared_minus_one)",
    "ndcg_of_the_shorter": "ndcg(gain=binary, ideal=same_ranks)",
    "recall_of_rounded_values": "recall(divide_by=relevant, rounded=4, rounds=users)",
    "mrr_of_users_with_a_hit": "reciprocal_rank(over=first, who=with_hit)",
    "auc_of_all_pairs": "auc(scope=per_pair)",
    "auc_in_order_of_rows": "auc(scope=per_user, ties=id_ascending)",
    "auc_in_reverse_order_of_rows": "auc(scope=per_user, ties=id_descending)",
    "auc_by_lagging_trapezoids": "auc(scope=per_user, ties=id_ascending, negatives=lagged)",
    "calc_auc": "auc(scope=per_user, ties=id_ascending, negatives=lagged)",
    "calc_auc_of_counts": "auc(scope=per_user, ties=id_descending)",
    "auc_of_ranks": "auc(scope=per_user)",
    "mean_auc_of_rows": "auc(scope=per_user)",
    "auc_of_small_labels": "auc(scope=per_user)",
    "auc_with_ties_won": "auc(scope=per_user, ties=win)",
    "ndcg_of_known_items": "ndcg(gain=linear, only=judged)",
    "ndcg_of_judged_items": "ndcg(gain=linear, only=judged)",
    "ndcg_of_annotated": "ndcg(gain=exponential, ideal=relevant, cut=none, only=judged)",
    "recall_of_the_first": "recall(divide_by=relevant, only=first_k_relevant)",
    "ap_of_the_first": "average_precision(divide_by=min_k_relevant, only=first_k_relevant)",
    "map_of_users_with_a_hit": "average_precision(divide_by=hits, only=with_hit)",
    "map_of_users_with_a_hit_or_nan": "average_precision(divide_by=hits, only=with_hit_or_nan)",
    "recall_of_listed": "recall(divide_by=relevant, only=listed)",
    "recall_of_the_rows": "recall(divide_by=relevant, only=listed)",
    "ndcg_of_ranked_targets": "ndcg(gain=exponential, only=listed)",
    "f1_of_mean_shares": "f1(over=means, no_hits=nan)",
}


@pytest.mark.parametrize("function", NAMED)
def test_a_rare_definition_is_named(function):
    (subject,) = audit(f"{STYLE}:{function}").subjects
    assert str(subject.variant) == NAMED[function]
    assert subject.verified


def test_an_order_of_ties_without_a_rule_is_said():
    (subject,) = audit(f"{STYLE}:auc_of_ranks").subjects
    assert subject.to_json()["edges"]["ties"] == "unspecified"


def test_a_neighbour_of_judged_items_has_no_name():
    """It takes out what was judged as not relevant, too, which one case at size shows."""
    (subject,) = audit(f"{STYLE}:ndcg_of_hits").subjects
    assert subject.variant is None


def test_gains_are_whole_where_the_annotation_says_so(tmp_path):
    (subject,) = audit(f"{STYLE}:ndcg_of_whole_grades").subjects
    assert (str(subject.variant), subject.verified) == ("ndcg(gain=exponential)", True)
    assert "whole gains" in subject.to_json()["where"]
    bare = tmp_path / "bare.py"
    bare.write_text(STYLE.read_text().replace("qrels: dict[str, int]", "qrels"))
    (subject,) = audit(f"{bare}:ndcg_of_whole_grades").subjects
    assert subject.variant is None


def test_precision_and_recall_above_a_predicted_rating_are_named():
    precision, recall = audit(f"{STYLE.with_name('score_labels.py')}:precision_recall_at_k").subjects
    assert str(precision.variant) == "precision(divide_by=list, only=predicted)"
    assert str(recall.variant) == "recall(divide_by=relevant, only=predicted)"
    assert precision.verified
    assert recall.verified


def test_predictions_that_nothing_cuts_are_asked_past_the_end_of_a_list():
    """After the listed items come ones that nobody judged, then the relevant ones that are not listed."""
    (subject,) = audit(f"{STYLE.with_name('score_labels.py')}:hit_rate_of_predictions").subjects
    assert (str(subject.variant), subject.verified) == ("hit_rate(value=any)", True)


def test_a_half_for_users_without_pairs_is_a_known_edge():
    (subject,) = audit(f"{STYLE}:auc_or_half").subjects
    assert str(subject.variant) == "auc(scope=per_user)"
    assert subject.identification.edges.no_relevant == "half"
    assert "EDG001" not in {finding["code"] for finding in subject.findings}
