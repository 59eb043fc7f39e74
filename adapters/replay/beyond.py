"""RePlay's metrics that take the training data, base recommendations or categories instead of the relevant items."""

from __future__ import annotations

from typing import Any, Callable, Tuple

import numpy as np
from replay import metrics

from metric_adapters.shapes import frame, recommended_pairs
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import category_of, train_pairs
from metric_reference.case import Case

RANKED = ("query_id", "item_id", "rating")
Inputs = Callable[[Case, int], Tuple[Any, ...]]


def with_training(case: Case, k: int) -> Tuple[Any, ...]:
    """The recommendations and the training interactions."""
    return frame(RANKED, *recommended_pairs(case)), frame(RANKED[:2], *train_pairs(case))


def with_popular(case: Case, k: int) -> Tuple[Any, ...]:
    """The recommendations, and as base recommendations for every user the k most popular items of the training data.

    Equally popular ones are ordered by item number.
    """
    if case.item_counts is None:
        raise ValueError("needs the training interactions, which this case does not have")
    chosen = np.argsort(-case.item_counts, kind="stable")[:k]
    users = np.repeat(np.arange(case.users), len(chosen))
    ranks = np.tile(np.arange(len(chosen), 0, -1, dtype=np.float64), case.users)
    return frame(RANKED, *recommended_pairs(case)), frame(RANKED, users, np.tile(chosen, case.users), ranks)


def with_categories(case: Case, k: int) -> Tuple[Any, ...]:
    """The recommendations, each item replaced by its category."""
    users, items, scores = recommended_pairs(case)
    return (frame(("query_id", "category_id", "rating"), users, category_of(case)[items], scores),)


def asking(metric: Any, inputs: Inputs, by_user: bool = True) -> Callable[[Case, int], Answer]:
    """Ask a metric for its mean and, where it has them, for the values of users in its mode PerUser."""

    def ask(case: Case, k: int) -> Answer:
        given = inputs(case, k)
        (value,) = metric(k)(*given).values()
        if not by_user:
            return Answer(float(value))
        (values,) = metric(k, mode=metrics.PerUser())(*given).values()
        own = {user: one for user, one in values.items() if user < case.users}
        return Answer(float(value), np.array(list(own), dtype=np.int64), np.array(list(own.values()), dtype=np.float64))

    return ask


INPUTS = {
    "Surprisal": with_training,
    "Novelty": with_training,
    "Unexpectedness": with_popular,
    "CategoricalDiversity": with_categories,
}
SUBJECTS = {
    "Coverage": Subject(asking(metrics.Coverage, with_training, by_user=False), metrics.Coverage),
    **{name: Subject(asking(getattr(metrics, name), given), getattr(metrics, name)) for name, given in INPUTS.items()},
}
