"""ir-measures takes judgements and a run as dicts of dicts and hands each measure to the first provider with it."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import ir_measures
from ir_measures import AP, ERR, RBP, RR, P, R, Rprec, SetF, SetP, SetR, Success, nDCG

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case

GRADED = ("nDCG", "ERR")
SETS = ("SetP", "SetR", "SetF")


def version() -> str:
    return version_of("ir-measures")


def asking(measure: Any, *, cut: bool = True) -> Callable[[Case, int], Answer]:
    """Ask for a measure's mean and for its values by query.

    Judgements are graded for nDCG and ERR alone; for a measure of sets, which has no cut-off, the run is cut at k.
    """

    def ask(case: Case, k: int) -> Answer:
        asked = measure @ k if cut else measure
        results = ir_measures.calc(
            [asked], qrels(case, graded=measure.NAME in GRADED), run(case, k if measure.NAME in SETS else None)
        )
        return by_query(results.aggregated[asked], {row.query_id: row.value for row in results.per_query})

    return ask


SUBJECTS = {
    "Success@k": Subject(asking(Success), ir_measures.pytrec_eval.evaluator),
    "P@k": Subject(asking(P), ir_measures.pytrec_eval.evaluator),
    "R@k": Subject(asking(R), ir_measures.pytrec_eval.evaluator),
    "RR": Subject(asking(RR, cut=False), ir_measures.pytrec_eval.evaluator),
    "RR@k": Subject(asking(RR), ir_measures.msmarco.evaluator),
    "AP": Subject(asking(AP, cut=False), ir_measures.pytrec_eval.evaluator),
    "AP@k": Subject(asking(AP), ir_measures.pytrec_eval.evaluator),
    "nDCG": Subject(asking(nDCG, cut=False), ir_measures.pytrec_eval.evaluator),
    "nDCG@k": Subject(asking(nDCG), ir_measures.pytrec_eval.evaluator),
    "nDCG(dcg='exp-log2')@k": Subject(asking(nDCG(dcg="exp-log2")), ir_measures.gdeval.evaluator),
    "ERR@k": Subject(asking(ERR), ir_measures.gdeval.evaluator),
    "Rprec": Subject(asking(Rprec, cut=False), ir_measures.pytrec_eval.evaluator),
    "RBP(rel=1)": Subject(asking(RBP(rel=1), cut=False), ir_measures.cwl_eval.evaluator),
    "SetP": Subject(asking(SetP, cut=False), ir_measures.pytrec_eval.evaluator),
    "SetR": Subject(asking(SetR, cut=False), ir_measures.pytrec_eval.evaluator),
    "SetF": Subject(asking(SetF, cut=False), ir_measures.pytrec_eval.evaluator),
}
