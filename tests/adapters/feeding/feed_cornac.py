"""Cornac: an Experiment on given splits with a model that has the scores."""

import numpy as np
from cornac import Experiment, metrics
from cornac.eval_methods import BaseMethod
from cornac.models import Recommender
from feed import candidates, columns, ranked, read, report

data = read()
CUT = (metrics.HitRatio, metrics.Precision, metrics.Recall, metrics.FMeasure, metrics.NDCG)
WHOLE = (metrics.MRR, metrics.MAP, metrics.AUC)


class Given(Recommender):
    """The scores of the data set, by the numbers that the data set of the experiment gives users and items."""

    def fit(self, train_set, val_set=None):
        super().fit(train_set, val_set)
        self.users, self.items = train_set.uid_map, train_set.iid_map
        return self

    def score(self, user_idx, item_idx=None):
        user = next(user for user, number in self.users.items() if number == user_idx)
        row = np.zeros(len(self.items))
        for item, number in self.items.items():
            row[number] = data.scores[user][item]
        return row if item_idx is None else row[item_idx]


train, test = ([(*pair, 1.0) for pair in zip(*columns(rows), strict=True)] for rows in (data.train, data.test))
method = BaseMethod.from_splits(train, test, rating_threshold=1.0, exclude_unknowns=True)
asked = [*(metric(k=data.k) for metric in CUT), *(metric() for metric in WHOLE)]
experiment = Experiment(method, [Given("given")], asked, save_dir=".")
experiment.run()
found = experiment.result[0].metric_avg_results
values = {type(metric).__name__: found[metric.name] for metric in asked}
report(values, lists=ranked(data), relevant=data.test, candidates=candidates(data))
