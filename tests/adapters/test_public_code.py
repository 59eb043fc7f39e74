"""Ways of calling and refusals as public code asks for them."""

import pytest

from metric_harness.naming.api import audit
from metric_harness.system.errors import HarnessError
from metric_harness.worker.reply import StartFailure
from tests.support.named import names_of
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

pytest.importorskip("pandas")
STYLE = SUPPORT / "styles" / "public_code.py"
NAMED = {
    "recall_of_either": {"": "recall(divide_by=relevant)"},
    "hits_of_either": {"": "hit_rate(value=any)"},
    "ap_of_asserted": {"": "average_precision(divide_by=relevant, cut=none)"},
    "precision_of_response": {"": "precision(divide_by=k)"},
    "recall_of_first_query": {"": "recall(divide_by=relevant)"},
    "recall_of_typed_rows": {"": "recall(divide_by=relevant)"},
    "precision_of_user": {"": "precision(divide_by=k)"},
    "auc_of_rows": {"": "auc(scope=per_row)"},
    "GradesOfQueries.ndcg_at_k": {"": "ndcg(gain=exponential)"},
    "TruthOfUsers.recall_at_k": {"": "recall(divide_by=relevant)"},
    "ScoresOfUsers.hit_rate": {"": "hit_rate(value=any)"},
    "recall_of_codes": {"": "recall(divide_by=relevant)"},
    "recall_of_first_codes": {"": None},
    "percentile": {"": None},
    "map_of_other_cameras": {"": "average_precision(divide_by=relevant, cut=none)"},
    "ndcg_of_a_data_set": {"1": "ndcg(gain=exponential, ideal=relevant, cut=none)", "2": None},
    "OfRows._calculate_ndcg": {"": "ndcg(gain=binary)"},
    "precision_of_estimates": {"": "precision(divide_by=list, only=predicted)"},
    "ndcg_of_ten": {"": "ndcg(gain=exponential, rounded=4)"},
    "BestOf.map_at_1": {"": "average_precision(divide_by=min_k_relevant)"},
    "recall_of_neighbours": {"": "precision(divide_by=k, only=first_k_relevant)"},
    "ap_of_verdicts": {"": "average_precision(divide_by=hits)"},
    "recall_of_requests": {"": "recall(divide_by=relevant)"},
    "ndcg_in_order": {"": "ndcg(gain=exponential)"},
    "RankingScores.ndcg": {"": "ndcg(gain=linear)"},
    "recall_of_identities": {"": "hit_rate(value=any)"},
    "shares_of_candidates": {"": "precision(divide_by=k)"},
    "recall_of_flags": {"": "recall(divide_by=relevant)"},
    "recall_of_rank": {"": "hit_rate(value=any)"},
    "hits_of_rows": {"": "hit_rate(value=any)"},
    "map_of_logits": {"": "average_precision(divide_by=relevant, cut=none)"},
    "precision_beside_shape": {"": "precision(divide_by=k)"},
    "recall_of_slice": {"": "recall(divide_by=min_k_relevant)"},
    "recall_of_factors": {"": "recall(divide_by=min_k_relevant)"},
    "recall_from_relevance": {"": "recall(divide_by=relevant)"},
    "mean_recall_of_queries": {"": "recall(divide_by=relevant)"},
    "ndcg_of_place": {"": "ndcg(gain=binary, ideal=relevant, cut=none)"},
    "recall_of_pages": {"": "recall(divide_by=relevant)"},
    "mrr_of_passages": {"": "reciprocal_rank(over=first)"},
    "map_of_words": {"": "average_precision(divide_by=relevant, cut=none)"},
    "RecallOfSettings.recall": {"": "recall(divide_by=relevant)"},
    "inverse_of": {"": None},
    "row_of_run": {"": "recall(divide_by=relevant)"},
    "summary_of_records": {
        "mrr": "reciprocal_rank(over=first)",
        "hr_at_5": "hit_rate(value=any)",
        "hr_at_10": "hit_rate(value=any)",
        "latency": None,
    },
    "hits_of_meta": {"": "hit_rate(value=any)"},
    "auc_of_mask": {"": "auc(scope=per_user)"},
    "hits_of_targets": {"": "hit_rate(value=any)"},
    "hit_rate_of_flags": {"": None},
    "dcg_of_copied_words": {"": "ndcg(gain=exponential, ideal=none)"},
    "ndcg_of_unread_truth": {"": "ndcg(gain=linear, ideal=list_hits)"},
    "one_of_several": {"": "auc(scope=per_user)"},
    "auc_of_one_length": {"": "auc(scope=per_user)"},
    "shares_of_rated": {"mrr": "reciprocal_rank(over=first)", "ndcg": "ndcg(gain=linear)"},
    "recall_of_frames": {"": "recall(divide_by=relevant)"},
    "recall_of_reached": {"": "recall(divide_by=relevant)"},
    "hits_of_columns": {"": "hit_rate(value=any)"},
    "mrr_of_named": {"": "reciprocal_rank(over=first, cut=none)"},
    "hits_of_named_rows": {"": "hit_rate(value=any)"},
    "recall_of_rated": {"": "recall(divide_by=relevant)"},
    "ndcg_of_rated": {"": "ndcg(gain=binary)"},
    "ndcg_of_equal_rows": {"": "ndcg(gain=binary, ideal=list)"},
    "map_beside_itself": {"": "average_precision(divide_by=relevant, cut=none)"},
    "precision_of_neighbours": {"": "precision(divide_by=k)"},
    "ndcg_of_best": {"": "ndcg(gain=binary)"},
    "dcg_of_one_user": {"": "ndcg(gain=linear, ideal=none)"},
    "ndcg_of_numbered_pairs": {"": "ndcg(gain=linear, ideal=relevant)"},
    "curve_of_matches": {"": "filtered_rank(value=recall)"},
    "ndcg_beside_unread_truth": {"": "ndcg(gain=linear, ideal=list_hits)"},
    "map_of_first_fifty": {"": "average_precision(divide_by=hits)"},
    "ndcg_over_filled_ideal": {"": "ndcg(gain=binary)"},
    "chosen_of_pairs": {"precision": "precision(divide_by=k)", "hit_rate": "hit_rate(value=any)"},
    "share_of_revenue": {"": "recall(divide_by=relevant)"},
    "mrr_of_rank_column": {"": "reciprocal_rank(over=first)"},
    "mrr_of_pairs": {"": "reciprocal_rank(over=mean_relevant, weight=micro)"},
    "weighted_auc": {"": "auc(scope=per_user)"},
    "ap_of_classes": {"": "pr_auc(area=step)"},
    "auc_by_choice": {"": "auc(scope=per_user)"},
    "precision_of_matches": {"": "precision(divide_by=list)"},
    "r_prec": {"": "r_precision(divide_by=relevant)"},
    "r_prec_of_needed": {"": None},
    "recall_of_classes": {"": None},
    "precision_and_recall_of_words": {"precision": "recall(divide_by=relevant)", "recall": "precision(divide_by=list)"},
    "score_of_labels": {"": None},
    "mean_precision": {"": None},
    "mrr_of_scores": {"": None},
    "precision_of_series": {"": "precision(divide_by=list)"},
    "recall_parts": {"0": None, "1": None},
    "auc_of_two": {"": "auc(scope=per_user)"},
    "rr_of_gold_entries": {"": "reciprocal_rank(over=first)"},
    "average_pages_rr": {"0": None, "1": None},
    "correlations": {"mcc": "mcc(over=catalogue)", "pearson": None},
    "depths": {"mae": None, "delta_hits": None},
    "precisions_of_query": {"": "precision(divide_by=k)"},
    "auc_of_scored_items": {"": "auc(scope=per_user)"},
    "auc_of_labels": {"": "auc(scope=per_user)"},
    "macro_precision": {"": None},
    "precision_per_class": {
        "precision_per_class[0": None,
        "precision_per_class[1": "precision(divide_by=list)",
        "precision": None,
    },
    "auc_of_two_lists": {"": "auc(scope=per_user)"},
    "auc_of_two_arrays": {"": "auc(scope=per_user)"},
    "precision_of_words": {"": "precision(divide_by=list)"},
    "precision_and_recall_swapped": {
        "precision": "recall(divide_by=relevant)",
        "recall": "precision(divide_by=list)",
    },
    "ndcg_of_entries": {"": "ndcg(gain=linear, ideal=list_hits)"},
    "hit_of_judged": {"": "hit_rate(value=any)"},
    "precision_of_evaluator": {"": "precision(divide_by=k)"},
    "auc_beside_data": {"": "auc(scope=per_user)"},
    "hit_of_chunks": {"": "hit_rate(value=any)"},
    "precision_made": {"": "precision(divide_by=k)"},
    "ndcg_of_hits": {"": "ndcg(gain=binary)"},
    "ndcg_beside_number": {"": "ndcg(gain=binary)"},
    "recall_for": {"": "recall(divide_by=relevant)"},
    "precision_of_numbers": {"": "precision(divide_by=k)"},
    "precision_of_places": {"": "precision(divide_by=k)"},
    "auc_of_joined": {"": "auc(scope=stacked)"},
    "Answered.recall_at_1": {"": "recall(divide_by=relevant)"},
    "recall_of_phrases": {"": "recall(divide_by=relevant)"},
    "ndcg_and_flags_of_relevant": {"1": "hit_rate(value=any)"},
    "average_precision_of_matches": {"": None},
    "recall_of_two_holders": {"": "recall(divide_by=relevant)"},
    "rank_of_first_path": {"": None},
    "precision_and_ceiling": {"0": "precision(divide_by=k)", "1": None},
    "macro_recall_of_labels": {"": "recall(divide_by=relevant)"},
    "mean_precision_of_numbers": {"": None},
    "recall_of_approximate": {"": "recall(divide_by=relevant)"},
    "Report.mrr": {"": "reciprocal_rank(over=first)"},
    "Report.hit_rate": {"": "hit_rate(value=any)"},
    "auc_of_buckets": {"": "auc(scope=per_user)"},
    "precision_by_matcher": {"": "precision(divide_by=k)"},
    "hitrate_at_each_rank": {"": "recall(divide_by=relevant)"},
    "ndcg_of_some_ranks": {"": None},
    "recall_later": {"": "recall(divide_by=relevant)"},
    "precision_of_sections": {"": "precision(divide_by=list)"},
    "mean_reciprocal_rank_of_numbers": {"": None},
    "ndcg_of_shares": {"": None},
    "recall_in_one_set": {"": "hit_rate(value=any)"},
    "map_in_one_set": {"": "average_precision(divide_by=relevant, cut=none)"},
    "map_of_neighbours": {"": "average_precision(divide_by=relevant, cut=none)"},
    "precision_of_pairs": {"": "precision(divide_by=k)"},
    "average_precision_of_classes": {"": "average_precision(divide_by=relevant, cut=none)"},
    "hits_beside_padding": {"": "hit_rate(value=any)"},
    "mean_of_spans": {"": "hit_rate(value=any)"},
    "mrr_of_ranked": {"": "reciprocal_rank(over=first)"},
    "hits_of_listed": {"hits_at_5": "hit_rate(value=any)", "n": None},
    "hits_beside_questions": {"": "hit_rate(value=any)"},
    "hits_of_normalized": {"": "hit_rate(value=any)"},
    "three_of_two_cuts": {"mrr10": "reciprocal_rank(over=first)", "covered": None},
    "HitsByTable": {"": "hit_rate(value=any)"},
    "precision_by_table": {"": "precision(divide_by=k)"},
    "hits_of_copies": {"": "hit_rate(value=any)"},
    "ndcg_of_rows_beside_a_dict": {"": "ndcg(gain=binary, ideal=list)"},
    "recall_of_flags_by_user": {"": "recall(divide_by=relevant)"},
    "hits_by_beginning": {"": "hit_rate(value=any)"},
    "share_of_indexed_items": {"": "precision(divide_by=list)"},
    "accuracy_of_greatest": {"": "hit_rate(value=any)"},
    "FromAGain.precision_at_k": {"": "precision(divide_by=k)"},
    "map_of_queries": {"": "average_precision(divide_by=relevant)"},
    "ndcg_of_named_tuples": {"": "ndcg(gain=exponential)"},
    "rank_in_the_other_list": {"": None},
    "ndcg_of_parallel_grades": {"": "ndcg(gain=linear)"},
    "hits_of_one_hot_rows": {"": "hit_rate(value=any, times=100)"},
    "mrr_of_one_dict": {"": "reciprocal_rank(over=first, cut=none)"},
    "all_found": {"": "hit_rate(value=all)"},
    "precision_of_prefixes": {"": "precision(divide_by=k)"},
    "rank_of_scored_chunk": {"": "reciprocal_rank(over=first)"},
    "recall_of_scores_first": {"": "recall(divide_by=relevant)"},
    "hits_of_search": {"": "hit_rate(value=any)"},
    "recall_of_retriever": {"": "recall(divide_by=relevant)"},
    "mrr_of_flags_by_user": {"": "reciprocal_rank(over=first)"},
    "recall_over_cut_offs": {"recall@{k}": "recall(divide_by=relevant)", "average_recall_to@{k}": None},
    "recall_of_query_lists": {"": "recall(divide_by=relevant)"},
    "ap_over_relevant_or_hits": {"": "average_precision(divide_by=min_list_relevant)"},
    "average_percision_at_k": {"": "average_precision(divide_by=hits)"},
    "rates_of_diagonal": {
        "0": "hit_rate(value=any)",
        "1": "hit_rate(value=any)",
        "2": "hit_rate(value=any)",
    },
    "recall_of_list_cells": {"": "recall(divide_by=relevant)"},
    "mrr_of_answers": {"": "reciprocal_rank(over=first)"},
    "shares_of_rows": {"recall@{k}": "recall(divide_by=relevant)", "mrr": "reciprocal_rank(over=first, cut=none)"},
    "ndcg_of_texts": {"": "ndcg(gain=exponential)"},
    "OfFrame.recall": {"": "precision(divide_by=k)"},
    "HandsOn": {"": "auc(scope=per_user)"},
    "ndcg_by_query": {"": "ndcg(gain=linear)"},
    "ndcg_of_rows": {"": "ndcg(gain=binary)"},
    "shares_at_one_and_k": {"hits_at_1": "hit_rate(value=any)", "hits_at_k": "hit_rate(value=any)"},
    "sorted_gains": {"": None},
    "means_of_positions": {
        "R1": "recall(divide_by=relevant, times=100)",
        "R10": "recall(divide_by=relevant, times=100)",
        "geometric_mean_R1-R5-R10": None,
    },
    "hits_of_ranks": {"0": "hit_rate(value=any)", "1": "hit_rate(value=any)"},
    "shares_of_two_depths": {"mrr_10": "reciprocal_rank(over=first)", "hits_50": "hit_rate(value=any)"},
    "common_of_prefixes": {"": None},
    "ap_over_length": {"": "average_precision(divide_by=list)"},
    "precision_of_topn": {"": "precision(divide_by=list)"},
    "hits_of_left_out": {"": "recall(divide_by=relevant, weight=micro)"},
    "mrr_of_places": {"": "reciprocal_rank(over=first)"},
    "recall_of_rows": {"": "recall(divide_by=relevant)"},
    "ap_of_rows": {"": "average_precision(divide_by=relevant, cut=none)"},
    "ndcg_of_class_numbers": {"": "ndcg(gain=binary)"},
    "auc_of_dicts": {"": "auc(scope=per_user)"},
    "precision_of_dicts": {"": "precision(divide_by=k)"},
    "ndcg_of_dicts": {"": "ndcg(gain=exponential)"},
    "recall_of_labels": {"": "recall(divide_by=relevant, weight=micro)"},
    "mrr_of_user": {"": "reciprocal_rank(over=first)"},
    "values_of_targets": {"recall_at_k": "recall(divide_by=relevant)", "ndcg_at_k": "ndcg(gain=binary)"},
    "mean_ndcg_of_lists": {"": "ndcg(gain=exponential, ideal=list_hits)"},
    "shares_of_ranks": {
        "MRR": "reciprocal_rank(over=first)",
        "Hits@1": "hit_rate(value=any)",
        "Hits@3": "hit_rate(value=any)",
        "Hits@10": "hit_rate(value=any)",
    },
    "recall_and_number": {"recall": "recall(divide_by=relevant)", "recovered": "hit_rate(value=hits)"},
    "mrr_of_square": {"": "reciprocal_rank(over=first, cut=none)"},
    "recall_of_results": {"": "recall(divide_by=relevant)"},
    "hits_of_cases": {"": "hit_rate(value=any)"},
    "ndcg_of_cases": {"": "ndcg(gain=exponential)"},
    "ndcg_of_judged": {"": "ndcg(gain=exponential)"},
    "hit_rate_of_labels": {"": "hit_rate(value=any)"},
    "hit_rate_by_distance": {"": "hit_rate(value=any)"},
    "recall_of_features": {"": "recall(divide_by=relevant)"},
    "mrr_of_sources": {"": "reciprocal_rank(over=first)"},
    "recall_of_answerable": {"": "recall(divide_by=relevant)"},
    "OfSums": dict.fromkeys(("recall@3", "recall@10"), "recall(divide_by=relevant, rounded=4)"),
    "recall_of_batch": {"": "recall(divide_by=relevant)"},
    "precision_of_predicted": {"": "precision(divide_by=list, only=predicted)"},
    "mrr_of_query_ids": {"": "reciprocal_rank(over=first)"},
    "precision_of_triples": {"": "precision(divide_by=k)"},
    "means_of_rows": {
        "n": None,
        "recall@{k}": "recall(divide_by=relevant)",
        "mrr@{k}": "reciprocal_rank(over=first)",
    },
    "mrr_of_distances": {"": "reciprocal_rank(over=first, cut=none)"},
    "rank_percentile": {"": "inverted_auc(scope=per_user, ties=win, times=100)"},
    "auc_of_posterior": {"": "auc(scope=per_user)"},
    "summary_of_ranks": {
        "hits": "hit_rate(value=any, weight=sum)",
        "hit_rate_at_{k}": "hit_rate(value=any)",
        "mrr": "reciprocal_rank(over=first)",
    },
    "recall_of_stock": {"": "recall(divide_by=relevant)"},
    "evaluate_at_ten": {"": "reciprocal_rank(over=first)"},
    "recall_of_target": {"": "recall(divide_by=relevant)"},
    "means_of_groups": {"ndcg@5": "ndcg(gain=exponential)", "mrr@10": "reciprocal_rank(over=first)"},
    "ndcg_of_shared_labels": {"": "ndcg(gain=exponential)"},
    "ndcg_of_positions": {"": "ndcg(gain=binary)"},
    "ndcg_up_to_relevant": {"": "ndcg(gain=binary, ideal=relevant_ranks)"},
    "values_by_name": {"hit_rate@{k}": "hit_rate(value=any)", "mrr@{k}": "reciprocal_rank(over=first)"},
    "shares_at_words": {
        "top_one": "hit_rate(value=any)",
        "recall_at_five": "recall(divide_by=relevant)",
        "mrr_at_ten": "reciprocal_rank(over=first)",
    },
    "DividesByN": {"": "reciprocal_rank(over=first)"},
    "precision_of_classes": {"": "reciprocal_rank(over=first)"},
    "precision_at_ten": {"": "precision(divide_by=k)"},
    "OfColumns.compute": {"": "reciprocal_rank(over=first)"},
    "values_by_text": {"recall@5": "recall(divide_by=relevant)", "mrr": "reciprocal_rank(over=first)"},
    "shares_and_users": {"precision_at_k": "precision(divide_by=list)", "evaluated_users": None},
    "recall_of_run": {"": "recall(divide_by=relevant)"},
    "r_precision_of_run": {"": "r_precision(divide_by=relevant)"},
    "ndcg_of_one_each": {"": "ndcg(gain=binary)"},
    "ndcg_after_padding": {"": "ndcg(gain=binary)"},
    "hits_of_last": {"": "hit_rate(value=any)"},
    "dcg_by_scheme": {"": "ndcg(gain=linear, ideal=none, cut=none)"},
    "recall_of_rebuilt": {"": "recall(divide_by=min_k_relevant)"},
    "rank_of_labels": {"": "reciprocal_rank(over=first)"},
    "precision_up_to_positives": {"": "precision(divide_by=list)"},
    "ndcg_at_five": {"": "ndcg(gain=binary)"},
    "hits_of_gallery": {"": "hit_rate(value=any)"},
    "map_of_gallery": {"": "average_precision(divide_by=relevant, cut=none)"},
    "map_of_labels": {"": "average_precision(divide_by=relevant, cut=none)"},
    "mrr_of_neighbours": {"": "reciprocal_rank(over=first)"},
    "hits_of_candidates": {"": "hit_rate(value=any)"},
    "map_at_r": {"": "average_precision(divide_by=relevant, sum_over=relevant_ranks)"},
    "recall_of_own_rows": {"": "recall(divide_by=relevant)"},
    "mrr_of_own_rows": {"": "reciprocal_rank(over=first)"},
    "precision_of_answer": {"": "precision(divide_by=list)"},
    "recall_of_points": {"": "recall(divide_by=relevant)"},
    "auc_and_mrr": {"auc": "auc(scope=per_user)", "mrr": "reciprocal_rank(over=first, cut=none)"},
    "recall_of_searched": {"": "recall(divide_by=relevant)"},
    "hits_of_score_arrays": {"": "hit_rate(value=any)"},
    "recall_of_score_arrays": {"": "recall(divide_by=relevant)"},
    "hits_of_user_lists": {"": "hit_rate(value=any)"},
    "recall_of_two_cells": {"": "recall(divide_by=relevant)"},
    "recall_of_merged": {"": "recall(divide_by=relevant)"},
    "recall_of_hidden": {"": "recall(divide_by=relevant)"},
    "PrecisionOfFiles": {"": "precision(divide_by=list)"},
    "recall_of_keys": {"": "recall(divide_by=relevant)"},
    "r_precision_of_members": {"": "r_precision(divide_by=relevant, cut=none)"},
    "precision_of_labs": {"": "precision(divide_by=k)"},
}


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    assert names_of(audit(f"{STYLE}:{name}").subjects) == NAMED[name]


def test_a_cut_off_past_that_of_another_result_is_said():
    for subject in audit(f"{STYLE}:shares_of_two_depths").subjects:
        assert f"cut at {subject.target.rpartition('_')[2].rstrip(']')}" in subject.to_json()["where"]


def test_ids_are_no_labels():
    (subject,) = audit(f"{STYLE}:precision_of_topn").subjects
    assert subject.to_json()["where"] == []


def test_a_list_for_each_user_is_not_named_by_users_of_one_item():
    assert all(subject.variant is None for subject in audit(f"{STYLE}:precisions_of_hits").subjects)


def test_columns_that_a_metric_does_not_need_are_said():
    (subject,) = audit(f"{STYLE}:OfFrame.recall").subjects
    assert "`popularity` 0 in every row" in subject.to_json()["where"]


def test_where_a_result_holds_its_entries_is_said():
    (subject,) = audit(f"{STYLE}:recall_of_points").to_json()["subjects"]
    assert "result gets it in an object of one entry, result.points" in subject["calling"]["why"]


def test_whole_gains_are_a_condition():
    (subject,) = audit(f"{STYLE}:ndcg_of_texts").subjects
    assert "whole gains" in subject.to_json()["where"]


def test_an_error_at_a_known_edge_is_no_finding():
    (subject,) = audit(f"{STYLE}:ap_of_rows").subjects
    assert subject.identification.edges.no_relevant == "error"
    assert "RAI001" not in {finding["code"] for finding in subject.findings}


def test_an_area_of_steps_holds_without_equal_scores_if_their_order_counts():
    (subject,) = audit(f"{STYLE}:average_precision_of_pairs").subjects
    assert (str(subject.variant), subject.to_json()["where"]) == ("pr_auc(area=step)", ["no two scores equal"])


def test_a_dcg_by_its_name_is_not_accused_of_no_ideal_list():
    (subject,) = audit(f"{STYLE}:dcg").subjects
    assert {finding["code"]: finding["severity"] for finding in subject.findings}["NDCG001"] == "note"


@pytest.mark.parametrize("name", ["recall_and_number", "hits", "counted"])
def test_a_number_of_hits_is_no_error_where_no_rate_is_claimed(name):
    *_, number = audit(f"{STYLE}:{name}").subjects
    assert {finding["code"]: finding["severity"] for finding in number.findings}["HR001"] == "note"


@pytest.mark.parametrize("name", ["hit_rate", "answer_found", "context_precision"])
def test_a_text_that_is_taken_apart_is_no_item(name):
    with pytest.raises(HarnessError, match="no known way of calling it"):
        audit(f"{STYLE}:{name}")


def test_a_number_in_a_name_that_is_no_cut_off_is_not_tried_as_one():
    assert all(subject.variant is not None for subject in audit(f"{STYLE}:hits_from_zero").subjects)


def test_a_cut_off_in_the_text_that_asks_is_said():
    recall, _ = audit(f"{STYLE}:values_by_text").subjects
    assert "cut at 5" in recall.to_json()["where"]


def test_gains_that_are_left_out_are_a_condition():
    (subject,) = audit(f"{STYLE}:ndcg_of_scores").subjects
    assert "`relevance_scores` at its default" in subject.to_json()["where"]


def test_a_function_that_returns_nothing_is_said_to_be_one():
    with pytest.raises(HarnessError, match="returns nothing"):
        audit(f"{STYLE}:printed_recall")


def test_ranks_that_may_be_of_hits_alone_are_two_ways_of_calling():
    (subject,) = audit(f"{STYLE}:ndcg_of_some_ranks").subjects
    assert "AMB001" in {finding["code"] for finding in subject.findings}


def test_labels_of_columns_are_handed_over_as_columns():
    (subject,) = audit(f"{STYLE}:macro_recall_of_labels").subjects
    assert subject.convention == "y_true,y_listed:columns"


def test_ranks_from_zero_are_a_condition():
    (subject,) = audit(f"{STYLE}:ndcg_of_positions").subjects
    assert "ranks from 0" in subject.to_json()["where"]


def test_a_mean_over_cut_offs_is_contradicted_beside_another_one():
    _, mean = audit(f"{STYLE}:recall_over_cut_offs").subjects
    assert mean.to_json()["only_where"] == ["no other cut-off is asked for"]
    assert "DOM001" in {finding["code"] for finding in mean.findings}
    assert "with a smaller cut-off beside k" in next(row["message"] for row in mean.findings if row["code"] == "DOM001")


def test_results_in_another_order_than_in_the_name_are_all_as_claimed():
    subjects = audit(f"{STYLE}:f1_precision_recall_of_lists").subjects
    assert [subject.variant.metric.name for subject in subjects] == ["precision", "recall", "f1"]
    assert "NAM001" not in {finding["code"] for subject in subjects for finding in subject.findings}


def test_spans_and_the_share_of_one_that_counts_are_conditions():
    (subject,) = audit(f"{STYLE}:recall_of_spans").subjects
    assert str(subject.variant) == "recall(divide_by=relevant)"
    assert {"`threshold = 0.5`", "no two items that overlap in part"} <= {*subject.to_json()["where"]}


def test_names_that_speak_against_the_way_of_calling_leave_a_doubt():
    (subject,) = audit(f"{STYLE}:precision_of_items").subjects
    evidence = subject.to_json()["evidence"]
    assert (str(subject.variant), evidence["confidence"]) == ("precision(divide_by=k)", "verified in part")
    assert evidence["reason"].startswith("against this way of calling it: recommended_items is relevance; ")
    (given,) = audit(f"{STYLE}:precision_of_items", convention="relevance").subjects
    assert given.to_json()["evidence"]["confidence"] == "verified"


def test_ties_of_the_best_scores_are_asked_of_an_auc():
    (subject,) = audit(f"{STYLE}:auc_of_steps").subjects
    assert str(subject.variant) == "auc(scope=per_user)"
    assert "no two scores equal" in subject.to_json()["where"]


def test_a_doubted_way_of_calling_gives_no_name_that_is_not_claimed():
    (subject,) = audit(f"{STYLE}:rank_of_first_path").subjects
    assert "AMB002" in {finding["code"] for finding in subject.findings}
    (given,) = audit(f"{STYLE}:rank_of_first_path", convention=subject.convention).subjects
    assert str(given.variant) == "reciprocal_rank(over=first)"


def test_a_function_that_refuses_gains_is_named_for_labels_alone():
    (subject,) = audit(f"{STYLE}:share_of_grades", metric="precision").subjects
    assert (str(subject.variant), *subject.to_json()["where"]) == (
        "precision(divide_by=min_k_relevant)",
        "labels 0 or 1",
    )


def test_a_table_of_words_that_no_item_is_in_leaves_a_doubt():
    (subject,) = audit(f"{STYLE}:precision_of_tokens").subjects
    evidence = subject.to_json()["evidence"]
    assert str(subject.variant) == "precision(divide_by=list)"
    assert (evidence["confidence"], evidence["reason"]) == (
        "verified in part",
        "nothing that it was asked is a key of KEYWORDS",
    )


def test_a_word_that_is_always_the_same_leaves_none():
    (subject,) = audit(f"{STYLE}:precision_of_kind").subjects
    assert (str(subject.variant), subject.to_json()["evidence"]["confidence"]) == (
        "precision(divide_by=list)",
        "verified",
    )


def test_weights_of_1_are_a_condition():
    (subject,) = audit(f"{STYLE}:weighted_auc").subjects
    assert "every weight 1" in subject.to_json()["where"]


def test_a_default_that_no_call_varies_is_asked_around():
    (subject,) = audit(f"{STYLE}:recall_of_at_most").subjects
    (found,) = [finding for finding in subject.findings if finding["code"] == "VER001"]
    assert "901" in found["message"]


def test_a_package_that_a_call_alone_imports_is_named(tmp_path):
    _lacks_not_there(
        tmp_path,
        "def ndcg(actual, predicted, k):\n    import not_there\n\n    return not_there.ndcg(actual, predicted)\n",
    )


def test_a_package_whose_lack_a_helper_catches_is_named(tmp_path):
    helper = "def found(actual, predicted):\n    try:\n        return not_there.hits(actual, predicted)\n"
    helper += "    except Exception:\n        return len(set(actual) & set(predicted))\n"
    recall = "def recall(actual, predicted, k):\n    return found(actual, predicted[:k]) / len(actual)\n"
    _lacks_not_there(tmp_path, f"import not_there\n\n\n{helper}\n\n{recall}")


def _lacks_not_there(tmp_path, text):
    """The one function of a file has no name, and it is told what to install."""
    path = tmp_path / "late.py"
    path.write_text(text)
    (subject,) = audit(f"{path}:{text.rpartition('def ')[2].partition('(')[0]}").subjects
    assert subject.variant is None
    (found,) = [finding for finding in subject.findings if finding["code"] == "ERR001"]
    assert found["try_with"] == "not-there"


def test_a_compiled_part_of_a_repository_is_no_package_to_install(tmp_path):
    path = tmp_path / "fast.py"
    path.write_text("from _hamming import ranked\n\n\ndef ndcg(actual, predicted, k):\n    return ranked(actual, k)\n")
    with pytest.raises(StartFailure, match=r"No module named '_hamming'$") as refused:
        audit(f"{path}:ndcg")
    assert refused.value.needs is None


def test_a_cut_off_at_which_no_shorter_list_can_be_shown_is_told():
    by_name = {subject.target[-4:-1]: subject for subject in audit(f"{STYLE}:means_of_lists").subjects}
    assert str(by_name["p@5"].variant) == "precision(divide_by=list)"
    assert "no list shorter than k" not in by_name["p@5"].to_json()["where"]
    assert "no list shorter than k" in by_name["p@2"].to_json()["where"]


@pytest.mark.parametrize(
    ("name", "variant", "condition"),
    [
        ("auc_of_logits", "auc(scope=per_user)", "every score between -4 and 4"),
        ("recall_of_basket", "recall(divide_by=relevant)", "every score above 0"),
    ],
)
def test_a_limit_of_the_scores_that_shows_when_it_is_asked_again_is_a_condition(name, variant, condition):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert str(subject.variant) == variant
    assert condition in subject.to_json()["where"]


@pytest.mark.parametrize(
    ("name", "variant"),
    [("hit_of_an_id", "hit_rate(value=any)"), ("ndcg_padded_with_zeros", "ndcg(gain=binary)")],
)
def test_an_item_0_that_is_taken_for_none_is_a_condition(name, variant):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert str(subject.variant) == variant
    assert "no item has the number 0" in subject.to_json()["where"]
