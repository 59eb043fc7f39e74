"""Odd inputs of ir-measures: one evaluator asked twice, several cut-offs, a query with the id of a document."""

from __future__ import annotations

import ir_measures
from ir_measures import RR, P, R, Success, nDCG

from metric_adapters.odd_inputs import JUDGED, RUN, Table, each, query_is_document

MEASURES = {"Success@k": Success, "P@k": P, "R@k": R, "RR@k": RR, "nDCG@k": nDCG}


def ask(name: str, judged: Table, run: Table) -> float:
    measure = MEASURES[name] @ 2
    return float(ir_measures.calc_aggregate([measure], judged, run)[measure])


def again(name: str) -> float:
    measure = MEASURES[name] @ 2
    evaluator = ir_measures.evaluator([measure], JUDGED)
    evaluator.calc_aggregate(RUN)
    return float(evaluator.calc_aggregate(RUN)[measure])


def several(name: str) -> float:
    measures = [MEASURES[name] @ k for k in (1, 2, 10)]
    return float(ir_measures.calc_aggregate(measures, JUDGED, RUN)[measures[1]])


ODD_INPUTS = [
    *query_is_document(list(MEASURES), ask),
    *each("second_call", list(MEASURES), lambda name: ask(name, JUDGED, RUN), again),
    *each("several_k", list(MEASURES), lambda name: ask(name, JUDGED, RUN), several),
]
