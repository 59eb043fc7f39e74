"""ranx takes judgements and a run, objects made of dicts of dicts, and compiles itself with Numba on first use.

It gives a mean, and leaves the values of queries in the run.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

from ranx import Qrels, Run, evaluate, metrics

from metric_adapters.subject import Answer, CannotShow, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case

DIGITS = 9
"""Digits of a document's id. Its length is a part of the type that Numba compiles for: with one length everything is
compiled once, with ids as long as the catalogue's size needs again for each size, a minute each time."""


def version() -> str:
    return version_of("ranx")


def of_one_length(table: Dict[str, Dict[str, Any]]) -> Dict[str, Dict[str, Any]]:
    """The same table with ids of documents of one length, a letter and DIGITS digits, that sort as before."""
    return {query: {f"d{int(id_[1:]):0{DIGITS}d}": value for id_, value in row.items()} for query, row in table.items()}


def asking(measure: str, *, binary: bool = False, make_comparable: bool = False) -> Callable[[Case, int], Answer]:
    """Ask for a measure, in which {k} stands for the cut-off, with the gains for judgements.

    binary : its documentation takes judgements of 0 and 1 alone. Without ``make_comparable``, which is the default,
    judgements and results of different queries are refused.
    """

    def ask(case: Case, k: int) -> Answer:
        asked, judgements = measure.format(k=k), qrels(case, graded=True)
        if binary and any(gain != 1 for row in judgements.values() for gain in row.values()):
            raise CannotShow("its documentation takes judgements of 0 and 1 alone")
        judged = Qrels(of_one_length(judgements))
        listed = Run(of_one_length(run(case)))
        value = evaluate(judged, listed, asked, make_comparable=make_comparable)
        return by_query(value, dict(listed.scores[asked]))

    return ask


# Compiles what every measure needs, before a question has a time limit; Numba keeps it beside the library's files.
evaluate(Qrels({"q": {f"d{0:0{DIGITS}d}": 1}}), Run({"q": {f"d{0:0{DIGITS}d}": 1.0}}), "hits@1")

SUBJECTS = {
    "hits": Subject(asking("hits@{k}"), metrics.hits),
    "hit_rate": Subject(asking("hit_rate@{k}"), metrics.hit_rate),
    "precision": Subject(asking("precision@{k}"), metrics.precision),
    "recall": Subject(asking("recall@{k}"), metrics.recall),
    "f1": Subject(asking("f1@{k}"), metrics.f1),
    "r-precision": Subject(asking("r-precision"), metrics.r_precision),
    "mrr": Subject(asking("mrr@{k}"), metrics.reciprocal_rank),
    "map": Subject(asking("map@{k}"), metrics.average_precision),
    **{
        name: Subject(asking(f"{name}@{{k}}"), getattr(metrics, name))
        for name in ("dcg", "dcg_burges")
        if hasattr(metrics, name)  # older releases have neither
    },
    "ndcg": Subject(asking("ndcg@{k}"), metrics.ndcg),
    "ndcg_burges": Subject(asking("ndcg_burges@{k}"), metrics.ndcg_burges),
    "rbp.80": Subject(asking("rbp.80", binary=True), metrics.rank_biased_precision),
    "map[make_comparable]": Subject(asking("map@{k}", make_comparable=True), metrics.average_precision),
    "ndcg[make_comparable]": Subject(asking("ndcg@{k}", make_comparable=True), metrics.ndcg),
}
