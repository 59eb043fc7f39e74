"""Implicit takes a model and two sparse matrices, users x items. It asks the model for the first K items of each user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Tuple

import numpy as np
from implicit import evaluation
from scipy.sparse import csr_matrix

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, CannotShow, Subject
from metric_reference.case import NOTHING, Case


def version() -> str:
    return version_of("implicit")


class Lists:
    """A model that recommends the lists of a case. -1 is no item, in the library's models as in a case."""

    def __init__(self, case: Case) -> None:
        self.recommended = case.recommended

    def recommend(self, userids: np.ndarray, user_items: Any, N: int = 10) -> Tuple[np.ndarray, np.ndarray]:
        listed = np.full((len(userids), N), NOTHING, dtype=np.int32)
        chosen = self.recommended[userids, :N]
        listed[:, : chosen.shape[1]] = chosen
        scores = np.broadcast_to(np.arange(N, 0, -1, dtype=np.float32), listed.shape)
        return listed, np.where(listed == NOTHING, -np.finfo(np.float32).max, scores)


def asking(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function about the test items; the training matrix only goes to the model, which needs none.

    AUC_at_k takes the -1 of an empty rank for an item that is not relevant, one more than there are; it is not asked
    for a list that is shorter than k.
    """

    def ask(case: Case, k: int) -> Answer:
        if function is evaluation.AUC_at_k and (case.list_lengths < min(k, case.n_items)).any():
            raise CannotShow("AUC_at_k counts the -1 at each empty rank as an item that is not relevant")
        users, items, _ = relevant_pairs(case)
        shape = (case.users, case.n_items)
        test = csr_matrix((np.ones(len(users)), (users, items)), shape=shape)
        return Answer(function(Lists(case), csr_matrix(shape), test, K=k, show_progress=False))

    return ask


NAMES = ("precision_at_k", "mean_average_precision_at_k", "ndcg_at_k", "AUC_at_k")
SUBJECTS = {name: Subject(asking(getattr(evaluation, name)), getattr(evaluation, name)) for name in NAMES}
