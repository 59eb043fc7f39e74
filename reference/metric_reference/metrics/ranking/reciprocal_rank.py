"""Reciprocal rank: how far down stands the first relevant item?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ones


@dataclass(frozen=True)
class ReciprocalRank(Metric):
    """Reciprocal rank (its mean over users is MRR).

    over : ``first``: 1 / rank of the first hit, 0 without a hit; ``sum``: the sum of 1 / rank over all hits (average
        reciprocal hit rank, ARHR, where several items are relevant; it passes 1); ``mean_hits``: that sum over
        the number of hits, 0 without a hit; ``mean_relevant``: that sum over the number of relevant items.
    cut : ``k``: only the first k ranks count; ``none``: the whole list.
    who : the users in the mean: ``all``; ``with_hit``: those with a hit up to the cut (0 if no user has one).
    """

    name = "reciprocal_rank"
    about = "how far down the first relevant item stands"
    ranking = True
    over: str = choice("first", "sum", "mean_hits", "mean_relevant")
    cut: str = choice("k", "none")
    who: str = choice("all", "with_hit")

    def parts(self, matches: Matches, k: int) -> Parts:
        cut = matches.depth(self.cut, k)
        if self.over == "first":
            return matches.summed("first", cut, lambda hits: (hits.numbers == 1) / (hits.ranks + 1)), ones(matches)
        total = matches.weighed(1.0 / np.arange(1, cut + 1))
        if self.over == "sum":
            return total, ones(matches)
        divisor = matches.hit_count(cut) if self.over == "mean_hits" else matches.n_relevant
        return total, divisor.astype(np.float64)

    def weights(self) -> Tuple[str, ...]:
        """Users without a hit add 0 to a sum, and to both sums of a micro average over hits."""
        if self.who == "all":
            return super().weights()
        return ("user", "micro") if self.over == "mean_relevant" else ("user",)

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        if self.who == "all":
            return super().counted(matches, k)
        return matches.hit_count(matches.depth(self.cut, k)) > 0

    def of_nobody(self, matches: Matches, k: int) -> float:
        """NaN; for ``with_hit`` 0 where there are relevant items."""
        return 0.0 if self.who == "with_hit" and matches.n_relevant.any() else float("nan")

    def same_denominator(self) -> bool:
        return self.over in ("first", "sum")

    def divides_by_hits(self) -> bool:
        return self.over == "mean_hits"

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.over == "sum":
            return 0.0, float("inf") if self.cut == "none" else float(np.sum(1.0 / np.arange(1, k + 1)))
        return 0.0, 1.0

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        if self.over == "first":
            return rf"\max_{{j \le {end}}} \frac{{\mathrm{{rel}}_j}}{{j}}"
        total = rf"\sum_{{j=1}}^{{{end}}} \frac{{\mathrm{{rel}}_j}}{{j}}"
        hits = rf"\sum_{{j=1}}^{{{end}}} \mathrm{{rel}}_j"
        divisor = {"sum": "", "mean_hits": rf"\frac{{1}}{{{hits}}} ", "mean_relevant": r"\frac{1}{r} "}[self.over]
        return divisor + total
