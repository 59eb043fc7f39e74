"""Many users at once, as numpy arrays."""

import numpy as np


def mean_average_precision(hits, pos_num, k=10):
    """Hits in rank order and the number of positives; a value for each user."""
    hits = hits[:, :k].astype(float)
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return (precision * hits).sum(axis=1) / np.maximum(pos_num, 1)


def ndcg_binary_batch(X_pred, heldout_batch, k=100):
    """Scores of all items and held-out interactions of a batch of users."""
    batch = X_pred.shape[0]
    order = np.argsort(-X_pred, axis=1)[:, :k]
    weights = 1.0 / np.log2(np.arange(2, order.shape[1] + 2))
    gained = (heldout_batch[np.arange(batch)[:, np.newaxis], order] * weights).sum(axis=1)
    all_weights = 1.0 / np.log2(np.arange(2, k + 2))
    best = np.array([all_weights[: min(int(count), k)].sum() for count in (heldout_batch > 0).sum(axis=1)])
    return gained / best
