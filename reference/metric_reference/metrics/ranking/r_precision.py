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
    divide_by : ``relevant``: r; ``min_k_relevant``: min(k, r); ``min_list_relevant``: the ranks that count, as far as
        the list has them.
    who : the users in the mean: ``all``; ``with_hit``: those with a hit there (0 if no user has a hit up to k).
    """

    name = "r_precision"
    about = "precision at the number of relevant items"
    ranking = True
    coincides = tuple(
        (
            f"r_precision(divide_by={divisor}{cut}{weight})",
            f"ndcg(gain=binary, discount=none, ideal={ideal}{cut}{weight})",
        )
        for divisor, ideal in (("min_k_relevant", "relevant_ranks"), ("min_list_relevant", "same_ranks"))
        for cut in ("", ", cut=none")
        for weight in ("", ", weight=micro")
    )
    divide_by: str = choice("relevant", "min_k_relevant", "min_list_relevant")
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
        divisor = {
            "relevant": relevant,
            "min_k_relevant": np.minimum(k, relevant),
            "min_list_relevant": np.minimum(depth, matches.lengths),
        }[self.divide_by]
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
        of_list = r"\min(|L|, r)" if self.cut == "none" else r"\min(k, |L|, r)"
        divisors = {"relevant": "r", "min_k_relevant": r"\min(k, r)", "min_list_relevant": of_list}
        return rf"\frac{{\sum_{{j=1}}^{{{end}}} \mathrm{{rel}}_j}}{{{divisors[self.divide_by]}}}"
