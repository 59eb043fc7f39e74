"""Points of curves over a score threshold: how many relevant and other candidates score at least that high."""

from __future__ import annotations

from typing import Iterator, List, Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metrics.areas.standing import scores_of


def tables(matches: Matches, stacked: bool) -> Iterator[Tuple[int, np.ndarray, np.ndarray]]:
    """For each user with relevant items, or for all users together (as user 0): the user and the points of the curve.

    A point for each score, from the highest down: how many relevant items, and how many others, score at least that
    high; two int64 arrays. A relevant item that is no candidate comes after all others.
    """
    scores = scores_of(matches.case)
    every_user: List[Tuple[np.ndarray, np.ndarray]] = []
    for user in range(matches.users) if stacked else np.flatnonzero(matches.n_relevant).tolist():
        relevant = np.zeros(scores.shape[1], dtype=bool)
        relevant[matches.relevant_of(user)] = True
        ranked = relevant | (scores[user] > -np.inf)
        if stacked:
            every_user.append((scores[user][ranked], relevant[ranked]))
        else:
            yield (user, *_points(scores[user][ranked], relevant[ranked]))
    if every_user:
        yield (0, *_points(*map(np.concatenate, zip(*every_user))))


def _points(scores: np.ndarray, relevant: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-scores)  # equal scores are one point, whatever their order
    ordered, relevant = scores[order], relevant[order]
    last_of_score = np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]
    return np.cumsum(relevant)[last_of_score], np.cumsum(~relevant)[last_of_score]
