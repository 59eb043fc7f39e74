"""RexMex takes lists, relevant items and recommendations, of one user or of all; its means are over all users given."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

import numpy as np
from rexmex.metrics import ranking

from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("rexmex")


def of_all(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    def ask(case: Case, k: int) -> Answer:
        return Answer(function(list(relevant_by_user(case).values()), list(lists_by_user(case).values()), k))

    return ask


def ask_hits(case: Case, k: int) -> Answer:
    """hits_at_k is of one user; the mean is the caller's."""
    relevant, lists = relevant_by_user(case), lists_by_user(case)
    values = np.array([ranking.hits_at_k(relevant[user], lists[user], k) for user in lists])
    return Answer(values.mean(), np.arange(case.users), values)


MEANS = (ranking.mean_average_precision_at_k, ranking.mean_average_recall_at_k)
SUBJECTS = {function.__name__: Subject(of_all(function), function) for function in MEANS}
SUBJECTS["hits_at_k"] = Subject(ask_hits, ranking.hits_at_k)
