"""Ranks of one relevant item for each user, and functions that are meant for labels of 0 and 1."""

import numpy as np


def evaluate_places(places, topk=10):
    """0-based ranks; the names in the return say what each part is."""
    hit_sum = ndcg_sum = rr_sum = 0.0
    for rank in places:
        rr_sum += 1.0 / (rank + 1.0)
        if rank < topk:
            hit_sum += 1.0
            ndcg_sum += 1.0 / np.log2(rank + 2.0)
    n = len(places)
    return hit_sum / n, ndcg_sum / n, rr_sum / n


def share_found(y_true, y_pred, k):
    """The recall, where each label is 0 or 1."""
    best = np.argsort(-np.asarray(y_pred))[:k]
    labels = np.asarray(y_true)
    return labels[best].sum() / labels.sum()


def named_recall(y_true, y_pred, k):
    return share_found(y_true, y_pred, k)
