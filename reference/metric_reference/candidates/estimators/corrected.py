"""Corrected metrics: a value for each sampled rank, whose mean estimates the metric among all items.

Krichene & Rendle, "On Sampled Metrics for Item Recommendation" (KDD 2020), section 5.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from metric_reference.candidates.estimators.channel import chances, full_values
from metric_reference.candidates.measures import measure
from metric_reference.candidates.moments import Moments
from metric_reference.candidates.places import Places
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.scheme import Scheme


def estimated_ranks(scheme: Scheme, items: int) -> np.ndarray:
    """The unbiased estimate of the full rank, 1 + (n - 1) (s - 1) / m, for sampled ranks s = 1, ..., m + 1.

    items : n, all candidates. float64, shape (negatives + 1,). Its expectation is the full rank, drawn with or without
    replacement.
    """
    return 1 + (items - 1) * np.arange(scheme.negatives + 1.0) / scheme.negatives


def by_estimated_rank(scheme: Scheme, items: int, text: str) -> np.ndarray:
    """The metric at the estimated rank, rounded to a whole one: float64, shape (negatives + 1,).

    The rank is unbiased and the metric is not, as no metric but AUC is linear in the rank. Raises ValueError for an
    unknown measure.
    """
    one, ranks = measure(text), np.floor(estimated_ranks(scheme, items) + 0.5).astype(np.int64)
    if one.name == "auc":  # linear, so there is nothing to round
        return 1 - (estimated_ranks(scheme, items) - 1) / (items - 1)
    return full_values(text, items)[np.minimum(ranks, items) - 1]


def by_least_squares(
    scheme: Scheme, items: int, text: str, gamma: float = 0.1, prior: Optional[np.ndarray] = None
) -> np.ndarray:
    """The values f of sampled ranks that trade bias for variance best: float64, shape (negatives + 1,).

    They minimise sum_r p(r) ((E[f | r] - M(r))^2 + gamma Var(f | r)) over the full ranks r, which is least for
    f = ((1 - gamma) A'A + gamma diag(c))^-1 A'b with A = sqrt(p(r)) P(s | r), b = sqrt(p(r)) M(r) and
    c = sum_r p(r) P(s | r).

    gamma : from 0 (least bias, largest variance) to 1 (the expectation of M given s under the prior). prior : p(r),
    float64, shape (items,), with a sum above 0; None for uniform. Raises ValueError for another gamma or prior.
    """
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma: {gamma} is not from 0 to 1")
    given = np.ones(items) if prior is None else np.asarray(prior, np.float64)
    if given.shape != (items,) or not np.isfinite(given).all() or given.min() < 0 or given.sum() <= 0:
        raise ValueError("prior: give a number from 0 on for each item's rank, not all 0")
    table, wanted = chances(scheme, items), full_values(text, items)
    root = np.sqrt(given / given.sum())
    a, b = (table * root).T, root * wanted
    if gamma == 0:
        least: np.ndarray = np.linalg.lstsq(a, b, rcond=None)[0]
        return least
    seen = (table * root * root).sum(axis=1)
    square = (1 - gamma) * (a.T @ a) + gamma * np.diag(seen)
    possible = seen > 1e-300  # a rank that never occurs has no equation
    values = np.zeros(len(seen))
    values[possible] = np.linalg.solve(square[np.ix_(possible, possible)], (a.T @ b)[possible])
    return values


def moments_of_values(scheme: Scheme, places: Places, values: np.ndarray) -> Moments:
    """Expectation and variance of the value of each item's sampled rank: exact, so bias is mean less the metric.

    values : float64, shape (negatives + 1,), of one of the functions above. ValueError for another shape.
    """
    values = np.asarray(values, np.float64)
    if values.shape != (scheme.negatives + 1,):
        raise ValueError(f"values: give one for each of the {scheme.negatives + 1} sampled ranks")
    table = rank_probabilities(scheme, places, len(values))
    mean = values @ table
    return Moments(mean, np.maximum((values * values) @ table - mean * mean, 0.0))
