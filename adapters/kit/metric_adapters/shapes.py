"""A case in the shapes that libraries take: lists by user, a hit matrix, data frames, sparse entries.

No function here returns padding (-1) or a judgement that is not relevant. Imports numpy only; pandas is imported by
the function that makes its frames.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from metric_adapters.subject import CannotShow
from metric_reference.case import NOTHING, Case

Entries = Tuple[np.ndarray, np.ndarray, np.ndarray]
"""Users, items and one value each: the entries of a long frame or of a sparse matrix."""


def lists_by_user(case: Case, k: Optional[int] = None) -> Dict[int, List[int]]:
    """Ranked items of every user, cut at ``k`` if given; empty for a user without a list."""
    return {user: case.list_of(user, k).tolist() for user in range(case.users)}


def relevant_by_user(case: Case) -> Dict[int, List[int]]:
    """Relevant items of every user; empty for a user without any."""
    return {user: case.relevant_of(user).tolist() for user in range(case.users)}


def relevant_pairs(case: Case) -> Entries:
    """Users (int64), items (int64) and gains (float64) of all relevant judgements."""
    relevant = case.relevant
    return case.judged_users[relevant], case.judged_items[relevant], case.judged_gains[relevant]


def relevant_counts(case: Case) -> np.ndarray:
    """int64 array, shape (users,): number of relevant items of each user."""
    return np.bincount(case.judged_users[case.relevant], minlength=case.users).astype(np.int64)


def hit_matrix(case: Case, k: int) -> np.ndarray:
    """bool array, shape (users, k): whether the item at this rank is relevant; False at empty ranks."""
    listed = case.recommended[:, :k]
    users, items, _ = relevant_pairs(case)
    rows = np.arange(case.users)[:, None]
    relevant = np.isin(rows * case.n_items + listed, users * case.n_items + items)
    hits = np.zeros((case.users, k), dtype=bool)
    hits[:, : listed.shape[1]] = relevant & (listed != NOTHING)
    return hits


def rank_scores(case: Case) -> np.ndarray:
    """float64 array, shape (users, width): the model's scores, or descending integers if the case has none."""
    if case.scores is not None:
        return case.scores
    return np.broadcast_to(np.arange(case.width, 0, -1, dtype=np.float64), case.recommended.shape)


def recommended_pairs(case: Case) -> Entries:
    """Users, items and scores of all recommendations, user by user in the order of the list."""
    listed = case.recommended != NOTHING
    return np.nonzero(listed)[0], case.recommended[listed], rank_scores(case)[listed]


def dense_ranks(case: Case) -> Entries:
    """Users, items and scores of all recommendations, the scores as :func:`dense_rank` gives them.

    Raises CannotShow for an item that is recommended twice: a matrix holds one score for a user and an item.
    """
    users, items, scores = recommended_pairs(case)
    refuse_duplicates(case, users, items)
    return users, items, dense_rank(users, scores)


def dense_rank(users: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Each score as its dense rank among its user's scores, 1 for the lowest: float64, one entry for each score.

    A sparse matrix stores no zero, and a library that works on stored entries does not take a zero or negative score
    for a recommendation. Dense ranks are positive and sort as the scores do; equal scores stay equal, and different
    scores stay different in float32.
    """
    order = np.lexsort((scores, users))
    users, scores = users[order], scores[order]
    first = np.ones(len(users), dtype=bool)
    first[1:] = users[1:] != users[:-1]
    step = first.copy()
    step[1:] |= scores[1:] != scores[:-1]
    steps = np.cumsum(step)
    begins = np.flatnonzero(first)
    before = np.repeat(steps[begins] - 1, np.diff(np.append(begins, len(users))))
    ranks = np.empty(len(users))
    ranks[order] = steps - before
    return ranks


def refuse_duplicates(case: Case, users: np.ndarray, items: np.ndarray) -> None:
    """Raise CannotShow, naming user and item, if a user is recommended an item twice."""
    pairs, counts = np.unique(users * case.n_items + items, return_counts=True)
    if np.any(counts > 1):
        at = int(np.argmax(counts > 1))
        user, item = divmod(int(pairs[at]), case.n_items)
        raise CannotShow(
            f"user {user}: item {item} is recommended {counts[at]} times; this library takes a matrix of users x "
            "items, which holds one score for each"
        )


def candidate_scores(case: Case) -> np.ndarray:
    """The scores of the whole catalogue, shape (users, n_items); CannotShow if the case has none."""
    if case.candidate_scores is None:
        raise CannotShow("needs candidate_scores: scores of every candidate item, which this case does not have")
    return case.candidate_scores


def candidate_pairs(case: Case) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Users, items, scores and labels (int64, 1 for relevant) of every candidate; a score of -inf is no candidate."""
    scores = candidate_scores(case)
    labels = np.zeros(scores.shape, dtype=np.int64)
    users, items, _ = relevant_pairs(case)
    labels[users, items] = 1
    candidate = scores > -np.inf
    rows, columns = np.nonzero(candidate)
    return rows, columns, scores[candidate], labels[candidate]


def frame(columns: Tuple[str, ...], *arrays: np.ndarray) -> Any:
    """A pandas frame of arrays of one length, in that order of columns and rows."""
    import pandas as pd

    return pd.DataFrame(dict(zip(columns, arrays)))
