"""The second moment of a value that is itself the mean over the orders of tied negatives."""

from __future__ import annotations

import numpy as np

from metric_reference.candidates.drawn_above import with_replacement, without_replacement
from metric_reference.candidates.places import Places
from metric_reference.candidates.sampled_rank import above_probabilities
from metric_reference.candidates.scheme import Scheme


def second_moment(scheme: Scheme, places: Places, weight: np.ndarray) -> np.ndarray:
    """E[g(X, Y)^2], where g is the mean of the weights of the ranks X + 1, ..., X + Y + 1.

    X of the drawn negatives are above and Y tied. Given X = x, Y is hypergeometric (N - a, t, m - x), or with
    replacement binomial (m - x, t / (N - a)). weight : float64, shape (width,): by rank, 0 beyond. Returns float64,
    shape (rows,). It takes width times m steps.
    """
    m = scheme.negatives
    sums = np.concatenate(([0.0], np.cumsum(np.pad(weight, (0, m + 1))[: m + 1])))
    above, left, tied = places.above, places.pool - places.above, places.tied
    first = above_probabilities(scheme, above, places.pool, len(weight))
    total = np.zeros(len(places))
    for x in range(len(weight)):
        possible = first[x] > 0
        if not possible.any():
            continue
        rest, same, drawn = left[possible], tied[possible], m - x
        if scheme.replacement:
            # rest > 0: the row has tied items
            given = with_replacement(same / rest, np.maximum(rest - same, 0) / rest, drawn, drawn + 1)
        else:
            given = without_replacement(same, rest, drawn, drawn + 1)
        y = np.arange(drawn + 1)
        value = (sums[x + y + 1] - sums[x]) / (y + 1)
        total[possible] += first[x, possible] * ((value * value) @ given)
    return total
