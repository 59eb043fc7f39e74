"""From the values of users to one number: who counts, what an undefined user is worth, mean, micro mean or sum."""

from __future__ import annotations

from typing import Dict, Sequence

import numpy as np

from metric_reference.edges import Edges
from metric_reference.expected_ties import expected_parts
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, ratio
from metric_reference.ties import has_ties

FIXED = {"zero": 0.0, "one": 1.0, "poisons_mean": np.nan}
WEIGHTS = ("user", "micro", "sum")


def edge_users(metric: Metric, matches: Matches) -> "dict[str, np.ndarray]":
    """bool arrays, shape (users,): who has no relevant item, and who has some but no list.

    A metric over all candidates never looks at the list, so nobody is without one there.
    """

    def found() -> "dict[str, np.ndarray]":
        no_relevant = (matches.n_relevant == 0) & metric.relevance
        no_list = (matches.lengths == 0) & ~no_relevant & (metric.relevance and metric.lists)
        return {"no_relevant": no_relevant, "no_list": no_list}

    return matches.once(("edge_users", metric.relevance, metric.lists), found)


def user_values(metric: Metric, matches: Matches, k: int, edges: Edges) -> "tuple[np.ndarray, np.ndarray]":
    """Values of users and who counts: float64 and bool, shape (users,). Not for a metric of the whole case."""
    return _user_values(metric, matches, k, edges, parts_of(metric, matches, k, edges))


def parts_of(metric: Metric, matches: Matches, k: int, edges: Edges) -> Parts:
    """The metric's two parts, in expectation over tied orders where ``edges`` asks for it and there are ties."""
    if edges.ties == "expected" and metric.relevance and metric.lists and has_ties(matches.case):
        return expected_parts(metric, matches, k)
    return metric.parts(matches, k)


def _user_values(
    metric: Metric, matches: Matches, k: int, edges: Edges, parts: Parts
) -> "tuple[np.ndarray, np.ndarray]":
    values = metric.values_of(parts, matches)
    counted = metric.counted(matches, k)
    if not metric.relevance:
        counted = counted & ~np.isnan(values)
    for edge, those in edge_users(metric, matches).items():
        if not those.any():
            continue
        behaviour = getattr(edges, edge)
        if behaviour in FIXED:
            values[those] = FIXED[behaviour]
        else:
            counted[those] = False
    return values, counted


def average(metric: Metric, matches: Matches, k: int, edges: Edges, weight: str = "user") -> float:
    """One number for a case: the mean over the users who count, the micro average of the two parts, or the sum.

    A user who counts and is undefined makes the number NaN. No user who counts: NaN.

    Raises ValueError if ``weight`` is none of :data:`WEIGHTS`.
    """
    if weight not in WEIGHTS:
        raise ValueError(f"weight must be one of {', '.join(WEIGHTS)}, not {weight!r}")
    return averages(metric, matches, k, edges, (weight,))[weight]


def averages(
    metric: Metric, matches: Matches, k: int, edges: Edges, weights: Sequence[str] = WEIGHTS
) -> Dict[str, float]:
    """The number for each of some weights, from one evaluation of the metric; see :func:`average`.

    A weight that does not differ from the mean for the metric, or that it does not have, gives the mean.
    """
    parts = parts_of(metric, matches, k, edges)
    if metric.whole():
        return dict.fromkeys(weights, float(ratio(*parts)[0]))
    values, counted = _user_values(metric, matches, k, edges, parts)
    if not counted.any():
        return dict.fromkeys(weights, metric.of_nobody(matches, k))
    kept, different = values if counted.all() else values[counted], metric.weights()
    found = {}
    for weight in weights:
        if metric.pooled() or (weight == "micro" and weight in different):
            poisoned = bool(np.isnan(kept).any()) and "poisons_mean" in (edges.no_relevant, edges.no_list)
            found[weight] = float("nan") if poisoned else _pooled(metric, parts, counted)
        elif weight == "sum" and weight in different:
            found[weight] = float(kept.sum())
        else:
            found[weight] = float(kept.mean())
    return found


def _pooled(metric: Metric, parts: Parts, counted: np.ndarray) -> float:
    """The sum of numerators over the sum of denominators of those who count."""
    numerator, denominator = (part[counted].sum(keepdims=True) for part in parts)
    if denominator[0] == 0 and metric.divides_by_hits():
        return 0.0
    return float(ratio(numerator, denominator)[0])
