"""Matthews correlation between being listed and being relevant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.ranking.fall_out import n_candidates


@dataclass(frozen=True)
class Mcc(Metric):
    r"""Matthews correlation coefficient at k: the correlation of "among the first k ranks" and "relevant".

    Matthews 1975, "Comparison of the predicted and observed secondary structure of T4 phage lysozyme", doi
    10.1016/0005-2795(75)90109-9. 0 where all items or no items are listed, or relevant, as in scikit-learn.

    over : the items that are counted: ``candidates``: items with a score, in the list, or relevant; ``catalogue``: all.
    scope : ``per_user``: each user's, then the mean; ``stacked``: one table of all users' items.
    """

    name = "mcc"
    about = "correlation of being listed with being relevant"
    ranking = True
    weighs = False
    over: str = choice("candidates", "catalogue")
    scope: str = choice("per_user", "stacked")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("candidate_scores",) if self.over == "candidates" else ()

    def of_whole_case(self) -> bool:
        return self.scope == "stacked"

    def n_items(self, matches: Matches) -> np.ndarray:
        """int64 array, shape (users,): number of items that are counted."""
        return n_candidates(matches) if self.over == "candidates" else np.full(matches.users, matches.case.n_items)

    def parts(self, matches: Matches, k: int) -> Parts:
        items, relevant = self.n_items(matches), matches.n_relevant
        listed, hits = np.minimum(matches.lengths, k), matches.hit_count(k)
        if self.of_whole_case():
            users = relevant > 0
            totals = (counts[users].sum(keepdims=True) for counts in (items, listed, relevant, hits))
            items, listed, relevant, hits = totals
        # n * TP - (TP + FP)(TP + FN) is TP * TN - FP * FN
        covariance = items * hits - listed * relevant
        variances = np.maximum((listed * (items - listed)).astype(np.float64) * (relevant * (items - relevant)), 0.0)
        divisor = np.where(variances > 0, np.sqrt(variances), 1.0)
        return covariance.astype(np.float64), np.where(relevant > 0, divisor, 0.0)

    def by_itself(self) -> bool:
        return self.scope == "per_user" and self.over != "catalogue"

    def bounds(self, k: int) -> Tuple[float, float]:
        return -1.0, 1.0

    def formula(self) -> str:
        counts = r"(TP + FP)(TP + FN)(TN + FP)(TN + FN)"
        return rf"\frac{{TP \cdot TN - FP \cdot FN}}{{\sqrt{{{counts}}}}}"
