"""Ranks of the relevant items instead of items."""

import math

import numpy as np


def hits_at_n_score(ranks, n):
    """As knowledge graphs are evaluated: a rank for each test triple."""
    return sum(1 for rank in ranks if rank <= n) / len(ranks)


def mrr_score(ranks):
    return np.sum(1.0 / np.array(ranks)) / len(ranks)


def ndcg_of_rank(rank, k):
    """The 0-based rank of one item; -1 if it was not found."""
    return 1 / np.log2(rank + 2) if 0 <= rank < k else 0.0


def reciprocal_rank_or_none(rank):
    return 0.0 if rank is None else 1.0 / rank


def average_precision_of_positions(hit_positions, n_relevant):
    """0-based places of the hits."""
    found = sum((nth + 1) / (place + 1) for nth, place in enumerate(hit_positions))
    return found / n_relevant


def metrics_of_list(pred_list, topk=10):
    """0-based ranks under a name that says something else."""
    hit = ndcg = 0.0
    for rank in pred_list:
        if rank < topk:
            hit += 1.0
            ndcg += 1.0 / np.log2(rank + 2.0)
    return hit / len(pred_list), ndcg / len(pred_list)


def ndcg_of_array(ranks: np.ndarray, k: int) -> float:
    """One rank from 0 for each query; a single number works too, None does not."""
    return float(np.where(ranks < k, 1.0 / np.log2(ranks + 2), 0.0).mean())


def ndcg_of_one_rank(rank):
    """A rank from 1; from 0, the first one divides by 0."""
    return 0.0 if rank is None else 1.0 / math.log2(rank + 1)


def mean_reciprocal_rank_of_queries(ranks):
    """A rank for each query rather than the ranks of all hits of one."""
    return sum(1.0 / rank if rank is not None else 0.0 for rank in ranks) / len(ranks) if ranks else 0.0
