"""Which rank holds which relevant item: computed once for a case and shared by every metric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reference.case import NOTHING, Case

BLOCK_CELLS = 1 << 24
"""Users are matched in blocks of at most this many user-item cells, so that memory stays bounded."""


@dataclass(frozen=True, eq=False)
class Matches:
    """A case after matching.

    Attributes
    ----------
    case : the case itself
    hits : bool array, shape (users, width): the item at this rank is relevant
    gains : float64 array, shape (users, width): its gain, 0 where it is not relevant
    n_relevant : int64 array, shape (users,)
    lengths : int64 array, shape (users,): number of recommended items
    """

    case: Case
    hits: np.ndarray
    gains: np.ndarray
    n_relevant: np.ndarray
    lengths: np.ndarray

    @property
    def users(self) -> int:
        """Number of users."""
        return self.case.users

    @cached_property
    def cumulative_hits(self) -> np.ndarray:
        """int64 array, shape (users, width): hits among the first 1, 2, ... ranks."""
        return np.cumsum(self.hits, axis=1)

    def hit_count(self, cut: int) -> np.ndarray:
        """int64 array, shape (users,): hits among the first ``cut`` ranks."""
        cut = min(cut, self.case.width)
        return self.cumulative_hits[:, cut - 1]

    @cached_property
    def _ideal(self) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
        relevant = self.case.relevant
        users = self.case.judged_users[relevant]
        gains = self.case.judged_gains[relevant]
        order = np.lexsort((-gains, users))
        users = users[order]
        starts = np.concatenate([[0], np.cumsum(self.n_relevant)])
        return users, gains[order], np.arange(len(users)) - starts[users]

    @property
    def ideal_users(self) -> np.ndarray:
        """int64 array, shape (relevant items of all users,): the user of each entry of :attr:`ideal_gains`."""
        return self._ideal[0]

    @property
    def ideal_gains(self) -> np.ndarray:
        """float64 array: each user's relevant gains, largest first."""
        return self._ideal[1]

    @property
    def ideal_ranks(self) -> np.ndarray:
        """int64 array: 0-based rank of each entry of :attr:`ideal_gains` in its user's ideal list."""
        return self._ideal[2]

    @cached_property
    def largest_gain(self) -> np.ndarray:
        """float64 array, shape (users,): the largest relevant gain, 0 for a user without relevant items."""
        largest = np.zeros(self.users)
        first = self.ideal_ranks == 0
        largest[self.ideal_users[first]] = self.ideal_gains[first]
        return largest


def match(case: Case, duplicates: str = "counted") -> Matches:
    """Match the lists of a case with its judgements.

    A table of one block of users x items holds the position of each relevant judgement; looking the recommended
    items up in it costs one read a rank, whatever the number of relevant items.

    duplicates : ``counted`` lets every copy of a relevant item hit, ``once`` only the first.
    """
    relevant = case.relevant
    users, items = case.judged_users[relevant], case.judged_items[relevant]
    gains = np.concatenate([[0.0], case.judged_gains[relevant]])
    n_relevant = np.bincount(users, minlength=case.users).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(n_relevant)])
    position = np.zeros(case.recommended.shape, dtype=np.int64)
    block = max(1, BLOCK_CELLS // max(1, case.n_items + 1))
    # The extra last column is where the padding -1 points to: it never holds a relevant item.
    table = np.zeros((min(block, case.users), case.n_items + 1), dtype=np.int32)
    for low in range(0, case.users, block):
        high = min(low + block, case.users)
        part = slice(starts[low], starts[high])
        table[users[part] - low, items[part]] = np.arange(1, starts[high] - starts[low] + 1)
        found = table[np.arange(high - low)[:, None], case.recommended[low:high]]
        position[low:high] = np.where(found > 0, found + starts[low], 0)
        table[users[part] - low, items[part]] = 0
    if duplicates == "once":
        position[repeated(case.recommended)] = 0
    elif duplicates != "counted":
        raise ValueError(f"duplicates must be counted or once, not {duplicates!r}")
    return Matches(case, position > 0, gains[position], n_relevant, case.list_lengths)


def repeated(recommended: np.ndarray) -> np.ndarray:
    """bool array, shape of ``recommended``: this item stands at a better rank of the same list already."""
    order = np.argsort(recommended, axis=1, kind="stable")
    ordered = np.take_along_axis(recommended, order, axis=1)
    again = np.zeros(recommended.shape, dtype=bool)
    again[:, 1:] = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)
    out = np.zeros_like(again)
    np.put_along_axis(out, order, again, axis=1)
    return out
