"""ir-measures takes judgements and a run as dicts of dicts and hands each measure to the first provider with it."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import ir_measures
from ir_measures import AP, RBP, RR, P, R, Rprec, SetF, SetP, SetR, Success, nDCG

from metric_adapters.subject import Answer, CannotShow, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case

EXPONENTIAL = nDCG(dcg="exp-log2")
LARGEST_OF_GDEVAL = 4
SETS = ("SetP", "SetR", "SetF")


def version() -> str:
    return version_of("ir-measures")


def asking(measure: Any, *, cut: bool = True) -> Callable[[Case, int], Answer]:
    """Ask for a measure's mean and for its values by query.

    For a measure of sets, which has no cut-off, the run is cut at k.
    """

    def ask(case: Case, k: int) -> Answer:
        if measure is EXPONENTIAL and case.judged_gains.max(initial=0.0) > LARGEST_OF_GDEVAL:
            raise CannotShow(f"gdeval.pl takes relevance up to {LARGEST_OF_GDEVAL}")
        asked = measure @ k if cut else measure
        judged, listed = qrels(case, graded=True), run(case, k if measure.NAME in SETS else None)
        results = ir_measures.calc([asked], judged, listed)
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
    "nDCG(dcg='exp-log2')@k": Subject(asking(EXPONENTIAL), ir_measures.gdeval.evaluator),
    "Rprec": Subject(asking(Rprec, cut=False), ir_measures.pytrec_eval.evaluator),
    "RBP(rel=1)": Subject(asking(RBP(rel=1), cut=False), ir_measures.cwl_eval.evaluator),
    "SetP": Subject(asking(SetP, cut=False), ir_measures.pytrec_eval.evaluator),
    "SetR": Subject(asking(SetR, cut=False), ir_measures.pytrec_eval.evaluator),
    "SetF": Subject(asking(SetF, cut=False), ir_measures.pytrec_eval.evaluator),
}
