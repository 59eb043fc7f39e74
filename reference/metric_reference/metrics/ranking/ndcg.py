"""NDCG: discounted gain over that of an ideal list. DCG and CG are variants of it, without an ideal list."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Iterator, Tuple

import numpy as np

from metric_reference.matching import Hits, Matches, weighted_sums
from metric_reference.metric import Metric, Parts, choice, ones, parameter

GAINS = {
    "binary": r"\mathrm{rel}_j",
    "linear": "g_j",
    "exponential": r"(2^{g_j} - 1)",
    "exponential_over_threshold": r"(2^{g_j - t + 1} - 1)",
    "exponential_plus_one": r"(2^{g_j + 1} - 1)",
    "squared_minus_one": r"(g_j^2 - 1)",
}
DISCOUNTS = {
    "log2": r"\log_2(j + 1)",
    "ln": r"\ln(j + 1)",
    "log10": r"\log_{10}(j + 1)",
    "max_log2": r"\max(\log_2 j, 1)",
    "max_log": r"\max(\log_{BASE} j, 1)",
    "ln_rank": r"(\ln j + [j = 1])",
    "shifted_log2": r"\log_2(j + 2)",
    "none": "",
}


def discounts(kind: str, depth: int, base: float = 2.0) -> np.ndarray:
    """Weight of ranks 1..depth: float64, shape (depth,)."""
    rank = np.arange(1, depth + 1, dtype=np.float64)
    if kind == "none":
        return np.ones(depth)
    if kind == "max_log2":
        return 1.0 / np.maximum(np.log2(rank), 1.0)
    if kind == "max_log":
        return 1.0 / np.maximum(np.log(rank) / np.log(base), 1.0)
    if kind == "ln_rank":
        return 1.0 / (np.log(rank) + (rank == 1))
    shifted = rank + (2.0 if kind == "shifted_log2" else 1.0)
    return 1.0 / {"ln": np.log, "log10": np.log10}.get(kind, np.log2)(shifted)


@dataclass(frozen=True)
class Ndcg(Metric):
    r"""Normalised discounted cumulative gain: DCG / IDCG, undefined without relevant items.

    gain : of a relevant item with gain (rating) g: ``binary`` 1; ``linear`` g (Järvelin & Kekäläinen 2002, doi
        10.1145/582415.582418); ``exponential`` 2^g - 1 (Burges et al. 2005, doi 10.1145/1102351.1102363);
        ``exponential_over_threshold`` 2^(g - t + 1) - 1 with the relevance threshold t; ``exponential_plus_one``
        2^(g + 1) - 1, off by one, which is 3 for a gain of 1; ``squared_minus_one`` g^2 - 1, base and exponent of
        2^g - 1 swapped: 0 for a gain of 1, and below 0 for a smaller one. Where the ideal is 0 the value is 0; the
        bounds hold for gains from 1 on. What is not relevant has the gain 0 in all of them.
    discount : rank j weighs 1 / d, with d for ``log2``: log2(j + 1); ``ln`` and ``log10``: ln(j + 1) and log10(j + 1),
        the same NDCG but another DCG; ``max_log2``: max(log2 j, 1), the same for ranks 1 and 2; ``max_log``:
        max(log_b j, 1), no discount up to rank b (Järvelin & Kekäläinen), with b in ``base``; ``ln_rank``: ln j, but 1
        at rank 1, so that rank 2 weighs more than rank 1 (1 / ln 2 = 1.44); ``shifted_log2``: log2(j + 2), off by one;
        ``none``: 1.
    ideal : ``min_k_relevant``: the best min(k, r) gains; ``k``: k ranks of the user's largest gain, even if fewer
        items are relevant; ``relevant``: all r gains, not cut at k; ``hits``: the list's own gains, sorted (0 without
        a hit); ``none``: 1, which is DCG, or CG without discount; ``list``: the best min(length of the list up to the
        cut, r) gains; ``list_hits``: the gains of the whole list, sorted, then cut at k (0 without a hit);
        ``list_ranks``: as many ranks of the user's largest gain as the list has up to the cut, even if fewer items
        are relevant; ``same_ranks``: as ``list``, and the list itself ends there too: a hit below rank r is lost;
        ``relevant_ranks``: as ``min_k_relevant``, and the list itself ends at rank r; ``fixed``: the best min(depth,
        r) gains, with the same ``depth`` for every k.
    cut : ``k``: only the first k ranks of the list count; ``none``: the whole list.
    base, depth : the parameters of ``max_log`` and ``fixed``.
    """

    name = "ndcg"
    about = "discounted gain over that of an ideal list; DCG and CG without ideal"
    gain: str = choice(
        "binary",
        "linear",
        "exponential",
        "exponential_over_threshold",
        "exponential_plus_one",
        "squared_minus_one",
    )
    ranking = True
    discount: str = choice(
        "log2", "ln", "max_log2", "shifted_log2", "none", "log10", "ln_rank", with_parameter=("max_log",)
    )
    ideal: str = choice(
        "min_k_relevant",
        "k",
        "relevant",
        "hits",
        "none",
        "list",
        "list_hits",
        "list_ranks",
        "same_ranks",
        "relevant_ranks",
        with_parameter=("fixed",),
    )
    cut: str = choice("k", "none")
    base: float = parameter(
        2.0, usual=(2.0, math.e, 3.0, 4.0, 5.0, 10.0), between=(1.01, 100.0), when=("discount", "max_log")
    )
    depth: float = parameter(
        10.0, usual=(10.0, 5.0, 3.0, 1.0, 20.0, 50.0, 100.0), between=(1.0, 1e6), whole=True, when=("ideal", "fixed")
    )

    @classmethod
    def space(cls) -> Iterator[Metric]:
        """Every combination but a list's own gains over themselves, which are 1 for every list with a hit."""
        for metric in super().space():
            made = metric.made()
            itself = made["ideal"] == "hits" or (made["ideal"], made["cut"]) == ("list_hits", "none")
            if not itself or made["discount"] != "none":
                yield metric

    def rank_weights(self, depth: int) -> np.ndarray:
        """Weight of ranks 1..depth: float64, shape (depth,)."""
        return discounts(self.discount, depth, self.base)

    def parts(self, matches: Matches, k: int) -> Parts:
        cut = matches.depth(self.cut, k)
        ideal = matches.once(
            ("ideal", self.gain, self.discount, self.base, self.ideal, self.depth, k, cut),
            lambda: self._ideal(matches, k, cut),
        )
        weights, up_to_r = self.rank_weights(cut), self.ends_at_relevant()
        if self.gain == "binary" and not up_to_r:
            return matches.weighed(weights), ideal

        def discounted(hits: Hits) -> np.ndarray:
            gains = self._gain_of_relevant(hits.gains, matches.case.threshold) * weights.take(hits.ranks)
            return gains * (hits.ranks < matches.n_relevant[hits.users]) if up_to_r else gains

        return matches.summed(("dcg", self.gain, self.discount, self.base, up_to_r), cut, discounted), ideal

    def ends_at_relevant(self) -> bool:
        return self.ideal in ("same_ranks", "relevant_ranks")

    def gain_of(self, gains: np.ndarray, relevant: np.ndarray, threshold: float) -> np.ndarray:
        """The gain of items with a rating, 0 where they are not relevant; all of one shape."""
        return self._gain_of_relevant(gains, threshold) * relevant

    def _gain_of_relevant(self, gains: np.ndarray, threshold: float) -> np.ndarray:
        if self.gain == "binary":
            return np.ones(gains.shape)
        if self.gain == "linear":
            return gains
        if self.gain == "squared_minus_one":
            return gains**2 - 1.0
        shift = {"exponential_over_threshold": threshold - 1.0, "exponential_plus_one": -1.0}.get(self.gain, 0.0)
        return np.exp2(gains - shift) - 1.0

    def _ideal(self, matches: Matches, k: int, cut: int) -> np.ndarray:
        """The DCG of each user's ideal list: float64, shape (users,)."""
        relevant = matches.n_relevant
        if self.ideal == "none":
            return ones(matches)
        if self.ideal in ("k", "list_ranks"):
            largest = relevant > 0 if self.gain == "binary" else matches.largest_gain
            lengths = np.full(matches.users, k) if self.ideal == "k" else np.minimum(matches.lengths, cut)
            summed_weights = np.concatenate([[0.0], np.cumsum(self.rank_weights(max(k, cut)))])
            return self.gain_of(largest, relevant > 0, matches.case.threshold) * summed_weights[lengths]
        width, most = matches.case.width, int(relevant.max(initial=0))
        # The largest length of an ideal list: one number, or one for each user.
        depths = {"hits": cut, "list_hits": min(k, width), "relevant": most, "fixed": min(int(self.depth), most)}
        of_list = self.ideal in ("list", "same_ranks")
        depth = np.minimum(matches.lengths, cut) if of_list else np.array(depths.get(self.ideal, k))
        weights = self.rank_weights(int(depth.max(initial=0)))
        summed_weights = np.concatenate([[0.0], np.cumsum(weights)])
        from_hits, hits_depth = self.ideal in ("hits", "list_hits"), cut if self.ideal == "hits" else width
        if self.gain == "binary":
            lengths = np.minimum(matches.hit_count(hits_depth) if from_hits else relevant, depth)
            return summed_weights[lengths]
        if not from_hits and matches.grades is not None:
            grades, counts = matches.grades
            gains = self._gain_of_relevant(grades, matches.case.threshold)
            if np.isfinite(gains).all():  # each grade adds its step above the grade below, over the ranks that reach it
                return np.einsum("g,gu->u", np.diff(gains, prepend=0.0), summed_weights.take(np.minimum(counts, depth)))
        ideal = np.zeros(matches.users)
        sorted_gains = matches.sorted_hits(hits_depth) if from_hits else matches.ideal_lists
        for users, rows in sorted_gains:
            gains = self._gain_of_relevant(rows[:, : len(weights)], matches.case.threshold)
            if depth.ndim:
                gains = np.where(np.arange(gains.shape[1]) < depth[users][:, None], gains, 0.0)
            ideal[users] = weighted_sums(gains, weights[: gains.shape[1]])
        return ideal

    def same_denominator(self) -> bool:
        return self.ideal == "none" or (self.ideal == "k" and self.gain == "binary")

    def divides_by_hits(self) -> bool:
        """Also where the gains of relevant items may all be 0."""
        return self.ideal in ("hits", "list_hits") or self.gain == "squared_minus_one"

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.ideal == "none":
            unbounded = self.cut == "none" or self.gain != "binary"
            return 0.0, float("inf") if unbounded else float(np.sum(self.rank_weights(k)))
        if self.cut == "none" and self.ideal not in ("hits", "relevant", "list", "list_ranks", "same_ranks"):
            return 0.0, float("inf")
        if self.ideal == "fixed":  # m hits, m = 1..k, are worth most at the m heaviest ranks
            weights = self.rank_weights(k)
            ideal = np.cumsum(weights)[np.minimum(np.arange(k), int(self.depth) - 1)]
            return 0.0, float(np.max(np.cumsum(np.sort(weights)[::-1]) / ideal))
        never_more = self.ideal in ("k", "list_ranks") or (self.ends_at_relevant() and self.gain == "binary")
        if self.discount == "ln_rank" and not never_more and (k > 1 or self.cut == "none"):
            return 0.0, float(1.0 / np.log(2.0))  # one relevant item, or the only one of a large gain, at rank 2
        return 0.0, 1.0

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"

        def total(last: str, gain: str) -> str:
            weight = DISCOUNTS[self.discount].replace("BASE", f"{self.base:.6g}")
            term = rf"\frac{{{gain}}}{{{weight}}}" if weight else gain
            return rf"\sum_{{j=1}}^{{{last}}} {term}"

        if self.ends_at_relevant():
            end = r"\min(k, |L|, r)" if self.cut == "k" else r"\min(|L|, r)"
        gain = GAINS[self.gain]
        if self.ideal == "none":
            return total(end, gain)
        last = {
            "min_k_relevant": r"\min(k, r)",
            "k": "k",
            "relevant": "r",
            "hits": "h",
            "list": r"\min(k, |L|, r)" if self.cut == "k" else r"\min(|L|, r)",
            "list_hits": r"\min(k, h_{|L|})",
            "list_ranks": r"\min(k, |L|)" if self.cut == "k" else "|L|",
            "same_ranks": end,
            "relevant_ranks": r"\min(k, r)",
            "fixed": rf"\min({self.depth:g}, r)",
        }[self.ideal]
        best = gain.replace("_j", r"_{\max}" if self.ideal in ("k", "list_ranks") else r"^{*}_j")
        return rf"\frac{{{total(end, gain)}}}{{{total(last, best)}}}"

    def canonical(self) -> "Ndcg":
        """The representative of this variant.

        A constant log base cancels in DCG / IDCG, so ``ln`` and ``log10`` equal ``log2`` unless ``ideal`` is ``none``.
        Without discount, the gains of a list over its own sorted gains are 1, whatever the gain, unless it may be 0.
        """
        metric = self
        if self.discount in ("ln", "log10") and self.ideal != "none":
            metric = replace(metric, discount="log2")
        if self.discount == "max_log" and self.base == 2.0:
            metric = replace(metric, discount="max_log2")
        if self.discount == "none" and self.ideal == "hits" and self.gain != "squared_minus_one":
            metric = replace(metric, gain="binary")
        return metric
