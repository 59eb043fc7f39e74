"""Functions that are given the relevance of a whole ranking and a cut-off."""

import numpy as np


def average_precision(ranked_labels, k):
    """Hits past k still count among those to be found."""
    found, total = 0, 0.0
    for place, label in enumerate(ranked_labels, start=1):
        if label:
            found += 1
            total += found / place if place <= k else 0.0
    return total / found if found else 0.0


def ndcg(gains, k):
    """NaN for a ranking in which nothing is relevant."""
    gains = 2.0 ** np.asarray(gains, dtype=float) - 1
    weights = 1 / np.log2(np.arange(2, len(gains) + 2))
    weights[k:] = 0
    with np.errstate(invalid="ignore"):
        return float(gains @ weights / (np.sort(gains)[::-1] @ weights))


def precision(rankings, k):
    """The mean over the rankings that hold something relevant; a ranking shorter than k is divided by its length."""
    useful = [row for row in rankings if any(row)]
    return sum(sum(row[:k]) / len(row[:k]) for row in useful) / len(useful)


def r_precision(r):
    """The ranking of one user: read as rankings of all users it would be something else."""
    places = np.asarray(r).nonzero()[0]
    return float(np.mean(np.asarray(r)[: places[-1] + 1])) if places.size else 0.0


def precision_of_answered(data, precision_at):
    """Questions without an answer in the whole list are left out; 0 where none is left."""
    values = []
    for labels in data:
        best = labels[:precision_at]
        if any(label == 1 for label in labels):
            values.append(sum(label == 1 for label in best) / len(best) if best else 0.0)
    return sum(values) / len(values) if values else 0.0
