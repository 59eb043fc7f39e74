"""Ranks of the relevant item, their mean and their median, as public code takes them."""

import numpy as np


def mean_rank(recommended, relevant):
    for place, item in enumerate(recommended):
        if item in relevant:
            return place + 1
    return len(recommended) + 1


def rank_at_k(recommended, relevant, k=10):
    for place, item in enumerate(recommended[:k]):
        if item in relevant:
            return place + 1
    return k + 1


def first_place(ranked, relevant):
    for place, item in enumerate(ranked):
        if item in relevant:
            return place
    return -1


def rank_of_target(recommendations, target):
    return recommendations.index(target) + 1 if target in recommendations else 0


def first_rank_or_none(ranked, relevant):
    return next((rank for rank, item in enumerate(ranked, start=1) if item in relevant), None)


def rank_among_scores(scores, idx):
    return int((scores > scores[idx]).sum()) + 1


def rank_with_ties_lost(scores, idx):
    return int((scores >= scores[idx]).sum())


def rank_of_the_first(scores):
    return int((scores[1:] > scores[0]).sum())


def mean_of_ranks(ranks):
    return np.mean(ranks)


def median_of_ranks(ranks):
    return float(np.median(ranks))


def med_r(similarity):
    ranks = [np.flatnonzero(np.argsort(row)[::-1] == own)[0] for own, row in enumerate(similarity)]
    return np.floor(np.median(ranks)) + 1


def metrics_of_ranks(ranks):
    ranks = np.asarray(ranks)
    return {"mean_rank": ranks.mean(), "mrr": (1.0 / ranks).mean(), "hits@1": (ranks <= 1).mean()}


def metrics_of_places(ranks):
    ranks = np.asarray(ranks)
    within = 100.0 * len(np.where(ranks < 5)[0]) / len(ranks)
    return within, np.floor(np.median(ranks)) + 1, ranks.mean() + 1


def get_local_rank(rank):
    return rank


def worst_rank(ranks):
    return np.max(ranks)


def rank_of_one(ranking: list[tuple[str, float]], relevant_id: str) -> int | None:
    """None for half of the smallest cases, where the definition has no value."""
    return next((place for place, (item, _) in enumerate(ranking, start=1) if item == relevant_id), None)


def mean_of_found(ranked_lists, relevants):
    """0 where no list holds anything relevant."""
    ranks = []
    for items, wanted in zip(ranked_lists, relevants, strict=True):
        ranks += [place for place, item in enumerate(items, start=1) if item in wanted][:1]
    return sum(ranks) / len(ranks) if ranks else 0.0


def rank_in_text(ranked_ids, record_id: str):
    """A text that is looked for is an item; without a hit there is no rank."""
    try:
        return ranked_ids.index(record_id) + 1
    except ValueError:
        return None
