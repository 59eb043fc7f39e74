"""MTEB scores a retrieval task from judgements and results as dicts of dicts, mostly with trec_eval's measures."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

from mteb._evaluators import retrieval_metrics

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import qrels, run
from metric_reference.case import Case


def version() -> str:
    return version_of("mteb")


def asking(name: str) -> Callable[[Case, int], Answer]:
    """Ask for the scores of a task, and take one of them by its name."""

    def ask(case: Case, k: int) -> Answer:
        judged = qrels(case, graded=True)
        result = retrieval_metrics.calculate_retrieval_scores(run(case), judged, [k])
        return Answer(next(iter(getattr(result, name).values())))

    return ask


SUBJECTS = {
    name: Subject(asking(name), retrieval_metrics.calculate_retrieval_scores)
    for name in ("hit_rate", "precision", "recall", "mrr", "map", "ndcg")
}
