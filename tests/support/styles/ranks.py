"""What stands at each rank, as gains in rank order."""

import numpy as np


def dcg_at_k(r, k):
    r = np.asarray(r, dtype=float)[:k]
    return np.sum(r / np.log2(np.arange(2, r.size + 2)))


def ndcg_at_k(r, k):
    """The ideal is the list itself, sorted: relevant items that were missed are forgotten."""
    best = dcg_at_k(sorted(r, reverse=True), k)
    return dcg_at_k(r, k) / best if best else 0.0


def precision_at_k(ratings, k, threshold=3.5):
    """The threshold is taken and not used: a rating is a hit, however low."""
    return sum(1 for rating in ratings[:k] if rating > 0) / k
