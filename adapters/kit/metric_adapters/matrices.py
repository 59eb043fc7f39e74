"""Inputs for libraries that rank by themselves: matrices of users x items, true gains and scores.

Such a library takes no lists but a score for every item. A case has lists, so items that are not listed get lower
scores than the listed ones: first the irrelevant items, then the relevant ones, so that these are no hits at the ranks
that the list leaves empty.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from metric_adapters.shapes import candidate_scores, dense_ranks, relevant_counts, relevant_pairs
from metric_adapters.subject import CannotShow
from metric_reference.case import Case

Matrices = Tuple[np.ndarray, np.ndarray]
"""float64 arrays, shape (users, columns): gains (0 where an item is not relevant) and scores."""


def list_matrices(case: Case, k: int) -> Matrices:
    """Gains and scores of all items, in which the first ranks of each row are the user's list.

    Scores are whole numbers from 1 up, exact in float32 too; listed items of equal score stay equal, all others are
    distinct. A column is an item; columns that are relevant to nobody are added only if there are too few irrelevant
    items to keep unlisted relevant items out of the first min(k, n_items) ranks.

    Raises CannotShow for an item that is recommended twice.
    """
    users, items, ranks = dense_ranks(case)
    relevant_users, relevant, gains = relevant_pairs(case)
    unlisted = relevant_counts(case)
    hits = np.isin(users * case.n_items + items, relevant_users * case.n_items + relevant)
    np.subtract.at(unlisted, users[hits], 1)
    depth = min(k, case.n_items)
    missing = np.where(case.list_lengths < depth, depth + unlisted - case.n_items, 0)
    columns = case.n_items + max(0, int(missing.max(initial=0)))
    truth = np.zeros((case.users, columns))
    truth[relevant_users, relevant] = gains
    scores = np.tile(np.arange(2 * columns, columns, -1, dtype=np.float64), (case.users, 1))
    scores[relevant_users, relevant] -= columns
    scores[users, items] = 2 * columns + ranks
    return truth, scores


def candidate_matrices(case: Case) -> Matrices:
    """Labels (1 for a relevant item, else 0) and the model's scores of the whole catalogue.

    Raises CannotShow if the case has no such scores, or a user's candidates are not all items: a matrix gives all users
    the same candidates.
    """
    scores = candidate_scores(case)
    if not np.isfinite(scores).all():
        raise CannotShow("a matrix of users x items gives all users the same candidates; here some have fewer")
    labels = np.zeros(scores.shape)
    users, items, _ = relevant_pairs(case)
    labels[users, items] = 1.0
    return labels, scores


def only_relevant(case: Case) -> np.ndarray:
    """int64 array, shape (users,): the relevant item of each user; CannotShow unless each has exactly one."""
    counts = relevant_counts(case)
    if np.any(counts != 1):
        user = int(np.flatnonzero(counts != 1)[0])
        raise CannotShow(f"user {user} has {counts[user]} relevant items; this function takes one class for each row")
    return relevant_pairs(case)[1]
