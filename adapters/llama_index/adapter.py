"""LlamaIndex's retrieval metrics take the expected and the retrieved ids of one query; they know no k."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

import numpy as np
from llama_index.core.evaluation.retrieval import metrics

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("llama-index-core")


def asking(metric: Any, **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for each query, and take the mean of the scores, as the documentation does with a data frame.

    Lists are cut at k, as the retriever's ``similarity_top_k`` does.
    """

    def ask(case: Case, k: int) -> Answer:
        scores = [
            metric(**options)
            .compute(
                expected_ids=documents(case, case.relevant_of(user)),
                retrieved_ids=documents(case, case.list_of(user, k)),
            )
            .score
            for user in range(case.users)
        ]
        return Answer(float(np.mean(scores)), np.arange(case.users), np.array(scores, dtype=np.float64))

    return ask


ASKED: Dict[str, Dict[str, Any]] = {
    "HitRate": {},
    "HitRate[use_granular_hit_rate]": {"use_granular_hit_rate": True},
    "MRR": {},
    "MRR[use_granular_mrr]": {"use_granular_mrr": True},
    "Precision": {},
    "Recall": {},
    "AveragePrecision": {},
    "NDCG": {},
    "NDCG[exponential]": {"mode": "exponential"},
}
"""How each metric is asked; older releases have not all of them."""

SUBJECTS = {
    name: Subject(asking(metric, **how), metric)
    for name, how in ASKED.items()
    for metric in [getattr(metrics, name.partition("[")[0], None)]
    if metric is not None
}
