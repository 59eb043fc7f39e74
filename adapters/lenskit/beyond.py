"""LensKit's metrics that need the training data, the number of items, or predicted ratings; RunAnalysis measures."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pandas as pd
from lenskit.data import ItemList, ItemListCollection, from_interactions_df
from lenskit.metrics import MAE, RMSE, ExposureGini, ListGini, MeanPopRank, RunAnalysis

from metric_adapters.subject import Answer, Subject
from metric_adapters.training import rated_pairs, train_pairs
from metric_reference.case import Case

Lists = Callable[[Case], Any]
USER = ["user_id"]


def asking_gini(metric: Any, recommendations: Lists, test: Lists) -> Callable[[Case, int], Answer]:
    """Ask a metric that has one value for all lists; it gets the number of items."""

    def ask(case: Case, k: int) -> Answer:
        asked = metric(k, items=case.n_items)
        measured = RunAnalysis(asked).measure(recommendations(case), test(case))
        return Answer(float(measured.global_metrics()[asked.label]))

    return ask


def asking_popularity(recommendations: Lists, test: Lists) -> Callable[[Case, int], Answer]:
    """Ask MeanPopRank, made with the training data as a data set of LensKit."""

    def ask(case: Case, k: int) -> Answer:
        users, items = train_pairs(case)
        trained = from_interactions_df(pd.DataFrame({"user_id": users, "item_id": items}))
        asked = MeanPopRank(trained, n=k)
        measured = RunAnalysis(asked).measure(recommendations(case), test(case))
        values = measured.list_metrics()[asked.label]
        mean = float(measured.list_summary().loc[asked.label, "mean"])
        return Answer(mean, values.index.to_numpy(np.int64), values.to_numpy(np.float64))

    return ask


def asking_ratings(metric: Any, together: bool) -> Callable[[Case, int], Answer]:
    """Ask for the error of ratings; k plays no part.

    together : the metric's own aggregation over all ratings; else what RunAnalysis gives, the mean over lists.
    """

    def ask(case: Case, k: int) -> Answer:
        users, items, true, predicted = rated_pairs(case)
        scored, rated = {}, {}
        for user in np.unique(users).tolist():
            part = users == user
            scored[user] = ItemList(item_ids=items[part], scores=predicted[part])
            rated[user] = ItemList(item_ids=items[part], rating=true[part])
        asked = metric()
        if together:
            return Answer(float(asked.global_aggregate([asked.compute_list_data(scored[u], rated[u]) for u in scored])))
        lists = ItemListCollection.from_dict(scored, USER), ItemListCollection.from_dict(rated, USER)
        measured = RunAnalysis(asked).measure(*lists)
        values = measured.list_metrics()[asked.label]
        mean = float(measured.list_summary().loc[asked.label, "mean"])
        return Answer(mean, values.index.to_numpy(np.int64), values.to_numpy(np.float64))

    return ask


def subjects(recommendations: Lists, test: Lists) -> "dict[str, Subject]":
    """The subjects; the two make LensKit's collections of a case."""
    return {
        "MeanPopRank": Subject(asking_popularity(recommendations, test), MeanPopRank),
        "ListGini": Subject(asking_gini(ListGini, recommendations, test), ListGini),
        "ExposureGini": Subject(asking_gini(ExposureGini, recommendations, test), ExposureGini),
        "MAE": Subject(asking_ratings(MAE, together=False), MAE),
        "MAE[global]": Subject(asking_ratings(MAE, together=True), MAE),
        "RMSE": Subject(asking_ratings(RMSE, together=False), RMSE),
        "RMSE[global]": Subject(asking_ratings(RMSE, together=True), RMSE),
    }
