"""Adds to a case what the metrics beyond accuracy read: item counts, item vectors, predicted ratings."""

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
    """The case with item counts, item vectors and predicted ratings.

    predicted : the predicted rating of each judgement, by user. others : items of further training users. categories :
    one for each item, whose vector has a single 1; without them an item's vector is its column of the training matrix.
    """
    assert case.train_indptr is not None
    assert case.train_items is not None
    rows = [*np.split(case.train_items, case.train_indptr[1:-1]), *others]
    interactions = np.zeros((case.n_items, len(rows)))
    for user, row in enumerate(rows):
        interactions[list(row), user] = 1.0
    return replace(
        case,
        item_counts=interactions.sum(axis=1).astype(np.int64),
        n_train_users=interactions.shape[1],
        item_vectors=np.eye(max(categories) + 1)[list(categories)] if categories else interactions,
        predicted_ratings=np.array([rating for row in predicted for rating in row], dtype=np.float64),
    ).check()
