"""pytrec_eval takes judgements and a run as dicts of dicts, and gives a value for each query that both of them have."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

import pytrec_eval

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case


def version() -> str:
    return version_of("pytrec-eval-terrier")


def asking(measure: str, *, cut: bool) -> Callable[[Case, int], Answer]:
    """Ask for a measure of trec_eval and for its mean, which the library takes with a function of its own.

    The measures of sets take no cut-off; for those the run is cut at k, as ``trec_eval -M k`` does.
    """

    def ask(case: Case, k: int) -> Answer:
        asked = f"{measure}_{k}" if cut else measure
        judged = qrels(case, graded=True)
        results = pytrec_eval.RelevanceEvaluator(judged, {asked}).evaluate(
            run(case, k if measure.startswith("set_") else None)
        )
        values = {query: row[asked] for query, row in results.items()}
        return by_query(pytrec_eval.compute_aggregated_measure(asked, list(values.values())), values)

    return ask


MEASURES = {
    "success": True,
    "P": True,
    "recall": True,
    "recip_rank": False,
    "map": False,
    "map_cut": True,
    "ndcg": False,
    "ndcg_cut": True,
    "Rprec": False,
    "set_P": False,
    "set_recall": False,
    "set_F": False,
}
"""Each measure, and whether it takes a cut-off."""

SUBJECTS = {
    name: Subject(asking(name, cut=cut), pytrec_eval.RelevanceEvaluator.evaluate) for name, cut in MEASURES.items()
}
