"""Expectation and variance of metrics of one relevant item among drawn negatives."""

from __future__ import annotations

from typing import Dict, NamedTuple, Sequence

import numpy as np

from metric_reference.candidates.averaged_orders import second_moment
from metric_reference.candidates.measures import measure, rank_weights
from metric_reference.candidates.places import Places
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.scheme import Scheme

CELLS = 2**18
"""Most probabilities held at a time."""


class Moments(NamedTuple):
    """Expectation and variance over the draws: float64, shape (rows,)."""

    mean: np.ndarray
    variance: np.ndarray


def moments(scheme: Scheme, places: Places, measures: Sequence[str]) -> Dict[str, Moments]:
    """Expectation and variance of each measure for each row, by its text.

    A metric of one relevant item is a weight f of its sampled rank R, so E = sum f(j) P(R = j) and
    Var = sum f(j)^2 P(R = j) - E^2, exactly. measures : as ``ndcg@10``, see
    :func:`metric_reference.candidates.measures.measure`. Raises ValueError for an unknown measure, for ``per="user"``
    (see :mod:`metric_reference.candidates.together`) and as :meth:`Places.check`.
    """
    if scheme.per == "user":
        raise ValueError("per: for 'user' take metric_reference.candidates.together.moments_together")
    places.check(scheme)
    wanted = {text: measure(text) for text in measures}
    result = {text: Moments(np.zeros(len(places)), np.zeros(len(places))) for text in wanted}
    listed = {text: one for text, one in wanted.items() if one.name != "auc"}
    width = max((one.width(scheme.negatives) for one in listed.values()), default=0)
    for text in wanted:
        if text not in listed:
            result[text] = auc_moments(scheme, places)
    if not listed:
        return result
    step = max(1, CELLS // width)
    kinds, kind_of = np.unique([rank_weights(one, width) for one in listed.values()], axis=0, return_inverse=True)
    kind_of = kind_of.reshape(-1)  # measures that are one for one item, such as hit rate and recall, are computed once
    both = np.concatenate((kinds, kinds * kinds))
    for begin in range(0, len(places), step):
        rows = slice(begin, begin + step)
        part = places.take(rows)
        means, squares = np.split(both @ rank_probabilities(scheme, part, width), 2)
        averaged = np.flatnonzero(part.tied > 0) if scheme.ties == "expected" else np.zeros(0, np.int64)
        for kind, (weight, mean, square) in enumerate(zip(kinds, means, squares)):
            if len(averaged):
                square[averaged] = second_moment(scheme, part.take(averaged), weight)
            variance = np.maximum(square - mean * mean, 0.0)
            for text in (text for text, own in zip(listed, kind_of) if own == kind):
                result[text].mean[rows] = mean
                result[text].variance[rows] = variance
    return result


def auc_moments(scheme: Scheme, places: Places) -> Moments:
    """Expectation and variance of AUC, the share of the drawn negatives that stand below the item.

    With z = 1 for an item above, the sum of z over m drawn items has mean m mu and variance m sigma^2, times
    (N - m) / (N - 1) without replacement. A tied item has z = 0, 1 or, for ``expected``, a half. For ``random`` the
    place of the item among the t tied ones adds the variance of its mean. So E[AUC] is the AUC among all negatives:
    the one metric that drawing does not change (Krichene & Rendle 2020).
    """
    places.check(scheme)
    m = float(scheme.negatives)
    pool = places.pool.astype(np.float64)
    above, tied = places.above / pool, places.tied / pool
    rest = 1.0 if scheme.replacement else np.divide(pool - m, pool - 1, out=np.zeros(len(pool)), where=pool > 1)
    if scheme.ties in ("optimistic", "pessimistic"):
        mean = above + (tied if scheme.ties == "pessimistic" else 0.0)
        return Moments(1 - mean, np.maximum(mean * (1 - mean), 0.0) * rest / m)
    mean = above + tied / 2
    if scheme.ties == "expected":
        return Moments(1 - mean, np.maximum(above + tied / 4 - mean * mean, 0.0) * rest / m)
    # The share above is mean plus a place among the tied ones, uniform on an interval or on its t + 1 points.
    between = tied * tied / 12 if scheme.replacement else tied * (tied + 2 / pool) / 12
    inside = np.maximum(mean * (1 - mean) - between, 0.0)
    return Moments(1 - mean, inside * rest / m + between)
