"""Functions that give NaN for users without a hit."""

import numpy as np


def ndcg_of_rows(y_score, y_true, k):
    """One value a row: 0 / 0 where nothing is found."""
    found = np.take_along_axis(np.asarray(y_true, dtype=float), np.argsort(-np.asarray(y_score), axis=1), axis=1)[:, :k]
    weights = 1 / np.log2(np.arange(found.shape[1]) + 2)
    ideal = -np.sort(-np.asarray(y_true, dtype=float), axis=1)[:, :k] @ weights
    value = found @ weights / ideal
    value[found.sum(axis=1) == 0] = np.nan
    return value


def recall_or_minus_nan(relevant, recommended, k):
    """NaN for some of the users with hits too: no definition."""
    hits = len(set(relevant) & set(recommended[:k]))
    return hits / len(relevant) if hits > 1 else float("nan")


def average_precision_of_flags(flags):
    """NaN for a list without a hit, and for an empty list."""
    found = 0.0
    precisions = []
    for rank, flag in enumerate(flags, start=1):
        found += flag
        if flag == 1:
            precisions.append(found / rank)
    return np.mean(precisions)
