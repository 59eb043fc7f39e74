"""Matching: which rank of a list holds which relevant item, computed once and shared by every metric."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Optional, Tuple

import numpy as np

from metric_reference.case import NOTHING, Case
from metric_reference.grades import Rows, count_grades, rows_by_count

BLOCK_CELLS = 1 << 22
"""Users are matched in blocks of at most this many user-item cells: 16 MB, which fit into a processor's caches."""

HIT_PATTERNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
"""The 256 ways in which eight ranks can hit, by their byte: shape (256, 8)."""


class Relevant(NamedTuple):
    """The relevant items of all users, ordered by user.

    items : int64 array, shape (relevant items of all users,)
    gains : float64 array, the same shape
    starts : int64 array, shape (users + 1,): user u has the entries starts[u]:starts[u + 1]
    """

    items: np.ndarray
    gains: np.ndarray
    starts: np.ndarray

    @property
    def users(self) -> np.ndarray:
        """int64 array: the user of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


class Hits(NamedTuple):
    """The hits of all lists, ordered by user, then by rank.

    users : int64 array, shape (hits of all users,)
    ranks : int64 array: rank of the hit, from 0
    numbers : int64 array: number of the hit in its list: 1, 2, ...
    gains : float64 array: gain of the relevant item
    """

    users: np.ndarray
    ranks: np.ndarray
    numbers: np.ndarray
    gains: np.ndarray


@dataclass(frozen=True, eq=False)
class Matches:
    """A case after matching.

    Most ranks do not hit, so only the hits are stored; arrays of shape (users, width) are made on first use.

    Attributes
    ----------
    case : the case itself
    relevant : the relevant items of all users
    listed_hits : the hits of all lists
    duplicates : the rule by which repeated items were matched
    """

    case: Case
    relevant: Relevant
    listed_hits: Hits
    duplicates: str = "counted"
    _cache: Dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """The result of ``make``, computed once and kept under the key ``what``; an array is made read-only.

        Variants of one metric share most of their work: the same sum over hits, another divisor.
        """
        if what not in self._cache:
            result = make()
            if isinstance(result, np.ndarray):
                result.setflags(write=False)
            self._cache[what] = result
        return self._cache[what]

    def forget(self) -> None:
        """Drop what :meth:`once` keeps, which grows with each cut-off."""
        self._cache.clear()

    @property
    def users(self) -> int:
        """Number of users."""
        return self.case.users

    @cached_property
    def n_relevant(self) -> np.ndarray:
        """int64 array, shape (users,): number of relevant items."""
        return np.diff(self.relevant.starts).astype(np.int64, copy=False)

    def relevant_of(self, user: int) -> np.ndarray:
        """Relevant items of one user, int64, in the order of the judgements."""
        return self.relevant.items[self.relevant.starts[user] : self.relevant.starts[user + 1]]

    @cached_property
    def lengths(self) -> np.ndarray:
        """int64 array, shape (users,): number of recommended items."""
        lengths = np.full(self.users, self.case.width)
        short = np.flatnonzero(self.case.recommended[:, -1] == NOTHING)
        lengths[short] = np.count_nonzero(self.case.recommended[short] != NOTHING, axis=1)
        return lengths

    @cached_property
    def hits(self) -> np.ndarray:
        """bool array, shape (users, width): the item at this rank is relevant."""
        return self._dense(np.ones(len(self.listed_hits.users), dtype=bool))

    @cached_property
    def gains(self) -> np.ndarray:
        """float64 array, shape (users, width): gain of the item at this rank, 0 where it is not relevant."""
        return self._dense(self.listed_hits.gains)

    def _dense(self, values: np.ndarray) -> np.ndarray:
        """The values of the hits at their ranks, 0 elsewhere: shape (users, width)."""
        dense = np.zeros(self.users * self.case.width, dtype=values.dtype)
        dense[self.listed_hits.users * self.case.width + self.listed_hits.ranks] = values
        return dense.reshape(self.case.recommended.shape)

    @cached_property
    def cumulative_hits(self) -> np.ndarray:
        """int64 array, shape (users, width): hits among the first 1, 2, ... ranks."""
        return np.cumsum(self.hits, axis=1)

    def depth(self, cut: str, k: int) -> int:
        """How many ranks of the lists count. cut : ``k``: the first k; ``none``: all."""
        return self.case.width if cut == "none" else min(k, self.case.width)

    def hit_count(self, cut: int) -> np.ndarray:
        """int64 array, shape (users,): hits among the first ``cut`` ranks."""
        cut = min(cut, self.case.width)
        return self.once(("hit_count", cut), lambda: np.bincount(self.hits_within(cut).users, minlength=self.users))

    def hits_within(self, cut: int) -> Hits:
        """The hits among the first ``cut`` ranks."""
        if cut >= self.case.width:
            return self.listed_hits
        hits = self.listed_hits
        return self.once(("hits_within", cut), lambda: Hits(*(column[hits.ranks < cut] for column in hits)))

    def summed(self, what: Hashable, cut: int, value: Callable[[Hits], np.ndarray]) -> np.ndarray:
        """float64 array, shape (users,): sum of a value over the hits among the first ``cut`` ranks; see :meth:`once`.

        what : name of the value; value : function from hits to the value of each hit.
        """

        def sums() -> np.ndarray:
            hits = self.hits_within(cut)
            return np.bincount(hits.users, value(hits), minlength=self.users)

        return self.once((what, cut), sums)

    @cached_property
    def _hit_bytes(self) -> np.ndarray:
        """int64 array, shape (width / 8, users): one byte for ranks 1 to 8, 9 to 16, ..., the first in the top bit."""
        return np.packbits(self.hits, axis=1).T.astype(np.int64, order="C")

    def weighed(self, weights: np.ndarray) -> np.ndarray:
        """float64 array, shape (users,): sum of the weights of the ranks that hit; see :meth:`once`.

        weights : of ranks 1, 2, ..., at most the width; later ranks weigh 0. The sums of the 256 ways in which eight
        ranks can hit are looked up: several times faster than adding hit by hit.
        """

        def sums() -> np.ndarray:
            rows = np.zeros((len(self._hit_bytes), 8))  # the weights of ranks 1 to 8, 9 to 16, ...
            rows.ravel()[: len(weights)] = weights
            total = np.zeros(self.users)
            for hit_bytes, row in zip(self._hit_bytes, rows):
                total += (HIT_PATTERNS @ row).take(hit_bytes)
            return total

        return self.once(("weighed", weights.tobytes()), sums)

    @cached_property
    def grades(self) -> Optional[Tuple[np.ndarray, np.ndarray]]:
        """The different gains of relevant items, and how many of each user reach them; see :func:`count_grades`."""
        return count_grades(self.relevant.gains, self.n_relevant)

    @cached_property
    def ideal_lists(self) -> List[Rows]:
        """The gains of each user's relevant items, largest first; see :func:`rows_by_count`."""
        return rows_by_count(self.relevant.gains, self.n_relevant)

    def sorted_hits(self, cut: int) -> List[Rows]:
        """The gains of each list's hits among the first ``cut`` ranks, largest first; see :func:`rows_by_count`."""
        return self.once(("sorted_hits", cut), lambda: rows_by_count(self.hits_within(cut).gains, self.hit_count(cut)))

    @cached_property
    def largest_gain(self) -> np.ndarray:
        """float64 array, shape (users,): the largest relevant gain, 0 for a user without relevant items."""
        largest = np.zeros(self.users)
        users = np.flatnonzero(self.n_relevant)
        if len(users):
            largest[users] = np.maximum.reduceat(self.relevant.gains, self.relevant.starts[users])
        return largest


def match(case: Case, duplicates: str = "counted") -> Matches:
    """Match the lists of a case with its judgements.

    duplicates : ``counted`` lets every copy of a relevant item hit, ``once`` only the first.
    """
    if duplicates not in ("counted", "once"):
        raise ValueError(f"duplicates must be counted or once, not {duplicates!r}")
    relevant = relevant_items(case)
    cells, entries = find(case, relevant)
    if duplicates == "once":
        first_copy = ~repeated(case.recommended).ravel()[cells]
        cells, entries = cells[first_copy], entries[first_copy]
    users = cells // case.width
    hits_before_user = np.concatenate([[0], np.cumsum(np.bincount(users, minlength=case.users))])
    numbers = np.arange(1, len(users) + 1) - hits_before_user[users]
    hits = Hits(users, cells - users * case.width, numbers, relevant.gains[entries])
    return Matches(case, relevant, hits, duplicates)


def relevant_items(case: Case) -> Relevant:
    """The relevant items among the judgements of a case."""
    relevant = case.relevant
    if relevant.all():
        return Relevant(case.judged_items, case.judged_gains, case.judged_indptr)
    starts = np.concatenate([[0], np.cumsum(relevant)])[case.judged_indptr]
    return Relevant(case.judged_items[relevant], case.judged_gains[relevant], starts)


def find(case: Case, relevant: Relevant) -> "tuple[np.ndarray, np.ndarray]":
    """Every hit: its index in ``recommended.ravel()`` and its entry in ``relevant``; two int64 arrays.

    A table of users x items for one block of users holds the entry number of each relevant item, so that matching a
    rank costs one read, whatever the number of relevant items. The blocks share the table and need not clear it: entry
    numbers run over all users, so what an earlier block left is smaller than every number of a later block.
    """
    columns = case.n_items + 1  # the padding -1 points to the last column of the row above, which is always empty
    block = max(1, min(BLOCK_CELLS // columns, case.users))
    numbers = np.arange(1, len(relevant.items) + 1, dtype=np.int32 if len(relevant.items) < 1 << 31 else np.int64)
    table = np.zeros(block * columns, dtype=numbers.dtype)
    row_starts, counts = np.arange(block) * columns, np.diff(relevant.starts)
    number_at_rank = np.empty(case.recommended.shape, dtype=numbers.dtype)
    for low in range(0, case.users, block):
        listed = case.recommended[low : low + block]
        start, end = relevant.starts[low], relevant.starts[low + len(listed)]
        rows = row_starts[: len(listed)]
        table[np.repeat(rows, counts[low : low + block]) + relevant.items[start:end]] = numbers[start:end]
        table.take(listed + rows[:, None], mode="wrap", out=number_at_rank[low : low + block])
    cells = np.flatnonzero(number_at_rank > relevant.starts[:-1, None].astype(numbers.dtype))
    return cells, number_at_rank.ravel()[cells] - 1


def weighted_sums(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum of each row times the weights, added from left to right.

    A matrix product may add in another order, depending on the other rows and on zeros after the last rank.

    values : float64, shape (users, ranks); weights : float64, shape (ranks,). Returns float64, shape (users,).
    """
    if not values.shape[1]:
        return np.zeros(len(values))
    return np.cumsum(values * weights, axis=1)[:, -1]


def repeated(recommended: np.ndarray) -> np.ndarray:
    """bool array, shape of ``recommended``: a better rank of the same list holds this item too."""
    order = np.argsort(recommended, axis=1, kind="stable")
    ordered = np.take_along_axis(recommended, order, axis=1)
    equals_previous = np.zeros(recommended.shape, dtype=bool)
    equals_previous[:, 1:] = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)
    repeats = np.zeros_like(equals_previous)
    np.put_along_axis(repeats, order, equals_previous, axis=1)
    return repeats
