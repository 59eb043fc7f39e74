"""Area under the precision-recall curve of all candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.curves import tables


@dataclass(frozen=True)
class PrAuc(Metric):
    r"""Area under the curve of precision over recall, as the threshold on the score falls; equal scores are one point.

    area : ``step``: sum of (R_n - R_{n-1}) P_n, "average precision" over all candidates; ``trapezoid``: the points,
        and precision 1 at recall 0, joined by straight lines, too large where points are far apart (Davis &
        Goadrich 2006, doi 10.1145/1143844.1143874).
    scope : ``per_user``: each user's candidates, then the mean; ``stacked``: one curve over all users' candidates.

    Needs ``candidate_scores``. Undefined without relevant items.
    """

    name = "pr_auc"
    about = "area under the precision-recall curve of all candidates"
    ranking = True
    weighs = False
    lists = False
    needs = ("candidate_scores",)
    area: str = choice("step", "trapezoid")
    scope: str = choice("per_user", "stacked")

    def of_whole_case(self) -> bool:
        return self.scope == "stacked"

    def parts(self, matches: Matches, k: int) -> Parts:
        step, trapezoid, defined = matches.once(("pr_auc", self.scope), lambda: self._areas(matches))
        return (step if self.area == "step" else trapezoid), defined

    def _areas(self, matches: Matches) -> np.ndarray:
        """Both areas, and 1 where they are defined: float64, shape (3, users) or (3, 1)."""
        areas = np.zeros((3, 1 if self.of_whole_case() else matches.users))
        for user, relevant, others in tables(matches, self.of_whole_case()):
            if len(relevant) and relevant[-1]:
                precision = np.concatenate([[1.0], relevant / (relevant + others)])
                steps = np.diff(relevant / relevant[-1], prepend=0.0)
                areas[:, user] = steps @ precision[1:], steps @ ((precision[1:] + precision[:-1]) / 2), 1.0
        return areas

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        height = "P_n" if self.area == "step" else r"\tfrac12 (P_n + P_{n-1})"
        return rf"\sum_n (R_n - R_{{n-1}}) \, {height}"
