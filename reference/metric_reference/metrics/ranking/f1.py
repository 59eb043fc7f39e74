"""F1: the harmonic mean of precision and recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class F1(Metric):
    """F1 at k: 2PR / (P + R), which for one user is 2 hits / (divisor of P + r).

    over : ``users``: each user's F1, then the mean; ``means``: the F1 of mean precision and mean recall over the users
        with relevant items; a user without a list has 0 in both, whatever the edge behaviour.
    divide_by : what precision divides by: ``k``; ``list``: the length of the list up to k; ``min_k_relevant``:
        min(k, r), the largest possible number of hits.
    no_hits : the value of a user without a hit, for ``means`` where no user has one: ``zero``, or ``nan``: 0 / 0 of
        precision and recall, which makes the mean undefined.
    """

    name = "f1"
    about = "harmonic mean of precision and recall"
    ranking = True
    over: str = choice("users", "means")
    divide_by: str = choice("k", "list", "min_k_relevant")
    no_hits: str = choice("zero", "nan")

    def of_whole_case(self) -> bool:
        return self.over == "means"

    def parts(self, matches: Matches, k: int) -> Parts:
        hits = matches.hit_count(k).astype(np.float64)
        relevant = matches.n_relevant
        limit = {"k": np.full(matches.users, k), "list": matches.lengths, "min_k_relevant": relevant}[self.divide_by]
        length = np.minimum(k, limit)
        if self.over == "users":
            defined = (relevant > 0) & ((hits > 0) | (self.no_hits == "zero"))
            return 2.0 * hits, np.where(defined, length + relevant, 0).astype(np.float64)
        counted = relevant > 0
        if not counted.any():
            return np.zeros(1), np.zeros(1)
        precision = float(np.mean(hits[counted] / np.maximum(length[counted], 1)))
        recall = float(np.mean(hits[counted] / relevant[counted]))
        total = precision + recall
        return np.array([2.0 * precision * recall]), np.array([total if total > 0 else float(self.no_hits == "zero")])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        if self.over == "means":
            return r"\frac{2 \bar{P} \bar{R}}{\bar{P} + \bar{R}}"
        divisor = {"k": "k", "list": r"\min(k, |L|)", "min_k_relevant": r"\min(k, r)"}[self.divide_by]
        return rf"\frac{{2 \sum_{{j=1}}^{{k}} \mathrm{{rel}}_j}}{{{divisor} + r}}"
