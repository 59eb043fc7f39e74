"""KerasRS takes two tensors for each batch, lists x items: labels and scores. It ranks and cuts itself.

It returns one number, a weighted mean over the lists.
"""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Any, Callable

os.environ["KERAS_BACKEND"] = "torch"

import keras_rs
import numpy as np

from metric_adapters.groups import COUNTED, IGNORED, at_least, list_groups
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("keras-rs")


NO_ITEM = -1.0
"""The label of a place of a row that holds no item."""


def asking(metric: Any, least: float = 0, unlisted: str = COUNTED) -> Callable[[Case, int], Answer]:
    """Ask a metric that has seen all users in one batch, with the gains for labels.

    least : the smallest label that it counts as relevant; unlisted : as of :func:`list_groups`.
    """

    def ask(case: Case, k: int) -> Answer:
        groups = list_groups(case, k, unlisted)
        at_least(groups.gains, least)
        labels, scores = groups.padded(NO_ITEM)
        asked = metric(k=k)
        asked.update_state(labels.astype(np.float32), scores.astype(np.float32))
        return Answer(float(asked.result()))

    return ask


metrics = keras_rs.metrics
SUBJECTS = {
    "NDCG": Subject(asking(metrics.NDCG), metrics.NDCG),
    "MeanAveragePrecision": Subject(asking(metrics.MeanAveragePrecision, 1), metrics.MeanAveragePrecision),
    "MeanReciprocalRank": Subject(asking(metrics.MeanReciprocalRank, 1, IGNORED), metrics.MeanReciprocalRank),
    "PrecisionAtK": Subject(asking(metrics.PrecisionAtK, 1, IGNORED), metrics.PrecisionAtK),
    "RecallAtK": Subject(asking(metrics.RecallAtK, 1), metrics.RecallAtK),
}
