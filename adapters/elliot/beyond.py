"""Elliot's metrics of what is recommended and of ratings: they read the data set beside the lists.

SRecall reads the features of items from a file, a line for each item, as Elliot's configuration names it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
from elliot.evaluation import metrics
from elliot.evaluation.popularity_utils import Popularity
from elliot.evaluation.relevance import Relevance

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import rated_pairs, train_pairs, vectors
from metric_reference.case import Case

Recommendations = Dict[int, List[Tuple[int, float]]]
CONFIG = SimpleNamespace(config_test=True)


class Interactions:
    """Elliot's sparse training matrix as far as its Popularity reads it: the number of interactions of each item."""

    def __init__(self, counts: np.ndarray) -> None:
        self.counts = counts

    def astype(self, kind: type) -> "Interactions":
        return self

    def sum(self, axis: int) -> Any:
        return np.asmatrix(self.counts)


def data_set(case: Case) -> SimpleNamespace:
    """What the metrics read of Elliot's data set; without training data where a case has none."""
    data = SimpleNamespace(items=list(range(case.n_items)), train_dict={})
    if case.item_counts is not None:
        users, items = train_pairs(case)
        train: Dict[int, Dict[int, float]] = {user: {} for user in range(int(users.max()) + 1)}
        for user, item in zip(users.tolist(), items.tolist()):
            train[user][item] = 1.0
        data.train_dict = train
        data.private_items = dict(enumerate(range(case.n_items)))
        data.sp_i_train = Interactions(case.item_counts)
        data.transactions = len(users)
    return data


def objects(case: Case, k: int, pairs: Tuple[np.ndarray, ...]) -> SimpleNamespace:
    """What Elliot's Evaluator hands to a metric; ``pairs``: users, items and ratings of the test data."""
    test: Dict[int, Dict[int, float]] = {user: {} for user in range(case.users)}
    for user, item, gain in zip(*(column.tolist() for column in pairs[:3])):
        test[user][item] = gain
    data = data_set(case)
    return SimpleNamespace(
        relevance=Relevance(test, case.threshold),
        cutoff=k,
        num_items=case.n_items,
        data=data,
        pop=Popularity(data),
    )


def answer_of(metric: Any) -> Answer:
    """The value of a metric and, where it is the mean of users' values, these."""
    if "eval" in vars(type(metric)) or not hasattr(metric, "eval_user_metric"):
        return Answer(float(metric.eval()))
    by_user = metric.eval_user_metric()
    users, values = np.array(list(by_user), dtype=np.int64), np.array(list(by_user.values()), dtype=np.float64)
    return Answer(float(metric.eval()), users, values)


def asking(name: str, lists: Callable[[Case], Recommendations], **more: str) -> Callable[[Case, int], Answer]:
    """Ask a metric of the lists; ``more``: what the configuration of a complex metric says of it."""

    def ask(case: Case, k: int) -> Answer:
        kind, given = metrics.parse_metric(name), objects(case, k, relevant_pairs(case))
        arguments = (lists(case), CONFIG, None, given)
        (metric,) = (kind(*arguments, more) if more else kind(*arguments)).get()  # as Elliot's Evaluator takes them
        return answer_of(metric)

    return ask


def asking_ratings(name: str) -> Callable[[Case, int], Answer]:
    """Ask a metric of ratings: the lists hold every judged item with its predicted rating."""

    def ask(case: Case, k: int) -> Answer:
        users, items, _, predicted = rated_pairs(case)
        rated: Recommendations = {}
        for user, item, rating in zip(users.tolist(), items.tolist(), predicted.tolist()):
            rated.setdefault(user, []).append((item, rating))
        given = objects(case, k, rated_pairs(case))
        return answer_of(metrics.parse_metric(name)(rated, CONFIG, None, given))

    return ask


def asking_subtopics(lists: Callable[[Case], Recommendations]) -> Callable[[Case, int], Answer]:
    """Ask SRecall, whose topics are the places of an item's vector that are not 0."""

    def ask(case: Case, k: int) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "features.tsv")
            rows = ("\t".join(map(str, [item, *np.flatnonzero(row)])) for item, row in enumerate(vectors(case)))
            file.write_text("\n".join(rows), encoding="utf-8")
            return asking("SRecall", lists, feature_data=str(file))(case, k)

    return ask


LISTS = ("ItemCoverage", "UserCoverage", "Gini", "SEntropy", "EFD", "EPC", "ARP")
RATINGS = ("MAE", "MSE", "RMSE")


def subjects(lists: Callable[[Case], Recommendations]) -> Dict[str, Subject]:
    """The subjects; ``lists`` makes Elliot's recommendations of a case."""
    asked = {
        **{name: asking(name, lists) for name in LISTS},
        **{name: asking_ratings(name) for name in RATINGS},
        "ExtendedEFD": asking("ExtendedEFD", lists, relevance="binary"),
        "ExtendedEPC": asking("ExtendedEPC", lists, relevance="binary"),
        "ExtendedF1": asking("ExtendedF1", lists, metric_0="Precision", metric_1="Recall"),
        "DSC": asking("DSC", lists, metric_0="Precision", metric_1="Recall"),
        "SRecall": asking_subtopics(lists),
    }
    return {name: Subject(ask, metrics.parse_metric(name)) for name, ask in asked.items()}
