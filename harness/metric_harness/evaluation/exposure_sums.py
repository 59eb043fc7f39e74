"""Coverage, Gini index, entropy and overlap, from how often each item is recommended over all users."""

from __future__ import annotations

import numpy as np

from metric_reference.metric import Metric
from metric_reference.metrics.beyond_accuracy.coverage import Coverage
from metric_reference.metrics.beyond_accuracy.entropy import Entropy
from metric_reference.metrics.beyond_accuracy.gini import Gini
from metric_reference.metrics.beyond_accuracy.herfindahl import Herfindahl
from metric_reference.metrics.beyond_accuracy.personalization import Personalization


def why_not(metric: Metric) -> str | None:
    """Why a metric that is no sum over users cannot be computed from item counts either; None if it can."""
    if (
        (isinstance(metric, Coverage) and not metric.needs)
        or (isinstance(metric, Gini) and metric.attention == "equal")
        or (isinstance(metric, Entropy) and metric.over == "recommendations")
        or (isinstance(metric, Personalization) and metric.similarity == "overlap")
        or isinstance(metric, Herfindahl)
    ):
        return None
    if not metric.of_whole_case():
        return "not available at this size: a user's value depends on the size of the catalogue or on other users"
    return "not available at this size: it needs all lists at once, not how often each item is recommended"


def value_of_exposure(metric: Metric, k: int, counts: np.ndarray, n_items: int, users: int, with_list: int) -> float:
    """The value of a metric of the whole case.

    counts : how often each recommended item is in the first k ranks; n_items : in the catalogue; users : in the case;
    with_list : users with a list.
    """
    counts = np.sort(counts[counts > 0])
    if isinstance(metric, Coverage):
        reached, possible = (with_list, users) if metric.of == "users" else (len(counts), n_items)
        if metric.of == "items" and metric.divide_by == "padded":
            possible += 1
        return _ratio(reached, 1 if metric.divide_by == "none" else possible)
    if isinstance(metric, Personalization):  # an item in c lists is shared by c (c - 1) / 2 pairs of lists
        pairs = with_list * (with_list - 1) / 2
        return _ratio(pairs - float((counts * (counts - 1.0) / 2).sum()) / k, pairs)
    if isinstance(metric, Herfindahl):
        squares, total = float(counts.astype(np.float64) @ counts), float(counts.sum()) ** 2
        return _ratio(squares if metric.value == "concentration" else total - squares, total)
    if isinstance(metric, Entropy):
        if not len(counts):
            return float("nan")
        log = np.log if metric.log == "ln" else np.log2
        mean = float(counts @ -log(counts / counts.sum())) / int(counts.sum())
        divisors = {"none": 1.0, "catalogue": float(log(n_items)), "recommended_items": float(len(counts))}
        return _ratio(mean, divisors[metric.normalise])
    assert isinstance(metric, Gini)
    n = {"catalogue": n_items, "padded": n_items + 1, "recommended": len(counts)}[metric.items]
    position = np.arange(n - len(counts) + 1, n + 1)  # items that are never recommended come first and add 0
    spread = float((2 * position - n - 1) @ counts)
    divisor = float(counts.sum()) * {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[metric.divide_by]
    return _ratio(spread if metric.value == "inequality" else divisor - spread, divisor)


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else float("nan")
