"""DaisyRec takes a dict user -> set of relevant items, one row of ranked items a user, and the users in row order."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict, Set

import numpy as np
from daisy.utils import metrics

from metric_adapters.shapes import relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond


def version() -> str:
    return version_of("daisyRec")


def rows(case: Case, k: int) -> Any:
    """The first k items of each user.

    The functions know no k: the library's own ``calc_ranking_results`` cuts the array of ranked items at k first. It
    ranks 1000 sampled candidates, so its rows are always full; where ours are not, each user's row keeps its own length
    (the functions read ``rows[index]`` and nothing else of the array), since a padded place would be an item to them.
    """
    lists = [case.list_of(user, k) for user in range(case.users)]
    same = len({len(row) for row in lists}) == 1
    return np.array(lists) if same else lists


def asking(function: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask a function for its mean over all users, then for each user alone: it returns a mean and nothing else, and
    its mean over one user is that user's value."""

    def ask(case: Case, k: int) -> Answer:
        truth: Dict[int, Set[int]] = {user: set(items) for user, items in relevant_by_user(case).items()}
        ranked, users = rows(case, k), list(range(case.users))
        values = [function(truth, ranked[user : user + 1], [user]) for user in users]
        return Answer(function(truth, ranked, users), np.array(users, dtype=np.int64), np.array(values, dtype=float))

    return ask


FUNCTIONS = (
    metrics.HR,
    metrics.Precision,
    metrics.Recall,
    metrics.MRR,
    metrics.MAP,
    metrics.NDCG,
    metrics.AUC,
    metrics.F1,
)
SUBJECTS = {**{function.__name__: Subject(asking(function), function) for function in FUNCTIONS}, **beyond.SUBJECTS}
