"""LensKit: topn_pipeline with a scorer of ours, trained, run by recommend and predict, and measured by RunAnalysis."""

import numpy as np
import pandas as pd
from feed import read, report
from lenskit.batch import predict, recommend
from lenskit.data import ItemList, ItemListCollection, QueryInput, RecQuery, from_interactions_df
from lenskit.metrics import (
    DCG,
    MAE,
    NDCG,
    RBP,
    RMSE,
    ExposureGini,
    Hit,
    ListGini,
    MeanPopRank,
    Precision,
    Recall,
    RecipRank,
    RunAnalysis,
)
from lenskit.metrics.ranking import AveragePrecision
from lenskit.pipeline import Component, predict_pipeline, topn_pipeline

data = read()
k = data.k


def table(items, ratings):
    """A frame with a row for each user, item and rating."""
    users = np.repeat(np.arange(data.users), [len(row) for row in items])
    return pd.DataFrame({"user_id": users, "item_id": np.concatenate(items), "rating": np.concatenate(ratings) * 1.0})


class Given(Component[ItemList]):
    """The scores of the data set, as ratings up to 5."""

    config: None

    def __call__(self, query: QueryInput, items: ItemList) -> ItemList:
        row = np.array(data.scores[RecQuery.create(query).user_id])
        return ItemList(items, scores=5 * row[items.ids()])


training = from_interactions_df(table(data.train, data.train_ratings))
test = ItemListCollection.from_df(table(data.test, data.ratings), ["user_id"])
ranking = topn_pipeline(Given())
ranking.train(training)
recommended = recommend(ranking, list(range(data.users)), n=k, n_jobs=1)
rating = predict_pipeline(Given())
rating.train(training)
predicted = predict(rating, test, n_jobs=1)
ranked = {
    "Hit": Hit(k),
    "Precision": Precision(k),
    "Recall": Recall(k),
    "RecipRank": RecipRank(k),
    "AveragePrecision": AveragePrecision(k),
    "NDCG": NDCG(k),
    "NDCG[gain]": NDCG(k, gain="rating"),
    "DCG": DCG(k),
    "DCG[gain]": DCG(k, gain="rating"),
    "RBP": RBP(k),
    "MeanPopRank": MeanPopRank(training, n=k),
    "ListGini": ListGini(k, items=training.items),
    "ExposureGini": ExposureGini(k, items=training.items),
}
values = {}
for name, metric in ranked.items():  # two of one class have one label, so each is measured alone
    measured = RunAnalysis(metric).measure(recommended, test)
    values[name] = measured.global_metrics()[metric.label]
for metric in (MAE(), RMSE()):
    measured = RunAnalysis(metric).measure(predicted, test)
    values[metric.label] = measured.global_metrics()[metric.label]
report(
    values,
    lists=[recommended.lookup(user_id=user).ids().tolist() for user in range(data.users)],
    relevant=data.test,
    gains=data.ratings,
    predicted=[[5.0 * data.scores[user][item] for item in items] for user, items in enumerate(data.test)],
)
