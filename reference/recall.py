"""Recall: which share of the relevant items is in the list?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Recall(Metric):
    """Recall at k: hits among the first k ranks over the number of relevant items; undefined without any.

    divide_by : ``relevant``: r; ``min_k_relevant``: min(k, r), so that a list of k can reach 1 (Liang et al. 2018,
        "Variational Autoencoders for Collaborative Filtering", doi 10.1145/3178876.3186150).
    """

    name = "recall"
    about = "share of the relevant items that is listed"
    divide_by: str = choice("relevant", "min_k_relevant")

    def parts(self, matches: Matches, k: int) -> Parts:
        divisor = matches.n_relevant if self.divide_by == "relevant" else np.minimum(k, matches.n_relevant)
        return matches.hit_count(k).astype(np.float64), divisor.astype(np.float64)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        divisor = "r" if self.divide_by == "relevant" else r"\min(k, r)"
        return rf"\frac{{\sum_{{j=1}}^{{k}} \mathrm{{rel}}_j}}{{{divisor}}}"
