"""LibRecommender: evaluate with a model that has the scores, on its data sets of training and of every candidate."""
# /// script
# dependencies = ["tensorflow-cpu==2.20.0", "torch==2.13.0", "gensim==4.4.0"]
# ///

import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import pandas as pd
from feed import candidates, columns, labels, ranked, read, report
from libreco.bases import Base
from libreco.data import DatasetPure
from libreco.evaluation import evaluate

data = read()
truth = labels(data)


def frame(rows, marks):
    return pd.DataFrame(dict(zip(("user", "item", "label"), columns(rows, marks), strict=True)))


class Given(Base):
    """The scores of the data set; users and items have their numbers, since all of them are in the training data."""

    def fit(self, *args, **kwargs):
        raise NotImplementedError

    def predict(self, user, item, inner_id=False, **options):
        return np.array(data.scores)[user, item]

    def recommend_user(self, user, n_rec, inner_id=False, filter_consumed=True, random_rec=False, **options):
        return {number: np.array(ranked(data, n_rec)[number]) for number in user}

    def save(self, *args, **kwargs):
        raise NotImplementedError

    @classmethod
    def load(cls, *args, **kwargs):
        raise NotImplementedError


train, info = DatasetPure.build_trainset(frame(data.train, [[1] * len(row) for row in data.train]))
assert list(info.user2id.items()) == [(user, user) for user in range(data.users)]
assert list(info.item2id.items()) == [(item, item) for item in range(data.items)]
lists = ranked(data)
shown = DatasetPure.build_evalset(frame(lists, [[truth[user][item] for item in row] for user, row in enumerate(lists)]))
names = ["precision", "recall", "map", "ndcg", "roc_gauc", "pr_auc"]
values = evaluate(Given("ranking", info), shown, neg_sampling=False, metrics=names, k=data.k)
report(values, lists=lists, relevant=data.test, candidates=candidates(data))
