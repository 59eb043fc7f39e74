"""TruLens' agreement with the ground truth takes a question and the retrieved chunks and looks up the expected ones."""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Any, Callable

os.environ["TRULENS_OTEL_TRACING"] = "0"  # nothing of what it is asked is to be traced

import numpy as np
import pandas as pd
from trulens.feedback import GroundTruthAgreement
from trulens.feedback.dummy.provider import DummyProvider

from metric_adapters.shapes import rank_scores
from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("trulens-feedback")


def ground_truth(case: Case) -> Any:
    """The golden set of a case: a question is a user's number, the score of an expected chunk its gain."""
    golden = []
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        kept = case.relevant[part]
        names, gains = documents(case, case.judged_items[part][kept]), case.judged_gains[part][kept].tolist()
        chunks = [{"text": name, "expect_score": gain} for name, gain in zip(names, gains)]
        golden.append({"query": str(user), "expected_chunks": chunks})
    return GroundTruthAgreement(golden, provider=DummyProvider())


def asking(name: str, *, cut: bool = True, scored: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a function for each question; the mean is that of pandas, which leaves out NaN, as TruLens' leaderboard does.

    cut : whether it is given k; else the list is cut at k. scored : whether the scores of the chunks are handed over.
    """

    def ask(case: Case, k: int) -> Answer:
        function, scores, values = getattr(ground_truth(case), name), rank_scores(case), []
        for user in range(case.users):
            chunks = documents(case, case.list_of(user, None if cut else k))
            more = {**({"k": k} if cut else {})}
            if scored:
                more["relevance_scores"] = scores[user, : len(chunks)].tolist()
            values.append(function(str(user), chunks, **more))
        return Answer(float(pd.Series(values).mean()), np.arange(case.users), np.array(values, dtype=np.float64))

    return ask


SUBJECTS = {
    "ir_hit_rate": Subject(asking("ir_hit_rate"), GroundTruthAgreement.ir_hit_rate),
    "precision_at_k": Subject(asking("precision_at_k"), GroundTruthAgreement.precision_at_k),
    "precision_at_k[relevance_scores]": Subject(
        asking("precision_at_k", scored=True), GroundTruthAgreement.precision_at_k
    ),
    "recall_at_k": Subject(asking("recall_at_k"), GroundTruthAgreement.recall_at_k),
    "recall_at_k[relevance_scores]": Subject(asking("recall_at_k", scored=True), GroundTruthAgreement.recall_at_k),
    "mrr": Subject(asking("mrr", cut=False), GroundTruthAgreement.mrr),
    "ndcg_at_k": Subject(asking("ndcg_at_k"), GroundTruthAgreement.ndcg_at_k),
}
