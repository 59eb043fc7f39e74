"""R-precision: precision at the number of relevant items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class RPrecision(Metric):
    """Hits among the first r ranks over r, undefined without relevant items.

    cut : ``k``: the first min(k, r) ranks count; ``none``: the first r ranks, as in TREC.
    divide_by : ``relevant``: r; ``min_k_relevant``: min(k, r).
    who : the users in the mean: ``all``; ``with_hit``: those with a hit there (0 if no user has a hit up to k).
    """

    name = "r_precision"
    about = "precision at the number of relevant items"
    ranking = True
    divide_by: str = choice("relevant", "min_k_relevant")
    cut: str = choice("k", "none")
    who: str = choice("all", "with_hit")

    def parts(self, matches: Matches, k: int) -> Parts:
        relevant = matches.n_relevant
        depth = relevant if self.cut == "none" else np.minimum(k, relevant)
        hits = matches.summed(
            ("r_precision", self.cut, k),
            matches.case.width,
            lambda hits: (hits.ranks < depth[hits.users]).astype(np.float64),
        )
        divisor = relevant if self.divide_by == "relevant" else np.minimum(k, relevant)
        return hits, divisor.astype(np.float64)

    def weights(self) -> Tuple[str, ...]:
        """Users without a hit add 0 to a sum, so ``with_hit`` has no sum of its own."""
        return super().weights() if self.who == "all" else ("user", "micro")

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        if self.who == "all":
            return super().counted(matches, k)
        return self.parts(matches, k)[0] > 0

    def of_nobody(self, matches: Matches, k: int) -> float:
        """NaN; for ``with_hit`` 0 where there are relevant items, but no hit up to k."""
        missed = bool(matches.n_relevant.any()) and not matches.hit_count(k).any()
        return 0.0 if self.who == "with_hit" and missed else float("nan")

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf") if (self.cut, self.divide_by) == ("none", "min_k_relevant") else 1.0

    def formula(self) -> str:
        end = "r" if self.cut == "none" else r"\min(k, r)"
        divisor = "r" if self.divide_by == "relevant" else r"\min(k, r)"
        return rf"\frac{{\sum_{{j=1}}^{{{end}}} \mathrm{{rel}}_j}}{{{divisor}}}"
