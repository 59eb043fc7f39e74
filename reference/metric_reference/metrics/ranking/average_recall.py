"""Average recall: the recall at each rank or hit, averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class AverageRecall(Metric):
    """Average recall at k (its mean over users is MAR), undefined without relevant items.

    sum_over : ``all_ranks``: recall at every rank 1..k; ``hits``: only at the ranks that hit.
    divide_by : ``k``; ``hits``: the number of hits (0 without a hit); ``min_k_relevant``: min(k, r); ``relevant``: r.
    """

    name = "average_recall"
    about = "recall averaged over ranks or hits"
    ranking = True
    sum_over: str = choice("all_ranks", "hits")
    divide_by: str = choice("k", "hits", "min_k_relevant", "relevant")

    def parts(self, matches: Matches, k: int) -> Parts:
        cut = min(k, matches.case.width)
        if self.sum_over == "hits":
            hits = matches.hit_count(cut)  # the recalls are 1 / r, 2 / r, ... hits / r
            total = hits * (hits + 1) / 2.0
        else:  # a hit at rank j counts in the recall at j, j + 1, ... k
            total = matches.weighed(k - np.arange(cut, dtype=np.float64))
        relevant = matches.n_relevant.astype(np.float64)
        divisor = {
            "k": np.full(matches.users, k),
            "hits": matches.hit_count(k),
            "min_k_relevant": np.minimum(k, matches.n_relevant),
            "relevant": matches.n_relevant,
        }[self.divide_by]
        return total, divisor * relevant

    def divides_by_hits(self) -> bool:
        return self.divide_by == "hits"

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.sum_over == "hits":  # k hits of k relevant items: (1 + 2 + ... k) / k
            return 0.0, (k + 1) / (2.0 * k) if self.divide_by == "k" else 1.0
        return 0.0, 1.0 if self.divide_by == "k" else float(k)

    def formula(self) -> str:
        divisor = {"k": "k", "hits": r"\sum_j \mathrm{rel}_j", "min_k_relevant": r"\min(k, r)", "relevant": "r"}[
            self.divide_by
        ]
        indicator = r" \cdot \mathrm{rel}_j" if self.sum_over == "hits" else ""
        return rf"\frac{{1}}{{{divisor}}} \sum_{{j=1}}^{{k}} R@j{indicator}"
