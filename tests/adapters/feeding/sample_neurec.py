"""NeuRec's own evaluation among drawn negatives: Dataset with rec.evaluate.neg, ItemKNN's scores, UniEvaluator.

The last item of each user is held out (splitter loo). NeuRec draws the negatives once and keeps them in a file, which
is removed before each seed. Its ItemKNN is fitted once; it has no predict for candidates ("waiting to complete"), so
that its scores are looked up here. An empty module stands in for TensorFlow 1, and a name that Python 3.10 took out
is put back.
"""
# /// script
# dependencies = ["scipy==1.10.1"]
# ///

import collections
import collections.abc
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
from feed import COMPILED, DATA, on_path, sampled

sys.modules["tensorflow"] = ModuleType("tensorflow")
collections.Iterable = collections.abc.Iterable  # its name before Python 3.10
on_path(COMPILED)

from data.dataset import Dataset  # noqa: E402
from evaluator.backend.cpp.uni_evaluator import UniEvaluator  # noqa: E402
from model.general_recommender.ItemKNN import Compute_Similarity  # noqa: E402


class Settings(dict):
    def __getattr__(self, name):
        return self[name]


Path("input").mkdir(exist_ok=True)
shutil.copy(DATA, "input/ml.rating")
settings = Settings({
    "data.input.path": "input",
    "data.input.dataset": "ml",
    "data.column.format": "UIRT",
    "data.convert.separator": "\t",
    "splitter": "loo",
    "by_time": True,
    "user_min": 0,
    "item_min": 0,
    "rec.evaluate.neg": 100,
})  # fmt: skip


def drawn(seed):
    """The data set with negatives of its own."""
    for file in Path("input").rglob("*.neg100"):
        file.unlink()
    np.random.seed(1000 + seed)  # noqa: NPY002 - what the library draws from
    return Dataset(settings)


known = drawn(0)
similarity = Compute_Similarity(known.train_matrix.tocsc(), shrink=0, topK=100, normalize=True, similarity="cosine")
scores = known.train_matrix.dot(similarity.compute_similarity().tocsr()).toarray().astype(np.float32)
scores += np.random.default_rng(0).random(scores.shape, np.float32) * 1e-3  # so that nothing ties
model = SimpleNamespace(predict=lambda users, items: [scores[u][i] for u, i in zip(users, items, strict=True)])
train, test = known.get_user_train_dict(), known.get_user_test_dict()
asked = {"metric": ["Recall", "NDCG", "MRR"], "top_k": [10], "batch_size": 256, "num_thread": 1}
found = []
for seed in range(100):
    evaluator = UniEvaluator(train, test, drawn(seed).get_user_test_neg_dict(), **asked)
    found.append([float(value) for value in evaluator.evaluate(model).split()])
users = sorted(test)
popularity = np.asarray((known.train_matrix > 0).sum(axis=0)).reshape(-1)
sampled(
    scores[users], [test[u][0] for u in users], [list(train.get(u, [])) for u in users], popularity, {"100": found}, 100
)
