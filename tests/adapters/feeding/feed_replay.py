"""RePlay: an Experiment with all metrics, on pandas frames; the base recommendations are the most popular items."""

import pandas as pd
from feed import candidates, named, ranked, read, report
from replay import metrics

data = read()
QUERY, ITEM, RATING = "query_id", "item_id", "rating"
RANKING = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG", "RocAuc", "Coverage", "Novelty", "Surprisal")


def frame(rows, *beside):
    return pd.DataFrame(named((QUERY, ITEM, RATING)[: 2 + len(beside)], rows, *beside))


lists = ranked(data)
recommended = frame(lists, [[data.scores[user][item] for item in row] for user, row in enumerate(lists)])
train, test = frame(data.train), frame(data.test)
popular = train[ITEM].value_counts().sort_index().sort_values(ascending=False, kind="stable").index[: data.k].tolist()
base = frame([popular] * data.users, [list(range(data.k, 0, -1))] * data.users)
kept = [getattr(metrics, name)(data.k) for name in RANKING]
experiment = metrics.Experiment([*kept, metrics.Unexpectedness(data.k)], test, train, base_recommendations=base)
experiment.add_result("given", recommended)
found = experiment.results.loc["given"]
values = {name: found[f"{name}@{data.k}"] for name in RANKING}
values["Unexpectedness"] = found[f"Unexpectedness_base_recommendations@{data.k}"]
categories = [max(range(len(row)), key=row.__getitem__) for row in data.vectors]
categorised = recommended.assign(category_id=[categories[item] for item in recommended[ITEM]]).drop(columns=ITEM)
diversity = metrics.OfflineMetrics([metrics.CategoricalDiversity(data.k)], query_column=QUERY)
values["CategoricalDiversity"] = diversity(categorised, test)[f"CategoricalDiversity@{data.k}"]
report(values, lists=lists, relevant=data.test, candidates=candidates(data))
