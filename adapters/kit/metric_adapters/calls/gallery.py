"""Queries against a gallery, as in re-identification: distances or the nearest columns, and the identity of each.

An item of a gallery has one identity, but an item of a case may be relevant for several users. So the gallery has a
copy of each relevant item of each user, with that user's identity. To this user, the original is farther than
everything else; to all other users, the copy is.
"""

from __future__ import annotations

import re
from typing import Callable, List, Tuple

import numpy as np

from metric_adapters.calls.builders import candidates, distances, scores
from metric_adapters.calls.parameter_names import snake
from metric_adapters.calls.view import View, listed_once, wanted
from metric_adapters.subject import CannotShow

CAMERAS = re.compile(r"(q|query|g|gallery)_?(c|cam(era)?(_?ids?)?s?)")
"""Parameters that take the camera of each query, or of each item of the gallery."""


def query_ids(view: View, text: bool) -> np.ndarray:
    """int64, shape (users,): the identity of each user."""
    return np.arange(1, view.case.users + 1)


def gallery_ids(view: View, text: bool) -> np.ndarray:
    """int64, shape (gallery,): the identity of each item, that of no user for the items of the case."""
    nobody = view.case.users + 1
    return np.array([nobody] * view.case.n_items + [user + 1 for user, _ in copies(view)], dtype=np.int64)


def gallery_distances(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, gallery): the distance of each user to each item."""
    return _with_copies(view, distances)


def candidate_distances(view: View, text: bool) -> np.ndarray:
    """:func:`gallery_distances` by the model's scores: what is no candidate is farther than every candidate."""

    def near(view: View, user: int) -> np.ndarray:
        own, known = candidates(view, user), scores(view, user)
        return np.where(own > -np.inf, known.max(initial=0.0) - own, np.ptp(known) + 1.0 if len(known) else 1.0)

    return _with_copies(view, near)


def _with_copies(view: View, distances_of: Callable[[View, int], np.ndarray]) -> np.ndarray:
    """The distances of each user to the items of the case, and to the copies."""
    copied = copies(view)
    users, n_items = view.case.users, view.case.n_items
    rows = np.empty((users, n_items + len(copied)))
    for user in range(users):
        near = distances_of(view, user)
        rows[user] = near.max(initial=0.0) + 1.0 + np.arange(rows.shape[1])
        rows[user, :n_items] = np.where(np.isin(np.arange(n_items), wanted(view, user)), rows[user, :n_items], near)
        for column, (owner, item) in enumerate(copied, start=n_items):
            if owner == user:
                rows[user, column] = near[item]
    return rows


def gallery_similarity(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, gallery): the distances with the other sign, the largest best."""
    return -gallery_distances(view, text)


def gallery_order(view: View, text: bool) -> np.ndarray:
    """int64, shape (users, gallery): all columns of :func:`gallery_ids`, the nearest to each user first."""
    return np.argsort(gallery_distances(view, text), axis=1, kind="stable")


def gallery_ranking(view: View, text: bool) -> np.ndarray:
    """int64, shape (users, listed): the columns of :func:`gallery_ids` that are nearest to each user, nearest first.

    CannotShow if a list is too short for a row.
    """
    lengths, column = view.case.list_lengths, {pair: at for at, pair in enumerate(copies(view), view.case.n_items)}
    if lengths.min() < min(view.k, lengths.max()) or lengths.min() == 0:
        raise CannotShow("a list has fewer than k items, and a row of the gallery has no column for 'nothing'")
    width = int(lengths.min()) if view.cut is None else view.k
    rows = [listed_once(view, user, "a row of the gallery")[:width].tolist() for user in range(view.case.users)]
    return np.array([[column.get((user, item), item) for item in row] for user, row in enumerate(rows)], dtype=np.int64)


def copies(view: View) -> List[Tuple[int, int]]:
    """The user and the item of each relevant item."""
    return [(user, item) for user in range(view.case.users) for item in wanted(view, user).tolist()]


def cameras(name: str, view: View, of_one: bool) -> np.ndarray:
    """The camera of the queries, or the two of the gallery: different ones, so that no item is left out.

    of_one : of a single query. Cameras 2 and 3 are seen as one where a data set says so.
    """
    if snake(name).startswith("q"):
        return np.zeros(view.case.users, dtype=np.int64)[0 if of_one else slice(None)]
    return 1 + 3 * (np.arange(view.case.n_items + len(copies(view))) % 2)
