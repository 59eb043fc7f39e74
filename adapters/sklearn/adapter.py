"""scikit-learn takes two matrices, users x items: true gains and scores; or flat arrays of labels and scores.

Its functions return one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
from sklearn import metrics

from metric_adapters.matrices import candidate_matrices, list_matrices, only_relevant
from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("scikit-learn")


def cut(function: Callable[..., float], **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a function that ranks each row and cuts at k."""

    def ask(case: Case, k: int) -> Answer:
        return Answer(function(*list_matrices(case, k), k=k, **options))

    return ask


def ask_top_k_accuracy(case: Case, k: int) -> Answer:
    """The one relevant item of a user is the class of a sample; ``labels`` names all items, or only those that are
    someone's class would be known."""
    truth, scores = list_matrices(case, k)
    classes = np.arange(truth.shape[1])
    return Answer(metrics.top_k_accuracy_score(only_relevant(case), scores, k=k, labels=classes))


def flat(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function for one curve over every candidate of every user."""

    def ask(case: Case, k: int) -> Answer:
        _, _, scores, labels = candidate_pairs(case)
        return Answer(function(labels, scores))

    return ask


def by_row(function: Callable[..., float], **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a function for the mean over the rows of the matrix of all candidates."""

    def ask(case: Case, k: int) -> Answer:
        return Answer(function(*candidate_matrices(case), **options))

    return ask


average_precision, lrap = metrics.average_precision_score, metrics.label_ranking_average_precision_score
SUBJECTS = {
    "ndcg_score": Subject(cut(metrics.ndcg_score), metrics.ndcg_score),
    "ndcg_score[ignore_ties]": Subject(cut(metrics.ndcg_score, ignore_ties=True), metrics.ndcg_score),
    "dcg_score": Subject(cut(metrics.dcg_score), metrics.dcg_score),
    "top_k_accuracy_score": Subject(ask_top_k_accuracy, metrics.top_k_accuracy_score),
    "average_precision_score": Subject(flat(average_precision), average_precision),
    "average_precision_score[samples]": Subject(by_row(average_precision, average="samples"), average_precision),
    "label_ranking_average_precision_score": Subject(by_row(lrap), lrap),
    "label_ranking_loss": Subject(by_row(metrics.label_ranking_loss), metrics.label_ranking_loss),
    "roc_auc_score": Subject(flat(metrics.roc_auc_score), metrics.roc_auc_score),
    "roc_auc_score[samples]": Subject(by_row(metrics.roc_auc_score, average="samples"), metrics.roc_auc_score),
}
