"""Several relevant items of a user, ranked together among negatives that are drawn once."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from metric_reference.candidates.measures import Measure, measure
from metric_reference.candidates.moments import CELLS, Moments
from metric_reference.candidates.places import Places
from metric_reference.candidates.sampled_rank import above_probabilities
from metric_reference.candidates.scheme import Scheme


def moments_together(
    scheme: Scheme, places: Places, users: np.ndarray, measures: Sequence[str]
) -> "tuple[np.ndarray, Dict[str, Moments]]":
    """The distinct users, sorted, and expectation and variance of each measure for each of them.

    places : one row for each relevant item, in a pool that holds no relevant item of the user and is the same in all
    its rows. users : shape (rows,): whose item each is. The i-th relevant item from the top, with X_i drawn negatives
    above, has rank i + X_i. Recall, precision, average precision (over min(k, relevant), or all without a cut), NDCG
    and AUC are sums of a function of each X_i, and hit rate and reciprocal rank depend on X_1, so

        E = sum_i E[g_i(X_i)],  Var = sum_ij Cov(g_i(X_i), g_j(X_j)),

    where for i < j X_i given X_j = s is hypergeometric (a_j, a_i, s), or with replacement binomial (s, a_i / a_j).
    Tied relevant items are alike, so their order does not matter. The variance takes k^2 steps for each two items of a
    user. Raises ValueError for a scheme ``per="item"``, for pools of a user that differ, and as :meth:`Places.check`.
    """
    if scheme.per != "user":
        raise ValueError("per: this is for 'user'; for 'item' take moments")
    places.check(scheme)
    names, rows = _rows_of(scheme, places, users)
    wanted = {text: measure(text) for text in measures}
    found = rows.moments(list(dict.fromkeys(wanted.values())))
    return names, {text: found[one] for text, one in wanted.items()}


def among_all(places: Places, users: np.ndarray, measures: Sequence[str]) -> "tuple[np.ndarray, Dict[str, np.ndarray]]":
    """The distinct users, sorted, and each measure's value for them where the whole pool is ranked, not a sample of it.

    The arguments are those of :func:`moments_together`, for whole numbers; with a user of its own for each row, the
    values are those of items that are ranked alone. Tied items of the pool stand below. float64, shape (users,).
    """
    names, rows = _rows_of(Scheme(1, per="user"), places, users)
    return names, {text: rows.values(measure(text)) for text in measures}


def _rows_of(scheme: Scheme, places: Places, users: np.ndarray) -> "tuple[np.ndarray, _Rows]":
    """The distinct users, sorted, and the rows in the order of users and of the items above."""
    users = np.asarray(users)
    if users.shape != places.above.shape:
        raise ValueError("users: give one for each row")
    above = places.above + places.tied if scheme.ties == "pessimistic" else places.above
    order = np.lexsort((above, users))
    above, pool = above[order], places.pool[order]
    names, owner, counts = np.unique(users[order], return_inverse=True, return_counts=True)
    owner = owner.reshape(-1)
    starts = np.concatenate(([0], np.cumsum(counts)))[:-1]
    if (pool != np.repeat(pool[starts], counts)).any():
        raise ValueError("places: the pools of one user's items differ")
    return names, _Rows(scheme, above, pool, owner, np.arange(len(owner)) - np.repeat(starts, counts), counts)


ONLY_FIRST = ("hit_rate", "reciprocal_rank")
"""These depend on a user's highest item alone."""


class _Rows:
    """The relevant items of all users, the highest first."""

    def __init__(
        self,
        scheme: Scheme,
        above: np.ndarray,
        pool: np.ndarray,
        owner: np.ndarray,
        before: np.ndarray,
        counts: np.ndarray,
    ) -> None:
        self.scheme, self.above, self.pool = scheme, above, pool
        self.owner, self.before, self.counts = owner, before, counts

    def moments(self, wanted: Sequence[Measure]) -> "Dict[Measure, Moments]":
        """Of each user."""
        found = {one: self._auc() for one in wanted if one.name == "auc"}
        for k in dict.fromkeys(one.k for one in wanted if one.name != "auc"):
            found.update(self._cut_at(k, [one for one in wanted if one.k == k and one.name != "auc"]))
        return found

    def _cut_at(self, k: Optional[int], wanted: Sequence[Measure]) -> "Dict[Measure, Moments]":
        """Of each user, for measures of one cut-off: the probabilities are computed once for all of them."""
        m, users = self.scheme.negatives, len(self.counts)
        width = m + 1 if k is None else min(k, m + 1)
        kept = self.before < (k or len(self.before))
        if all(one.name in ONLY_FIRST for one in wanted):
            kept = self.before == 0
        mean, second = np.zeros((len(wanted), users)), np.zeros((len(wanted), users))
        chosen, step = np.flatnonzero(kept), max(1, CELLS // width)
        for begin in range(0, len(chosen), step):
            rows = chosen[begin : begin + step]
            table = above_probabilities(self.scheme, self.above[rows], self.pool[rows], width)
            for at, one in enumerate(wanted):
                values = self._values(one, rows, width)
                if one.name in ONLY_FIRST:
                    values = values * (self.before[rows] == 0)
                mean[at] += np.bincount(self.owner[rows], np.einsum("ij,ij->j", values, table), users)
                second[at] += np.bincount(self.owner[rows], np.einsum("ij,ij,ij->j", values, values, table), users)
        summed = [one for one in wanted if one.name not in ONLY_FIRST]
        first, last = self._pairs(kept) if summed else (chosen[:0], chosen[:0])
        for begin in range(0, len(first), step):
            pair = first[begin : begin + step], last[begin : begin + step]
            for one, product in zip(summed, self._products(summed, *pair, width)):
                second[wanted.index(one)] += 2 * np.bincount(self.owner[pair[0]], product, users)
        found = {}
        for one, own_mean, own_second in zip(wanted, mean, second):
            scale = self._scale(one)
            variance = np.maximum(own_second - own_mean * own_mean, 0.0)
            found[one] = Moments(own_mean * scale, variance * scale * scale)
        return found

    def values(self, one: Measure) -> np.ndarray:
        """Of each user where X is the number of items of the pool above."""
        if one.name == "auc":
            return self._auc().mean
        rows = np.flatnonzero(self.before == 0) if one.name in ONLY_FIRST else np.arange(len(self.owner))
        values = self._weights(one, rows, self.before[rows] + self.above[rows] + 1.0)
        return np.bincount(self.owner[rows], values, len(self.counts)) * self._scale(one)

    def _values(self, one: Measure, rows: np.ndarray, width: int) -> np.ndarray:
        """g of X = 0, ..., width - 1 for each row: shape (width, rows)."""
        return self._weights(one, rows, self.before[rows] + np.arange(1.0, width + 1)[:, None])

    def _weights(self, one: Measure, rows: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        """The part in the sum of each row's item at some ranks, of the shape of ``ranks``."""
        if one.name == "ndcg":
            values = 1.0 / np.log2(ranks + 1)
        elif one.name == "reciprocal_rank":
            values = 1.0 / ranks
        elif one.name == "average_precision":
            values = (self.before[rows] + 1) / ranks
        else:
            values = np.ones(ranks.shape)
        if one.k is not None:
            values[ranks > one.k] = 0.0
        return values

    def _scale(self, one: Measure) -> np.ndarray:
        """What the sums of each user are multiplied by: shape (users,)."""
        most = self.counts if one.k is None else np.minimum(self.counts, one.k)
        if one.name == "recall":
            return 1.0 / self.counts
        if one.name == "precision" and one.k:
            return np.full(len(self.counts), 1.0 / one.k)
        if one.name == "average_precision":
            return 1.0 / most
        if one.name == "ndcg":
            sums = np.cumsum(1.0 / np.log2(np.arange(2.0, most.max(initial=1) + 2)))
            return np.asarray(1.0 / sums[most - 1])
        return np.ones(len(self.counts))

    def _pairs(self, kept: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """All pairs of kept rows of one user, the higher first."""
        after = np.bincount(self.owner[kept], minlength=len(self.counts))[self.owner] - self.before - 1
        after = np.where(kept, np.maximum(after, 0), 0)
        first = np.repeat(np.arange(len(kept)), after)
        return first, first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)

    def _products(
        self, wanted: Sequence[Measure], first: np.ndarray, last: np.ndarray, width: int
    ) -> "List[np.ndarray]":
        """E[g_i(X_i) g_j(X_j)] of each measure for pairs of rows i above j: each of shape (pairs,).

        The distribution of X_i given X_j = s follows from that given s - 1 by one more of the items above j: the sums
        have no negative term, so no digit is lost.
        """
        higher, lower = self.above[first].astype(np.float64), self.above[last].astype(np.float64)
        table = above_probabilities(self.scheme, self.above[last], self.pool[last], width)
        weights = [(self._values(one, first, width), self._values(one, last, width)) for one in wanted]
        given = np.zeros((width, len(first)))
        given[0] = 1.0
        totals = [table[0] * h[0] * g[0] for g, h in weights]
        for s in range(1, width):
            drawn = 0 if self.scheme.replacement else s - 1  # how many are gone before this one
            left = np.maximum(lower - drawn, 1.0) if drawn else np.where(lower > 0, lower, 1.0)
            gone = np.arange(s)[:, None] if drawn else np.zeros((s, 1))
            into = given[:s] * ((higher - gone) / left)
            given[:s] *= (lower - higher - (drawn - gone)) / left
            given[1 : s + 1] += into
            for total, (g, h) in zip(totals, weights):
                total += table[s] * h[s] * np.einsum("ij,ij->j", g[: s + 1], given[: s + 1])
        return totals

    def _auc(self) -> Moments:
        """Cov(X_i, X_j) = m a_i / N (1 - a_j / N) for i <= j, times (N - m) / (N - 1) without replacement."""
        m, users = self.scheme.negatives, len(self.counts)
        share = self.above / self.pool
        mean = np.bincount(self.owner, share, users) / self.counts
        sums = np.cumsum(share) - share
        earlier = sums - np.repeat(sums[self.before == 0], self.counts)  # the shares of the user's higher items
        total = np.bincount(self.owner, (1 - share) * (share + 2 * earlier), users)
        size = self.pool[self.before == 0].astype(np.float64)
        rest = 1.0 if self.scheme.replacement else np.divide(size - m, size - 1, out=np.zeros(users), where=size > 1)
        return Moments(1 - mean, np.maximum(total, 0.0) * rest / (m * self.counts**2.0))
