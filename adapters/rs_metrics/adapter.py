"""rs_metrics takes two dicts, user -> relevant items and user -> ranked items, and cuts the lists itself."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import rs_metrics

from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond


def version() -> str:
    return version_of("rs_metrics")


def asking(function: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask a function of the library for its mean and, with ``apply_mean=False``, for the values it is the mean of.

    The library goes through the keys of the relevant items in order, so values come in the order of the users. It
    takes no scores: the order of a list is the ranking.
    """

    def ask(case: Case, k: int) -> Answer:
        true, pred = relevant_by_user(case), lists_by_user(case)
        return Answer(
            value=function(true, pred, k=k),
            users=np.array(list(true), dtype=np.int64),
            values=np.array(function(true, pred, k=k, apply_mean=False), dtype=np.float64),
        )

    return ask


def written(function: Any) -> Any:
    """The function as the library wrote it: its decorator returns a wrapper that hides it."""
    return function.__closure__[0].cell_contents


FUNCTIONS = {
    "hitrate": rs_metrics.hitrate,
    "precision": rs_metrics.precision,
    "recall": rs_metrics.recall,
    "mrr": rs_metrics.mrr,
    "mapr": rs_metrics.mapr,
    "ndcg": rs_metrics.ndcg,
}
SUBJECTS = {
    **{name: Subject(asking(function), written(function)) for name, function in FUNCTIONS.items()},
    **beyond.SUBJECTS,
}
