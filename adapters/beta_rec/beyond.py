"""Beta-RecSys's functions of true and predicted ratings, and of labels and probabilities; k plays no part."""

from __future__ import annotations

from typing import Callable

from beta_rec.utils import evaluation
from beta_rec.utils.constants import (
    DEFAULT_ITEM_COL,
    DEFAULT_PREDICTION_COL,
    DEFAULT_RATING_COL,
    DEFAULT_USER_COL,
)

from metric_adapters.shapes import candidate_pairs, frame
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import rated_pairs
from metric_reference.case import Case

TRUE = (DEFAULT_USER_COL, DEFAULT_ITEM_COL, DEFAULT_RATING_COL)
PREDICTED = (DEFAULT_USER_COL, DEFAULT_ITEM_COL, DEFAULT_PREDICTION_COL)


def of_ratings(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function of true and predicted ratings."""

    def ask(case: Case, k: int) -> Answer:
        users, items, true, predicted = rated_pairs(case)
        return Answer(float(function(frame(TRUE, users, items, true), frame(PREDICTED, users, items, predicted))))

    return ask


def ask_logloss(case: Case, k: int) -> Answer:
    """Every candidate of every user, rating 1 for relevant and 0 otherwise."""
    users, items, scores, labels = candidate_pairs(case)
    return Answer(float(evaluation.logloss(frame(TRUE, users, items, labels), frame(PREDICTED, users, items, scores))))


SUBJECTS = {
    **{
        name: Subject(of_ratings(getattr(evaluation, name)), getattr(evaluation, name))
        for name in ("rmse", "mae", "rsquared", "exp_var")
    },
    "logloss": Subject(ask_logloss, evaluation.logloss),
}
