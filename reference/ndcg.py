"""NDCG: discounted gain over the gain of an ideal list. CG and DCG are its forms without ideal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from reference.matching import Hits, Matches
from reference.metric import Metric, Parts, choice, ones

GAINS = {
    "binary": r"\mathrm{rel}_j",
    "linear": "g_j",
    "exponential": r"(2^{g_j} - 1)",
    "exponential_over_threshold": r"(2^{g_j - t + 1} - 1)",
}
DISCOUNTS = {
    "log2": r"\log_2(j + 1)",
    "ln": r"\ln(j + 1)",
    "max_log2": r"\max(\log_2 j, 1)",
    "shifted_log2": r"\log_2(j + 2)",
    "none": "",
}


def discounts(kind: str, depth: int) -> np.ndarray:
    """Weight of ranks 1..depth: float64, shape (depth,)."""
    rank = np.arange(1, depth + 1, dtype=np.float64)
    if kind == "none":
        return np.ones(depth)
    if kind == "max_log2":
        return 1.0 / np.maximum(np.log2(rank), 1.0)
    shifted = rank + (2.0 if kind == "shifted_log2" else 1.0)
    return 1.0 / (np.log(shifted) if kind == "ln" else np.log2(shifted))


@dataclass(frozen=True)
class Ndcg(Metric):
    r"""Normalised discounted cumulative gain: DCG / IDCG, undefined without relevant items.

    gain : of a relevant item with gain (rating) g: ``binary`` 1; ``linear`` g (Järvelin & Kekäläinen 2002, doi
        10.1145/582415.582418); ``exponential`` 2^g - 1 (Burges et al. 2005, doi 10.1145/1102351.1102363);
        ``exponential_over_threshold`` 2^(g - t + 1) - 1 with the relevance threshold t.
    discount : rank j weighs 1 / ``log2``: log2(j + 1); ``ln``: ln(j + 1), the same NDCG but another DCG;
        ``max_log2``: max(log2 j, 1), ranks 1 and 2 alike; ``shifted_log2``: log2(j + 2), off by one; ``none``: 1.
    ideal : ``min_k_relevant``: the best min(k, r) gains; ``k``: k ranks of the user's largest gain, whether or not
        there are so many relevant items; ``relevant``: all r gains, not cut at k; ``hits``: the list's own gains,
        sorted (0 without a hit); ``none``: 1, which is DCG, or CG without discount.
    cut : ``k``: only the first k ranks of the list gain; ``none``: all do.
    """

    name = "ndcg"
    about = "discounted gain over that of an ideal list; DCG and CG without ideal"
    gain: str = choice("binary", "linear", "exponential", "exponential_over_threshold")
    discount: str = choice("log2", "ln", "max_log2", "shifted_log2", "none")
    ideal: str = choice("min_k_relevant", "k", "relevant", "hits", "none")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        width = matches.case.width
        cut = width if self.cut == "none" else min(k, width)
        ideal = matches.once(
            ("ideal", self.gain, self.discount, self.ideal, k, cut), lambda: self._ideal(matches, k, cut)
        )
        weights = discounts(self.discount, cut)
        if self.gain == "binary":
            return matches.weighed(weights), ideal

        def discounted(hits: Hits) -> np.ndarray:
            return self._gain_of_relevant(hits.gains, matches.case.threshold) * weights.take(hits.ranks)

        return matches.summed(("dcg", self.gain, self.discount), cut, discounted), ideal

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
        if self.ideal == "k":
            largest = relevant > 0 if self.gain == "binary" else matches.largest_gain
            return self.gain_of(largest, relevant > 0, matches.case.threshold) * np.sum(discounts(self.discount, k))
        depth = {"min_k_relevant": k, "relevant": int(relevant.max(initial=0)), "hits": cut}[self.ideal]
        weights = discounts(self.discount, depth)
        reached = np.concatenate([[0.0], np.cumsum(weights)])
        if self.gain == "binary":  # how many ranks are filled says it all; there is no need to look at the items
            filled = matches.hit_count(cut) if self.ideal == "hits" else np.minimum(relevant, depth)
            return reached[filled]
        if self.ideal != "hits" and matches.grades is not None:
            grades, counts = matches.grades
            gains = self._gain_of_relevant(grades, matches.case.threshold)
            if np.isfinite(gains).all():  # each grade adds its step above the grade below, over the ranks it reaches
                return np.einsum("g,gu->u", np.diff(gains, prepend=0.0), reached.take(np.minimum(counts, depth)))
        ideal = np.zeros(matches.users)
        for users, rows in matches.sorted_hits(cut) if self.ideal == "hits" else matches.ideal_lists:
            gains = self._gain_of_relevant(rows[:, :depth], matches.case.threshold)
            ideal[users] = gains @ weights[: gains.shape[1]]
        return ideal

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.ideal == "none":
            unbounded = self.cut == "none" or self.gain != "binary"
            return 0.0, float("inf") if unbounded else float(np.sum(discounts(self.discount, k)))
        safe = self.cut == "k" or self.ideal in ("hits", "relevant")
        return 0.0, 1.0 if safe else float("inf")

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"

        def total(last: str, gain: str) -> str:
            weight = DISCOUNTS[self.discount]
            term = rf"\frac{{{gain}}}{{{weight}}}" if weight else gain
            return rf"\sum_{{j=1}}^{{{last}}} {term}"

        gain = GAINS[self.gain]
        if self.ideal == "none":
            return total(end, gain)
        last = {"min_k_relevant": r"\min(k, r)", "k": "k", "relevant": "r", "hits": "h"}[self.ideal]
        best = gain.replace("_j", r"_{\max}" if self.ideal == "k" else r"^{*}_j")
        return rf"\frac{{{total(end, gain)}}}{{{total(last, best)}}}"

    def canonical(self) -> "Ndcg":
        """A constant log base cancels in DCG / IDCG, so ``ln`` is ``log2`` but for the plain DCG."""
        return replace(self, discount="log2") if self.discount == "ln" and self.ideal != "none" else self
