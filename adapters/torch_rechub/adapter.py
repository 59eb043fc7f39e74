"""Torch-RecHub takes two dicts, user to relevant items and to recommendations; or flat labels, scores and users."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable

from torch_rechub.basic import metric

from metric_adapters.shapes import candidate_pairs, lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("torch-rechub")


def of_lists(name: str) -> Callable[[Case, int], Answer]:
    """Ask for the text of one metric, and read the number in it."""

    def ask(case: Case, k: int) -> Answer:
        (text,) = metric.topk_metrics(relevant_by_user(case), lists_by_user(case), topKs=[k])[name]
        return Answer(float(text.rpartition(":")[2]))

    return ask


def ask_gauc(case: Case, k: int) -> Answer:
    users, _, scores, labels = candidate_pairs(case)
    return Answer(metric.gauc_score(labels, scores, users))


def ask_auc(case: Case, k: int) -> Answer:
    _, _, scores, labels = candidate_pairs(case)
    return Answer(metric.auc_score(labels, scores))


SUBJECTS = {
    name: Subject(of_lists(name), metric.topk_metrics) for name in ("NDCG", "MRR", "Recall", "Hit", "Precision")
}
SUBJECTS["gauc_score"] = Subject(ask_gauc, metric.gauc_score)
SUBJECTS["auc_score"] = Subject(ask_auc, metric.auc_score)
