"""From users' values to one number: which users count, what an undefined value counts, mean, micro mean or sum."""

from __future__ import annotations

from typing import Dict, Sequence

import numpy as np

from metric_reference.edges import Edges
from metric_reference.expected_ties import expected_parts
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, ratio
from metric_reference.ties import has_ties

EDGE_VALUES = {"zero": 0.0, "half": 0.5, "one": 1.0, "poisons_mean": np.nan}
WEIGHTS = ("user", "micro", "sum")


def edge_users(metric: Metric, matches: Matches) -> "dict[str, np.ndarray]":
    """bool arrays, shape (users,): users without relevant items, and users with relevant items but an empty list.

    Where the metric reads no lists, nobody counts as a user without one.
    """

    def masks() -> "dict[str, np.ndarray]":
        no_relevant = (matches.n_relevant == 0) & metric.relevance
        no_list = (matches.lengths == 0) & ~no_relevant & (metric.relevance and metric.lists)
        return {"no_relevant": no_relevant, "no_list": no_list}

    return matches.once(("edge_users", metric.relevance, metric.lists), masks)


def user_values(metric: Metric, matches: Matches, k: int, edges: Edges) -> "tuple[np.ndarray, np.ndarray]":
    """Values of users, and which users count: float64 and bool, shape (users,). Not for a metric of the whole case."""
    return _values_of_parts(metric, matches, k, edges, parts_of(metric, matches, k, edges))


def parts_of(metric: Metric, matches: Matches, k: int, edges: Edges) -> Parts:
    """Numerators and denominators; where ``edges.ties`` is ``expected``, their expectation over all orders of ties."""
    if edges.ties == "expected" and metric.relevance and metric.lists and has_ties(matches.case):
        return expected_parts(metric, matches, k)
    return metric.parts(matches, k)


def _values_of_parts(
    metric: Metric, matches: Matches, k: int, edges: Edges, parts: Parts
) -> "tuple[np.ndarray, np.ndarray]":
    values = metric.values_of(parts, matches)
    counted = metric.counted(matches, k)
    if not metric.relevance:
        counted = counted & ~np.isnan(values)
    for edge, affected in edge_users(metric, matches).items():
        behaviour = getattr(edges, edge)
        if behaviour in EDGE_VALUES:
            values[affected] = EDGE_VALUES[behaviour]
        else:
            counted[affected] = False
    return values, counted


def average(metric: Metric, matches: Matches, k: int, edges: Edges, weight: str = "user") -> float:
    """One number for a case: the mean over the users who count, the micro average of the two parts, or the sum.

    NaN if the value of a counted user is undefined, or if no user counts.

    Raises ValueError if ``weight`` is not in :data:`WEIGHTS`.
    """
    if weight not in WEIGHTS:
        raise ValueError(f"weight must be one of {', '.join(WEIGHTS)}, not {weight!r}")
    return averages(metric, matches, k, edges, (weight,))[weight]


def averages(
    metric: Metric, matches: Matches, k: int, edges: Edges, weights: Sequence[str] = WEIGHTS
) -> Dict[str, float]:
    """The number for each weight, from one evaluation of the metric; see :func:`average`.

    A weight that is not among ``metric.weights()`` gives the number for ``user``.
    """
    parts = parts_of(metric, matches, k, edges)
    if metric.of_whole_case():
        return dict.fromkeys(weights, float(ratio(*parts)[0]))
    values, counted = _values_of_parts(metric, matches, k, edges, parts)
    if not counted.any():
        return dict.fromkeys(weights, metric.of_nobody(matches, k))
    counted_values, distinct_weights = values if counted.all() else values[counted], metric.weights()
    numbers = {}
    for weight in weights:
        if metric.pooled() or (weight == "micro" and weight in distinct_weights):
            poisoned = bool(np.isnan(counted_values).any()) and "poisons_mean" in (edges.no_relevant, edges.no_list)
            numbers[weight] = float("nan") if poisoned else _pooled(metric, parts, counted)
        elif weight == "sum" and weight in distinct_weights:
            numbers[weight] = float(counted_values.sum())
        else:
            numbers[weight] = float(counted_values.mean())
    return numbers


def _pooled(metric: Metric, parts: Parts, counted: np.ndarray) -> float:
    """The sum of numerators over the sum of denominators of the users who count."""
    numerator, denominator = (part[counted].sum(keepdims=True) for part in parts)
    if denominator[0] == 0 and metric.divides_by_hits():
        return 0.0
    return float(ratio(numerator, denominator)[0])
