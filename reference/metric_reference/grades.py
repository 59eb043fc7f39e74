"""The gains of users' relevant items, prepared for ideal lists: counted by grade, or sorted."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np

MOST_GRADES = 16
"""Gains are counted by grade where there are at most this many different ones, else sorted."""

Rows = Tuple[np.ndarray, np.ndarray]
"""Users (int64, shape (n,)), and an array with one row for each of them."""


def count_grades(gains: np.ndarray, counts: np.ndarray) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """The different gains (grades), ascending, and for each grade how many items of each user reach it.

    gains : of all users, one user after the other; counts : number of gains of each user.

    Returns float64, shape (grades,), and int64, shape (grades, users): ratings take few values, and an ideal list is
    computed from these counts without sorting. None if there are more than :data:`MOST_GRADES` grades.
    """
    grades, users = np.unique(gains), len(counts)
    if len(grades) > MOST_GRADES:
        return None
    grade_index = np.zeros(len(gains), dtype=np.int8)
    for grade in grades[1:]:
        grade_index += gains >= grade
    cells = np.repeat(np.arange(users) * len(grades), counts)
    cells += grade_index
    reaching = np.bincount(cells, minlength=len(grades) * users).reshape(users, len(grades)).T.copy()
    for index in range(len(grades) - 1, 0, -1):
        reaching[index - 1] += reaching[index]
    return grades, reaching


def rows_by_count(gains: np.ndarray, counts: np.ndarray) -> List[Rows]:
    """Each user's gains, largest first; users with the same number of gains are rows of one array.

    gains : of all users, one user after the other; counts : number of gains of each user.

    Returns users (int64, shape (n,)) and their gains (float64, shape (n, count)) for each count above 0. Sorting and
    summing such rows is several times faster than one user at a time, or than padding to the longest row.
    """
    starts = np.cumsum(counts) - counts
    by_count = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
    groups = []
    for users in np.split(by_count, np.flatnonzero(np.diff(counts[by_count])) + 1):
        entries = starts[users][:, None] + np.arange(counts[users].max(initial=0))
        groups.append((users, np.sort(gains.take(entries), axis=1)[:, ::-1].copy()))
    return groups
