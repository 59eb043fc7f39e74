"""Further inputs of metrics beyond accuracy: training interactions, ratings, item vectors. Imports numpy only."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from metric_adapters.shapes import lists_by_user
from metric_adapters.subject import CannotShow
from metric_reference.case import Case

Pairs = Tuple[np.ndarray, np.ndarray]


def train_pairs(case: Case) -> Pairs:
    """Users and items (int64) of all training interactions, user by user.

    A case has the training items of its own users, but for the other users only how often they chose each item. Their
    interactions are constructed: the same number of users, the same count for each item, no item twice for a user.
    Metrics that use counts alone give the same value.
    """
    if case.train_indptr is None or case.train_items is None or case.item_counts is None or case.n_train_users is None:
        raise CannotShow("needs the training interactions, which this case does not have")
    users = np.repeat(np.arange(case.users), np.diff(case.train_indptr))
    counts = case.item_counts - np.bincount(case.train_items, minlength=case.n_items)
    if not counts.any():
        return users, case.train_items
    items = np.repeat(np.arange(case.n_items), counts)
    other_users = np.arange(len(items)) % (case.n_train_users - case.users)
    return (
        np.concatenate((users, np.sort(case.users + other_users))),
        np.concatenate((case.train_items, items[np.argsort(other_users, kind="stable")])),
    )


def rated_pairs(case: Case) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Users, items, true and predicted ratings of all judgements that have a prediction."""
    if case.predicted_ratings is None:
        raise CannotShow("needs predicted ratings, which this case does not have")
    rated = ~np.isnan(case.predicted_ratings)
    return case.judged_users[rated], case.judged_items[rated], case.judged_gains[rated], case.predicted_ratings[rated]


def vectors(case: Case) -> np.ndarray:
    """The vector of each item, shape (n_items, dimensions); ValueError if the case has none."""
    if case.item_vectors is None:
        raise CannotShow("needs features of items, which this case does not have")
    return case.item_vectors


def category_of(case: Case) -> np.ndarray:
    """The category of each item, int64: the index of the only entry of its vector that is not 0."""
    return np.argmax(vectors(case), axis=1)


def full_lists(case: Case, k: int) -> np.ndarray:
    """int64 array, shape (users, k): the first k items of each user; CannotShow if a list is shorter."""
    if any(len(row) < k for row in lists_by_user(case, k).values()):
        raise CannotShow(f"a list has fewer than {k} items; this library takes a matrix of users x {k} items")
    return case.recommended[:, :k]
