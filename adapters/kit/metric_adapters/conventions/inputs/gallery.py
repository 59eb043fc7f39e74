"""Queries against a gallery, as re-identification hands them over: a matrix of distances, the identity of each.

An item of a gallery has one identity, while an item of a case may be relevant for several users. So every relevant item
of a user stands in the gallery once more, as of that user's identity; where it stood before, and to all other users, it
lies beyond everything.
"""

from __future__ import annotations

import re
from typing import List, Tuple

import numpy as np

from metric_adapters.conventions.inputs.roles import distances
from metric_adapters.conventions.inputs.view import View, wanted
from metric_adapters.conventions.reading.families import snake

GALLERY = ("gallery_distances", "query_ids", "gallery_ids")
CAMERAS = re.compile(r"(q|query|g|gallery)_?cam(era)?(_?ids?)?s?")
"""Parameters that take the camera of each query, or of each item of the gallery."""


def gallery(role: str, view: View) -> np.ndarray:
    """One of :data:`GALLERY`: float64, shape (users, gallery), or int64 with an identity for each row or column."""
    own = copies(view)
    users, n_items = view.case.users, view.case.n_items
    if role == "query_ids":
        return np.arange(1, users + 1)
    if role == "gallery_ids":
        return np.array([users + 1] * n_items + [user + 1 for user, _ in own], dtype=np.int64)
    rows = np.empty((users, n_items + len(own)))
    for user in range(users):
        near = distances(view, user)
        rows[user] = near.max(initial=0.0) + 1.0 + np.arange(rows.shape[1])
        rows[user, :n_items] = np.where(np.isin(np.arange(n_items), wanted(view, user)), rows[user, :n_items], near)
        for at, (one, item) in enumerate(own, start=n_items):
            if one == user:
                rows[user, at] = near[item]
    return rows


def copies(view: View) -> List[Tuple[int, int]]:
    """The user and the item of each relevant item."""
    return [(user, item) for user in range(view.case.users) for item in wanted(view, user).tolist()]


def cameras(name: str, view: View) -> np.ndarray:
    """The cameras of the queries, or those of the gallery: all others, so that nothing is left out."""
    if snake(name).startswith("q"):
        return np.zeros(view.case.users, dtype=np.int64)
    return np.ones(view.case.n_items + len(copies(view)), dtype=np.int64)
