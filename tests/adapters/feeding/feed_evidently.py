"""Evidently: a Report on a data set that is defined as rankings, and for MAR, which that has not, a legacy Report."""

import os

os.environ["DO_NOT_TRACK"] = "1"  # it reports its use otherwise

import pandas as pd
from evidently import DataDefinition, Dataset, Recsys, Report, metrics
from evidently.legacy import metrics as legacy
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report as LegacyReport
from feed import columns, labels, ranked, read_untrained, report

data = read_untrained()
METRICS = {
    "HitRateKMetric": metrics.HitRate(k=data.k),
    "PrecisionTopKMetric": metrics.PrecisionTopK(k=data.k),
    "RecallTopKMetric": metrics.RecallTopK(k=data.k),
    "FBetaTopKMetric": metrics.FBetaTopK(k=data.k),
    "MRRKMetric": metrics.MRR(k=data.k),
    "MAPKMetric": metrics.MAP(k=data.k),
    "NDCGKMetric": metrics.NDCG(k=data.k),
}
ONE_TOO_HIGH = ("MRRKMetric", "NDCGKMetric")
"""The report counts these from rank 2: in its table the value at rank k stands beside k + 1."""
lists, gains = ranked(data), labels(data, graded=True)
users, items = columns(lists)
table = pd.DataFrame({"user_id": users, "item_id": items})
table["target"] = [gains[user][item] for user, item in zip(users, items, strict=True)]
table["prediction"] = table.groupby("user_id").cumcount() + 1
names = {name: name for name in ("user_id", "item_id", "target", "prediction")}
definition = DataDefinition(ranking=[Recsys(**names, recommendations_type=RecomType.RANK)])
found = Report([*METRICS.values()]).run(Dataset.from_pandas(table, data_definition=definition), None)
values = {}
for name, metric in METRICS.items():
    frame = found.context.get_metric_result(metric).value
    values[name] = frame["value"].iloc[data.k - 1]
    assert frame["rank"].iloc[data.k - 1] == data.k + (name in ONE_TOO_HIGH)
older = LegacyReport([legacy.MARKMetric(k=data.k)])
mapping = ColumnMapping(**names, recommendations_type=RecomType.RANK)
older.run(reference_data=None, current_data=table, column_mapping=mapping)
(shown,) = older.as_dict()["metrics"]
values["MARKMetric"] = shown["result"]["current"][data.k - 1]
report(values, lists=lists, relevant=data.test, gains=data.ratings, train=data.train)
