"""XGBoost evaluates a matrix, a row for each document, with labels and the sizes of groups; here, one for each user.

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Optional

import numpy as np
import xgboost

from metric_adapters.groups import COUNTED, IGNORED, binary, list_groups, whole
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
    metric: str,
    objective: str,
    labels: Callable[[np.ndarray], np.ndarray] = np.asarray,
    unlisted: str = COUNTED,
    **options: Any,
) -> Callable[[Case, int], Answer]:
    """Ask a metric of groups. labels : the gains that it takes, as they are; unlisted : as of :func:`list_groups`."""

    def ask(case: Case, k: int) -> Answer:
        groups = list_groups(case, k, unlisted)
        name = metric.format(k=k)
        return Answer(evaluate(name, objective, labels(groups.gains), groups.scores, groups.sizes, **options))

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
    "ndcg": Subject(ranking("ndcg@{k}", "rank:ndcg", whole), source),
    "ndcg[-]": Subject(ranking("ndcg@{k}-", "rank:ndcg", whole), source),
    "ndcg[ndcg_exp_gain=false]": Subject(ranking("ndcg@{k}", "rank:ndcg", ndcg_exp_gain=False), source),
    "map": Subject(ranking("map@{k}", "rank:map", binary), source),
    "pre": Subject(ranking("pre@{k}", "rank:map", binary, IGNORED), source),
    "auc": Subject(flat("auc"), source),
    "auc[rank]": Subject(ask_auc_by_group, source),
}
