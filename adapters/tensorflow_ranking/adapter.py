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

from metric_adapters.groups import COUNTED, IGNORED, Groups, at_least, binary, list_groups
from metric_adapters.shapes import candidate_pairs, dense_rank
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

metrics = tfr.keras.metrics


def version() -> str:
    return version_of("tensorflow-ranking")


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
        asked = metric(topn=k)
        asked.update_state(labels.astype(np.float32), scores.astype(np.float32))
        return Answer(float(asked.result()))

    return ask


def asking_pairs(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric without topn, with every candidate of all users in one batch; labels of 0 and 1 alone are shown."""

    def ask(case: Case, k: int) -> Answer:
        users, _, scores, labels = candidate_pairs(case)
        binary(case.judged_gains[case.relevant])
        rows, ranks = Groups(users, labels.astype(np.float64), dense_rank(users, scores)).padded(NO_ITEM)
        asked = metric()
        asked.update_state(rows.astype(np.float32), ranks.astype(np.float32))
        return Answer(float(asked.result()))

    return ask


SUBJECTS = {
    "MRRMetric": Subject(asking(metrics.MRRMetric, 1, IGNORED), metrics.MRRMetric),
    "HitsMetric": Subject(asking(metrics.HitsMetric, 1, IGNORED), metrics.HitsMetric),
    "PrecisionMetric": Subject(asking(metrics.PrecisionMetric, 1, IGNORED), metrics.PrecisionMetric),
    "RecallMetric": Subject(asking(metrics.RecallMetric, 1), metrics.RecallMetric),
    "MeanAveragePrecisionMetric": Subject(
        asking(metrics.MeanAveragePrecisionMetric, 1), metrics.MeanAveragePrecisionMetric
    ),
    "NDCGMetric": Subject(asking(metrics.NDCGMetric), metrics.NDCGMetric),
    "DCGMetric": Subject(asking(metrics.DCGMetric, unlisted=IGNORED), metrics.DCGMetric),
    "OPAMetric": Subject(asking_pairs(metrics.OPAMetric), metrics.OPAMetric),
}
