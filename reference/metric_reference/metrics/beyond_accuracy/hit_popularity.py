"""Popularity of the hits: how popular are the recommended items that are relevant?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import item_counts


@dataclass(frozen=True)
class HitPopularity(Metric):
    """Sum of the training interactions of the hits among the first k ranks, over a number of items.

    divide_by : the user's ``relevant`` items; ``k``; the ``hits`` (0 without a hit).
    """

    name = "hit_popularity"
    about = "popularity of the hits"
    needs = ("item_counts",)
    divide_by: str = choice("relevant", "k", "hits")

    def parts(self, matches: Matches, k: int) -> Parts:
        listed, hits = matches.case.recommended[:, :k], matches.hits[:, :k]
        counts = item_counts(matches, self.name)[np.where(listed == NOTHING, 0, listed)]
        total = np.where(hits, counts, 0).sum(axis=1).astype(np.float64)
        divisor = {"relevant": matches.n_relevant, "k": np.full(matches.users, k), "hits": hits.sum(axis=1)}
        return total, divisor[self.divide_by].astype(np.float64)

    def same_denominator(self) -> bool:
        return self.divide_by == "k"

    def divides_by_hits(self) -> bool:
        return self.divide_by == "hits"

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf")

    def formula(self) -> str:
        divisor = {"relevant": "r", "k": "k", "hits": r"\sum_j \mathrm{rel}_j"}[self.divide_by]
        return rf"\frac{{1}}{{{divisor}}} \sum_{{j=1}}^{{k}} \mathrm{{rel}}_j \, c_{{i_j}}"
