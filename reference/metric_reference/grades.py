"""The gains of users' relevant items as ideal lists need them: counted by grade, or sorted."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np

MOST_GRADES = 16
"""Up to this many different gains are counted; more are sorted."""

Rows = Tuple[np.ndarray, np.ndarray]
"""Some users, and an array with a row for each."""


def count_grades(gains: np.ndarray, counts: np.ndarray) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """The different gains there are, ascending, and how many items of each user have at least that gain.

    gains : those of all users one after the other; counts : how many each user has.

    Returns float64, shape (grades,), and int64, shape (grades, users). Ratings take few values, and these arrays say
    all that an ideal list needs, without sorting it. None if there are more than :data:`MOST_GRADES`.
    """
    grades, users = np.unique(gains), len(counts)
    if len(grades) > MOST_GRADES:
        return None
    above = np.zeros(len(gains), dtype=np.int8)  # how many grades lie below the gain
    for grade in grades[1:]:
        above += gains >= grade
    cells = np.repeat(np.arange(users) * len(grades), counts)
    cells += above
    reaching = np.bincount(cells, minlength=len(grades) * users).reshape(users, len(grades)).T.copy()
    for grade in range(len(grades) - 1, 0, -1):
        reaching[grade - 1] += reaching[grade]
    return grades, reaching


def rows_by_count(gains: np.ndarray, counts: np.ndarray) -> List[Rows]:
    """Each user's gains from the largest to the smallest; users with equally many are the rows of one array.

    gains : those of all users one after the other; counts : how many each user has.

    Returns users (int64, shape (n,)) and their gains (float64, shape (n, count)) for each count above 0. Sorted and
    summed by rows this is several times faster than user by user or with padding to the longest.
    """
    starts = np.cumsum(counts) - counts
    by_count = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
    found = []
    for users in np.split(by_count, np.flatnonzero(np.diff(counts[by_count])) + 1):
        places = starts[users][:, None] + np.arange(counts[users].max(initial=0))
        found.append((users, np.sort(gains.take(places), axis=1)[:, ::-1].copy()))
    return found
