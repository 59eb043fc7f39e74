"""LibRecommender takes relevant items and arrays of k recommendations by user; or flat labels, scores and users."""

from __future__ import annotations

import importlib.util
import sys
import types
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Callable

import numpy as np

from metric_adapters.shapes import candidate_pairs, lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

FOLDER = Path(importlib.util.find_spec("libreco").submodule_search_locations[0])  # type: ignore[union-attr, index]
for name, folder in (("libreco", FOLDER), ("libreco.evaluation", FOLDER / "evaluation")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]  # its own modules are found, without what the package imports first

from libreco.evaluation import metrics  # noqa: E402


def version() -> str:
    return version_of("librecommender")


def of_lists(function: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask for the mean over the users that have relevant items, as the library's evaluation does."""

    def ask(case: Case, k: int) -> Answer:
        relevant = relevant_by_user(case)
        users = [user for user, items in relevant.items() if items]
        lists = {user: np.array(items, dtype=np.int64) for user, items in lists_by_user(case, k).items()}
        value = metrics.listwise_scores(function, relevant, lists, users, k)
        values = np.array([function(relevant[user], lists[user], k) for user in users], dtype=np.float64)
        return Answer(float(value), np.array(users, dtype=np.int64), values)

    return ask


def ask_gauc(case: Case, k: int) -> Answer:
    users, _, scores, labels = candidate_pairs(case)
    return Answer(metrics.roc_gauc_score(labels, scores, users))


def ask_pr_auc(case: Case, k: int) -> Answer:
    _, _, scores, labels = candidate_pairs(case)
    return Answer(metrics.pr_auc_score(labels, scores))


SUBJECTS = {
    "precision": Subject(of_lists(metrics.precision_at_k), metrics.precision_at_k),
    "recall": Subject(of_lists(metrics.recall_at_k), metrics.recall_at_k),
    "map": Subject(of_lists(metrics.average_precision_at_k), metrics.average_precision_at_k),
    "ndcg": Subject(of_lists(metrics.ndcg_at_k), metrics.ndcg_at_k),
    "roc_gauc": Subject(ask_gauc, metrics.roc_gauc_score),
    "pr_auc": Subject(ask_pr_auc, metrics.pr_auc_score),
}
