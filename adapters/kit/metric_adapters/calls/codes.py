"""Codes and labels of queries and of a database, as in retrieval by hashing: scores are products of codes.

The code of user u is 1 at place u and 0 elsewhere, so the product with an item's code is the number at that place: the
larger, the higher this user ranks the item. Every user has as many labels as the largest gain, and an item shares as
many of them as its gain for that user: one if all gains are 1.

A code of signs holds -1 and 1 alone, for functions that take the sign of a code. Every user has a block of it: an item
has there, twice, as many times 1 as it has others below it. The user's own block is 1; of another user's block half
is -1, so that the item's two halves cancel out.

A feature is a code of length 1: an item's numbers are made small, and one more makes up the length. So its product with
a user's feature, the cosine of both and their distance put the items in one order.
"""

from __future__ import annotations

import numpy as np

from metric_adapters.calls.builders import y_score, y_true, y_true_graded
from metric_adapters.calls.gallery import gallery_distances
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow

MOST_SIGNS = 30_000_000
"""At most about this many numbers are in the codes of all items."""
MOST_SHARED = 16
"""The most labels that a user shares with an item."""


def query_codes(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users)."""
    return np.eye(view.case.users)


def item_codes(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users): whole numbers in the order of the scores, equal for equal scores."""
    levels = [np.unique(y_score(view, user), return_inverse=True)[1] for user in range(view.case.users)]
    return np.stack(levels, axis=1).astype(np.float64)


def query_signs(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users x 2 x levels): -1 or 1."""
    users, levels = view.case.users, _levels(view)
    halves = np.array([[[1.0], [1.0 if same else -1.0]] for same in np.eye(users, dtype=bool).ravel()])
    return np.repeat(halves.reshape(users, -1), levels, axis=1)


def item_signs(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users x 2 x levels): -1 or 1."""
    return _signs(item_codes(view, text), _levels(view))


def gallery_signs(view: View, text: bool) -> np.ndarray:
    """float64, shape (gallery, users x 2 x levels): -1 or 1, of the items of :func:`gallery_ids` in ``gallery.py``.

    What is farther from a user than every item of the case has no level. CannotShow as :func:`gallery_levels`.
    """
    levels = gallery_levels(view, text)
    return _signs(levels - (len(levels) - view.case.n_items) + 1, _levels(view, len(levels)))


def gallery_levels(view: View, text: bool) -> np.ndarray:
    """int64, shape (gallery, users): whole numbers in the order of nearness. CannotShow for equal distances."""
    rows = gallery_distances(view, text)
    levels = np.stack([np.unique(-row, return_inverse=True)[1] for row in rows], axis=1)
    if (levels.max(axis=0) < len(levels) - 1).any():
        raise CannotShow("a gallery has no equal distances: its copies of relevant items stand after all other items")
    return levels


def _signs(numbers: np.ndarray, levels: int) -> np.ndarray:
    """Whole numbers, shape (n, users), as blocks of twice as many times 1 as the number is large."""
    below = numbers[:, :, None] > np.arange(levels)
    return np.where(np.concatenate([below, below], axis=2), 1.0, -1.0).reshape(len(below), -1)


def _levels(view: View, rows: int = 0) -> int:
    """How many scores there may be. CannotShow for codes of items, or of this many rows, that would fill the memory."""
    users, n_items = view.case.users, view.case.n_items
    if users * 2 * n_items * max(n_items, rows) > MOST_SIGNS:
        raise CannotShow(f"codes of signs for {users} users and {max(n_items, rows)} items do not fit into memory")
    return max(1, n_items)


def query_labels(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users x largest gain): 1 for the labels of each user."""
    most = int(shared_labels(view).max(initial=1))
    return np.kron(np.eye(view.case.users), np.ones((1, most)))


def item_labels(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users x largest gain): for each user, 1 for as many labels as the item's gain."""
    shared = shared_labels(view)
    rows = shared.T[:, :, None] > np.arange(shared.max(initial=1))
    return rows.reshape(view.case.n_items, -1).astype(np.float64)


def shared_labels(view: View) -> np.ndarray:
    """int64, shape (users, n_items): how many labels each user and item share. CannotShow for gains that are no number
    of labels."""
    users = range(view.case.users)
    gains = np.stack([y_true_graded(view, user) * y_true(view, user) for user in users])
    if (gains % 1).any() or gains.max(initial=0.0) > MOST_SHARED:
        raise CannotShow(f"a gain is a number of labels that are shared: a whole one up to {MOST_SHARED}")
    return gains.astype(np.int64)


def query_features(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users + 1)."""
    return np.eye(view.case.users, view.case.users + 1)


def item_features(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users + 1). CannotShow for equal scores: a length of 1 is only one within rounding."""
    return of_unit_length(item_codes(view, text))


def item_features_down(view: View, text: bool) -> np.ndarray:
    """float64, shape (users + 1, n_items): :func:`item_features` with a column for each item."""
    return item_features(view, text).T


def gallery_features(view: View, text: bool) -> np.ndarray:
    """float64, shape (gallery, users + 1): of the items of :func:`metric_adapters.calls.gallery.gallery_ids`."""
    return of_unit_length(gallery_levels(view, text).astype(np.float64))


def of_unit_length(codes: np.ndarray) -> np.ndarray:
    """Codes of numbers from 0 as rows of length 1. CannotShow for equal numbers in a column."""
    users = codes.shape[1]
    if (codes.max(axis=0) < len(codes) - 1).any():
        raise CannotShow("features tell no equal scores apart from nearly equal ones")
    small = (codes + 1.0) / ((codes.max(initial=0.0) + 1.0) * 2.0 * np.sqrt(users))
    return np.hstack([small, np.sqrt(1.0 - (small**2).sum(axis=1, keepdims=True))])
