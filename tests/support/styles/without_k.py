"""Scores of the whole catalogue without a cut-off, as scikit-learn has them."""

import numpy as np


def average_precision_score(y_true, y_score):
    order = np.argsort(-y_score, kind="stable")
    hits = y_true[order]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float((precision * hits).sum() / hits.sum())


def ndcg_score(y_true, y_score):
    """Two matrices."""
    values = []
    for labels, scores in zip(y_true, y_score, strict=True):
        weights = 1 / np.log2(np.arange(2, len(labels) + 2))
        gained = (labels[np.argsort(-scores, kind="stable")] * weights).sum()
        values.append(gained / (np.sort(labels)[::-1] * weights).sum())
    return float(np.mean(values))
