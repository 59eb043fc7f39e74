"""A sample of users whose scores of all items are kept if those of every user take too much space.

The bundle holds it as a case of its own, so that every library is asked about the same users.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metric_harness.data.numbered import places, starts
from metric_reference.case import Case

FOLDER = "auc_sample"
SEED = 0


@dataclass(frozen=True, eq=False)
class Sample:
    """The case of some users of a bundle, with ``candidate_scores``; ``users``: their numbers in it, ascending."""

    case: Case
    users: np.ndarray


def draw_users(users: int, wanted: int, seed: int = SEED) -> np.ndarray:
    """``wanted`` of ``users`` numbers, drawn without replacement, ascending; the same in every version of numpy."""
    return np.sort(np.random.RandomState(seed).permutation(users)[:wanted])


def case_of(case: Case, users: np.ndarray, candidate_scores: np.ndarray | None = None) -> Case:
    """The case of these users only, in this order, with ``candidate_scores`` as their scores of all items."""
    judged, indptr = rows_of(case.judged_indptr, users)
    training: dict[str, Any] = {}
    if case.train_indptr is not None and case.train_items is not None:
        seen_entries, training["train_indptr"] = rows_of(case.train_indptr, users)
        training["train_items"] = case.train_items[seen_entries]
    return replace(
        case,
        recommended=case.recommended[users],
        judged_indptr=indptr,
        judged_items=case.judged_items[judged],
        judged_gains=case.judged_gains[judged],
        scores=None if case.scores is None else case.scores[users],
        candidate_scores=candidate_scores,
        predicted_ratings=None if case.predicted_ratings is None else case.predicted_ratings[judged],
        **training,
    )


def rows_of(indptr: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the entries of some rows of a CSR array, and the ``indptr`` of these rows alone: both int64."""
    sizes = np.diff(indptr)[rows]
    positions = np.repeat(np.asarray(indptr)[rows], sizes) + places(sizes)
    return positions.astype(np.int64), starts(sizes)
