"""Classes that are updated and then give their result."""

import numpy as np


class HitRate:
    """Updated with one user after the other."""

    def __init__(self, k=20):
        self.k, self.hits, self.users = k, 0, 0

    def add(self, recommended, relevant):
        self.hits += any(item in relevant for item in recommended[: self.k])
        self.users += 1

    def result(self):
        return (f"HitRate@{self.k}: ", self.hits / self.users)


class Recall:
    """Updated with a batch of users."""

    def __init__(self, top_k: int = 10):
        self.top_k = top_k
        self.reset()

    def reset(self):
        self.values = []

    def update(self, predictions: list[list[int]], targets: list[list[int]]):
        for predicted, target in zip(predictions, targets, strict=True):
            self.values.append(len(set(predicted[: self.top_k]) & set(target)) / len(target))

    def compute(self):
        return np.mean(self.values)


class MeanReciprocalRank:
    """Called with one user, and has its mean as an attribute."""

    def __init__(self):
        self.sum, self.count = 0.0, 0

    def __call__(self, ranked, truth, k):
        self.sum += next((1 / rank for rank, item in enumerate(ranked[:k], start=1) if item in truth), 0.0)
        self.count += 1

    @property
    def avg(self):
        return self.sum / self.count


class SessionMRR:
    """Scores as a series by item, and the next item of a session."""

    def __init__(self, length=20):
        self.length, self.pos, self.test = length, 0.0, 0

    def add(self, result, next_item, session=0):
        top = result.sort_values(ascending=False, kind="stable").index[: self.length]
        self.test += 1
        if next_item in top:
            self.pos += 1.0 / (top.get_loc(next_item) + 1)

    def result(self):
        return ("MRR@" + str(self.length) + ": ", self.pos / self.test)


class SessionRecall:
    """Its update hands the scores to another method, which says that they are a series."""

    def __init__(self, length=20):
        self.length, self.sum, self.n = length, 0.0, 0

    def add(self, result, next_item):
        self.add_several(result, [next_item])

    def add_several(self, result, next_items):
        best = list(result[: self.length].index)
        self.sum += sum(item in best for item in next_items) / len(next_items)
        self.n += 1

    def result(self):
        return self.sum / self.n
