"""BEIR takes judgements and results as dicts of dicts; its usual measures are trec_eval's, the others its own."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

from beir.retrieval.evaluation import EvaluateRetrieval

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import qrels, run
from metric_reference.case import Case

GIVEN = ("NDCG", "MAP", "Recall", "P")
"""What ``evaluate`` returns, in that order."""


def version() -> str:
    return version_of("beir")


def asking(name: str) -> Callable[[Case, int], Answer]:
    """Ask ``evaluate`` or, for another measure, ``evaluate_custom`` for a mean; they give no values of queries."""

    def ask(case: Case, k: int) -> Answer:
        judged, listed = qrels(case, graded=True), run(case)
        if name in GIVEN:
            results = EvaluateRetrieval.evaluate(judged, listed, [k])[GIVEN.index(name)]
        else:
            results = EvaluateRetrieval.evaluate_custom(judged, listed, [k], metric=name)
        return Answer(next(iter(results.values())))

    return ask


SUBJECTS = {
    **{f"evaluate:{name}@k": Subject(asking(name), EvaluateRetrieval.evaluate) for name in GIVEN},
    "evaluate_custom:mrr": Subject(asking("mrr"), EvaluateRetrieval.evaluate_custom),
    "evaluate_custom:recall_cap": Subject(asking("recall_cap"), EvaluateRetrieval.evaluate_custom),
    "evaluate_custom:top_k_acc": Subject(asking("top_k_acc"), EvaluateRetrieval.evaluate_custom),
}
