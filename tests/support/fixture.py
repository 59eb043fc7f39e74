"""Four users on which the variants that libraries compute all differ, with the figures measured there.

Items are numbered 1 to 12; every list holds ten of them with scores 1, 1/2, ..., 1/10, the other two score 0; k is 5.
The relevant items stand at these ranks: user 1 at 2, 5 and 8; user 2 at 1 to 7; user 3 at 10; user 4 at 1. The figures
depend on the ranks alone, and no other ranks give them all. FIGURES are rounded to six digits, as measured.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric_reference.case import Case, case_from_lists

K = 5
N_ITEMS = 12
LISTS = [
    [4, 6, 2, 3, 1, 8, 10, 9, 5, 7],
    [3, 12, 7, 1, 9, 5, 11, 2, 8, 6],
    [8, 2, 11, 5, 1, 7, 10, 12, 6, 4],
    [10, 3, 6, 12, 2, 9, 4, 8, 1, 11],
]
RELEVANT = [[1, 6, 9], [3, 12, 7, 1, 9, 5, 11], [4], [10]]
RATINGS = [[5, 5, 4], [5, 4, 5, 4, 4, 4, 5], [4], [5]]
"""Ratings of the relevant items with which the graded figures come out."""

FIGURES = {
    "hit_rate(value=any)": 0.75,
    "hit_rate(value=hits)": 2.0,
    "precision(divide_by=k)": 0.4,
    "precision(divide_by=list)": 0.4,
    "precision(divide_by=min_k_relevant)": 0.666667,
    "precision(divide_by=min_k_relevant, weight=micro)": 0.8,
    "recall(divide_by=relevant)": 0.595238,
    "recall(divide_by=min_k_relevant)": 0.666667,
    "recall(divide_by=relevant, weight=micro)": 0.666667,
    "reciprocal_rank(over=first)": 0.625,
    "reciprocal_rank(over=first, cut=none)": 0.65,
    "reciprocal_rank(over=sum)": 0.995833,
    "reciprocal_rank(over=mean_relevant, cut=none)": 0.436352,
    "average_precision(divide_by=k)": 0.345,
    "average_precision(divide_by=relevant)": 0.503571,
    "average_precision(divide_by=min_k_relevant)": 0.575,
    "average_precision(divide_by=min_list_relevant)": 0.575,
    "average_precision(divide_by=hits)": 0.6125,
    "average_precision(divide_by=relevant, cut=none)": 0.63125,
    "average_precision(divide_by=k, sum_over=all_ranks)": 0.438333,
    "average_precision(divide_by=cumulative_min)": 0.152083,
    "ndcg(ideal=min_k_relevant)": 0.619406,
    "ndcg(ideal=relevant)": 0.572021,
    "ndcg(ideal=k)": 0.421088,
    "ndcg(ideal=hits)": 0.656013,
    "ndcg(ideal=relevant, cut=none)": 0.728682,
    "ndcg(discount=max_log2)": 0.635948,
    "ndcg(ideal=none)": 1.24156,
    "auc(scope=per_user)": 0.712121,
    "auc(scope=per_positive)": 0.848485,
    "auc(scope=stacked)": 0.722222,
    "auc(scope=per_positive, negatives=plus_one)": 0.8625,
    "auc(scope=per_user, negatives=plus_one)": 0.7375,
    "auc(scope=limited, negatives=plus_one)": 0.633333,
    "auc(scope=top_k, one_sided=zero_one)": 0.583333,
    "auc(scope=top_k, one_sided=zero)": 0.333333,
    "average_recall(sum_over=hits, divide_by=relevant)": 0.409864,
    "r_precision(divide_by=relevant, who=with_hit)": 0.68254,
}
RANKED_ONLY = {
    "auc(scope=per_user)": 0.642857,
    "auc(scope=per_positive)": 0.809524,
    "auc(scope=stacked)": 0.642857,
}
"""AUC when the ten ranked items are the only candidates."""
GRADED = {
    0.5: {"ndcg(gain=exponential_over_threshold)": 0.603813},
    1.0: {
        "ndcg(gain=exponential_over_threshold)": 0.603637,
        "ndcg(gain=exponential)": 0.603637,
        "ndcg(gain=exponential, ideal=relevant)": 0.578232,
    },
    4.0: {"ndcg(gain=exponential_over_threshold)": 0.597796},
}
"""By threshold, with RATINGS as gains."""


def fixture_case() -> Case:
    """All twelve items are candidates, every gain is 1."""
    lists = [[item - 1 for item in row] for row in LISTS]
    scores = [[1 / rank for rank in range(1, len(row) + 1)] for row in lists]
    candidates = np.zeros((len(lists), N_ITEMS))
    for user, row in enumerate(lists):
        candidates[user, row] = scores[user]
    relevant = [[item - 1 for item in row] for row in RELEVANT]
    return case_from_lists(lists, relevant, N_ITEMS, scores=scores, candidate_scores=candidates)


def ranked_only_case() -> Case:
    """Only the ten ranked items are candidates."""
    case = fixture_case()
    assert case.candidate_scores is not None
    return replace(case, candidate_scores=np.where(case.candidate_scores > 0, case.candidate_scores, -np.inf))


def graded_case(threshold: float) -> Case:
    """The ratings as gains."""
    gains = np.array([rating for row in RATINGS for rating in row], dtype=np.float64)
    return replace(fixture_case(), judged_gains=gains, threshold=threshold)
