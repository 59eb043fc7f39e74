"""Average precision: the precision at the hits, summed and divided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from metric_reference.matching import Hits, Matches
from metric_reference.metric import Metric, Parts, choice

DIVISORS = {
    "min_k_relevant": r"\min(k, r)",
    "relevant": "r",
    "k": "k",
    "hits": r"\sum_j \mathrm{rel}_j",
    "cumulative_min": r"\sum_{j=1}^{k} \min(j, r)",
    "list_hits": r"\sum_{j=1}^{|L|} \mathrm{rel}_j",
    "min_k_list_hits": r"\min(k, \sum_{j=1}^{|L|} \mathrm{rel}_j)",
}


AT_HITS = ("hits", "trapezoid", "relevant_ranks")
"""Of ``sum_over``, those that leave out ranks that miss."""


@dataclass(frozen=True)
class AveragePrecision(Metric):
    """Average precision (its mean over users is MAP).

    sum_over : ``hits``: precision at j summed over the ranks j that hit; ``all_ranks``: over every rank, hit or not
        (no relevance indicator; ranks past the end of a short list count with the hits so far); ``listed_ranks``: over
        every rank that the list has up to the cut; ``trapezoid``: at the hits, half the precision at j and half that at
        the rank before it, which is 1 before the first rank (Philbin et al. 2007, doi 10.1109/CVPR.2007.383172);
        ``relevant_ranks``: at the hits among the first r ranks, which is MAP@R if divided by r (Musgrave et al., ECCV
        2020, arXiv 2003.08505).
    divide_by : ``min_k_relevant``: min(k, r); ``relevant``: r; ``k``; ``hits``: the number of hits (0 without a
        hit); ``min_list_relevant``: min(length of the list up to the cut, r); ``cumulative_min``: the sum over
        j = 1..k of min(j, r); ``list``: the length of the list up to the cut (undefined for an empty list);
        ``list_hits``: the hits of the whole, uncut list (0 without a hit); ``min_k_list_hits``: min(k, these hits);
        ``one``: 1, so that the sum is not divided at all.
    cut : ``k``: only the first k ranks count; ``none``: the whole list (the divisors k and min(k, r) stay).
    """

    name = "average_precision"
    about = "precision at the hits, averaged"
    ranking = True
    divide_by: str = choice(
        "min_k_relevant",
        "relevant",
        "k",
        "hits",
        "min_list_relevant",
        "cumulative_min",
        "list",
        "min_k_list_hits",
        "one",
        "list_hits",
    )
    sum_over: str = choice("hits", "all_ranks", "listed_ranks", "trapezoid", "relevant_ranks")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        width = matches.case.width
        cut = matches.depth(self.cut, k)
        if self.sum_over == "hits":
            total = matches.summed("precision", cut, lambda hits: hits.numbers / (hits.ranks + 1))
        elif self.sum_over == "relevant_ranks":
            relevant = matches.n_relevant
            total = matches.summed("precision to r", cut, lambda hits: precision_up_to(hits, relevant[hits.users]))
        elif self.sum_over == "trapezoid":
            total = matches.summed("trapezoid", cut, mean_precision)
        else:  # a hit at rank j counts in the precision at j, j + 1, ... up to the last rank
            harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, max(k, width) + 1))])
            last_rank = np.full(matches.users, k)
            if self.cut == "none":
                last_rank = matches.lengths
            elif self.sum_over == "listed_ranks":
                last_rank = np.minimum(k, matches.lengths)
            total = matches.hit_count(cut) * harmonic[last_rank] - matches.weighed(harmonic[:cut])
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
        if self.divide_by == "list":
            return np.minimum(matches.lengths, cut)
        if self.divide_by == "one":
            return np.ones(matches.users)
        if self.divide_by == "list_hits":
            return matches.hit_count(matches.case.width)
        if self.divide_by == "min_k_list_hits":
            return np.minimum(k, matches.hit_count(matches.case.width))
        capped = np.minimum(k, relevant)
        return capped * (capped + 1) / 2 + (k - capped) * relevant

    def same_denominator(self) -> bool:
        return self.divide_by in ("k", "one")

    def ends_at_relevant(self) -> bool:
        return self.sum_over == "relevant_ranks"

    def divides_by_hits(self) -> bool:
        return self.divide_by in ("hits", "list_hits", "min_k_list_hits")

    def canonical(self) -> "AveragePrecision":
        """Without a cut, ``all_ranks`` and ``listed_ranks`` are the same ranks, and all hits of the list are meant."""
        if self.cut == "k":
            return self
        sum_over = "all_ranks" if self.sum_over == "listed_ranks" else self.sum_over
        return replace(self, sum_over=sum_over, divide_by="hits" if self.divide_by == "list_hits" else self.divide_by)

    def bounds(self, k: int) -> Tuple[float, float]:
        at_hits = self.sum_over in AT_HITS
        if self.cut == "none":
            if self.divide_by == "list":
                return 0.0, 1.0
            never_fewer_than_hits = self.divide_by in ("relevant", "hits", "min_list_relevant")
            return 0.0, 1.0 if at_hits and never_fewer_than_hits else float("inf")
        if self.divide_by == "one":
            return 0.0, float(k)
        # Over all ranks, one relevant item at rank 1 gives the largest value: each rank j adds its precision, 1 / j.
        harmonic = float(np.sum(1.0 / np.arange(1, k + 1)))
        if self.divide_by == "cumulative_min":
            return 0.0, 2.0 / (k + 1) if at_hits else harmonic / k
        if self.divide_by == "list" and self.sum_over == "all_ranks":  # a list of one item, which hits
            return 0.0, harmonic
        return 0.0, 1.0 if at_hits or self.divide_by in ("k", "list") else harmonic

    def formula(self) -> str:
        end = "|L|" if self.cut == "none" else r"\min(k, |L|)" if self.sum_over == "listed_ranks" else "k"
        if self.sum_over == "relevant_ranks":
            end = "r" if self.cut == "none" else r"\min(k, r)"
        indicator = r" \cdot \mathrm{rel}_j" if self.sum_over in AT_HITS else ""
        height = r"\tfrac12 (P@(j - 1) + P@j)" if self.sum_over == "trapezoid" else "P@j"
        length = "|L|" if self.cut == "none" else r"\min(k, |L|)"
        if self.divide_by == "one":
            return rf"\sum_{{j=1}}^{{{end}}} {height}{indicator}"
        divisor = {**DIVISORS, "list": length, "min_list_relevant": rf"\min({length}, r)"}[self.divide_by]
        return rf"\frac{{1}}{{{divisor}}} \sum_{{j=1}}^{{{end}}} {height}{indicator}"


def precision_up_to(hits: Hits, depth: np.ndarray) -> np.ndarray:
    """For each hit the precision at its rank, 0 past its ``depth``."""
    return np.where(hits.ranks < depth, hits.numbers / (hits.ranks + 1), 0.0)


def mean_precision(hits: Hits) -> np.ndarray:
    """For each hit the mean of the precision at its rank and at the rank before it; before rank 1 it is 1."""
    before = np.where(hits.ranks == 0, 1.0, (hits.numbers - 1) / np.maximum(hits.ranks, 1))
    return (hits.numbers / (hits.ranks + 1) + before) / 2
