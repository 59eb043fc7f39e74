"""The exact distribution of the rank that an item has among drawn negatives."""

from __future__ import annotations

import numpy as np

from metric_reference.candidates.drawn_above import with_replacement, without_replacement
from metric_reference.candidates.places import Places
from metric_reference.candidates.scheme import Scheme

FEW_TIED = 64
"""Up to this many tied items the mean over their orders is taken one by one where the closed form loses digits."""
NARROW = 1e-3
"""The closed form divides by a share this small or larger."""
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(6)


def rank_probabilities(scheme: Scheme, places: Places, width: int) -> np.ndarray:
    """P(sampled rank = 1, ..., width) of each item, ranked alone among ``scheme.negatives`` drawn negatives.

    With a items of the pool of N above and m drawn, the sampled rank is 1 + X, where X is hypergeometric (N, a, m)
    without replacement and binomial (m, a / N) with it; by popularity a and N are sums of weights (Krichene & Rendle
    2020, section 4; Li et al. 2020). ``pessimistic`` counts tied items as above. For ``random`` and ``expected`` it is
    the mean over the orders of tied items.

    Returns float64, shape (width, rows); the columns sum to 1 where width is negatives + 1. Raises ValueError as
    :meth:`Places.check`.
    """
    places.check(scheme)
    if scheme.ties in ("random", "expected") and len(places):
        tied = places.tied > 0
        table = above_probabilities(scheme, places.above, places.pool, width)
        if tied.any():
            table[:, tied] = _any_order(scheme, places.take(tied), width)
        return table
    above = places.above + places.tied if scheme.ties == "pessimistic" else places.above
    return above_probabilities(scheme, above, places.pool, width)


def above_probabilities(scheme: Scheme, above: np.ndarray, pool: np.ndarray, width: int) -> np.ndarray:
    """P(0, ..., width - 1 of the drawn negatives are among the first ``above``): float64, shape (width, rows)."""
    if scheme.replacement:
        return with_replacement(*shares(above, pool), scheme.negatives, width)
    return without_replacement(above, pool, scheme.negatives, width)


def shares(part: np.ndarray, whole: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """part / whole and the rest, neither below 0: sums of weights may be off in their last digit."""
    rest = np.maximum(whole - part, 0) / whole
    return np.minimum(part / whole, 1.0), rest


def _any_order(scheme: Scheme, places: Places, width: int) -> np.ndarray:
    """The mean over the orders of t tied items.

    Without replacement the item stands behind 0, ..., t of them, each with probability 1 / (t + 1), so that

        P(X = x) = (N + 1) / ((m + 1) (t + 1)) (F(x; a) - F(x; a + t + 1)),

    where F is the distribution function of the hypergeometric (N + 1, ., m + 1). With replacement each drawn copy gets
    a place of its own, so the share above is uniform between a / N and (a + t) / N, and

        P(X = x) = (F(x; a / N) - F(x; (a + t) / N)) / ((m + 1) t / N),

    where F is that of the binomial (m + 1, .). Both follow from counting the drawn items by the place of the one at
    rank x + 1. Where the divisor is small, so that the difference loses digits, the mean is taken itself.
    """
    above, pool, tied, drawn = places.above, places.pool, places.tied, scheme.negatives
    if scheme.replacement:
        wide = (drawn + 1) * (tied / pool)
        first = np.cumsum(with_replacement(*shares(above, pool), drawn + 1, width), axis=0)
        last = np.cumsum(with_replacement(*shares(above + tied, pool), drawn + 1, width), axis=0)
        table = (first - last) / wide
        if (narrow := wide < NARROW).any():
            table[:, narrow] = 0.0
            for node, weight in zip((_NODES + 1) / 2, _NODE_WEIGHTS / 2):
                between = shares((above + node * tied)[narrow], pool[narrow])
                table[:, narrow] += weight * with_replacement(*between, drawn, width)
        return np.maximum(table, 0.0)
    first = np.cumsum(without_replacement(above, pool + 1, drawn + 1, width), axis=0)
    last = np.cumsum(without_replacement(above + tied + 1, pool + 1, drawn + 1, width), axis=0)
    wide = (drawn + 1.0) * (tied + 1.0) / (pool + 1.0)
    table = np.maximum((first - last) / wide, 0.0)
    narrow = (wide < NARROW) & (tied <= FEW_TIED)
    for place in range(int(tied[narrow].max(initial=-1)) + 1):
        rows = np.flatnonzero(narrow & (tied >= place))
        if place == 0:
            table[:, rows] = 0.0
        table[:, rows] += without_replacement(above[rows] + place, pool[rows], drawn, width) / (tied[rows] + 1)
    return table
