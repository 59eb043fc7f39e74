"""rank_eval takes judgements and a run as objects made of dicts of dicts, and compiles a metric on first use."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

from rank_eval import Qrels, Run, evaluate, metrics

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case


def version() -> str:
    return version_of("rank-eval")


def asking(measure: str, *, cut: bool = True) -> Callable[[Case, int], Answer]:
    """Ask for a measure's mean; the values by query are then in the run.

    The library refuses judgements and results of different queries.
    """

    def ask(case: Case, k: int) -> Answer:
        asked = f"{measure}@{k}" if cut else measure
        listed = Run.from_dict(run(case))
        value = evaluate(Qrels.from_dict(qrels(case, graded=True)), listed, asked)
        return by_query(value, dict(listed.scores[asked]))

    return ask


evaluate(
    Qrels.from_dict({"q": {"d": 1}}), Run.from_dict({"q": {"d": 1.0}}), "precision@1"
)  # compiles what every measure needs, before a question has a time limit

SUBJECTS = {
    "precision": Subject(asking("precision"), metrics.precision),
    "recall": Subject(asking("recall"), metrics.recall),
    "r-precision": Subject(asking("r-precision"), metrics.r_precision),
    "mrr": Subject(asking("mrr"), metrics.reciprocal_rank),
    "map": Subject(asking("map"), metrics.average_precision),
    "ndcg": Subject(asking("ndcg"), metrics.ndcg),
    "ndcg_burges": Subject(asking("ndcg_burges"), metrics.ndcg_burges),
    "hits": Subject(asking("hits"), metrics.hits),
}
