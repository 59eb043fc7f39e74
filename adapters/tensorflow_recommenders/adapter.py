"""TensorFlow Recommenders takes embeddings of queries and of their true candidates, a row for each pair of the two.

It scores all candidates by the dot product, cuts at k itself and returns one number. A user with several relevant items
is a query for each of them.
"""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Callable

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # before the import: no notices about the processor

import tensorflow as tf
import tensorflow_recommenders as tfrs

from metric_adapters.matrices import list_matrices
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

BATCH = 512
"""Queries, or candidates, a batch."""


def version() -> str:
    return version_of("tensorflow-recommenders")


def asking(by_id: bool) -> Callable[[Case, int], Answer]:
    """Ask FactorizedTopK, updated batch by batch; ``by_id``: true candidates are told by their ids, not their scores.

    The embedding of a candidate is a unit vector and that of a query holds the user's score of each candidate, so that
    the dot products are these scores.
    """

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        queries, items = np.nonzero(truth)
        unit = tf.eye(scores.shape[1])
        ids = tf.range(scores.shape[1])
        candidates = tf.data.Dataset.from_tensor_slices((ids, unit) if by_id else unit).batch(BATCH)
        metric = tfrs.metrics.FactorizedTopK(candidates=candidates, ks=[k])
        for low in range(0, len(items), BATCH):
            mine = slice(low, low + BATCH)
            true = tf.constant(items[mine])
            query = tf.constant(scores[queries[mine]], dtype=tf.float32)
            metric.update_state(query, tf.gather(unit, true), tf.gather(ids, true) if by_id else None)
        return Answer(float(metric.result()[0]))

    return ask


SUBJECTS = {
    "FactorizedTopK": Subject(asking(by_id=False), tfrs.metrics.FactorizedTopK),
    "FactorizedTopK[true_candidate_ids]": Subject(asking(by_id=True), tfrs.metrics.FactorizedTopK),
}
