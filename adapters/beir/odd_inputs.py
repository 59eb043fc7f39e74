"""Odd inputs of BEIR: several cut-offs, and a query with the id of a document, which its evaluation drops."""

from __future__ import annotations

from typing import Sequence

from beir.retrieval.evaluation import EvaluateRetrieval

from metric_adapters.odd_inputs import JUDGED, RUN, Table, each, query_is_document

GIVEN = ("evaluate:NDCG@k", "evaluate:MAP@k", "evaluate:Recall@k", "evaluate:P@k")
"""What ``evaluate`` returns, in that order."""
CUSTOM = ("evaluate_custom:mrr", "evaluate_custom:recall_cap", "evaluate_custom:top_k_acc")


def ask(name: str, judged: Table, run: Table, ks: Sequence[int] = (2,)) -> float:
    tables = ({query: dict(row) for query, row in table.items()} for table in (judged, run))  # it deletes rows
    if name in GIVEN:
        means = EvaluateRetrieval.evaluate(*tables, list(ks))[GIVEN.index(name)]
    else:
        means = EvaluateRetrieval.evaluate_custom(*tables, list(ks), metric=name.partition(":")[2])
    (value,) = (value for key, value in means.items() if key.endswith("@2"))
    return float(value)


ODD_INPUTS = [
    *query_is_document([*GIVEN, *CUSTOM], ask),
    *each(
        "several_k",
        [*GIVEN, *CUSTOM],
        lambda name: ask(name, JUDGED, RUN),
        lambda name: ask(name, JUDGED, RUN, (1, 2, 10)),
    ),
]
