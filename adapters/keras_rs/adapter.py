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

from metric_adapters.matrices import list_matrices
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("keras-rs")


def asking(metric: Any, graded: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric that has seen all users in one batch; ``graded``: whether the label is the gain, else 1 and 0."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        labels = truth if graded else (truth > 0).astype(np.float64)
        asked = metric(k=k)
        asked.update_state(labels.astype(np.float32), scores.astype(np.float32))
        return Answer(float(asked.result()))

    return ask


metrics = keras_rs.metrics
BINARY = (metrics.MeanAveragePrecision, metrics.MeanReciprocalRank, metrics.PrecisionAtK, metrics.RecallAtK)
SUBJECTS = {metric.__name__: Subject(asking(metric), metric) for metric in BINARY}
SUBJECTS["NDCG"] = Subject(asking(metrics.NDCG, graded=True), metrics.NDCG)
