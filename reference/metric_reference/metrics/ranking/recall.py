"""Recall: which share of the relevant items is in the list?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Recall(Metric):
    """Recall at k: hits among the first k ranks over the number of relevant items; undefined without any.

    divide_by : ``relevant``: r; ``min_k_relevant``: min(k, r), so that a list of k can reach 1 (Liang et al. 2018,
        "Variational Autoencoders for Collaborative Filtering", doi 10.1145/3178876.3186150).
    cut : ``k``: only the first k ranks count; ``none``: the whole list (the divisor min(k, r) stays).
    """

    name = "recall"
    about = "share of the relevant items that is listed"
    ranking = True
    coincides = (
        ("precision(divide_by=min_k_relevant)", "recall(divide_by=min_k_relevant)", "ndcg(gain=binary, discount=none)"),
        (
            "precision(divide_by=min_k_relevant, weight=micro)",
            "recall(divide_by=min_k_relevant, weight=micro)",
            "ndcg(gain=binary, discount=none, weight=micro)",
        ),
        (
            "precision(divide_by=min_k_relevant, cut=none)",
            "recall(divide_by=min_k_relevant, cut=none)",
            "ndcg(gain=binary, discount=none, cut=none)",
        ),
        (
            "precision(divide_by=min_k_relevant, cut=none, weight=micro)",
            "recall(divide_by=min_k_relevant, cut=none, weight=micro)",
            "ndcg(gain=binary, discount=none, cut=none, weight=micro)",
        ),
        ("recall(divide_by=relevant)", "ndcg(gain=binary, discount=none, ideal=relevant)"),
        ("recall(divide_by=relevant, weight=micro)", "ndcg(gain=binary, discount=none, ideal=relevant, weight=micro)"),
        ("recall(divide_by=relevant, cut=none)", "ndcg(gain=binary, discount=none, ideal=relevant, cut=none)"),
        (
            "recall(divide_by=relevant, cut=none, weight=micro)",
            "ndcg(gain=binary, discount=none, ideal=relevant, cut=none, weight=micro)",
        ),
    )
    divide_by: str = choice("relevant", "min_k_relevant")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        divisor = matches.n_relevant if self.divide_by == "relevant" else np.minimum(k, matches.n_relevant)
        cut = k if self.cut == "k" else matches.case.width
        return matches.hit_count(cut).astype(np.float64), divisor.astype(np.float64)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.cut == "k" or self.divide_by == "relevant" else float("inf")

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        divisor = "r" if self.divide_by == "relevant" else r"\min(k, r)"
        return rf"\frac{{\sum_{{j=1}}^{{{end}}} \mathrm{{rel}}_j}}{{{divisor}}}"
