"""AUC: how often does a relevant candidate outscore another?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, List, Tuple

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.areas.standing import Standing, scores_of, standing, tied_before

WEIGHED = ("per_positive", "per_row", "per_pair")
"""The scopes that weight users by what they have."""
TIE_VALUE = {"half": 0.5, "win": 1.0, "lose": 0.0}
"""What a pair of equal scores counts, where it is the same for every pair."""
ORDERS = ("id_ascending", "id_descending")
"""The orders of candidates that decide pairs of equal scores."""

BLOCK_SCORES = 1 << 20
"""Scores of several users are read in blocks of this many: 4 MB in float32."""

CELL_WITH_POINTS = -1
"""Marks a cell that holds a point, in place of the number of points in later cells."""

CELLS_PER_POINT, MOST_CELLS = 32, 1 << 21
""":func:`count_pairs` makes this many cells for each point, at most as many as fit into a processor's caches."""


@dataclass(frozen=True)
class Auc(Metric):
    r"""Area under the ROC curve: the share of (relevant, not relevant) pairs in which the relevant one scores higher.

    scope : ``per_user``: pairs of one user's candidates, then the mean over users (GAUC); ``per_positive``: the same
        pairs, the mean over all relevant items of all users; ``stacked``: pairs across users as well, one curve over
        all candidates (SAUC); ``top_k``: pairs inside the first k ranks (GAUC@k); ``limited``: relevant items inside
        the first k ranks against all candidates that are not relevant, over min(k, r) (LAUC@k);
        ``per_row``: as per_user, but users are weighted by their number of candidates (GAUC weighted by rows);
        ``per_pair``: the pairs of all users together, none across users: users are weighted by their pairs (ordered
        pair accuracy of labels of 0 and 1, as TensorFlow Ranking averages it);
        ``spread``: relevant items against all others of the catalogue, where only the first k ranks are known: listed
        items rank above the rest, and a relevant item in the rest wins against half of the others there.
    ties : a pair of equal scores counts ``half``, ``win`` (1) or ``lose`` (0), or is won by the row that a sort puts
        first: the smaller item number (``id_ascending``: a stable sort of rows that come by item number, users one
        after the other) or the larger (``id_descending``: a stable ascending sort, reversed). Fawcett, "An introduction
        to ROC analysis" (2006, doi 10.1016/j.patrec.2005.10.010), says why under "Equally scored instances": an order
        of equal scores gives any value from the pessimistic to the optimistic one. Ranks inside a list are never tied.
    negatives : what the lost pairs of a relevant item are divided by: ``exact``: the number of candidates that are not
        relevant; ``plus_one``: one more, off by one (a user without such candidates then has 1); ``lagged``: ``exact``,
        but a pair with the last of them counts half. So do trapezoids that keep the height at the candidate before, 0
        at the first one, as in the public code of Deep Interest Network (Zhou et al., KDD 2018, doi
        10.1145/3219819.3219823): a perfect order over n of them has 1 - 1/(2n).
    one_sided : for ``top_k``, the value of a list without hits and of one with nothing but hits: ``zero_one``: 0 and 1;
        ``zero``: 0 for both; ``nan``: undefined.

    Needs ``candidate_scores`` unless the scope is ``top_k`` or ``spread``. Undefined for a user without relevant or
    other candidates.
    """

    name = "auc"
    weighs = False
    ranking = True
    about = "how often a relevant candidate outscores another"
    scope: str = choice("per_user", "per_positive", "stacked", "top_k", "limited", "per_row", "per_pair", "spread")
    ties: str = choice(*TIE_VALUE, *ORDERS)
    negatives: str = choice("exact", "plus_one", "lagged")
    one_sided: str = choice("zero_one", "zero", "nan")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return () if self.scope in ("top_k", "spread") else ("candidate_scores",)

    @property
    def lists(self) -> bool:  # type: ignore[override]
        return self.scope in ("top_k", "limited", "spread")

    @property
    def _lagged(self) -> bool:
        """Whether pairs with the last other candidate count half, in a scope that has a whole curve."""
        return self.negatives == "lagged" and self.scope not in ("top_k", "limited", "spread")

    def of_whole_case(self) -> bool:
        return self.scope == "stacked"

    def pooled(self) -> bool:
        return self.scope in WEIGHED

    def parts(self, matches: Matches, k: int) -> Parts:
        """Numerator and denominator of each user; for ``stacked``, one entry for all users together."""
        if self.scope == "top_k":
            return self._top_k(matches, k)
        if self.scope == "spread":
            return self._spread(matches, k)
        if self.scope == "stacked":
            return stacked_pairs(matches, self.ties, self._lagged)
        ranked, by_size = standing(matches), self.scope in ("per_row", "per_pair")
        extra = int(self.negatives == "plus_one" and not by_size)
        others, relevant = ranked.others + extra, matches.n_relevant.astype(np.float64)
        lost = ranked.above + self._lost_ties(matches, ranked)
        if self._lagged:
            lost = lost + self._won_last(lost, ranked, others[matches.relevant.users]) / 2
        lost = lost / np.maximum(others, 1)[matches.relevant.users]
        won, divisor = self._sum_by_user(matches, 1.0 - lost, k), relevant
        if self.scope == "limited":
            divisor = np.minimum(k, relevant)
        if by_size:
            size = ranked.others + relevant if self.scope == "per_row" else ranked.others * relevant
            won, divisor = won / np.maximum(relevant, 1) * size, size
        defined = (relevant > 0) & (others > 0)
        return np.where(defined, won, 0.0), np.where(defined, divisor, 0.0)

    def _lost_ties(self, matches: Matches, ranked: Standing) -> np.ndarray:
        """What the ties of each relevant item count among its lost pairs."""
        if self.ties in TIE_VALUE:
            return (1.0 - TIE_VALUE[self.ties]) * ranked.tied
        before = tied_before(matches)
        return before if self.ties == "id_ascending" else ranked.tied - before

    def _won_last(self, lost: np.ndarray, ranked: Standing, others: np.ndarray) -> np.ndarray:
        """What each relevant item wins against the last other candidate; one that wins any pair wins this one."""
        if self.ties in ORDERS:
            return (lost < others).astype(np.float64)
        tie = TIE_VALUE[self.ties]
        return tie * (ranked.above < others) + (1.0 - tie) * (ranked.above + ranked.tied < others)

    def _sum_by_user(self, matches: Matches, shares: np.ndarray, k: int) -> np.ndarray:
        """The sum of the shares of each user's relevant items, for ``limited`` of those inside the first k ranks."""
        users = matches.relevant.users
        if self.scope == "limited":
            columns, listed = matches.case.n_items, matches.case.recommended[:, :k]
            cells = np.arange(matches.users)[:, None] * columns + listed
            inside = np.isin(users * columns + matches.relevant.items, cells[listed != NOTHING])
            users, shares = users[inside], shares[inside]
        return np.bincount(users, shares, minlength=matches.users)

    def _spread(self, matches: Matches, k: int) -> Parts:
        hits, misses, won = _pairs_inside(matches, k)
        relevant = matches.n_relevant.astype(np.float64)
        others = matches.case.n_items - relevant
        return won + (hits + relevant) / 2 * (others - misses), relevant * others

    def _top_k(self, matches: Matches, k: int) -> Parts:
        hits, misses, won = _pairs_inside(matches, k)
        pairs = hits * misses
        if self.one_sided == "zero_one":
            won = np.where((hits > 0) & (misses == 0), 1.0, won)
        if self.one_sided != "nan":
            pairs = np.where(pairs == 0, 1.0, pairs)
        return won, np.where(matches.n_relevant > 0, pairs, 0.0)

    def by_itself(self) -> bool:
        return self.scope not in ("stacked", "spread")

    def bounds(self, k: int) -> Tuple[float, float]:
        one_rank_is_one_sided = k == 1 and (self.scope, self.one_sided) == ("top_k", "zero")
        return 0.0, 0.0 if one_rank_is_one_sided else 1.0

    def formula(self) -> str:
        tie = {
            "half": r" + \tfrac12 [s_p = s_n]",
            "win": " + [s_p = s_n]",
            "lose": "",
            "id_ascending": r" + [s_p = s_n \land p < n]",
            "id_descending": r" + [s_p = s_n \land p > n]",
        }[self.ties]
        plus_one = self.canonical().negatives == "plus_one"
        count = "(|N_u| + 1)" if plus_one else "|N_u|"
        win = rf"\left([s_p > s_n]{tie}\right)"
        last = rf" - \tfrac12 {win.replace('n', 'z')}" if self._lagged else ""
        of_others, of_all = rf"\sum_{{n \in N_u}} {win}{last}", rf"\sum_{{n \in N}} {win}{last}"
        if last:
            of_others, of_all = rf"\left({of_others}\right)", rf"\left({of_all}\right)"
        share = rf"\frac{{1}}{{{count}}} {of_others}"
        if plus_one:
            share = rf"\left(1 - \frac{{1}}{{{count}}} \sum_{{n \in N_u}} \left(1 - {win}\right)\right)"
        return {
            "per_user": rf"\frac{{1}}{{|P_u|}} \sum_{{p \in P_u}} {share}",
            "per_positive": rf"\frac{{1}}{{\sum_u |P_u|}} \sum_u \sum_{{p \in P_u}} {share}",
            "stacked": rf"\frac{{1}}{{|P| \, |N|}} \sum_{{p \in P}} {of_all}",
            "top_k": r"\frac{1}{|P_L| \, |N_L|} \sum_{p \in P_L} \sum_{n \in N_L} [\mathrm{rank}_p < \mathrm{rank}_n]",
            "per_row": rf"\frac{{1}}{{\sum_u n_u}} \sum_u \frac{{n_u}}{{|P_u|}} \sum_{{p \in P_u}} {share}",
            "per_pair": rf"\frac{{1}}{{\sum_u |P_u| \, |N_u|}} \sum_u \sum_{{p \in P_u}} {of_others}",
            "spread": r"\frac{\sum_{p \in P_L} \sum_{n \in N_L} [\mathrm{rank}_p < \mathrm{rank}_n] "
            r"+ \tfrac12 (|P_L| + r) (|I| - r - |N_L|)}{r (|I| - r)}",
            "limited": rf"\frac{{1}}{{\min(k, |P_u|)}} \sum_{{p \in P_u \cap L}} {share}",
        }[self.scope]

    def canonical(self) -> "Auc":
        """Choices that have no effect with the scope go back to their defaults."""
        metric = self if self.scope == "top_k" else replace(self, one_sided="zero_one")
        if self.scope in ("top_k", "spread"):
            metric = replace(metric, ties="half", negatives="exact")
        by_size = self.scope in ("stacked", "per_row", "per_pair")
        without_effect = by_size if self.negatives == "plus_one" else not self._lagged
        return replace(metric, negatives="exact") if without_effect else metric


def _pairs_inside(matches: Matches, k: int) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
    """Inside the first k ranks, the hits, the misses and the pairs with the hit first: float64, shape (users,)."""
    cut = min(k, matches.case.width)
    hits = matches.hit_count(cut).astype(np.float64)
    misses = np.minimum(matches.lengths, cut) - hits
    return hits, misses, hits * misses - matches.weighed(np.arange(1.0, cut + 1)) + hits * (hits + 1) / 2


def stacked_pairs(matches: Matches, ties: str, lagged: bool = False) -> Parts:
    """Pairs won and all pairs, over the candidates of all users together: one entry each.

    lagged : half of the pairs won against the last other candidate are missing.
    """
    below, tied, pairs = matches.once("stacked pairs", lambda: _stacked_pairs(matches))
    if ties in TIE_VALUE:
        won = TIE_VALUE[ties] * tied
    else:
        before = matches.once("stacked ties before", lambda: _stacked_ties_before(matches)) if tied else 0.0
        won = tied - before if ties == "id_ascending" else before
    if lagged and pairs:
        won -= _stacked_won_last(matches, ties) / 2
    return np.array([below + won]), np.array([pairs])


def _stacked_won_last(matches: Matches, ties: str) -> float:
    """What all relevant candidates win against the last of the others: the one with the lowest score.

    Of several with that score it is the last one in the order of ties.
    """
    scores, relevant = scores_of(matches.case), matches.relevant
    others = np.where(scores > -np.inf, scores, np.inf)
    others[relevant.users, relevant.items] = np.inf
    lowest = others.min()
    last = np.flatnonzero(others == lowest)[0 if ties == "id_descending" else -1]
    points, rows = scores[relevant.users, relevant.items], relevant.users * scores.shape[1] + relevant.items
    tied = TIE_VALUE.get(ties, rows < last if ties == "id_ascending" else rows > last)
    return float(np.count_nonzero(points > lowest) + ((points == lowest) * tied).sum())


def _stacked_ties_before(matches: Matches) -> float:
    """Pairs of equal scores whose other candidate stands before the relevant one: by user, then by item number."""
    scores, positive = scores_of(matches.case), np.zeros(matches.case.n_items * matches.users, dtype=bool)
    positive[matches.relevant.users * matches.case.n_items + matches.relevant.items] = True
    rows = np.flatnonzero(np.isin(scores.ravel(), scores.ravel()[positive]) & (scores.ravel() > -np.inf))
    rows = rows[np.argsort(scores.ravel()[rows], kind="stable")]
    relevant, values = positive[rows], scores.ravel()[rows]
    others_before = np.cumsum(~relevant) - ~relevant
    begins = np.concatenate([[True], values[1:] != values[:-1]])
    in_lower_scores = np.maximum.accumulate(np.where(begins, others_before, 0))
    return float((others_before - in_lower_scores)[relevant].sum())


def _stacked_pairs(matches: Matches) -> "tuple[float, float, float]":
    scores, relevant = scores_of(matches.case), matches.relevant
    positives = np.sort(scores[relevant.users, relevant.items])
    positives = positives[positives > -np.inf]
    candidates, below, tied = count_pairs(scores, positives)
    start, end = np.searchsorted(positives, positives, "left"), np.searchsorted(positives, positives, "right")
    below, tied = below - int(start.sum()), tied - int((end - start).sum())  # without pairs of two positives
    return float(below), float(tied), float(len(positives) * (candidates - len(positives)))


def count_pairs(scores: np.ndarray, points: np.ndarray) -> "tuple[int, int, int]":
    """Number of scores above -inf, of pairs (score, point) with the score below the point, and of pairs that are equal.

    scores : shape (users, n_items); points : sorted, above -inf.

    The range of the points is cut into cells, so small that most hold no point. A score in an empty cell lies below
    all points of later cells, whose number is looked up; scores that share a cell with a point are sorted. Scores are
    read in blocks, so that no other array has their size.
    """
    cell_of, cells = grid(points)
    points_in_cell = np.bincount(cell_of(points), minlength=cells)
    later_points = (len(points) - np.cumsum(points_in_cell)).astype(np.int32 if len(points) < 1 << 31 else np.int64)
    later_points[points_in_cell > 0] = CELL_WITH_POINTS
    to_sort: List[np.ndarray] = []
    candidates = below = tied = 0
    rows = max(1, BLOCK_SCORES // max(1, scores.shape[1]))
    for low in range(0, len(scores), rows):
        block = scores[low : low + rows].ravel()
        candidate = block > -np.inf
        if not candidate.all():
            block = block[candidate]
        candidates += len(block)
        points_above = later_points.take(cell_of(block))
        shares_cell = points_above == CELL_WITH_POINTS
        to_sort.append(block[shares_cell])
        below += int(points_above.sum(dtype=np.int64)) - CELL_WITH_POINTS * len(to_sort[-1])
        if low + rows >= len(scores) or sum(map(len, to_sort)) > BLOCK_SCORES:
            ordered = np.sort(np.concatenate(to_sort))
            to_sort.clear()
            start, end = np.searchsorted(ordered, points, "left"), np.searchsorted(ordered, points, "right")
            below += int(start.sum())
            tied += int((end - start).sum())
    return candidates, below, tied


def grid(points: np.ndarray) -> "tuple[Callable[[np.ndarray], np.ndarray], int]":
    """A non-decreasing function from scores to the numbers of their cells, and the number of cells.

    Cells of equal width cover the points; one more on either side holds the scores outside.
    """
    cells = min(MOST_CELLS, CELLS_PER_POINT * len(points))
    span = float(points[-1]) - float(points[0]) if cells else 0.0
    scale = points.dtype.type(cells / span if span > 0 else 0.0)
    if not (scale > 0 and np.isfinite(scale)):  # no usable width: one cell holds all scores
        return lambda scores: np.zeros(len(scores), dtype=np.int64), 1

    with np.errstate(over="ignore"):
        low = points[0] - points.dtype.type(span / cells)

    def cell_of(scores: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            cell = scores - low
            cell *= scale
        return np.clip(cell, 0, cells + 2, out=cell).astype(np.int64)

    return cell_of, cells + 3
