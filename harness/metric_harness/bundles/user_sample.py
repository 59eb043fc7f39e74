"""A sample of users whose scores of all items are kept if those of every user take too much space.

The bundle holds it as a case of its own, so that every library is asked about the same users.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metric_reference.case import Case
from metric_reference.narrowed import of_users

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
    return replace(of_users(replace(case, candidate_scores=None), users), candidate_scores=candidate_scores)
