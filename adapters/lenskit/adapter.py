"""LensKit takes two collections of item lists by user, recommendations in order and test items; RunAnalysis measures.

A metric gives NaN where it is undefined for a user; RunAnalysis then puts the metric's default in, which is 0.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import DCG, NDCG, RBP, Hit, Precision, Recall, RecipRank, RunAnalysis
from lenskit.metrics.ranking import AveragePrecision

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond

USER = ["user_id"]


def version() -> str:
    return version_of("lenskit")


def recommendations(case: Case) -> Any:
    """A list for every user, an empty one too: LensKit's recommenders give one where they have nothing to recommend."""
    lists = {user: ItemList(item_ids=case.list_of(user), ordered=True) for user in range(case.users)}
    return ItemListCollection.from_dict(lists, USER)


def relevant_items(case: Case) -> Any:
    """The relevant items with their ratings. As in LensKit's own splits a user without any is not there."""
    users, items, gains = relevant_pairs(case)
    lists = {}
    for user in np.unique(users).tolist():
        part = slice(*np.searchsorted(users, (user, user + 1)))
        lists[user] = ItemList(item_ids=items[part], rating=gains[part])
    return ItemListCollection.from_dict(lists, USER)


def asking(metric: Any, **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric through RunAnalysis: the mean of its summary, and the values of users that the mean is made of."""

    def ask(case: Case, k: int) -> Answer:
        asked = metric(k, **options)
        measured = RunAnalysis(asked).measure(recommendations(case), relevant_items(case))
        values = measured.list_metrics()[asked.label]
        users = values.index.to_numpy(np.int64)
        return Answer(measured.list_summary().loc[asked.label, "mean"], users, values.to_numpy(np.float64))

    return ask


SUBJECTS = {
    "Hit": Subject(asking(Hit), Hit),
    "Precision": Subject(asking(Precision), Precision),
    "Recall": Subject(asking(Recall), Recall),
    "RecipRank": Subject(asking(RecipRank), RecipRank),
    "AveragePrecision": Subject(asking(AveragePrecision), AveragePrecision),
    "NDCG": Subject(asking(NDCG), NDCG),
    "NDCG[gain]": Subject(asking(NDCG, gain="rating"), NDCG),
    "DCG": Subject(asking(DCG), DCG),
    "DCG[gain]": Subject(asking(DCG, gain="rating"), DCG),
    "RBP": Subject(asking(RBP), RBP),
    **beyond.subjects(recommendations, relevant_items),
}
