"""What the metrics beyond accuracy read besides lists: training interactions, ratings, item vectors. With numpy only.

An error whose name is CannotShow says that a library's input cannot hold the case; such a case is passed over.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from metric_adapters.shapes import lists_by_user
from metric_reference.case import Case

Pairs = Tuple[np.ndarray, np.ndarray]


class CannotShow(ValueError):
    """The library's input cannot hold this case."""


def train_pairs(case: Case) -> Pairs:
    """Users and items (int64) of all training interactions, user by user.

    A case holds the training items of its own users, and of the others how often they chose each item. The others are
    put together from that: as many users as there are, each item as often as it was chosen, an item at most once for a
    user. Metrics that read counts see no difference.
    """
    if case.train_indptr is None or case.train_items is None or case.item_counts is None or case.n_train_users is None:
        raise ValueError("needs the training interactions, which this case does not have")
    users = np.repeat(np.arange(case.users), np.diff(case.train_indptr))
    left = case.item_counts - np.bincount(case.train_items, minlength=case.n_items)
    others = case.n_train_users - case.users
    if not left.any():
        return users, case.train_items
    more = np.repeat(np.arange(case.n_items), left)
    return (
        np.concatenate((users, np.sort(case.users + np.arange(len(more)) % others))),
        np.concatenate((case.train_items, more[np.argsort(np.arange(len(more)) % others, kind="stable")])),
    )


def rated_pairs(case: Case) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Users, items, true and predicted ratings of all judgements that have a prediction."""
    if case.predicted_ratings is None:
        raise ValueError("needs predicted ratings, which this case does not have")
    has = ~np.isnan(case.predicted_ratings)
    return case.judged_users[has], case.judged_items[has], case.judged_gains[has], case.predicted_ratings[has]


def vectors(case: Case) -> np.ndarray:
    """The vector of each item, shape (n_items, dimensions); ValueError if the case has none."""
    if case.item_vectors is None:
        raise ValueError("needs features of items, which this case does not have")
    return case.item_vectors


def category_of(case: Case) -> np.ndarray:
    """The category of each item, int64: the place of the only entry of its vector that is not 0."""
    return np.argmax(vectors(case), axis=1)


def full_lists(case: Case, k: int) -> np.ndarray:
    """int64 array, shape (users, k): the first k items of each user; CannotShow where a list is shorter."""
    if any(len(row) < k for row in lists_by_user(case, k).values()):
        raise CannotShow(f"a list has fewer than {k} items; this library takes a matrix of users x {k} items")
    return case.recommended[:, :k]
