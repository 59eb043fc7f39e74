"""TensorFlow Ranking takes two tensors for each batch, lists x items: labels and scores. It ranks and cuts itself.

It returns one number, a weighted mean over the lists.
"""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # before the import: no notices about the processor

import tensorflow_ranking as tfr

from metric_adapters.matrices import list_matrices
from metric_adapters.shapes import candidate_pairs, dense_rank
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

metrics = tfr.keras.metrics


def version() -> str:
    return version_of("tensorflow-ranking")


PAIRS = 1 << 24
"""Pairs of items in a batch, over its lists: the library makes tensors of that size."""
NO_ITEM = -1.0
"""The label of a place of a row that holds no item."""


def asking(metric: Any, graded: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric that has seen all users in one batch; ``graded``: whether the label is the gain, else 1 and 0."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        labels = truth if graded else truth > 0
        asked = metric(topn=k)
        asked.update_state(labels.astype(np.float32), scores.astype(np.float32))
        return Answer(float(asked.result()))

    return ask


def ask_pairs(case: Case, k: int) -> Answer:
    """Ordered pair accuracy of all candidates, batch by batch; k plays no part.

    Scores are dense ranks, since close ones would become equal in float32.
    """
    users, items, scores, relevant = candidate_pairs(case)
    labels = np.full((case.users, case.n_items), NO_ITEM, dtype=np.float32)
    given = np.zeros_like(labels)
    labels[users, items], given[users, items] = relevant, dense_rank(users, scores)
    asked, batch = metrics.OPAMetric(), max(1, PAIRS // case.n_items**2)
    for low in range(0, case.users, batch):
        asked.update_state(labels[low : low + batch], given[low : low + batch])
    return Answer(float(asked.result()))


BINARY = (
    *(metrics.MRRMetric, metrics.HitsMetric, metrics.PrecisionMetric, metrics.RecallMetric),
    metrics.MeanAveragePrecisionMetric,
)
SUBJECTS = {metric.__name__: Subject(asking(metric), metric) for metric in BINARY}
SUBJECTS["NDCGMetric"] = Subject(asking(metrics.NDCGMetric, graded=True), metrics.NDCGMetric)
SUBJECTS["DCGMetric"] = Subject(asking(metrics.DCGMetric, graded=True), metrics.DCGMetric)
SUBJECTS["OPAMetric"] = Subject(ask_pairs, metrics.OPAMetric)
