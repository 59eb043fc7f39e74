"""LlamaIndex's retrieval metrics take the expected and the retrieved ids of one query; they know no k."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
from llama_index.core.evaluation.retrieval.metrics import MRR, NDCG, AveragePrecision, HitRate, Precision, Recall

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("llama-index-core")


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for each query, and take the mean of the scores, as the documentation does with a data frame.

    Lists are cut at k, as the retriever's ``similarity_top_k`` does.
    """

    def ask(case: Case, k: int) -> Answer:
        scores = [
            metric.compute(
                expected_ids=documents(case, case.relevant_of(user)),
                retrieved_ids=documents(case, case.list_of(user, k)),
            ).score
            for user in range(case.users)
        ]
        return Answer(float(np.mean(scores)), np.arange(case.users), np.array(scores, dtype=np.float64))

    return ask


SUBJECTS = {
    "HitRate": Subject(asking(HitRate()), HitRate),
    "HitRate[use_granular_hit_rate]": Subject(asking(HitRate(use_granular_hit_rate=True)), HitRate),
    "MRR": Subject(asking(MRR()), MRR),
    "MRR[use_granular_mrr]": Subject(asking(MRR(use_granular_mrr=True)), MRR),
    "Precision": Subject(asking(Precision()), Precision),
    "Recall": Subject(asking(Recall()), Recall),
    "AveragePrecision": Subject(asking(AveragePrecision()), AveragePrecision),
    "NDCG": Subject(asking(NDCG()), NDCG),
    "NDCG[exponential]": Subject(asking(NDCG(mode="exponential")), NDCG),
}
