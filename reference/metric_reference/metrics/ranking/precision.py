"""Precision: which share of the list is relevant?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Precision(Metric):
    """Precision at k: hits among the first k ranks over a number of items.

    divide_by : ``k``; ``list``: the number of items in the list, up to the cut (undefined for an empty list);
        ``min_k_relevant``: min(k, r), "truncated precision", the same number as recall over min(k, r);
        ``min_list_relevant``: the smaller of r and the number of items in the list, up to the cut;
        ``last_hit_rank``: the rank of the last hit up to the cut (0 without a hit), which some code calls R-precision.
    cut : ``k``: only the first k ranks count; ``none``: the whole list (the divisors k and min(k, r) stay).
    """

    name = "precision"
    about = "share of the list that is relevant"
    ranking = True
    coincides = (
        ("precision(divide_by=k)", "ndcg(gain=binary, discount=none, ideal=k)"),
        ("precision(divide_by=k, cut=none)", "ndcg(gain=binary, discount=none, ideal=k, cut=none)"),
        ("precision(divide_by=list)", "ndcg(gain=binary, discount=none, ideal=list_ranks)"),
        ("precision(divide_by=list, weight=micro)", "ndcg(gain=binary, discount=none, ideal=list_ranks, weight=micro)"),
        ("precision(divide_by=list, cut=none)", "ndcg(gain=binary, discount=none, ideal=list_ranks, cut=none)"),
        (
            "precision(divide_by=list, cut=none, weight=micro)",
            "ndcg(gain=binary, discount=none, ideal=list_ranks, cut=none, weight=micro)",
        ),
        ("precision(divide_by=min_list_relevant)", "ndcg(gain=binary, discount=none, ideal=list)"),
        (
            "precision(divide_by=min_list_relevant, weight=micro)",
            "ndcg(gain=binary, discount=none, ideal=list, weight=micro)",
        ),
        ("precision(divide_by=min_list_relevant, cut=none)", "ndcg(gain=binary, discount=none, ideal=list, cut=none)"),
        (
            "precision(divide_by=min_list_relevant, cut=none, weight=micro)",
            "ndcg(gain=binary, discount=none, ideal=list, cut=none, weight=micro)",
        ),
    )
    divide_by: str = choice("k", "list", "min_k_relevant", "min_list_relevant", "last_hit_rank")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        cut = k if self.cut == "k" else matches.case.width
        return matches.hit_count(cut).astype(np.float64), self._divisor(matches, k, cut).astype(np.float64)

    def _divisor(self, matches: Matches, k: int, cut: int) -> np.ndarray:
        if self.divide_by == "k":
            return np.full(matches.users, k)
        if self.divide_by == "list":
            return np.minimum(cut, matches.lengths)
        if self.divide_by == "min_k_relevant":
            return np.minimum(k, matches.n_relevant)
        if self.divide_by == "min_list_relevant":
            return np.minimum(np.minimum(cut, matches.lengths), matches.n_relevant)
        last, hits = np.zeros(matches.users), matches.hits_within(cut)
        last[hits.users] = hits.ranks + 1  # hits are ordered by rank: the last one overwrites the others
        return last

    def same_denominator(self) -> bool:
        return self.divide_by == "k"

    def divides_by_hits(self) -> bool:
        return self.divide_by == "last_hit_rank"

    def bounds(self, k: int) -> Tuple[float, float]:
        never_fewer_than_hits = self.divide_by not in ("k", "min_k_relevant")
        return 0.0, 1.0 if self.cut == "k" or never_fewer_than_hits else float("inf")

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        divisor = {
            "k": "k",
            "list": r"\min(k, |L|)" if self.cut == "k" else "|L|",
            "min_k_relevant": r"\min(k, r)",
            "min_list_relevant": r"\min(k, |L|, r)" if self.cut == "k" else r"\min(|L|, r)",
            "last_hit_rank": rf"\max_{{j \le {end}}} j \, \mathrm{{rel}}_j",
        }[self.divide_by]
        return rf"\frac{{\sum_{{j=1}}^{{{end}}} \mathrm{{rel}}_j}}{{{divisor}}}"
