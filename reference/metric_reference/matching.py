"""Which rank holds which relevant item: computed once for a case and shared by every metric."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, Dict, Hashable, List, NamedTuple, Optional, Tuple

import numpy as np

from metric_reference.case import NOTHING, Case
from metric_reference.grades import Rows, count_grades, rows_by_count

BLOCK_CELLS = 1 << 22
"""Users are matched in blocks of at most this many user-item cells: 16 MB, which a processor's caches still serve."""

EIGHT_HITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)
"""The 256 ways in which eight ranks can hit: shape (256, 8)."""


class Relevant(NamedTuple):
    """The relevant items of all users, one entry each, by user.

    items : int64 array, shape (relevant items of all users,)
    gains : float64 array, the same shape
    starts : int64 array, shape (users + 1,): user u has the entries starts[u] up to starts[u + 1]
    """

    items: np.ndarray
    gains: np.ndarray
    starts: np.ndarray

    @property
    def users(self) -> np.ndarray:
        """int64 array: the user of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


class Hits(NamedTuple):
    """The hits of all lists, one entry each, by user and then by rank.

    users : int64 array, shape (hits of all users,)
    ranks : int64 array: rank of the hit, from 0
    numbers : int64 array: hits of the list up to this rank, itself counted: 1, 2, ... down a list
    gains : float64 array: gain of the relevant item
    """

    users: np.ndarray
    ranks: np.ndarray
    numbers: np.ndarray
    gains: np.ndarray


@dataclass(frozen=True, eq=False)
class Matches:
    """A case after matching.

    Most ranks hold nothing relevant, so what is stored is the list of hits; the arrays of shape (users, width) are
    made when somebody asks for them.

    Attributes
    ----------
    case : the case itself
    relevant : what is relevant to whom
    found : all hits of all lists
    """

    case: Case
    relevant: Relevant
    found: Hits
    _made: Dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made only the first time that ``what`` is asked for.

        Variants of one metric have most of their work in common: the same sum over hits, another divisor. Arrays kept
        so may not be written to.
        """
        if what not in self._made:
            made = make()
            if isinstance(made, np.ndarray):
                made.setflags(write=False)
            self._made[what] = made
        return self._made[what]

    def forget(self) -> None:
        """Drop what :meth:`once` keeps: with many cut-offs it would grow with each."""
        self._made.clear()

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
        short = np.flatnonzero(self.case.recommended[:, -1] == NOTHING)  # padding stands at the end alone
        lengths[short] = np.count_nonzero(self.case.recommended[short] != NOTHING, axis=1)
        return lengths

    @cached_property
    def hits(self) -> np.ndarray:
        """bool array, shape (users, width): the item at this rank is relevant."""
        return self._dense(np.ones(len(self.found.users), dtype=bool))

    @cached_property
    def gains(self) -> np.ndarray:
        """float64 array, shape (users, width): gain of the item at this rank, 0 where it is not relevant."""
        return self._dense(self.found.gains)

    def _dense(self, values: np.ndarray) -> np.ndarray:
        """Shape (users, width): a value of each hit, 0 elsewhere."""
        dense = np.zeros(self.users * self.case.width, dtype=values.dtype)
        dense[self.found.users * self.case.width + self.found.ranks] = values
        return dense.reshape(self.case.recommended.shape)

    @cached_property
    def cumulative_hits(self) -> np.ndarray:
        """int64 array, shape (users, width): hits among the first 1, 2, ... ranks."""
        return np.cumsum(self.hits, axis=1)

    def hit_count(self, cut: int) -> np.ndarray:
        """int64 array, shape (users,): hits among the first ``cut`` ranks."""
        cut = min(cut, self.case.width)
        return self.once(("hit_count", cut), lambda: np.bincount(self.hits_within(cut).users, minlength=self.users))

    def hits_within(self, cut: int) -> Hits:
        """The hits among the first ``cut`` ranks."""
        if cut >= self.case.width:
            return self.found
        return self.once(("hits_within", cut), lambda: Hits(*(part[self.found.ranks < cut] for part in self.found)))

    def summed(self, what: Hashable, cut: int, value: Callable[[Hits], np.ndarray]) -> np.ndarray:
        """float64 array, shape (users,): sum of a value over the hits among the first ``cut`` ranks; see :meth:`once`.

        what : names the value; value : from hits to the value of each.
        """

        def total() -> np.ndarray:
            hits = self.hits_within(cut)
            return np.bincount(hits.users, value(hits), minlength=self.users)

        return self.once((what, cut), total)

    @cached_property
    def _patterns(self) -> np.ndarray:
        """int64 array, shape (width / 8, users): which of ranks 1 to 8, 9 to 16, ... hit; the first is the top bit."""
        return np.packbits(self.hits, axis=1).T.astype(np.int64, order="C")

    def weighed(self, weights: np.ndarray) -> np.ndarray:
        """float64 array, shape (users,): sum of the weights of the ranks that hit; see :meth:`once`.

        weights : of the ranks 1, 2, ..., at most the width; further ranks weigh nothing. Eight ranks can hit in 256
        ways, whose sums are looked up: that is several times faster than adding up hit by hit.
        """

        def total() -> np.ndarray:
            eights = np.zeros((len(self._patterns), 8))
            eights.ravel()[: len(weights)] = weights
            found = np.zeros(self.users)
            for pattern, eight in zip(self._patterns, eights):
                found += (EIGHT_HITS @ eight).take(pattern)
            return found

        return self.once(("weighed", weights.tobytes()), total)

    @cached_property
    def grades(self) -> Optional[Tuple[np.ndarray, np.ndarray]]:
        """Which gains relevant items have, and how many of each user have that much; see :func:`count_grades`."""
        return count_grades(self.relevant.gains, self.n_relevant)

    @cached_property
    def ideal_lists(self) -> List[Rows]:
        """The gains of the user's relevant items, largest first; see :func:`rows_by_count`."""
        return rows_by_count(self.relevant.gains, self.n_relevant)

    def sorted_hits(self, cut: int) -> List[Rows]:
        """The gains of the hits among the first ``cut`` ranks, largest first; see :func:`rows_by_count`."""
        return self.once(("sorted_hits", cut), lambda: rows_by_count(self.hits_within(cut).gains, self.hit_count(cut)))

    @cached_property
    def largest_gain(self) -> np.ndarray:
        """float64 array, shape (users,): the largest relevant gain, 0 for a user without relevant items."""
        largest = np.zeros(self.users)
        some = np.flatnonzero(self.n_relevant)
        if len(some):
            largest[some] = np.maximum.reduceat(self.relevant.gains, self.relevant.starts[some])
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
        first = ~repeated(case.recommended).ravel()[cells]
        cells, entries = cells[first], entries[first]
    users = cells // case.width
    before = np.concatenate([[0], np.cumsum(np.bincount(users, minlength=case.users))])
    numbers = np.arange(1, len(users) + 1) - before[users]
    return Matches(case, relevant, Hits(users, cells - users * case.width, numbers, relevant.gains[entries]))


def relevant_items(case: Case) -> Relevant:
    """The judgements of a case that are relevant."""
    relevant = case.relevant
    if relevant.all():
        return Relevant(case.judged_items, case.judged_gains, case.judged_indptr)
    starts = np.concatenate([[0], np.cumsum(relevant)])[case.judged_indptr]
    return Relevant(case.judged_items[relevant], case.judged_gains[relevant], starts)


def find(case: Case, relevant: Relevant) -> "tuple[np.ndarray, np.ndarray]":
    """Every hit: its place in ``recommended``, counted row by row, and its entry in ``relevant``; two int64 arrays.

    A table of one block of users x items holds the entry of each relevant item; looking the recommended items up in
    it costs one read a rank, whatever the number of relevant items. Blocks take turns in the table and need not wipe
    it: entries are counted over all users, so what an earlier block has left there is smaller than any of their own.
    """
    columns = case.n_items + 1  # the padding -1 points to the last column of the row above, which is always empty
    block = max(1, min(BLOCK_CELLS // columns, case.users))
    numbers = np.arange(1, len(relevant.items) + 1, dtype=np.int32 if len(relevant.items) < 1 << 31 else np.int64)
    table = np.zeros(block * columns, dtype=numbers.dtype)
    rows, counts = np.arange(block) * columns, np.diff(relevant.starts)
    held = np.empty(case.recommended.shape, dtype=numbers.dtype)
    for low in range(0, case.users, block):
        listed = case.recommended[low : low + block]
        start, end = relevant.starts[low], relevant.starts[low + len(listed)]
        first = rows[: len(listed)]
        table[np.repeat(first, counts[low : low + block]) + relevant.items[start:end]] = numbers[start:end]
        table.take(listed + first[:, None], mode="wrap", out=held[low : low + block])
    cells = np.flatnonzero(held > relevant.starts[:-1, None].astype(held.dtype))
    return cells, held.ravel()[cells] - 1


def weighted_sums(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum of each row times the weights, added from left to right.

    A matrix product may add in an order that depends on the other rows and on the zeros behind the last rank.

    values : float64, shape (users, ranks); weights : float64, shape (ranks,). Returns float64, shape (users,).
    """
    if not values.shape[1]:
        return np.zeros(len(values))
    return np.cumsum(values * weights, axis=1)[:, -1]


def repeated(recommended: np.ndarray) -> np.ndarray:
    """bool array, shape of ``recommended``: this item stands at a better rank of the same list already."""
    order = np.argsort(recommended, axis=1, kind="stable")
    ordered = np.take_along_axis(recommended, order, axis=1)
    again = np.zeros(recommended.shape, dtype=bool)
    again[:, 1:] = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)
    out = np.zeros_like(again)
    np.put_along_axis(out, order, again, axis=1)
    return out
