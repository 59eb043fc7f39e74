"""recmetrics takes plain lists, one for each user, that its users cut at n themselves; mark alone has a k of its own.

It returns one number; novelty returns the values of users as well.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict, List

import numpy as np
import pandas as pd
from recmetrics import metrics

from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import CannotShow, rated_pairs, train_pairs, vectors
from metric_reference.case import Case


def version() -> str:
    return version_of("recmetrics")


def predicted(case: Case, k: int) -> List[List[int]]:
    return list(lists_by_user(case, k).values())


def actual(case: Case) -> List[List[int]]:
    return list(relevant_by_user(case).values())


def popularity(case: Case) -> Dict[int, int]:
    """How often each item of the training data is in it, as ``dict(items.value_counts())`` says it."""
    items, counts = np.unique(train_pairs(case)[1], return_counts=True)
    return dict(zip(items.tolist(), counts.tolist()))


def ask_mark(case: Case, k: int) -> Answer:
    return Answer(metrics.mark(actual(case), list(lists_by_user(case).values()), k=k))


def comparing(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function of predicted and actual lists."""

    def ask(case: Case, k: int) -> Answer:
        return Answer(function(predicted(case, k), actual(case)))

    return ask


def ask_novelty(case: Case, k: int) -> Answer:
    users = int(case.n_train_users or 0)
    value, by_user = metrics.novelty(predicted(case, k), popularity(case), users, k)
    return Answer(value, np.arange(case.users), np.array(by_user))


def ask_prediction_coverage(case: Case, k: int) -> Answer:
    return Answer(metrics.prediction_coverage(predicted(case, k), list(popularity(case))))


def ask_personalization(case: Case, k: int) -> Answer:
    lists = predicted(case, k)
    if len({len(row) for row in lists}) > 1:
        raise CannotShow("personalization makes one matrix of all lists; here they have different lengths")
    return Answer(metrics.personalization(lists))


def ask_intra_list_similarity(case: Case, k: int) -> Answer:
    """The frame of features is indexed by item."""
    return Answer(metrics.intra_list_similarity(predicted(case, k), pd.DataFrame(vectors(case))))


def of_ratings(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function of true and predicted ratings; k plays no part."""

    def ask(case: Case, k: int) -> Answer:
        _, _, truth, prediction = rated_pairs(case)
        return Answer(function(truth, prediction))

    return ask


ASKED: Dict[Any, Callable[[Case, int], Answer]] = {
    metrics.recommender_precision: comparing(metrics.recommender_precision),
    metrics.recommender_recall: comparing(metrics.recommender_recall),
    metrics.mark: ask_mark,
    metrics.novelty: ask_novelty,
    metrics.prediction_coverage: ask_prediction_coverage,
    metrics.personalization: ask_personalization,
    metrics.intra_list_similarity: ask_intra_list_similarity,
    metrics.mse: of_ratings(metrics.mse),
    metrics.rmse: of_ratings(metrics.rmse),
}
SUBJECTS = {function.__name__: Subject(ask, function) for function, ask in ASKED.items()}
