"""Methods whose data is in their object, which cannot be made or is filled by other methods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Evaluator:
    """Users are added one by one."""

    def __init__(self, dataset, k=10):
        self.dataset, self.k = dataset, k
        self.instances = []

    def add_instance(self, goal, prediction):
        self.instances.append([goal, prediction])

    def average_recall(self):
        total = 0.0
        for goal, prediction in self.instances:
            total += len(set(goal) & set(prediction[: self.k])) / len(goal) if len(goal) else 0.0
        return total / len(self.instances)

    @property
    def mrr(self):
        total = 0.0
        for goal, prediction in self.instances:
            for place, item in enumerate(prediction[: self.k]):
                if item in goal:
                    total += 1 / (place + 1)
                    break
        return total / len(self.instances)


class OfFile:
    """The constructor opens a file."""

    def __init__(self, path):
        with open(path) as lines:
            self.truths = dict(line.split() for line in lines)
        self.cut_off = 10

    def _gain(self, query, item):
        return 1.0 if item in self.truths[query] else 0.0

    def mean_ndcg(self, results: Mapping[str, list[int]], *, verbose: bool = False) -> float:
        values = []
        for query, items in results.items():
            found = sum(self._gain(query, item) / math.log2(i + 2) for i, item in enumerate(items[: self.cut_off]))
            best = sum(1 / math.log2(i + 2) for i in range(min(len(self.truths[query]), self.cut_off)))
            values.append(found / best if best else 0.0)
        return sum(values) / len(values)


class Cached:
    """What is empty at first is no data where the method takes its own."""

    def __init__(self):
        self.cache = {}

    def precision(self, recommended, relevant, k):
        top = self.cache.setdefault((tuple(recommended), k), recommended[:k])
        return sum(item in relevant for item in top) / k


class WithModel:
    """The constructor asks a model for each user's list."""

    def __init__(self, test, recommend):
        self.test, self.recommend = test, recommend
        self.recs = {user: self.recommend(user) for user in test}

    def recall(self):
        hits = truths = 0
        for user in self.test:
            wanted = set(self.test[user])
            listed = self.recs[user]
            hits += sum(item in wanted for item, _ in listed)
            truths += len(self.test[user])
        return round(hits / truths * 100, 2)
