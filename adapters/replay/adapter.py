"""RePlay takes two long frames, ranked (query_id, item_id, rating) and relevant (query_id, item_id).

It ranks by rating and then by item, both falling. A user without relevant items has no rows and is not known to it.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
from replay import metrics

from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond
from .names import NAMES

RANKED = ("query_id", "item_id", "rating")
RELEVANT = ("query_id", "item_id")


def version() -> str:
    return version_of("replay-rec")


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for its mean and, in its mode PerUser, for the values that it is the mean of."""

    def ask(case: Case, k: int) -> Answer:
        users, items, _ = relevant_pairs(case)
        ranked, relevant = frame(RANKED, *recommended_pairs(case)), frame(RELEVANT, users, items)
        (value,) = metric(k)(ranked, relevant).values()
        (by_user,) = metric(k, mode=metrics.PerUser())(ranked, relevant).values()
        return Answer(
            value, np.array(list(by_user), dtype=np.int64), np.array(list(by_user.values()), dtype=np.float64)
        )

    return ask


SUBJECTS = {
    **{name: Subject(asking(getattr(metrics, name)), getattr(metrics, name)) for name in NAMES},
    **beyond.SUBJECTS,
}
