"""LightGBM evaluates a data set, a row for each document, with labels and the sizes of groups; here, one for each user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Optional

import lightgbm
import numpy as np

from metric_adapters.groups import list_groups, whole
from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

FEW_ROWS = {"min_data_in_leaf": 1, "min_data_in_bin": 1}
"""Releases before 2.2.2 refuse a data set with fewer rows than a leaf or a bin must have, although no tree is grown."""


def version() -> str:
    return version_of("lightgbm")


def evaluate(
    metric: str, objective: str, labels: np.ndarray, scores: np.ndarray, groups: Optional[np.ndarray], **options: Any
) -> float:
    """A metric of a model without trees, whose predictions are the scores that the validation set begins with."""
    parameters = {"objective": objective, "metric": metric, "verbose": -1, "num_threads": 1, **FEW_ROWS, **options}
    features = np.arange(len(labels), dtype=np.float64)[:, None]
    trained = lightgbm.Dataset(features, labels, group=groups, params=parameters)
    model = lightgbm.Booster(parameters, trained)
    given = lightgbm.Dataset(features, labels, group=groups, reference=trained)
    given.construct()  # the oldest releases forget scores that are set before
    given.set_init_score(scores)
    model.add_valid(given, "given")
    ((_, _, value, _),) = model.eval_valid()
    return value


def ranking(metric: str) -> Callable[[Case, int], Answer]:
    """Ask a metric of groups; the labels are the gains."""

    def ask(case: Case, k: int) -> Answer:
        groups = list_groups(case, k)
        labels = whole(groups.gains)
        return Answer(evaluate(metric, "lambdarank", labels, groups.scores, groups.sizes, eval_at=[k]))

    return ask


def flat(metric: str) -> Callable[[Case, int], Answer]:
    """Ask a metric of all rows, of every candidate of every user."""

    def ask(case: Case, k: int) -> Answer:
        _, _, scores, labels = candidate_pairs(case)
        return Answer(evaluate(metric, "binary", labels.astype(np.float64), scores, None))

    return ask


SUBJECTS = {
    "ndcg": Subject(ranking("ndcg"), lightgbm.Booster.eval_valid),
    "map": Subject(ranking("map"), lightgbm.Booster.eval_valid),
    "auc": Subject(flat("auc"), lightgbm.Booster.eval_valid),
    "average_precision": Subject(flat("average_precision"), lightgbm.Booster.eval_valid),
}
