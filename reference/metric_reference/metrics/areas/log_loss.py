"""Log loss: how improbable are the labels of the candidates under the predicted probabilities?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, parameter
from metric_reference.metrics.areas.standing import scores_of


@dataclass(frozen=True)
class LogLoss(Metric):
    """Mean of -log p over relevant candidates and of -log(1 - p) over the others, p being the candidate's score.

    over : ``rows``: one mean over all users' candidates; ``users``: each user's, then the mean over users.
    eps : p is clipped to eps and 1 - eps: 1e-15 in RecBole, the machine precision 2.22e-16 in scikit-learn.

    Needs ``candidate_scores`` that are probabilities; a relevant item that is no candidate does not count.
    """

    name = "log_loss"
    about = "how improbable the labels of the candidates are under the predictions"
    needs = ("candidate_scores",)
    relevance = False
    weighs = False
    lists = False
    over: str = choice("rows", "users")
    eps: float = parameter(1e-15, between=(0.0, 0.5))

    def of_whole_case(self) -> bool:
        return self.over == "rows"

    def parts(self, matches: Matches, k: int) -> Parts:
        scores = scores_of(matches.case)
        relevant = np.zeros(scores.shape, dtype=bool)
        relevant[matches.relevant.users, matches.relevant.items] = True
        with np.errstate(divide="ignore"):
            p = np.clip(np.where(relevant, scores, 1.0 - scores).astype(np.float64), self.eps, 1.0 - self.eps)
            loss = np.where(scores > -np.inf, -np.log(p), 0.0).sum(axis=1)
        rows = np.count_nonzero(scores > -np.inf, axis=1).astype(np.float64)
        return (loss.sum(keepdims=True), rows.sum(keepdims=True)) if self.of_whole_case() else (loss, rows)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf") if self.eps == 0 else float(-np.log(self.eps))

    def formula(self) -> str:
        return r"-\frac{1}{n} \sum_i \left( y_i \ln p_i + (1 - y_i) \ln (1 - p_i) \right)"
