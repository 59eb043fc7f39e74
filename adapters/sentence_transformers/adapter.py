"""Sentence Transformers evaluates retrieval from queries, documents and a model; fed are the hits of a model."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

import numpy as np
from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents, run
from metric_reference.case import Case


def version() -> str:
    return version_of("sentence-transformers")


def asking(name: str) -> Callable[[Case, int], Answer]:
    """Ask the evaluator of retrieval for the metrics of the hits of each query, which it computes from a model's
    similarities otherwise; a query without relevant documents is none of its queries."""

    def ask(case: Case, k: int) -> Answer:
        relevant = {str(user): set(documents(case, case.relevant_of(user))) for user in range(case.users)}
        evaluator = InformationRetrievalEvaluator(
            queries={query: query for query in relevant},
            corpus={document: document for document in documents(case, np.arange(case.n_items))},
            relevant_docs=relevant,
            mrr_at_k=[k],
            ndcg_at_k=[k],
            accuracy_at_k=[k],
            precision_recall_at_k=[k],
            map_at_k=[k],
            write_csv=False,
        )
        listed = run(case)
        hits = [
            [{"corpus_id": document, "score": score} for document, score in listed.get(query, {}).items()]
            for query in evaluator.queries_ids
        ]
        return Answer(float(evaluator.compute_metrics(hits)[f"{name}@k"][k]))

    return ask


SUBJECTS = {
    f"InformationRetrievalEvaluator:{name}@k": Subject(asking(name), InformationRetrievalEvaluator)
    for name in ("accuracy", "precision", "recall", "mrr", "map", "ndcg")
}
