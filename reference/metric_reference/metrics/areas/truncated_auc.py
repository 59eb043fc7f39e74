"""AUC from sums of ranks, where rankings were cut at the length of the shortest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.standing import scores_of


@dataclass(frozen=True)
class TruncatedAuc(Metric):
    r"""AUC from rank sums (Mann & Whitney 1947, doi 10.1214/aoms/1177730491) that miss ranks.

    Each user's candidates are ranked, relevant ones first among equal scores. The rankings are cut at the length of the
    shortest one, as a rectangular array wants them, and a relevant item that is cut off counts with rank 0, better than
    the first; the numbers of items are those before the cut. So one user's value depends on all, and it passes 1. It is
    what the GAUC of 0.858 in Tamm et al. (RecSys 2021) is.

    scope : ``per_positive``: a user weighs as many as he has relevant items; ``per_user``: all users alike.

    Needs ``candidate_scores``. A relevant item that is no candidate stands behind all of them.
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
            places = 1 + np.flatnonzero(positive[np.lexsort((~positive, -scores[user, items]))])
            others = len(items) - len(places)
            if others:
                below = (len(items) + 1) - np.where(places <= shortest, places, 0)
                won[user] = (below.sum() - len(places) * (len(places) + 1) / 2) / others
                divisor[user] = len(places)
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
