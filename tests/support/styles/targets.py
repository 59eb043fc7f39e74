"""One target for each user of a batch."""

import numpy as np


def hit_rate_of_batch(pred_indices, targets):
    """Top items (users x k) and one target each."""
    return float((pred_indices == targets[:, None]).any(axis=1).mean())


def mrr_of_columns(indices, targets, k):
    """Targets as one column."""
    hits = indices[:, :k] == targets
    places = np.argmax(hits, axis=1)
    return np.where(hits.any(axis=1), 1.0 / (places + 1), 0.0)


def ndcg_of_scores(scores, target, k):
    """Scores of all items and the index of the target."""
    own = scores[np.arange(len(target)), target]
    rank = (scores > own[:, None]).sum(axis=1)
    return np.where(rank < k, 1 / np.log2(rank + 2), 0.0).mean()


def hit_ratio_positive_first(scores, top_k):
    """The positive item is in column 0."""
    rank = np.argsort(np.argsort(-scores, axis=1), axis=1)[:, 0]
    return (rank < top_k).mean()


def hit_rate_of_dicts(recs, held_out, N):
    return sum(held_out[user] in recs[user][:N] for user in held_out) / len(held_out)
