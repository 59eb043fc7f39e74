"""XGBoost evaluates a matrix, a row for each document, with labels and the sizes of groups; here, one for each user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Optional

import numpy as np
import xgboost

from metric_adapters.conventions.inputs.view import CannotShow
from metric_adapters.matrices import list_matrices
from metric_adapters.shapes import candidate_pairs, dense_rank
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("xgboost-cpu")


def evaluate(
    metric: str, objective: str, labels: np.ndarray, scores: np.ndarray, groups: Optional[np.ndarray], **options: Any
) -> float:
    """A metric of a model without trees, whose predictions are the margins that the set begins with."""
    rows = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels, base_margin=scores, nthread=1)
    if groups is not None:
        rows.set_group(groups)
    parameters = {"objective": objective, "eval_metric": metric, "nthread": 1, "verbosity": 0, **options}
    return float(xgboost.Booster(parameters, [rows]).eval(rows).rpartition(":")[2])


def ranking(
    metric: str, objective: str, graded: bool = False, whole: bool = False, **options: Any
) -> Callable[[Case, int], Answer]:
    """Ask a metric of groups; ``graded``: whether the label is the gain, else 1 and 0; ``whole``: it takes no other."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        labels = truth if graded else (truth > 0).astype(np.float64)
        if whole and np.any(labels != np.floor(labels)):
            raise CannotShow("XGBoost takes whole numbers for labels where the gain is exponential")
        groups = np.full(case.users, truth.shape[1])
        return Answer(evaluate(metric.format(k=k), objective, labels.ravel(), scores.ravel(), groups, **options))

    return ask


def flat(metric: str) -> Callable[[Case, int], Answer]:
    """Ask a metric of all rows, of every candidate of every user."""

    def ask(case: Case, k: int) -> Answer:
        _, _, scores, labels = candidate_pairs(case)
        return Answer(evaluate(metric, "binary:logistic", labels, scores, None))

    return ask


def ask_auc_by_group(case: Case, k: int) -> Answer:
    """Candidates of a user are a group; the sizes of groups may differ."""
    users, _, scores, labels = candidate_pairs(case)
    groups = np.bincount(users, minlength=case.users)
    return Answer(evaluate("auc", "rank:ndcg", labels, dense_rank(users, scores), groups))


source = xgboost.Booster.eval
SUBJECTS = {
    "ndcg": Subject(ranking("ndcg@{k}", "rank:ndcg", graded=True, whole=True), source),
    "ndcg[-]": Subject(ranking("ndcg@{k}-", "rank:ndcg", graded=True, whole=True), source),
    "ndcg[ndcg_exp_gain=false]": Subject(ranking("ndcg@{k}", "rank:ndcg", graded=True, ndcg_exp_gain=False), source),
    "map": Subject(ranking("map@{k}", "rank:map"), source),
    "pre": Subject(ranking("pre@{k}", "rank:map"), source),
    "auc": Subject(flat("auc"), source),
    "auc[rank]": Subject(ask_auc_by_group, source),
}
