"""Odd inputs of rank_eval: a second call, several measures at once, a query with the id of a document."""

from __future__ import annotations

from rank_eval import Qrels, Run, evaluate

from metric_adapters.odd_inputs import JUDGED, RUN, Table, each, query_is_document

MEASURES = ("precision", "recall", "mrr", "map", "ndcg", "hits")


def ask(name: str, judged: Table, run: Table) -> float:
    return float(evaluate(Qrels.from_dict(judged), Run.from_dict(run), f"{name}@2"))


def again(name: str) -> float:
    judged, run = Qrels.from_dict(JUDGED), Run.from_dict(RUN)
    evaluate(judged, run, f"{name}@2")
    return float(evaluate(judged, run, f"{name}@2"))


def several(name: str) -> float:
    values = evaluate(Qrels.from_dict(JUDGED), Run.from_dict(RUN), [f"{name}@{k}" for k in (1, 2, 10)])
    return float(values[f"{name}@2"])


ODD_INPUTS = [
    *query_is_document(MEASURES, ask),
    *each("second_call", MEASURES, lambda name: ask(name, JUDGED, RUN), again),
    *each("several_k", MEASURES, lambda name: ask(name, JUDGED, RUN), several),
]
