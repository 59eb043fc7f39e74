"""NDCG: discounted gain over the gain of an ideal list. CG and DCG are its forms without ideal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from metric_reference.matching import Hits, Matches, weighted_sums
from metric_reference.metric import Metric, Parts, choice, ones, parameter

GAINS = {
    "binary": r"\mathrm{rel}_j",
    "linear": "g_j",
    "exponential": r"(2^{g_j} - 1)",
    "exponential_over_threshold": r"(2^{g_j - t + 1} - 1)",
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
        ``exponential_over_threshold`` 2^(g - t + 1) - 1 with the relevance threshold t.
    discount : rank j weighs 1 / ``log2``: log2(j + 1); ``ln`` and ``log10``: ln(j + 1) and log10(j + 1), the same NDCG
        but another DCG; ``max_log2``: max(log2 j, 1), ranks 1 and 2 alike; ``max_log``: max(log_b j, 1), no discount
        up to rank b (Järvelin & Kekäläinen), with b in ``base``; ``ln_rank``: ln j, but 1 at rank 1, so that rank 2
        weighs more than rank 1 (1 / ln 2 = 1.44); ``shifted_log2``: log2(j + 2), off by one; ``none``: 1.
    ideal : ``min_k_relevant``: the best min(k, r) gains; ``k``: k ranks of the user's largest gain, even if
        fewer items are relevant; ``relevant``: all r gains, not cut at k; ``hits``: the list's own gains,
        sorted (0 without a hit); ``none``: 1, which is DCG, or CG without discount; ``list``: the best min(length of
        the list up to the cut, r) gains; ``list_hits``: the gains of the whole list, sorted, then cut at k (0 without
        a hit); ``list_ranks``: as many ranks of the user's largest gain as the list has up to the cut, even if
        fewer items are relevant; ``fixed``: the best min(depth, r) gains, with the same ``depth`` for every k.
    cut : ``k``: only the first k ranks of the list gain; ``none``: all do.
    base, depth : the numbers that ``max_log`` and ``fixed`` need.
    """

    name = "ndcg"
    about = "discounted gain over that of an ideal list; DCG and CG without ideal"
    gain: str = choice("binary", "linear", "exponential", "exponential_over_threshold")
    ranking = True
    discount: str = choice(
        "log2", "ln", "max_log2", "shifted_log2", "none", "log10", "ln_rank", with_parameter=("max_log",)
    )
    ideal: str = choice(
        "min_k_relevant", "k", "relevant", "hits", "none", "list", "list_hits", "list_ranks", with_parameter=("fixed",)
    )
    cut: str = choice("k", "none")
    base: float = parameter(
        2.0, usual=(2.0, math.e, 3.0, 4.0, 5.0, 10.0), between=(1.01, 100.0), when=("discount", "max_log")
    )
    depth: float = parameter(
        10.0, usual=(10.0, 5.0, 3.0, 1.0, 20.0, 50.0, 100.0), between=(1.0, 1e6), whole=True, when=("ideal", "fixed")
    )

    def rank_weights(self, depth: int) -> np.ndarray:
        """Weight of ranks 1..depth: float64, shape (depth,)."""
        return discounts(self.discount, depth, self.base)

    def parts(self, matches: Matches, k: int) -> Parts:
        width = matches.case.width
        cut = width if self.cut == "none" else min(k, width)
        ideal = matches.once(
            ("ideal", self.gain, self.discount, self.base, self.ideal, self.depth, k, cut),
            lambda: self._ideal(matches, k, cut),
        )
        weights = self.rank_weights(cut)
        if self.gain == "binary":
            return matches.weighed(weights), ideal

        def discounted(hits: Hits) -> np.ndarray:
            return self._gain_of_relevant(hits.gains, matches.case.threshold) * weights.take(hits.ranks)

        return matches.summed(("dcg", self.gain, self.discount, self.base), cut, discounted), ideal

    def gain_of(self, gains: np.ndarray, relevant: np.ndarray, threshold: float) -> np.ndarray:
        """Gain of each entry, 0 where it is not relevant."""
        return self._gain_of_relevant(gains, threshold) * relevant

    def _gain_of_relevant(self, gains: np.ndarray, threshold: float) -> np.ndarray:
        if self.gain == "binary":
            return np.ones(gains.shape)
        if self.gain == "linear":
            return gains
        shift = threshold - 1.0 if self.gain == "exponential_over_threshold" else 0.0
        return np.exp2(gains - shift) - 1.0

    def _ideal(self, matches: Matches, k: int, cut: int) -> np.ndarray:
        relevant = matches.n_relevant
        if self.ideal == "none":
            return ones(matches)
        if self.ideal in ("k", "list_ranks"):
            largest = relevant > 0 if self.gain == "binary" else matches.largest_gain
            full = np.full(matches.users, k) if self.ideal == "k" else np.minimum(matches.lengths, cut)
            reached = np.concatenate([[0.0], np.cumsum(self.rank_weights(max(k, cut)))])
            return self.gain_of(largest, relevant > 0, matches.case.threshold) * reached[full]
        width, most = matches.case.width, int(relevant.max(initial=0))
        # How many gains an ideal list holds at most: one number, or one a user.
        deepest = {"hits": cut, "list_hits": min(k, width), "relevant": most, "fixed": min(int(self.depth), most)}
        depth = np.minimum(matches.lengths, cut) if self.ideal == "list" else np.array(deepest.get(self.ideal, k))
        weights = self.rank_weights(int(depth.max(initial=0)))
        reached = np.concatenate([[0.0], np.cumsum(weights)])
        own = self.ideal in ("hits", "list_hits")
        if self.gain == "binary":  # how many ranks are filled says it all; there is no need to look at the items
            there = matches.hit_count(cut if self.ideal == "hits" else width) if own else relevant
            return reached[np.minimum(there, depth)]
        if not own and matches.grades is not None:
            grades, counts = matches.grades
            gains = self._gain_of_relevant(grades, matches.case.threshold)
            if np.isfinite(gains).all():  # each grade adds its step above the grade below, over the ranks it reaches
                return np.einsum("g,gu->u", np.diff(gains, prepend=0.0), reached.take(np.minimum(counts, depth)))
        ideal = np.zeros(matches.users)
        sorted_gains = matches.sorted_hits(cut if self.ideal == "hits" else width) if own else matches.ideal_lists
        for users, rows in sorted_gains:
            gains = self._gain_of_relevant(rows[:, : len(weights)], matches.case.threshold)
            if depth.ndim:
                gains = np.where(np.arange(gains.shape[1]) < depth[users][:, None], gains, 0.0)
            ideal[users] = weighted_sums(gains, weights[: gains.shape[1]])
        return ideal

    def same_denominator(self) -> bool:
        return self.ideal == "none" or (self.ideal == "k" and self.gain == "binary")

    def divides_by_hits(self) -> bool:
        return self.ideal in ("hits", "list_hits")

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.ideal == "none":
            unbounded = self.cut == "none" or self.gain != "binary"
            return 0.0, float("inf") if unbounded else float(np.sum(self.rank_weights(k)))
        if self.cut == "none" and self.ideal not in ("hits", "relevant", "list", "list_ranks"):
            return 0.0, float("inf")
        if self.ideal == "fixed":  # of the ways to hit m times, m = 1..k, the one that fills the heaviest ranks
            weights = self.rank_weights(k)
            ideal = np.cumsum(weights)[np.minimum(np.arange(k), int(self.depth) - 1)]
            return 0.0, float(np.max(np.cumsum(np.sort(weights)[::-1]) / ideal))
        if self.discount == "ln_rank" and self.ideal not in ("k", "list_ranks") and (k > 1 or self.cut == "none"):
            return 0.0, float(1.0 / np.log(2.0))  # one relevant item, at rank 2
        return 0.0, 1.0

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"

        def total(last: str, gain: str) -> str:
            weight = DISCOUNTS[self.discount].replace("BASE", f"{self.base:.6g}")
            term = rf"\frac{{{gain}}}{{{weight}}}" if weight else gain
            return rf"\sum_{{j=1}}^{{{last}}} {term}"

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
            "fixed": rf"\min({self.depth:g}, r)",
        }[self.ideal]
        best = gain.replace("_j", r"_{\max}" if self.ideal in ("k", "list_ranks") else r"^{*}_j")
        return rf"\frac{{{total(end, gain)}}}{{{total(last, best)}}}"

    def canonical(self) -> "Ndcg":
        """The variant that stands for this one.

        A constant log base cancels in DCG / IDCG, so ``ln`` and ``log10`` are ``log2`` but for the plain DCG. Without
        discount a list with a hit is 1 over its own gains, whatever these are.
        """
        out = self
        if self.discount in ("ln", "log10") and self.ideal != "none":
            out = replace(out, discount="log2")
        if self.discount == "max_log" and self.base == 2.0:
            out = replace(out, discount="max_log2")
        if self.discount == "none" and self.ideal == "hits":
            out = replace(out, gain="binary")
        return out
