"""Odd inputs of pytrec_eval: one evaluator asked twice, several cut-offs, a query with the id of a document."""

from __future__ import annotations

from typing import Any

import pytrec_eval

from metric_adapters.odd_inputs import JUDGED, RUN, Table, each, query_is_document

MEASURES = {
    "success": "success_2",
    "P": "P_2",
    "recall": "recall_2",
    "recip_rank": "recip_rank",
    "map_cut": "map_cut_2",
    "ndcg_cut": "ndcg_cut_2",
}
"""The measure of each function, at k = 2 where it has a cut-off."""


def mean(results: Any, measure: str) -> float:
    return float(pytrec_eval.compute_aggregated_measure(measure, [row[measure] for row in results.values()]))


def ask(name: str, judged: Table, run: Table) -> float:
    measure = MEASURES[name]
    return mean(pytrec_eval.RelevanceEvaluator(judged, {measure}).evaluate(run), measure)


def again(name: str) -> float:
    evaluator = pytrec_eval.RelevanceEvaluator(JUDGED, {MEASURES[name]})
    evaluator.evaluate(RUN)
    return mean(evaluator.evaluate(RUN), MEASURES[name])


def several(name: str) -> float:
    measure = MEASURES[name].rpartition("_")[0]
    evaluator = pytrec_eval.RelevanceEvaluator(JUDGED, {f"{measure}_{k}" for k in (1, 2, 10)})
    return mean(evaluator.evaluate(RUN), MEASURES[name])


ODD_INPUTS = [
    *query_is_document(list(MEASURES), ask),
    *each("second_call", list(MEASURES), lambda name: ask(name, JUDGED, RUN), again),
    *each(
        "several_k",
        [name for name, measure in MEASURES.items() if measure.endswith("_2")],
        lambda name: ask(name, JUDGED, RUN),
        several,
    ),
]
