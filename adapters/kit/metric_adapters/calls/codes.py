"""Codes and labels of queries and of a database, as in retrieval by hashing: scores are products of codes.

The code of user u is 1 at place u and 0 elsewhere, so the product with an item's code is the number at that place: the
larger, the higher this user ranks the item. Labels are made in the same way: an item has the label u if it is relevant
to user u.
"""

from __future__ import annotations

import numpy as np

from metric_adapters.calls.builders import y_score, y_true
from metric_adapters.calls.view import View


def query_codes(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users)."""
    return np.eye(view.case.users)


def item_codes(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users): whole numbers in the order of the scores, equal for equal scores."""
    levels = [np.unique(y_score(view, user), return_inverse=True)[1] for user in range(view.case.users)]
    return np.stack(levels, axis=1).astype(np.float64)


def query_labels(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users)."""
    return np.eye(view.case.users)


def item_labels(view: View, text: bool) -> np.ndarray:
    """float64, shape (n_items, users): 1 where an item is relevant to a user."""
    return np.stack([y_true(view, user) for user in range(view.case.users)], axis=1).astype(np.float64)
