"""Inputs for libraries that rank the documents of a group by their scores: a group for each user, as short as its list.

A group has a row for each listed item and, below these, one for each relevant item that is not listed; it has no other
rows. So a group is as long as its list where that is shorter than k, and a function that divides by the rows of a group
shows it. Below such a list a relevant item would be a hit at one of the first k ranks: it has no row, and a function
that counts all relevant items cannot be shown the case.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

import numpy as np

from metric_adapters.shapes import dense_ranks, recommended_pairs, relevant_counts, relevant_pairs
from metric_adapters.subject import CannotShow
from metric_reference.case import Case

COUNTED, KNOWN, IGNORED = "counted", "known", "ignored"
"""What a function knows of relevant items that are not listed: how many there are, whether there are any, nothing."""


class Groups(NamedTuple):
    """The rows of all groups, user by user, in the order of the item numbers.

    users : int64, the user of each row; gains, scores : float64. Scores are whole numbers from 1 up, exact in float32
    too; listed items of equal score stay equal, the others are distinct.
    """

    users: np.ndarray
    gains: np.ndarray
    scores: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """int64 array, shape (users,): the rows of each group, of which none is empty."""
        return np.bincount(self.users).astype(np.int64)

    def padded(self, label: float) -> Tuple[np.ndarray, np.ndarray]:
        """Gains and scores, groups x places, for a library whose own sign for a place without a row is this label."""
        sizes = self.sizes
        places = np.arange(len(self.users)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        gains = np.full((len(sizes), int(sizes.max())), float(label))
        scores = np.zeros_like(gains)
        gains[self.users, places], scores[self.users, places] = self.gains, self.scores
        return gains, scores


def list_groups(case: Case, k: int, unlisted: str = COUNTED) -> Groups:
    """The groups of all users; ``unlisted`` says what the function knows of the relevant items that are not listed.

    Raises CannotShow as :func:`without_row` does, and for an item that is recommended twice.
    """
    users, items, ranks = dense_ranks(case)
    others, relevant, gains = relevant_pairs(case)
    kept = ~without_row(case, k, unlisted)
    below = kept & ~_is_listed(case)
    deepest = int(relevant_counts(case).max(initial=0))
    rows = np.concatenate([users, others[below]])
    numbers = np.concatenate([items, relevant[below]])
    scores = np.concatenate([ranks + deepest, deepest - _place(others[below])])
    order = np.lexsort((numbers, rows))
    rows, numbers, scores = rows[order], numbers[order], scores[order]
    truth = np.zeros(len(rows))
    truth[np.searchsorted(rows * case.n_items + numbers, (others * case.n_items + relevant)[kept])] = gains[kept]
    return Groups(rows, truth, scores)


def without_row(case: Case, k: int, unlisted: str = COUNTED) -> np.ndarray:
    """bool array, an entry for each of :func:`relevant_pairs`: those below a list shorter than k, which get no row.

    Raises CannotShow where the function would miss them, and for an empty list: a group has at least one row.
    """
    if not case.list_lengths.all():
        raise CannotShow(f"user {int(np.argmin(case.list_lengths))} has an empty list: a group has at least one row")
    users = relevant_pairs(case)[0]
    left_out = ~_is_listed(case) & (case.list_lengths < k)[users]
    kept = np.bincount(users[~left_out], minlength=case.users)
    missed = left_out & (unlisted == COUNTED or (unlisted == KNOWN) & (kept == 0)[users])
    if missed.any():
        raise CannotShow(
            f"the list of user {int(users[np.argmax(missed)])} is shorter than {k} and leaves out a relevant item, "
            "which would be a hit below it: this library ranks all rows of a group"
        )
    return left_out


def whole(gains: np.ndarray) -> np.ndarray:
    """The gains themselves; CannotShow if one is no whole number, for a library that takes no other label."""
    if np.any(gains != np.floor(gains)):
        raise CannotShow(f"this library takes whole numbers for labels, not {gains[gains != np.floor(gains)][0]}")
    return gains


def binary(gains: np.ndarray) -> np.ndarray:
    """The gains themselves; CannotShow if one is neither 0 nor 1, for a library that takes no other label."""
    if np.any((gains != 0) & (gains != 1)):
        raise CannotShow(f"this function takes 0 and 1 for labels, not {gains[(gains != 0) & (gains != 1)][0]}")
    return gains


def at_least(gains: np.ndarray, least: float) -> np.ndarray:
    """The gains themselves; CannotShow if a relevant one is below what the function counts as relevant."""
    if np.any((gains > 0) & (gains < least)):
        raise CannotShow(
            f"to this function a label below {least} is not relevant: {gains[(gains > 0) & (gains < least)][0]}"
        )
    return gains


def _is_listed(case: Case) -> np.ndarray:
    """bool array: which of :func:`relevant_pairs` are in the user's list."""
    users, items, _ = recommended_pairs(case)
    others, relevant, _ = relevant_pairs(case)
    return np.isin(others * case.n_items + relevant, users * case.n_items + items)


def _place(users: np.ndarray) -> np.ndarray:
    """How many entries of the same user come before each, where the entries are user by user."""
    first = np.searchsorted(users, users, side="left")
    return np.arange(len(users)) - first
