"""Cases in which every user has the same number of candidates, for functions that split their input into sessions."""

from __future__ import annotations

import numpy as np

from metric_reference.case import Case, case_from_lists
from metric_reference.matching import match

SEED = 7


def sized(case: Case, size: int) -> Case:
    """A case with ``size`` candidates for each user, all of them listed.

    A longer list loses its last items; a shorter one is filled with items that are not relevant. The items of each user
    are numbered at random, so that their order does not reveal the ranking.
    """
    gains = match(case).gains[:, :size]
    gains = np.pad(gains, ((0, 0), (0, size - gains.shape[1])))
    rng = np.random.default_rng(SEED)
    lists = [rng.permutation(size) for _ in range(case.users)]
    scores = [[1.0 - rank / 64 for rank in range(size)]] * case.users
    candidates = np.empty((case.users, size))
    for user, row in enumerate(lists):
        candidates[user, row] = scores[user]
    return case_from_lists(
        [row.tolist() for row in lists],
        [row[row_gains > 0].tolist() for row, row_gains in zip(lists, gains, strict=True)],
        size,
        gains=[row_gains[row_gains > 0].tolist() for row_gains in gains],
        scores=scores,
        candidate_scores=candidates,
        threshold=case.threshold,
    )
