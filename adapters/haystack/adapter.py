"""Haystack's evaluators take lists of documents by question, those expected and those retrieved; they know no k."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

import numpy as np
from haystack import Document
from haystack.components import evaluators

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("haystack-ai")


def asking(evaluator: Any, *, graded: bool = False, **options: Any) -> Callable[[Case, int], Answer]:
    """Ask an evaluator for its score and those of the questions. Lists are cut at k, as a retriever's ``top_k`` does.

    A document holds its name as content, by which most evaluators compare, and nothing else, so that one name has one
    id. graded : whether the expected documents have a score, which NDCG takes for the gain.
    """

    def ask(case: Case, k: int) -> Answer:
        relevant = case.relevant
        judged = np.split(case.judged_items, case.judged_indptr[1:-1])
        kept = np.split(relevant, case.judged_indptr[1:-1])
        gains = np.split(case.judged_gains, case.judged_indptr[1:-1])
        expected, retrieved = [], []
        for user in range(case.users):
            names = documents(case, judged[user][kept[user]])
            scores = gains[user][kept[user]].tolist() if graded else [None] * len(names)
            expected.append([Document(content=name, score=score) for name, score in zip(names, scores)])
            retrieved.append([Document(content=name) for name in documents(case, case.list_of(user, k))])
        result = evaluator(**options).run(ground_truth_documents=expected, retrieved_documents=retrieved)
        return Answer(result["score"], np.arange(case.users), np.array(result["individual_scores"], dtype=np.float64))

    return ask


ASKED: Dict[str, Dict[str, Any]] = {
    "DocumentRecallEvaluator": {},
    "DocumentRecallEvaluator[multi_hit]": {"mode": "multi_hit"},
    "DocumentMRREvaluator": {},
    "DocumentMAPEvaluator": {},
    "DocumentNDCGEvaluator": {},
    "DocumentNDCGEvaluator[scores]": {"graded": True},
}
"""How each evaluator is asked; older releases have not all of them."""

SUBJECTS = {
    name: Subject(asking(evaluator, **how), evaluator)
    for name, how in ASKED.items()
    for evaluator in [getattr(evaluators, name.partition("[")[0], None)]
    if evaluator is not None
}
