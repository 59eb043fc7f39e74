"""Cornac's evaluation takes a model, metrics and data sets; it asks the model to rank the items of each user.

It returns the mean of each metric and the values of the users that it is the mean of.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Optional, Tuple

import numpy as np
from cornac import metrics
from cornac.data import Dataset
from cornac.eval_methods import ranking_eval

from metric_adapters.conventions.inputs.view import CannotShow
from metric_adapters.shapes import hit_matrix, relevant_counts, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("cornac")


class Lists:
    """A model with the lists of a case, and its scores of all candidates where it has them."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def rank(self, user_idx: int, item_indices: np.ndarray, k: int = -1) -> Tuple[np.ndarray, Optional[np.ndarray]]:
        scores = self.case.candidate_scores
        return self.case.list_of(user_idx), None if scores is None else scores[user_idx, item_indices]


def data_set(case: Case, users: np.ndarray, items: np.ndarray) -> Any:
    """A data set in which users and items have the numbers of the case, whatever is in it."""
    rows = [(user, item, 1.0) for user, item in zip(users.tolist(), items.tolist())]
    user_numbers, item_numbers = ({number: number for number in range(many)} for many in (case.users + 1, case.n_items))
    return Dataset.build(rows, global_uid_map=user_numbers, global_iid_map=item_numbers)


def train_set(case: Case) -> Any:
    """The training data, and one user more who has every item: a model knows all items that it recommends. He has no
    test items and is not evaluated."""
    users, items = np.full(case.n_items, case.users), np.arange(case.n_items)
    if case.train_indptr is not None and case.train_items is not None:
        users = np.append(users, np.repeat(np.arange(case.users), np.diff(case.train_indptr)))
        items = np.append(items, case.train_items)
    return data_set(case, users, items)


def asking(metric: Any, cut: bool = True) -> Callable[[Case, int], Answer]:
    """Ask a metric; ``cut``: whether it takes k."""

    def ask(case: Case, k: int) -> Answer:
        asked = metric(k=k) if cut else metric()
        means, by_user = ranking_eval(Lists(case), [asked], train_set(case), data_set(case, *relevant_pairs(case)[:2]))
        users = np.array(sorted(by_user[0]), dtype=np.int64)
        return Answer(means[0], users, np.array([by_user[0][user] for user in users.tolist()], dtype=np.float64))

    return ask


def ask_mrr(case: Case, k: int) -> Answer:
    """MRR raises an error where no test item is ranked. Cornac's models rank all items, so that none meets it; a list
    without any relevant item would."""
    if np.any((relevant_counts(case) > 0) & ~hit_matrix(case, case.width).any(axis=1)):
        raise CannotShow("a user has a list without a relevant item; Cornac's models rank all items")
    return asking(metrics.MRR, cut=False)(case, k)


CUT = (metrics.HitRatio, metrics.Precision, metrics.Recall, metrics.FMeasure, metrics.NDCG)
SUBJECTS = {metric.__name__: Subject(asking(metric), metric) for metric in CUT}
SUBJECTS["MRR"] = Subject(ask_mrr, metrics.MRR)
SUBJECTS.update({metric.__name__: Subject(asking(metric, cut=False), metric) for metric in (metrics.MAP, metrics.AUC)})
