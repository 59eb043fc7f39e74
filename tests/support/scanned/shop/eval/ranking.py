"""Metrics that import a neighbour, two of them under one name."""

import math

from eval.common import relevant_ranks


def ndcg_at_k(actual, predicted, k=10):
    gain = sum(1 / math.log2(rank + 1) for rank in relevant_ranks(actual, predicted[:k]))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(actual)) + 1))
    return gain / ideal if ideal else 0.0


def recall_at_k(actual, predicted, k=10):
    return len(relevant_ranks(actual, predicted[:k])) / len(actual) if actual else 0.0


def mrr(actual, predicted, k=10):
    return _mrr(actual, predicted[:k])


def _mrr(actual, predicted):
    return next((1 / rank for rank in relevant_ranks(actual, predicted)), 0.0)


def report_recall(path, value):
    return f"{path}: {value}"


class Precision:
    def __init__(self, k=10):
        self.k = k

    def compute(self, actual, predicted):
        return len(relevant_ranks(actual, predicted[: self.k])) / self.k


class Board:
    @staticmethod
    def hit_rate(actual, predicted, k):
        return float(bool(relevant_ranks(actual, predicted[:k])))

    def __init__(self, model):
        self.model = model

    def ndcg(self, actual, predicted):
        return self.model.share / 2
