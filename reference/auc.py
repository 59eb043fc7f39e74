"""AUC: how often does a relevant candidate outscore another?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from reference.matching import Matches
from reference.metric import Metric, Parts, choice

TIE_VALUE = {"half": 0.5, "win": 1.0, "lose": 0.0}


@dataclass(frozen=True)
class Auc(Metric):
    r"""Area under the ROC curve: the share of (relevant, not relevant) pairs in which the relevant one scores higher.

    scope : ``per_user``: pairs of one user's candidates, then the mean over users (GAUC); ``per_positive``: the same
        pairs, the mean over all relevant items, so a user weighs as many as he has; ``stacked``: pairs across users
        as well, one curve over everything (SAUC); ``top_k``: pairs inside the first k ranks (GAUC@k); ``limited``:
        relevant items inside the first k ranks against all candidates that are not relevant, over min(k, r) (LAUC@k).
    ties : a pair of equal scores counts ``half``, ``win`` (1) or ``lose`` (0). Ranks inside a list are never tied.
    negatives : the number of candidates that are not relevant, over which lost pairs are counted: ``exact``, or
        ``plus_one``: one more, off by one (a user without such candidates then has 1).
    one_sided : for ``top_k``, a list that holds no hit or nothing but hits: ``zero_one``: 0 and 1; ``zero``: 0 both;
        ``nan``: undefined both.

    Needs ``candidate_scores`` unless the scope is ``top_k``. Undefined for a user without relevant or other candidates.
    """

    name = "auc"
    weighs = False
    about = "how often a relevant candidate outscores another"
    scope: str = choice("per_user", "per_positive", "stacked", "top_k", "limited")
    ties: str = choice("half", "win", "lose")
    negatives: str = choice("exact", "plus_one")
    one_sided: str = choice("zero_one", "zero", "nan")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return () if self.scope == "top_k" else ("candidate_scores",)

    @property
    def lists(self) -> bool:  # type: ignore[override]
        return self.scope in ("top_k", "limited")

    def whole(self) -> bool:
        return self.scope == "stacked"

    def parts(self, matches: Matches, k: int) -> Parts:
        """Numerator and denominator of each user; for ``stacked``, one entry for all users together."""
        if self.scope == "top_k":
            return self._top_k(matches, k)
        if self.scope == "stacked":
            return stacked_pairs(matches, TIE_VALUE[self.ties])
        won, extra = np.zeros(matches.users), 1 if self.negatives == "plus_one" else 0
        divisor = np.zeros(matches.users)
        for user in range(matches.users):
            positives = matches.case.relevant_of(user)
            others, above, tied = compare(matches, user, positives)
            if not len(positives) or others + extra == 0:
                continue
            share = 1.0 - (above + (1.0 - TIE_VALUE[self.ties]) * tied) / (others + extra)
            if self.scope == "limited":
                inside = np.isin(positives, matches.case.recommended[user, :k])
                won[user], divisor[user] = share[inside].sum(), min(k, len(positives))
            else:
                won[user], divisor[user] = share.sum(), len(positives)
        return won, divisor

    def _top_k(self, matches: Matches, k: int) -> Parts:
        cut = min(k, matches.case.width)
        hits = matches.hits[:, :cut]
        listed = np.arange(cut) < matches.lengths[:, None]
        misses = np.cumsum(~hits & listed, axis=1)
        n_hits, n_misses = hits.sum(axis=1), np.minimum(matches.lengths, cut) - hits.sum(axis=1)
        pairs = (n_hits * n_misses).astype(np.float64)
        won = ((n_misses[:, None] - misses) * hits).sum(axis=1).astype(np.float64)
        one_sided, all_hits = pairs == 0, (n_hits > 0) & (n_misses == 0)
        if self.one_sided == "zero_one":
            won = np.where(all_hits, 1.0, won)
        if self.one_sided != "nan":
            pairs = np.where(one_sided, 1.0, pairs)
        return won, np.where(matches.n_relevant > 0, pairs, 0.0)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        tie = {"half": r" + \tfrac12 [s_p = s_n]", "win": " + [s_p = s_n]", "lose": ""}[self.ties]
        count = "(|N_u| + 1)" if self.negatives == "plus_one" else "|N_u|"
        win = rf"\left([s_p > s_n]{tie}\right)"
        share = rf"\frac{{1}}{{{count}}} \sum_{{n \in N_u}} {win}"
        if self.negatives == "plus_one":
            share = rf"\left(1 - \frac{{1}}{{{count}}} \sum_{{n \in N_u}} \left(1 - {win}\right)\right)"
        return {
            "per_user": rf"\frac{{1}}{{|P_u|}} \sum_{{p \in P_u}} {share}",
            "per_positive": rf"\frac{{1}}{{\sum_u |P_u|}} \sum_u \sum_{{p \in P_u}} {share}",
            "stacked": rf"\frac{{1}}{{|P| \, |N|}} \sum_{{p \in P}} \sum_{{n \in N}} {win}",
            "top_k": r"\frac{1}{|P_L| \, |N_L|} \sum_{p \in P_L} \sum_{n \in N_L} [\mathrm{rank}_p < \mathrm{rank}_n]",
            "limited": rf"\frac{{1}}{{\min(k, |P_u|)}} \sum_{{p \in P_u \cap L}} {share}",
        }[self.scope]

    def canonical(self) -> "Auc":
        """Choices that do not bear on the scope go back to their defaults."""
        out = self if self.scope == "top_k" else replace(self, one_sided="zero_one")
        if self.scope == "top_k":
            out = replace(out, ties="half", negatives="exact")
        return replace(out, negatives="exact") if self.scope == "stacked" else out


def scores_of(matches: Matches, user: int) -> np.ndarray:
    """One user's candidate scores, shape (n_items,); ValueError if the case has none."""
    if matches.case.candidate_scores is None:
        raise ValueError("AUC over the catalogue needs candidate_scores, which this case does not have")
    return matches.case.candidate_scores[user]


def compare(matches: Matches, user: int, positives: np.ndarray) -> "tuple[int, np.ndarray, np.ndarray]":
    """Number of other candidates of a user, and for each positive how many of them score above it and the same.

    A positive that is no candidate scores -inf: every other candidate stands above it.
    """
    scores = scores_of(matches, user)
    own = scores[positives]
    candidates = int(np.count_nonzero(scores > -np.inf))
    others = candidates - int(np.count_nonzero(own > -np.inf))
    above, tied = np.empty(len(own)), np.empty(len(own))
    for index, score in enumerate(own):
        above[index] = np.count_nonzero(scores > score) - np.count_nonzero(own > score)
        tied[index] = 0 if score == -np.inf else np.count_nonzero(scores == score) - np.count_nonzero(own == score)
    return others, above, tied


def stacked_pairs(matches: Matches, tie_value: float) -> Parts:
    """Pairs won and pairs in all over every user's candidates together, one entry each.

    Only the positives are sorted; each user's candidates are looked up in them, so nothing of the size
    users x items is made besides the scores themselves.
    """
    positives = [matches.case.relevant_of(user) for user in range(matches.users)]
    if not positives:
        return np.zeros(1), np.zeros(1)
    own = np.sort(np.concatenate([scores_of(matches, user)[items] for user, items in enumerate(positives)]))
    own = own[own > -np.inf]
    below_or_tied, below, others = 0, 0, 0
    for user, items in enumerate(positives):
        rest = scores_of(matches, user).copy()
        rest[items] = -np.inf
        rest = rest[rest > -np.inf]
        others += len(rest)
        right, left = np.searchsorted(own, rest, "right"), np.searchsorted(own, rest, "left")
        below_or_tied += int(len(own) * len(rest) - left.sum())
        below += int(len(own) * len(rest) - right.sum())
    won = below + tie_value * (below_or_tied - below)
    return np.array([float(won)]), np.array([float(len(own) * others)])
