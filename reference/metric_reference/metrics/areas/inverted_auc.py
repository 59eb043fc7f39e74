"""AUC the wrong way round: how often does a relevant item stand below another?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.auc import Auc


@dataclass(frozen=True)
class InvertedAuc(Metric):
    r"""The share of (relevant, not relevant) pairs in the wrong order: 1 - AUC, the smaller the better.

    The cause is a wrong sign, or two arguments in the wrong order.

    scope : ``per_user``: pairs of one user's candidates; ``top_k``: pairs inside the first k ranks.
    ties : for ``per_user``, whether the relevant item of a pair of equal scores is taken for the higher one: ``half``;
        ``lose``: no, a tie is a full error, so that a constant scorer gets 1; ``win``: yes, so that it gets 0.
    one_sided : for ``top_k``, the value of a list without hits or with only hits: ``zero``, or ``nan``: undefined.
    misses : for ``top_k``, the number of misses: those in the ``list``; or ``k`` less the hits, so that the empty ranks
        of a short list are misses too.

    Needs ``candidate_scores`` unless the scope is ``top_k``. Undefined for a user without relevant or other candidates.
    """

    name = "inverted_auc"
    weighs = False
    intended = False
    sums = False
    about = "how often a relevant candidate stands below another: 1 - AUC"
    scope: str = choice("per_user", "top_k")
    one_sided: str = choice("zero", "nan")
    misses: str = choice("list", "k")
    ties: str = choice("half", "win", "lose")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return Auc(scope=self.scope).needs

    @property
    def lists(self) -> bool:  # type: ignore[override]
        return Auc(scope=self.scope).lists

    def parts(self, matches: Matches, k: int) -> Parts:
        won, pairs = Auc(scope=self.scope, ties=self.ties, one_sided="nan").parts(matches, k)
        lost = pairs - won
        if self.scope == "per_user":
            return lost, pairs
        if self.misses == "k":
            hits = matches.hit_count(min(k, matches.case.width))
            pairs = np.where(matches.n_relevant > 0, hits * (k - hits), 0).astype(np.float64)
        if self.one_sided == "zero":
            pairs = np.where((pairs == 0) & (matches.n_relevant > 0), 1.0, pairs)
        return lost, pairs

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 0.0 if k == 1 and (self.scope, self.one_sided) == ("top_k", "zero") else 1.0

    def formula(self) -> str:
        if self.scope == "per_user":
            return rf"1 - {Auc(scope=self.scope, ties=self.ties).formula()}"
        misses = "|N_L|" if self.misses == "list" else "(k - |P_L|)"
        lost = r"\sum_{p \in P_L} \sum_{n \in N_L} [\mathrm{rank}_p > \mathrm{rank}_n]"
        return rf"\frac{{1}}{{|P_L| \, {misses}}} {lost}"

    def canonical(self) -> "InvertedAuc":
        """``one_sided`` and ``misses`` have an effect on ``top_k`` only, ``ties`` on ``per_user`` only."""
        if self.scope == "top_k":
            return replace(self, ties="half")
        return InvertedAuc(self.scope, ties=self.ties)
