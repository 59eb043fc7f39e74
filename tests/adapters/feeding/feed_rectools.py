"""RecTools: cross_validate with a model of its own, EASE, on two days, of which the second is the test."""

import pandas as pd
from feed import named, read, report
from rectools import Columns, metrics
from rectools.dataset import Dataset
from rectools.model_selection import TimeRangeSplitter, cross_validate
from rectools.models import EASEModel

data = read()
NAMES = (Columns.User, Columns.Item)
days = [pd.DataFrame(named(NAMES, rows)).assign(**{Columns.Weight: 1.0}) for rows in (data.train, data.test)]
for frame, day in zip(days, ("2024-01-01", "2024-01-02"), strict=True):
    frame[Columns.Datetime] = pd.Timestamp(day)
k = data.k
asked = {
    **{name: getattr(metrics, name)(k=k) for name in ("HitRate", "Precision", "Recall", "F1Beta", "MCC", "MRR")},
    "Precision[r_precision]": metrics.Precision(k=k, r_precision=True),
    "MAP": metrics.MAP(k=k),
    "MAP[divide_by_k]": metrics.MAP(k=k, divide_by_k=True),
    "NDCG": metrics.NDCG(k=k),
    "NDCG[divide_by_achievable]": metrics.NDCG(k=k, divide_by_achievable=True),
}
model = EASEModel(regularization=1.0)
found = cross_validate(
    Dataset.construct(pd.concat(days, ignore_index=True)),
    TimeRangeSplitter("1D"),
    metrics=asked,
    models={"ease": model},
    k=k,
    filter_viewed=True,
)
(values,) = found["metrics"]
recommended = model.recommend(range(data.users), Dataset.construct(days[0]), k=k, filter_viewed=True)
recommended = recommended.sort_values([Columns.User, Columns.Rank])
lists = [part[Columns.Item].tolist() for _, part in recommended.groupby(Columns.User)]
report({name: values[name] for name in asked}, lists=lists, relevant=data.test)
