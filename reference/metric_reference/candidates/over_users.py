"""Expectation and variance of a mean over items or users whose negatives are drawn independently."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_reference.candidates.moments import Moments

NO_ROWS = "a mean needs at least one row"


class MeanMoments(NamedTuple):
    """Expectation and variance of a mean over items whose negatives are drawn independently."""

    mean: float
    variance: float


def of_users(rows: Moments, users: np.ndarray) -> Moments:
    """Moments of the mean over the rows of each user, in the order of the sorted users.

    users : shape (rows,). Each row's negatives are drawn for it alone, so the variance is the sum over the rows
    divided by the square of their number.
    """
    users = np.asarray(users)
    if users.shape != rows.mean.shape:
        raise ValueError("users: give one for each row")
    _, index, counts = np.unique(users, return_inverse=True, return_counts=True)
    index = index.reshape(-1)
    return Moments(np.bincount(index, rows.mean) / counts, np.bincount(index, rows.variance) / counts**2.0)


def of_mean(rows: Moments) -> MeanMoments:
    """Expectation and variance of the mean over rows, users or items, that are drawn independently.

    One draw for all users (a fixed seed for each) has the same expectation and a larger variance. ValueError without
    rows.
    """
    if not len(rows.mean):
        raise ValueError(NO_ROWS)
    return MeanMoments(float(rows.mean.mean()), float(rows.variance.sum() / len(rows.mean) ** 2))
