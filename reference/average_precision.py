"""Average precision: the precision at each hit, averaged over something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.matching import Matches
from reference.metric import Metric, Parts, choice

DIVISORS = {
    "min_k_relevant": r"\min(k, r)",
    "relevant": "r",
    "k": "k",
    "hits": r"\sum_j \mathrm{rel}_j",
    "min_list_relevant": r"\min(|L|, r)",
    "cumulative_min": r"\sum_{j=1}^{k} \min(j, r)",
}


@dataclass(frozen=True)
class AveragePrecision(Metric):
    """Average precision (its mean over users is MAP).

    sum_over : ``hits``: precision at j summed over the ranks j that hit; ``all_ranks``: over every rank, hit or not
        (no relevance indicator; ranks past the end of a short list count with the hits so far).
    divide_by : ``min_k_relevant``: min(k, r); ``relevant``: r; ``k``; ``hits``: the number of hits (0 without a
        hit); ``min_list_relevant``: min(length of the list up to the cut, r); ``cumulative_min``: the sum over
        j = 1..k of min(j, r).
    cut : ``k``: only the first k ranks count; ``none``: the whole list (the divisors k and min(k, r) stay).
    """

    name = "average_precision"
    about = "precision at the hits, averaged"
    divide_by: str = choice("min_k_relevant", "relevant", "k", "hits", "min_list_relevant", "cumulative_min")
    sum_over: str = choice("hits", "all_ranks")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        width = matches.case.width
        cut = width if self.cut == "none" else min(k, width)
        if self.sum_over == "hits":
            total = matches.summed("precision", cut, lambda hits: hits.numbers / (hits.ranks + 1))
        else:  # a hit at rank j counts in the precision at j, j + 1, ... up to the last rank
            harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, max(k, width) + 1))])
            last = matches.lengths if self.cut == "none" else k
            total = matches.hit_count(cut) * harmonic[last] - matches.weighed(harmonic[:cut])
        return total, self._divisor(matches, k, cut).astype(np.float64)

    def _divisor(self, matches: Matches, k: int, cut: int) -> np.ndarray:
        relevant = matches.n_relevant
        if self.divide_by == "min_k_relevant":
            return np.minimum(k, relevant)
        if self.divide_by == "relevant":
            return relevant
        if self.divide_by == "k":
            return np.full(matches.users, k)
        if self.divide_by == "hits":
            return matches.hit_count(cut)
        if self.divide_by == "min_list_relevant":
            return np.minimum(np.minimum(matches.lengths, cut), relevant)
        capped = np.minimum(k, relevant)
        return capped * (capped + 1) / 2 + (k - capped) * relevant

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.cut == "none":
            never_fewer_than_hits = self.divide_by in ("relevant", "hits", "min_list_relevant")
            return 0.0, 1.0 if self.sum_over == "hits" and never_fewer_than_hits else float("inf")
        # One relevant item at rank 1 is the most for all ranks: every later rank still adds its precision, 1 / j.
        harmonic = float(np.sum(1.0 / np.arange(1, k + 1)))
        if self.divide_by == "cumulative_min":
            return 0.0, 2.0 / (k + 1) if self.sum_over == "hits" else harmonic / k
        return 0.0, 1.0 if self.sum_over == "hits" or self.divide_by == "k" else harmonic

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        indicator = r" \cdot \mathrm{rel}_j" if self.sum_over == "hits" else ""
        return rf"\frac{{1}}{{{DIVISORS[self.divide_by]}}} \sum_{{j=1}}^{{{end}}} P@j{indicator}"
