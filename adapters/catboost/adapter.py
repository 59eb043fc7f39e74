"""CatBoost evaluates labels and predictions, a row for each document, with the id of its group; here, of its user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

import numpy as np
from catboost.utils import eval_metric

from metric_adapters.groups import COUNTED, IGNORED, KNOWN, at_least, list_groups
from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("catboost")


BORDER = np.nextafter(0.5, 1)
"""The smallest label that is relevant to a metric of relevant documents: one above its border of 0.5."""


def ranking(metric: str, least: float = 0, unlisted: str = COUNTED) -> Callable[[Case, int], Answer]:
    """Ask a metric of groups, whose labels are the gains.

    least : the smallest label that it counts as relevant; unlisted : as of :func:`list_groups`.
    """

    def ask(case: Case, k: int) -> Answer:
        groups = list_groups(case, k, unlisted)
        labels, name = at_least(groups.gains, least), metric.format(k=k)
        return Answer(eval_metric(labels, groups.scores, name, group_id=groups.users, thread_count=1)[0])

    return ask


def candidates(metric: str, groups: bool) -> Callable[[Case, int], Answer]:
    """Ask a metric of every candidate of every user; ``groups``: whether it gets the users."""

    def ask(case: Case, k: int) -> Answer:
        users, _, scores, labels = candidate_pairs(case)
        return Answer(eval_metric(labels, scores, metric, group_id=users if groups else None, thread_count=1)[0])

    return ask


SUBJECTS = {
    "NDCG": Subject(ranking("NDCG:top={k}"), eval_metric),
    "NDCG[Exp]": Subject(ranking("NDCG:top={k};type=Exp"), eval_metric),
    "DCG": Subject(ranking("DCG:top={k}", unlisted=IGNORED), eval_metric),
    "MAP": Subject(ranking("MAP:top={k}", BORDER), eval_metric),
    "MRR": Subject(ranking("MRR:top={k}", BORDER, KNOWN), eval_metric),
    "PrecisionAt": Subject(ranking("PrecisionAt:top={k}", BORDER, KNOWN), eval_metric),
    "RecallAt": Subject(ranking("RecallAt:top={k}", BORDER), eval_metric),
    "QueryAUC": Subject(candidates("QueryAUC", groups=True), eval_metric),
    "AUC": Subject(candidates("AUC", groups=False), eval_metric),
    "PRAUC": Subject(candidates("PRAUC", groups=False), eval_metric),
}
