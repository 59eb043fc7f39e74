"""Which rank holds which relevant item: computed once for a case and shared by every metric."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, Dict, Hashable, NamedTuple

import numpy as np

from reference.case import NOTHING, Case

BLOCK_CELLS = 1 << 22
"""Users are matched in blocks of at most this many user-item cells: 16 MB, which a processor's caches still serve."""


class Relevant(NamedTuple):
    """The relevant items of all users, one entry each, by user.

    users, items : int64 arrays, shape (relevant items of all users,)
    gains : float64 array, the same shape
    starts : int64 array, shape (users + 1,): user u has the entries starts[u] up to starts[u + 1]
    """

    users: np.ndarray
    items: np.ndarray
    gains: np.ndarray
    starts: np.ndarray


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
        if not self.case.width:
            return np.zeros(self.users, dtype=np.int64)
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
        return self.once(
            ("hit_count", cut), lambda: np.bincount(self.hits_of("found", cut).users, minlength=self.users)
        )

    def hits_of(self, lists: str, cut: int) -> Hits:
        """Hits among the first ``cut`` ranks of each user's list.

        lists : ``found``: the lists of the case; ``sorted``: their hits alone, largest gain first; ``ideal``: all the
            user's relevant items, largest gain first.
        """
        if lists == "ideal":
            return self.once((lists, cut), lambda: ideal_hits(self._sorted_gains, self.n_relevant, cut))
        if lists == "sorted":
            gains, counts = self.hits_of("found", cut).gains, self.hit_count(cut)
            return self.once((lists, cut), lambda: ideal_hits(largest_first(gains, counts), counts, cut))
        if cut >= self.case.width:
            return self.found
        return self.once((lists, cut), lambda: Hits(*(part[self.found.ranks < cut] for part in self.found)))

    @cached_property
    def _sorted_gains(self) -> np.ndarray:
        return largest_first(self.relevant.gains, self.n_relevant)

    def summed(self, what: Hashable, cut: int, value: Callable[[Hits], np.ndarray], lists: str = "found") -> np.ndarray:
        """float64 array, shape (users,): sum of a value over the hits among the first ``cut`` ranks; see :meth:`once`.

        what : names the value; value : from hits to the value of each, float64; lists : see :meth:`hits_of`.
        """

        def total() -> np.ndarray:
            hits = self.hits_of(lists, cut)
            return np.bincount(hits.users, value(hits), minlength=self.users)

        return self.once((what, lists, cut), total)

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
    users = cells // max(1, case.width)
    before = np.concatenate([[0], np.cumsum(np.bincount(users, minlength=case.users))])
    numbers = np.arange(1, len(users) + 1) - before[users]
    return Matches(case, relevant, Hits(users, cells - users * case.width, numbers, relevant.gains[entries]))


def relevant_items(case: Case) -> Relevant:
    """The judgements of a case that are relevant."""
    users, items, gains = case.judged_users, case.judged_items, case.judged_gains
    relevant = case.relevant
    if relevant.all():
        return Relevant(users, items, gains, case.judged_indptr)
    users = users[relevant]
    starts = np.concatenate([[0], np.cumsum(np.bincount(users, minlength=case.users))])
    return Relevant(users, items[relevant], gains[relevant], starts)


def find(case: Case, relevant: Relevant) -> "tuple[np.ndarray, np.ndarray]":
    """Every hit: its place in ``recommended``, counted row by row, and its entry in ``relevant``; two int64 arrays.

    A table of one block of users x items holds the entry of each relevant item; looking the recommended items up in
    it costs one read a rank, whatever the number of relevant items.
    """
    columns = case.n_items + 1  # the padding -1 points to the last column of the row above, which is always empty
    block = max(1, min(BLOCK_CELLS // columns, case.users))
    table = np.zeros(block * columns, dtype=np.int32)
    cells, entries = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    rows = np.arange(block)[:, None] * columns
    for low in range(0, case.users, block):
        listed = case.recommended[low : low + block]
        start, end = relevant.starts[low], relevant.starts[low + len(listed)]
        own = (relevant.users[start:end] - low) * columns + relevant.items[start:end]
        table[own] = np.arange(1, end - start + 1)
        held = table.take(listed + rows[: len(listed)], mode="wrap").ravel()
        hit = np.flatnonzero(held > 0)
        cells.append(hit + low * case.width)
        entries.append(held[hit] + (start - 1))
        table[own] = 0
    return np.concatenate(cells), np.concatenate(entries)


def ideal_hits(sorted_gains: np.ndarray, counts: np.ndarray, depth: int) -> Hits:
    """Each user's first ``depth`` gains as the hits of an ideal list, at ranks 1, 2, ...

    sorted_gains : those of all users one after the other, each user's largest first; counts : how many each user has.
    """
    filled = np.minimum(counts, depth)
    users = np.repeat(np.arange(len(counts)), filled)
    ranks = np.arange(len(users)) - (np.cumsum(filled) - filled)[users]
    entries = (np.cumsum(counts) - counts)[users] + ranks
    return Hits(users, ranks, ranks + 1, sorted_gains[entries])


def largest_first(gains: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The gains of all users one after the other, each user's sorted from the largest to the smallest.

    counts : how many each user has. Users with equally many are the rows of one array, which is sorted at once.
    """
    if not len(gains) or gains.min() == gains.max():
        return gains
    out = np.empty_like(gains)
    starts = np.cumsum(counts) - counts
    by_count = np.argsort(counts, kind="stable")
    for users in np.split(by_count, np.flatnonzero(np.diff(counts[by_count])) + 1):
        places = starts[users][:, None] + np.arange(counts[users[0]])
        out[places] = np.sort(gains[places], axis=1)[:, ::-1]
    return out


def repeated(recommended: np.ndarray) -> np.ndarray:
    """bool array, shape of ``recommended``: this item stands at a better rank of the same list already."""
    order = np.argsort(recommended, axis=1, kind="stable")
    ordered = np.take_along_axis(recommended, order, axis=1)
    again = np.zeros(recommended.shape, dtype=bool)
    again[:, 1:] = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)
    out = np.zeros_like(again)
    np.put_along_axis(out, order, again, axis=1)
    return out
