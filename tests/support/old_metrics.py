"""Metric functions as they were written for numpy 1 and Python 2, and some that no convention can call."""

from collections import namedtuple

import numpy as np

Ranked = namedtuple("Ranked", "ids weights")


def ndcg_at_k(r, k):
    gains = np.asfarray(r)[:k]  # noqa: NPY201
    ideal = np.sort(np.asfarray(r))[::-1][:k]  # noqa: NPY201
    discounts = np.log2(np.arange(2, k + 2))
    best = np.sum(ideal / discounts[: ideal.size])
    return float(np.sum(gains / discounts[: gains.size]) / best) if best else 0.0


def precision_at_k(actual, predicted, k):
    return sum(1.0 for rank in xrange(min(k, len(predicted))) if predicted[rank] in actual) / k  # noqa: F821


def recall_at_k(actual, predicted, k):
    hits = [item in actual for item in predicted[:k]]
    return np.float_(sum(hits)) / np.float_(len(actual)) if len(actual) else 0.0  # noqa: NPY201


def hit_rate_at_k(actual, predicted, k):
    import pandas

    rows = pandas.DataFrame({"hit": []})
    for item in predicted[:k]:
        rows = rows.append({"hit": float(item in actual)}, ignore_index=True)
    return rows["hit"].max() if len(rows) else 0.0


def recall_of_scores(scores, truth, k=10):
    from scipy import sparse

    rows = sparse.csr_matrix(truth)
    best = np.argsort(-scores, axis=1)[:, :k]
    values = [row.A.ravel()[chosen].sum() / row.sum() for row, chosen in zip(rows, best, strict=True) if row.sum()]
    return np.mean(values) if values else 0.0


def average_precision(pack, truth, weights, colours, shapes, k=10):
    """It wants objects that only its own project makes."""
    return pack.ids.score(truth, weights, colours, shapes)[:k]


def reciprocal_rank(ranking, gold):
    """It raises whatever it is given."""
    return ranking.first_hit(gold)


class Evaluator:
    def evaluate(self, relevant, recommended, at):
        return Ranked(recommended, relevant).weights.total(at)


def average_precision_of_flags(hits):
    hits = np.asarray(hits, dtype=np.float32)
    found = np.sum(hits)
    return float(np.mean(np.linspace(1, found, found) / (np.flatnonzero(hits) + 1.0))) if found else 0.0


def ndcg_of_rows(y_true, y_score, k):
    """scikit-learn took k by position."""
    from sklearn.metrics import ndcg_score

    return ndcg_score(np.asarray(y_true)[None, :], np.asarray(y_score)[None, :], k)
