"""Cut-offs that are written into a function, and a k that it does not read."""

import numpy as np


def hits_in_per_cent(ranks, k=10):
    """The share of ranks among the first ten in per cent, whatever k is."""
    return 100 * sum(1 for rank in ranks if rank <= 10) / len(ranks)


def metrics_of_positions(positions):
    """Several cut-offs, each in the name of its result."""
    places = np.asarray(positions)
    return {"Hit@5": float(np.mean(places < 5)), "Hit@20": float(np.mean(places < 20)), "worst": int(places.max())}


def map_of_five(predicted, actual):
    """One right item for each row of a matrix with at least five columns."""
    total = 0.0
    for rank in range(5):
        total += np.sum(predicted[:, rank] == actual) / (rank + 1)
    return total / len(actual)


def ndcg_of_ten(y_true, y_score):
    """Scores of everything, the first ten of them looked at."""
    order = np.argsort(-np.asarray(y_score), kind="stable")
    gains = np.asarray(y_true)[order]
    weights = np.array([1 / np.log2(rank + 2) if rank < 10 else 0.0 for rank in range(len(gains))])
    best = np.sort(gains)[::-1] @ weights
    return float(gains @ weights / best) if best else 0.0


def number_of_queries(relevant, recommended, k):
    """A count of users that raises for one without a hit: no metric."""
    return len([next(item for item in row[:k] if item in own) for own, row in zip(relevant, recommended, strict=True)])
