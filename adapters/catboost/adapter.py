"""CatBoost evaluates labels and predictions, a row for each document, with the id of its group; here, of its user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

import numpy as np
from catboost.utils import eval_metric

from metric_adapters.matrices import list_matrices
from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("catboost")


def ranking(metric: str, graded: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric of groups; ``graded``: whether the label is the gain, else 1 and 0."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        labels = truth if graded else (truth > 0).astype(np.float64)
        users = np.repeat(np.arange(case.users), truth.shape[1])
        name = metric.format(k=k)
        return Answer(eval_metric(labels.ravel(), scores.ravel(), name, group_id=users, thread_count=1)[0])

    return ask


def candidates(metric: str, groups: bool) -> Callable[[Case, int], Answer]:
    """Ask a metric of every candidate of every user; ``groups``: whether it gets the users."""

    def ask(case: Case, k: int) -> Answer:
        users, _, scores, labels = candidate_pairs(case)
        return Answer(eval_metric(labels, scores, metric, group_id=users if groups else None, thread_count=1)[0])

    return ask


SUBJECTS = {
    "NDCG": Subject(ranking("NDCG:top={k}", graded=True), eval_metric),
    "NDCG[Exp]": Subject(ranking("NDCG:top={k};type=Exp", graded=True), eval_metric),
    "DCG": Subject(ranking("DCG:top={k}", graded=True), eval_metric),
    "MAP": Subject(ranking("MAP:top={k}"), eval_metric),
    "MRR": Subject(ranking("MRR:top={k}"), eval_metric),
    "PrecisionAt": Subject(ranking("PrecisionAt:top={k}"), eval_metric),
    "RecallAt": Subject(ranking("RecallAt:top={k}"), eval_metric),
    "QueryAUC": Subject(candidates("QueryAUC", groups=True), eval_metric),
    "AUC": Subject(candidates("AUC", groups=False), eval_metric),
    "PRAUC": Subject(candidates("PRAUC", groups=False), eval_metric),
}
