"""Queries against a gallery, as in re-identification: a matrix of distances, and the identity of each row and column.

An item of a gallery has one identity, but an item of a case may be relevant for several users. So the gallery has a
copy of each relevant item of each user, with that user's identity. To this user, the original is farther than
everything else; to all other users, the copy is.
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
    copied = copies(view)
    users, n_items = view.case.users, view.case.n_items
    if role == "query_ids":
        return np.arange(1, users + 1)
    if role == "gallery_ids":
        return np.array([users + 1] * n_items + [user + 1 for user, _ in copied], dtype=np.int64)
    rows = np.empty((users, n_items + len(copied)))
    for user in range(users):
        near = distances(view, user)
        rows[user] = near.max(initial=0.0) + 1.0 + np.arange(rows.shape[1])
        rows[user, :n_items] = np.where(np.isin(np.arange(n_items), wanted(view, user)), rows[user, :n_items], near)
        for column, (owner, item) in enumerate(copied, start=n_items):
            if owner == user:
                rows[user, column] = near[item]
    return rows


def copies(view: View) -> List[Tuple[int, int]]:
    """The user and the item of each relevant item."""
    return [(user, item) for user in range(view.case.users) for item in wanted(view, user).tolist()]


def cameras(name: str, view: View) -> np.ndarray:
    """The cameras of the queries, or those of the gallery: different ones, so that no item is left out."""
    if snake(name).startswith("q"):
        return np.zeros(view.case.users, dtype=np.int64)
    return np.ones(view.case.n_items + len(copies(view)), dtype=np.int64)
