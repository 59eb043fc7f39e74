"""How often each item is recommended, over all users: what coverage, Gini index, entropy and overlap are made of."""

from __future__ import annotations

import numpy as np

from metric_reference.metric import Metric
from metric_reference.metrics.beyond_accuracy.coverage import Coverage
from metric_reference.metrics.beyond_accuracy.entropy import Entropy
from metric_reference.metrics.beyond_accuracy.gini import Gini
from metric_reference.metrics.beyond_accuracy.herfindahl import Herfindahl
from metric_reference.metrics.beyond_accuracy.personalization import Personalization


def why_not(metric: Metric) -> str | None:
    """Why a metric that is no matter of sums over users cannot be put together from item counts, or None if it can."""
    if isinstance(metric, Coverage) and not metric.needs:
        return None
    if isinstance(metric, Gini) and metric.attention == "equal":
        return None
    if isinstance(metric, Entropy) and metric.over == "recommendations":
        return None
    if isinstance(metric, Personalization) and metric.similarity == "overlap":
        return None
    if isinstance(metric, Herfindahl):
        return None
    if not metric.whole():
        return "not available at this size: a user's value depends on the size of the catalogue or on other users"
    return "not available at this size: it needs all lists at once, not how often each item is recommended"


def value_of_exposure(metric: Metric, k: int, counts: np.ndarray, n_items: int, users: int, with_list: int) -> float:
    """The number that a metric of the whole case gives.

    counts : of each item that is recommended up to k; n_items : in the catalogue; users : in the case; with_list : of
    them with a list.
    """
    counts = np.sort(counts[counts > 0])
    if isinstance(metric, Coverage):
        served, everyone = (with_list, users) if metric.of == "users" else (len(counts), n_items)
        if metric.of == "items" and metric.divide_by == "padded":
            everyone += 1
        return _ratio(served, 1 if metric.divide_by == "none" else everyone)
    if isinstance(metric, Personalization):  # two lists share an item as often as there are pairs of lists with it
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
        over = {"none": 1.0, "catalogue": float(log(n_items)), "recommended_items": float(len(counts))}
        return _ratio(mean, over[metric.normalise])
    assert isinstance(metric, Gini)
    n = {"catalogue": n_items, "padded": n_items + 1, "recommended": len(counts)}[metric.items]
    place = np.arange(n - len(counts) + 1, n + 1)  # items that are never recommended come first and add nothing
    spread = float((2 * place - n - 1) @ counts)
    divisor = float(counts.sum()) * {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[metric.divide_by]
    return _ratio(spread if metric.value == "inequality" else divisor - spread, divisor)


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else float("nan")
