"""Scores of which the smallest is the best, and results that look past k beside one that does not."""

import numpy as np


def rank_and_hit(scores, target, k=(1, 3, 10)):
    """The reciprocal rank over all items, and whether the target is found up to each k."""
    rank = int(np.flatnonzero(np.argsort(scores) == target)[0]) + 1
    return 1 / rank, [float(rank <= depth) for depth in k]
