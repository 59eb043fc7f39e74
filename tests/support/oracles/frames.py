"""A case as the pairs of user and item that most libraries take."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Full = Any
"""A case that carries every array there is."""

Columns = tuple[np.ndarray, np.ndarray]


def recommended(case: Full, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """User, item and rank from 1 of every recommendation up to k."""
    users, ranks = np.nonzero(case.recommended[:, :k] >= 0)
    return users, case.recommended[users, ranks], ranks + 1


def relevant(case: Full) -> Columns:
    """User and item of every relevant judgement."""
    return case.judged_users[case.relevant], case.judged_items[case.relevant]


def train(case: Full) -> Columns:
    """User and item of every training interaction."""
    return np.repeat(np.arange(case.users), np.diff(case.train_indptr)), case.train_items


def rated(case: Full) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """User, item, true and predicted rating of every judgement that has a prediction."""
    has = ~np.isnan(case.predicted_ratings)
    return case.judged_users[has], case.judged_items[has], case.judged_gains[has], case.predicted_ratings[has]


def lists(case: Full, k: int) -> list[list[int]]:
    """The lists that hold anything, best item first."""
    return [row for row in (case.list_of(user, k).tolist() for user in range(case.users)) if row]


def by_user(users: np.ndarray, items: np.ndarray) -> dict[int, list[int]]:
    """Items of each user who has any, in the order given."""
    found: dict[int, list[int]] = {}
    for user, item in zip(users.tolist(), items.tolist(), strict=True):
        found.setdefault(user, []).append(item)
    return found


def columns(names: Sequence[str], arrays: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays by the names that they have in a library's frame."""
    return dict(zip(names, arrays, strict=True))
