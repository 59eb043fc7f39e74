"""Relevance as True and False, as numbers with a fraction, as a matrix with one row."""

import numpy as np


def mrr_of_mask(is_hit: np.ndarray, k):
    """Whole numbers instead of booleans would index by position."""
    ranks = np.arange(1, len(is_hit) + 1)[:k][is_hit[:k]]
    return 1 / ranks[0] if len(ranks) else 0.0


def precision_of_row(relevance_matrix, k):
    """One row for one user."""
    if relevance_matrix.shape[0] != 1 or relevance_matrix.dtype == bool:
        raise ValueError("one row of numbers, please")
    return relevance_matrix[0, :k].sum() / k


def hit_of_matrix(hits, k):
    """Numpy does not negate booleans."""
    return -((-hits[:, :k]).min(axis=1)).mean()
