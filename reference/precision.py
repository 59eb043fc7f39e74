"""Precision: which share of the list is relevant?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.matching import Matches
from reference.metric import Metric, Parts, choice

DIVISORS = {
    "k": "k",
    "list": r"\min(k, |L|)",
    "min_k_relevant": r"\min(k, r)",
    "min_list_relevant": r"\min(k, |L|, r)",
}


@dataclass(frozen=True)
class Precision(Metric):
    """Precision at k: hits among the first k ranks, divided.

    divide_by : ``k``; ``list``: the number of items really in the list, up to k (undefined for an empty list);
        ``min_k_relevant``: min(k, r), "truncated precision", the same number as recall over min(k, r);
        ``min_list_relevant``: the smaller of r and the number of items in the list, up to k.
    """

    name = "precision"
    about = "share of the list that is relevant"
    divide_by: str = choice("k", "list", "min_k_relevant", "min_list_relevant")

    def parts(self, matches: Matches, k: int) -> Parts:
        divisor = {
            "k": np.full(matches.users, k),
            "list": np.minimum(k, matches.lengths),
            "min_k_relevant": np.minimum(k, matches.n_relevant),
            "min_list_relevant": np.minimum(np.minimum(k, matches.lengths), matches.n_relevant),
        }[self.divide_by]
        return matches.hit_count(k).astype(np.float64), divisor.astype(np.float64)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        return rf"\frac{{\sum_{{j=1}}^{{k}} \mathrm{{rel}}_j}}{{{DIVISORS[self.divide_by]}}}"
