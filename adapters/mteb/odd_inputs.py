"""Odd inputs of MTEB: several cut-offs, and a query with the id of a document."""

from __future__ import annotations

from typing import Sequence

from mteb._evaluators import retrieval_metrics

from metric_adapters.odd_inputs import JUDGED, RUN, Table, each, query_is_document

MEASURES = ("hit_rate", "precision", "recall", "mrr", "map", "ndcg")


def ask(name: str, judged: Table, run: Table, ks: Sequence[int] = (2,)) -> float:
    tables = ({query: dict(row) for query, row in table.items()} for table in (run, judged))
    means = getattr(retrieval_metrics.calculate_retrieval_scores(*tables, list(ks)), name)
    (value,) = (value for key, value in means.items() if key.endswith("at_2") or key.endswith("@2"))
    return float(value)


ODD_INPUTS = [
    *query_is_document(MEASURES, ask),
    *each("several_k", MEASURES, lambda name: ask(name, JUDGED, RUN), lambda name: ask(name, JUDGED, RUN, (1, 2, 10))),
]
