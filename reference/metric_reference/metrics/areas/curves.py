"""What curves over a threshold are drawn from: how many relevant and other candidates score at least so high."""

from __future__ import annotations

from typing import Iterator, List, Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metrics.areas.standing import scores_of


def tables(matches: Matches, stacked: bool) -> Iterator[Tuple[int, np.ndarray, np.ndarray]]:
    """For each user with relevant items, or for all users together (as user 0): the user, and relevant and other items.

    Both are int64 arrays: how many score at least as high as the highest score, the second highest, and so on. A
    relevant item that is no candidate comes after all others.
    """
    scores = scores_of(matches.case)
    every: List[Tuple[np.ndarray, np.ndarray]] = []
    for user in range(matches.users) if stacked else np.flatnonzero(matches.n_relevant).tolist():
        relevant = np.zeros(scores.shape[1], dtype=bool)
        relevant[matches.relevant_of(user)] = True
        among = relevant | (scores[user] > -np.inf)
        if not stacked:
            yield (user, *_counted(scores[user][among], relevant[among]))
        every.append((scores[user][among], relevant[among]))
    if stacked and every:
        yield (0, *_counted(*(np.concatenate(part) for part in zip(*every))))


def _counted(scores: np.ndarray, relevant: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-scores)  # equal scores are one point, whatever their order
    ordered, relevant = scores[order], relevant[order]
    last = np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]
    return np.cumsum(relevant)[last], np.cumsum(~relevant)[last]
