"""Partial AUC: the area under the ROC curve up to a false positive rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, parameter
from metric_reference.metrics.areas.curves import tables


@dataclass(frozen=True)
class PartialAuc(Metric):
    r"""Area A under the ROC curve up to the false positive rate m, standardised.

    The value is (1 + (A - m^2 / 2) / (m - m^2 / 2)) / 2, so that 0.5 is chance and 1 is perfect: McClish 1989,
    "Analyzing a portion of the ROC curve", doi 10.1177/0272989X8900900307, and roc_auc_score(max_fpr=m) in
    scikit-learn. Equal scores are one point of the curve.

    scope : ``per_user``: each user's candidates, then the mean; ``stacked``: one curve over all users' candidates.
    max_fpr : m.

    Needs ``candidate_scores``. Undefined without relevant or without other candidates.
    """

    name = "partial_auc"
    about = "area under the ROC curve up to a false positive rate"
    ranking = True
    weighs = False
    lists = False
    needs = ("candidate_scores",)
    scope: str = choice("per_user", "stacked")
    max_fpr: float = parameter(0.1, usual=(0.1, 0.05, 0.01, 0.2, 0.25, 0.3, 0.5), between=(0.001, 0.999))

    def of_whole_case(self) -> bool:
        return self.scope == "stacked"

    def parts(self, matches: Matches, k: int) -> Parts:
        entries = 1 if self.of_whole_case() else matches.users
        value, defined = np.zeros(entries), np.zeros(entries)
        for user, relevant, others in tables(matches, self.of_whole_case()):
            if len(relevant) and relevant[-1] and others[-1]:
                tpr = np.concatenate([[0.0], relevant / relevant[-1]])
                fpr = np.concatenate([[0.0], others / others[-1]])
                value[user], defined[user] = self._standardised(fpr, tpr), 1.0
        return value, defined

    def _standardised(self, fpr: np.ndarray, tpr: np.ndarray) -> float:
        """The value from the points of the ROC curve: false and true positive rates."""
        inside = int(np.searchsorted(fpr, self.max_fpr, "right"))
        share = (self.max_fpr - fpr[inside - 1]) / (fpr[inside] - fpr[inside - 1])
        tpr_at_end = tpr[inside - 1] + share * (tpr[inside] - tpr[inside - 1])
        x, y = np.append(fpr[:inside], self.max_fpr), np.append(tpr[:inside], tpr_at_end)
        area, chance = float(np.diff(x) @ (y[1:] + y[:-1]) / 2), self.max_fpr**2 / 2
        return 0.5 * (1.0 + (area - chance) / (self.max_fpr - chance))

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.5 * (1.0 - self.max_fpr / (2.0 - self.max_fpr)), 1.0

    def formula(self) -> str:
        m = f"{self.max_fpr:.6g}"
        area = rf"\int_0^{{{m}}} \mathrm{{TPR}} \, d \mathrm{{FPR}} - \tfrac12 \cdot {m}^2"
        return rf"\frac{{1}}{{2}} \left(1 + \frac{{{area}}}{{{m} - \tfrac12 \cdot {m}^2}}\right)"
