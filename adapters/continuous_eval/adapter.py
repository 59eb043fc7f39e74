"""continuous-eval's metrics take the retrieved and the expected chunks of one question; they know no k."""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Any, Callable

os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"  # it reports its use otherwise

import numpy as np
from continuous_eval.metrics.retrieval import PrecisionRecallF1, RankedRetrievalMetrics
from continuous_eval.metrics.retrieval.matching_strategy import ExactChunkMatch

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("continuous-eval")


def asking(metric: Any, name: str) -> Callable[[Case, int], Answer]:
    """Ask a metric for each question with chunks that match exactly, and take the mean of what it calls ``name``.

    Lists are cut at k, as a retriever does.
    """

    def ask(case: Case, k: int) -> Answer:
        measured = metric(ExactChunkMatch())
        values = [
            measured.compute(
                retrieved_context=documents(case, case.list_of(user, k)),
                ground_truth_context=documents(case, case.relevant_of(user)),
            )[name]
            for user in range(case.users)
        ]
        return Answer(float(np.mean(values)), np.arange(case.users), np.array(values, dtype=np.float64))

    return ask


SUBJECTS = {
    "PrecisionRecallF1:context_precision": Subject(asking(PrecisionRecallF1, "context_precision"), PrecisionRecallF1),
    "PrecisionRecallF1:context_recall": Subject(asking(PrecisionRecallF1, "context_recall"), PrecisionRecallF1),
    "PrecisionRecallF1:context_f1": Subject(asking(PrecisionRecallF1, "context_f1"), PrecisionRecallF1),
    "RankedRetrievalMetrics:average_precision": Subject(
        asking(RankedRetrievalMetrics, "average_precision"), RankedRetrievalMetrics
    ),
    "RankedRetrievalMetrics:reciprocal_rank": Subject(
        asking(RankedRetrievalMetrics, "reciprocal_rank"), RankedRetrievalMetrics
    ),
    "RankedRetrievalMetrics:ndcg": Subject(asking(RankedRetrievalMetrics, "ndcg"), RankedRetrievalMetrics),
}
