"""Beta-RecSys takes two long frames (user, item and rating; user, item and prediction) and returns one number.

Its metrics for sequence models take the relevant and the listed items of one user instead, each item in a list of its
own, and return that user's value.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, List

import numpy as np
from beta_rec.utils import evaluation, seq_evaluation
from beta_rec.utils.constants import (
    DEFAULT_ITEM_COL,
    DEFAULT_PREDICTION_COL,
    DEFAULT_RATING_COL,
    DEFAULT_USER_COL,
)

from metric_adapters.shapes import candidate_pairs, frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond

TRUE = (DEFAULT_USER_COL, DEFAULT_ITEM_COL, DEFAULT_RATING_COL)
PREDICTED = (DEFAULT_USER_COL, DEFAULT_ITEM_COL, DEFAULT_PREDICTION_COL)


def version() -> str:
    return version_of("beta-rec")


def asking(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a ranking function, which sorts by prediction and cuts at k itself.

    It takes every row with a rating of 1 and above for relevant and uses the rating for nothing else, so the frame
    holds relevant items alone, rated 1: a gain below 1 would be dropped.
    """

    def ask(case: Case, k: int) -> Answer:
        users, items, gains = relevant_pairs(case)
        true = frame(TRUE, users, items, np.ones(len(gains)))
        return Answer(function(true, frame(PREDICTED, *recommended_pairs(case)), k=k))

    return ask


def ask_auc(case: Case, k: int) -> Answer:
    """One curve over every candidate of every user, rating 1 for relevant and 0 otherwise; k plays no part."""
    users, items, scores, labels = candidate_pairs(case)
    return Answer(evaluation.auc(frame(TRUE, users, items, labels), frame(PREDICTED, users, items, scores)))


def asking_sequences(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function for sequence models about each user, as the library's ``EvalEngine.evaluate_sequence`` does.

    The engine itself needs torch, so three things that it does around the function are done here: it cuts the list at
    k, counts 0 for a user without relevant items or without a list, and takes the mean over all users.
    """

    def ask(case: Case, k: int) -> Answer:
        values = np.zeros(case.users)
        for user in range(case.users):
            truth, listed = in_lists(case.relevant_of(user)), in_lists(case.list_of(user, k))
            if truth and listed:
                values[user] = function(truth, listed)
        return Answer(float(values.mean()), np.arange(case.users), values)

    return ask


def in_lists(items: np.ndarray) -> List[List[int]]:
    """Each item in a list of its own: an entry of a sequence may hold several."""
    return [[item] for item in items.tolist()]


FRAMES = ("precision_at_k", "recall_at_k", "map_at_k", "ndcg_at_k")
SEQUENCES = ("precision", "recall", "mrr", "ndcg")


def subject(make: Callable[..., Callable[[Case, int], Answer]], function: Any) -> Subject:
    return Subject(make(function), function)


SUBJECTS = {
    **{name: subject(asking, getattr(evaluation, name)) for name in FRAMES},
    "auc": Subject(ask_auc, evaluation.auc),
    **{f"seq:{name}": subject(asking_sequences, getattr(seq_evaluation, name)) for name in SEQUENCES},
    **beyond.SUBJECTS,
}
