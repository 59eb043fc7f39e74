"""AUC from rank sums of rankings that are cut at the length of the shortest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.standing import scores_of


@dataclass(frozen=True)
class TruncatedAuc(Metric):
    r"""AUC from rank sums (Mann & Whitney 1947, doi 10.1214/aoms/1177730491) in which ranks are missing.

    Each user's candidates are ranked, relevant ones first among equal scores. The rankings are cut at the length of the
    shortest one, to fit a rectangular array, and a relevant item that is cut off has rank 0, better than the first; the
    numbers of items are those before the cut. So a user's value depends on all users, and it can pass 1. The GAUC of
    0.858 in Tamm et al. (RecSys 2021) is this number.

    scope : ``per_positive``: users are weighted by their number of relevant items; ``per_user``: all equally.

    Needs ``candidate_scores``. A relevant item that is no candidate ranks below all candidates.
    """

    name = "truncated_auc"
    weighs = False
    intended = False
    sums = False
    about = "AUC from rank sums in rankings cut at the shortest user's"
    needs = ("candidate_scores",)
    lists = False
    scope: str = choice("per_positive", "per_user")

    def parts(self, matches: Matches, k: int) -> Parts:
        scores, won, divisor = scores_of(matches.case), np.zeros(matches.users), np.zeros(matches.users)
        relevant = np.zeros(scores.shape, dtype=bool)
        relevant[matches.relevant.users, matches.relevant.items] = True
        ranked = relevant | (scores > -np.inf)
        shortest = int(np.count_nonzero(ranked, axis=1).min(initial=matches.case.n_items))
        for user in np.flatnonzero(matches.n_relevant).tolist():
            items = np.flatnonzero(ranked[user])
            positive = relevant[user, items]
            ranks = 1 + np.flatnonzero(positive[np.lexsort((~positive, -scores[user, items]))])
            others = len(items) - len(ranks)
            if others:
                from_below = (len(items) + 1) - np.where(ranks <= shortest, ranks, 0)
                won[user] = (from_below.sum() - len(ranks) * (len(ranks) + 1) / 2) / others
                divisor[user] = len(ranks)
        return won, divisor

    def pooled(self) -> bool:
        return self.scope == "per_positive"

    def by_itself(self) -> bool:
        return False

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf")

    def formula(self) -> str:
        rank = r"\mathrm{rank}_p [\mathrm{rank}_p \le \min_v n_v]"
        top = rf"\sum_{{p \in P_u}} (n_u + 1 - {rank}) - \tfrac12 |P_u| (|P_u| + 1)"
        if self.scope == "per_user":
            return rf"\frac{{{top}}}{{|P_u| \, |N_u|}}"
        return rf"\frac{{1}}{{\sum_u |P_u|}} \sum_u \frac{{{top}}}{{|N_u|}}"
