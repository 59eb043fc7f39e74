"""Popularity: how popular are the recommended items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import item_counts, length_formula, per_list, train_users

TAIL = 0.1
"""The share of the trained items that is the long tail."""


@dataclass(frozen=True)
class Popularity(Metric):
    """Mean popularity of the first k items of a list, then the mean over users (average recommendation popularity).

    value : of an item with c training interactions: ``count``: c; ``share``: c over the number of training users;
        ``interaction_share``: c over all training interactions; ``relative``: c over the largest c; ``quantile``: its
        rank, from the rarest trained item up (equal items have their mean rank), over the number of trained items, 0
        if untrained; ``tail``: 1 for the rarest tenth of the trained items (at least one item; equal items by item
        number), else 0, so that the mean is the share of the long tail.
    length : the mean is over the listed items (``list``), over ``k``, or over the listed items with training
        interactions (``trained``).
    """

    name = "popularity"
    about = "mean popularity of the recommended items"
    relevance = False
    value: str = choice("count", "share", "interaction_share", "relative", "quantile", "tail")
    length: str = choice("list", "k", "trained")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("item_counts", "n_train_users") if self.value == "share" else ("item_counts",)

    def parts(self, matches: Matches, k: int) -> Parts:
        return per_list(matches, k, self._item_values(matches), self.length)

    def _item_values(self, matches: Matches) -> np.ndarray:
        counts = item_counts(matches, self.name)
        if self.value == "quantile":
            return _quantiles(counts)
        if self.value == "tail":
            return _tail(counts)
        divisors: Dict[str, Callable[[], float]] = {
            "count": lambda: 1,
            "share": lambda: train_users(matches, "popularity(value=share)"),
            "interaction_share": lambda: max(1, counts.sum()),
            "relative": lambda: max(1, counts.max(initial=0)),
        }
        return counts / divisors[self.value]()

    def same_denominator(self) -> bool:
        return self.length == "k"

    def bounds(self, k: int) -> Tuple[float, float]:
        if (self.value, self.length) == ("interaction_share", "k"):  # the shares of all items add up to 1
            return 0.0, 1.0 / k
        return 0.0, float("inf") if self.value == "count" else 1.0

    def formula(self) -> str:
        value = {
            "count": "c_i",
            "share": r"\frac{c_i}{|U_{\mathrm{train}}|}",
            "interaction_share": r"\frac{c_i}{\sum_j c_j}",
            "relative": r"\frac{c_i}{\max_j c_j}",
            "quantile": r"\frac{\mathrm{rank}(c_i)}{|I_{\mathrm{train}}|}",
            "tail": r"[i \in \mathrm{tail}]",
        }[self.value]
        return rf"\frac{{1}}{{{length_formula(self.length)}}} \sum_{{i \in L}} {value}"


def _quantiles(counts: np.ndarray) -> np.ndarray:
    trained = counts > 0
    _, group, size = np.unique(counts[trained], return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(size) - (size - 1) / 2
    quantiles = np.zeros(len(counts))
    quantiles[trained] = mean_rank[group] / max(1, trained.sum())
    return quantiles


def _tail(counts: np.ndarray) -> np.ndarray:
    trained = np.flatnonzero(counts > 0)
    rarest_first = trained[np.argsort(counts[trained], kind="stable")]
    tail = np.zeros(len(counts))
    tail[rarest_first[: max(1, int(len(trained) * TAIL))]] = 1.0
    return tail
