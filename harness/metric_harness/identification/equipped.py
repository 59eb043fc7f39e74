"""Cases with what the metrics beyond accuracy need: training interactions, item vectors, predicted ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metric_reference.case import Case


def equipped(
    case: Case,
    predicted: Sequence[Sequence[float]],
    others: Sequence[Sequence[int]] = (),
    categories: Sequence[int] = (),
) -> Case:
    """The case with what the metrics beyond accuracy need: counts of its training rows, item vectors, ratings.

    predicted : the predicted rating of each judgement, by user. others : items of further training users. categories :
    of each item one, whose vector has a single 1; without them an item's vector is its column of the training matrix.
    """
    assert case.train_indptr is not None
    assert case.train_items is not None
    rows = [*np.split(case.train_items, case.train_indptr[1:-1]), *others]
    own = np.zeros((case.n_items, len(rows)))
    for user, row in enumerate(rows):
        own[list(row), user] = 1.0
    return replace(
        case,
        item_counts=own.sum(axis=1).astype(np.int64),
        n_train_users=own.shape[1],
        item_vectors=np.eye(max(categories) + 1)[list(categories)] if categories else own,
        predicted_ratings=np.array([rating for row in predicted for rating in row], dtype=np.float64),
    ).check()
