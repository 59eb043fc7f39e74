"""Rank-biased precision: relevance seen by a reader who goes on to the next rank with a fixed probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ones, parameter


@dataclass(frozen=True)
class RankBiasedPrecision(Metric):
    r"""Rank-biased precision: (1 - p) times the sum of p^(j - 1) over the ranks j that hit.

    Moffat & Zobel 2008, "Rank-biased precision for measurement of retrieval effectiveness", doi
    10.1145/1416950.1416952. There is no ideal list: with few relevant items the value is small.

    cut : ``k``: only the first k ranks count; ``none``: the whole list.
    persistence : p, the probability of going on to the next rank.
    """

    name = "rank_biased_precision"
    about = "relevance seen by a reader who goes on with a fixed probability"
    ranking = True
    cut: str = choice("k", "none")
    persistence: float = parameter(0.8, usual=(0.8, 0.5, 0.9, 0.95), between=(0.01, 0.999))

    def rank_weights(self, depth: int) -> np.ndarray:
        """Weight of ranks 1..depth: float64, shape (depth,)."""
        return (1.0 - self.persistence) * self.persistence ** np.arange(depth)

    def parts(self, matches: Matches, k: int) -> Parts:
        return matches.weighed(self.rank_weights(matches.depth(self.cut, k))), ones(matches)

    def same_denominator(self) -> bool:
        return True

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.cut == "none" else 1.0 - self.persistence**k

    def formula(self) -> str:
        end, p = "k" if self.cut == "k" else "|L|", f"{self.persistence:.6g}"
        return rf"(1 - {p}) \sum_{{j=1}}^{{{end}}} {p}^{{j - 1}} \, \mathrm{{rel}}_j"
