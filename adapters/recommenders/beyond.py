"""Recommenders' functions of ratings, of probabilities, and of recommendations beside the training data.

The latter take the recommendations as they are, so the lists are cut at k here. They refuse a recommended item that is
in the user's training data.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np
import pandas as pd
from recommenders.evaluation import python_evaluation as evaluation

from metric_adapters.shapes import candidate_pairs, frame, hit_matrix
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import rated_pairs, train_pairs, vectors
from metric_reference.case import NOTHING, Case

TRUE = ("userID", "itemID", "rating")
PREDICTED = ("userID", "itemID", "prediction")
PAIRS = ("userID", "itemID")


def of_ratings(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function of true and predicted ratings; k plays no part."""

    def ask(case: Case, k: int) -> Answer:
        users, items, true, predicted = rated_pairs(case)
        return Answer(float(function(frame(TRUE, users, items, true), frame(PREDICTED, users, items, predicted))))

    return ask


def ask_logloss(case: Case, k: int) -> Answer:
    """Every candidate of every user, rating 1 for relevant and 0 otherwise; k plays no part."""
    users, items, scores, labels = candidate_pairs(case)
    return Answer(float(evaluation.logloss(frame(TRUE, users, items, labels), frame(PREDICTED, users, items, scores))))


def cut(case: Case, k: int) -> Any:
    """The first k items of each user as a frame, with the column ``relevance``, 1 or 0."""
    kept = case.recommended[:, :k] != NOTHING
    users = np.nonzero(kept)[0]
    relevance = hit_matrix(case, k)[:, : kept.shape[1]][kept].astype(np.float64)
    return frame((*PAIRS, "relevance"), users, case.recommended[:, :k][kept], relevance)


def beside_training(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a function of the training data and the recommendations."""

    def ask(case: Case, k: int) -> Answer:
        return Answer(float(function(frame(PAIRS, *train_pairs(case)), cut(case, k))))

    return ask


def of_likeness(
    function: Callable[..., float], by_user: Callable[..., Any], features: bool, **options: Any
) -> Callable[[Case, int], Answer]:
    """Ask a function of the likeness of items for its mean, and its twin for the values that it is the mean of.

    features : items are alike by their features, else by their co-occurrence in the training data.
    """

    def ask(case: Case, k: int) -> Answer:
        given: Dict[str, Any] = dict(options)
        if features:
            numbered = {"itemID": np.arange(case.n_items), "features": list(vectors(case))}
            given.update(item_feature_df=pd.DataFrame(numbered), item_sim_measure="item_feature_vector")
        asked = frame(PAIRS, *train_pairs(case)), cut(case, k)
        value, values = float(function(*asked, **given)), by_user(*asked, **given)
        column = values.columns[-1]
        return Answer(value, values["userID"].to_numpy(np.int64), values[column].to_numpy(np.float64))

    return ask


def likeness(name: str, features: bool, **options: Any) -> Subject:
    function = getattr(evaluation, name)
    return Subject(of_likeness(function, getattr(evaluation, f"user_{name}"), features, **options), function)


SUBJECTS = {
    **{
        name: Subject(of_ratings(getattr(evaluation, name)), getattr(evaluation, name))
        for name in ("rmse", "mae", "rsquared", "exp_var")
    },
    "logloss": Subject(ask_logloss, evaluation.logloss),
    **{
        name: Subject(beside_training(getattr(evaluation, name)), getattr(evaluation, name))
        for name in ("novelty", "catalog_coverage", "distributional_coverage")
    },
    "diversity": likeness("diversity", features=False),
    "diversity[features]": likeness("diversity", features=True),
    "serendipity": likeness("serendipity", features=False, col_relevance="relevance"),
    "serendipity[features]": likeness("serendipity", features=True, col_relevance="relevance"),
}
