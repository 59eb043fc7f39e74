"""Metric functions as people write them, sound and unsound, for the tests of the audit. They import nothing of ours."""

import math
import os
import random
import sys

import numpy as np


def apk(actual, predicted, k=10):
    predicted = predicted[:k]
    score, hits = 0.0, 0
    for i, item in enumerate(predicted):
        if item in actual and item not in predicted[:i]:
            hits += 1
            score += hits / (i + 1)
    return score / min(len(actual), k) if actual else 0.0


def ap_over_k(actual, predicted, k):
    score, hits = 0.0, 0
    for rank, item in enumerate(predicted[:k], start=1):
        if item in actual:
            hits += 1
            score += hits / rank
    return score / k


def ndcg_off_by_one(relevant, recommended, k):
    gain = sum(1 / math.log2(rank + 2) for rank, item in enumerate(recommended[:k], start=1) if item in relevant)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(1, min(k, len(relevant)) + 1))
    return gain / ideal if ideal else 0.0


def ndcg_square_root(relevant, recommended, k):
    """A discount that no one uses."""
    gain = sum(1 / math.sqrt(rank) for rank, item in enumerate(recommended[:k], start=1) if item in relevant)
    ideal = sum(1 / math.sqrt(rank) for rank in range(1, min(k, len(relevant)) + 1))
    return gain / ideal if ideal else 0.0


def hits_counted(relevant, recommended, k):
    return sum(item in relevant for item in recommended[:k])


def recall(relevant, recommended, k):
    return len(set(relevant) & set(recommended[:k])) / len(relevant) if relevant else 0.0


class Recall:
    def __init__(self, k=10):
        self.k = k

    def compute(self, relevant, recommended):
        return recall(relevant, recommended, self.k)


def recall_percent(relevant, recommended, k):
    return 100 * recall(relevant, recommended, k)


def recall_undefined(relevant, recommended, k):
    return len(set(relevant) & set(recommended[:k])) / len(relevant) if relevant else float("nan")


def recall_raises(relevant, recommended, k):
    raise RuntimeError("no answer today")


def recall_hangs(relevant, recommended, k):
    while True:
        pass


def recall_exits(relevant, recommended, k):
    sys.exit(3)


def recall_dies(relevant, recommended, k):
    os._exit(3)


def recall_allocates(relevant, recommended, k):
    return len([0] * 10**12)


def recall_text(relevant, recommended, k):
    return "0.5"


def recall_nan(relevant, recommended, k):
    return float("nan")


def recall_random(relevant, recommended, k):
    return random.random()


def recall_mutates(relevant, recommended, k):
    value = recall(relevant, recommended, k)
    recommended.clear()
    return value


def recall_prints(relevant, recommended, k):
    print('{"ok": true, "value": 1.0}')
    os.write(1, b'{"ok": true, "value": 1.0}\n')
    return recall(relevant, recommended, k)


def recall_sevenfold(relevant, recommended, k):
    return 7 * recall(relevant, recommended, k)


not_a_function = 3


def label_ranking_average_precision(y_true, y_score):
    if np.shape(y_true) != np.shape(y_score):
        raise ValueError("y_true and y_score have different shape")
    if not set(np.unique(y_true)) <= {0, 1}:
        raise ValueError("y_true is not binary")
    values = []
    for labels, scores in zip(y_true, y_score, strict=True):
        hits = labels[np.argsort(-scores, kind="stable")]
        precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
        values.append((precision * hits).sum() / max(1, hits.sum()))
    return float(np.mean(values))
