"""trectools reads judgements and a run from files of TREC's form and computes with data frames."""

from __future__ import annotations

import tempfile
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Callable, Dict

from trectools import TrecEval, TrecQrel, TrecRun

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import by_query, qrels, run
from metric_reference.case import Case

WHOLE = ("get_precision", "get_recall", "get_map")
"""The methods whose table by query has every query of the run."""


def version() -> str:
    return version_of("trectools")


def evaluation(case: Case) -> Any:
    """The library's evaluator of a case, from two files: ``query 0 document relevance`` and
    ``query Q0 document rank score name``. An empty file stays empty."""
    judgements = qrels(case, graded=True)
    judged = [f"{query} 0 {name} {gain}\n" for query, row in judgements.items() for name, gain in row.items()]
    listed = [
        f"{query} Q0 {name} {rank} {score!r} run\n"
        for query, row in run(case).items()
        for rank, (name, score) in enumerate(row.items(), start=1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "qrels"), Path(folder, "run")
        for file, lines in zip(files, (judged, listed)):
            file.write_text("".join(lines), encoding="utf-8")
        return TrecEval(TrecRun(str(files[1])), TrecQrel(str(files[0])))


def asking(method: str, *, cut: bool = True, **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a method for the mean and, where its table has them all, for the values by query.

    The other tables leave out the queries that score 0. Rank-biased precision comes with its residual.

    cut : whether k is the depth; else it keeps its default, 1000.
    """

    def ask(case: Case, k: int) -> Answer:
        function = getattr(evaluation(case), method)
        more: Dict[str, Any] = {**options, **({"depth": k} if cut else {})}
        value = function(per_query=False, **more)
        if method not in WHOLE:
            return Answer(float(value[0] if method == "get_rbp" else value))
        table = function(per_query=True, **more)
        return by_query(float(value), dict(zip(table.index.astype(str), table.iloc[:, 0].tolist())))

    return ask


SUBJECTS = {
    "get_precision": Subject(asking("get_precision"), TrecEval.get_precision),
    "get_recall": Subject(asking("get_recall"), TrecEval.get_recall),
    "get_reciprocal_rank": Subject(asking("get_reciprocal_rank"), TrecEval.get_reciprocal_rank),
    "get_map": Subject(asking("get_map"), TrecEval.get_map),
    "get_rprec": Subject(asking("get_rprec", cut=False), TrecEval.get_rprec),
    "get_ndcg": Subject(asking("get_ndcg"), TrecEval.get_ndcg),
    "get_ndcg[trec_eval=False]": Subject(asking("get_ndcg", trec_eval=False), TrecEval.get_ndcg),
    "get_rbp": Subject(asking("get_rbp"), TrecEval.get_rbp),
}
