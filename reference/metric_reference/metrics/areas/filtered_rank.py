"""Ranks among the other candidates alone: relevant items do not displace each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.standing import standing


@dataclass(frozen=True)
class FilteredRank(Metric):
    r"""Recall, precision or NDCG from filtered ranks.

    The filtered rank of a relevant item is 1 + the number of candidates that are not relevant and score higher, as in
    link prediction (Bordes et al. 2013, "Translating embeddings for modeling multi-relational data", section 4.1):
    several relevant items can share a rank, and more than k of them can have a rank up to k.

    value : ``recall``: relevant items within k, over all r (filtered hits@k); ``precision``: over k, passes 1;
        ``ndcg``: their DCG at the filtered ranks, over the ideal of all r relevant items, not cut at k; passes 1.
    within : the largest filtered rank that counts: ``k``, or ``k_plus_one``, off by one.

    Needs ``candidate_scores``; in a tie the relevant item comes first.
    """

    name = "filtered_rank"
    about = "recall, precision and NDCG of ranks among the other candidates alone"
    needs = ("candidate_scores",)
    intended = False
    sums = False
    lists = False
    value: str = choice("recall", "precision", "ndcg")
    within: str = choice("k", "k_plus_one")

    def parts(self, matches: Matches, k: int) -> Parts:
        depth = k if self.within == "k" else k + 1
        above, relevant = standing(matches).above, matches.n_relevant
        users, inside = matches.relevant.users, above < depth
        if self.value == "ndcg":
            gains = np.where(inside, 1.0 / np.log2(above + 2.0), 0.0)
            ideal = np.cumsum(1.0 / np.log2(np.arange(relevant.max(initial=0)) + 2.0))
            return np.bincount(users, gains, minlength=matches.users), np.append(0.0, ideal)[relevant]
        divisor = relevant if self.value == "recall" else np.where(relevant > 0, k, 0)
        return np.bincount(users[inside], minlength=matches.users).astype(np.float64), divisor.astype(np.float64)

    def same_denominator(self) -> bool:
        return self.value == "precision"

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.value == "recall" else float("inf")

    def formula(self) -> str:
        inside = r"\mathrm{rank}'_i \le k" if self.within == "k" else r"\mathrm{rank}'_i \le k + 1"
        return {
            "recall": rf"\frac{{1}}{{r}} \sum_{{i=1}}^{{r}} [{inside}]",
            "precision": rf"\frac{{1}}{{k}} \sum_{{i=1}}^{{r}} [{inside}]",
            "ndcg": rf"\frac{{\sum_{{i=1}}^{{r}} \frac{{[{inside}]}}{{\log_2(\mathrm{{rank}}'_i + 1)}}}}"
            r"{\sum_{j=1}^{r} \frac{1}{\log_2(j + 1)}}",
        }[self.value]
