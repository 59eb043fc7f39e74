"""Inputs in one tuple, lists of metrics by name, classes that want a reset, columns of one letter."""

import numpy as np


def reciprocal_rank_of_couple(couple):
    truth, guess = couple
    order = np.argsort(-guess)
    return float(1 / (np.flatnonzero(truth[order])[0] + 1))


def recall_of_both(both, k):
    return len(set(both[0]) & set(both[1][:k])) / len(both[0])


def _hit(r, k):
    return float(any(r[:k]))


def by_names(relevance, metrics, topk):
    found = {}
    for metric in metrics:
        if metric == "HIT":
            found[metric] = _hit(relevance, topk)
        elif metric == "PREC":
            found[metric] = sum(relevance[:topk]) / topk
        else:
            raise ValueError(metric)
    return found


class MeanHit:
    def __init__(self, k=10):
        self.k = k

    def reset(self):
        self.values = []

    def add(self, recommended, relevant):
        self.values.append(float(any(item in relevant for item in recommended[: self.k])))

    def result(self):
        return sum(self.values) / len(self.values)


def recall_of_frame(df, k=10):
    shares = []
    for _, rows in df.groupby("u"):
        best = rows.sort_values("predict", ascending=False).head(k)
        shares.append(best["bought_flag"].sum() / rows["bought_flag"].sum())
    return float(np.mean(shares))


def recall_of_labels(y_true, top_items, k):
    """0 or 1 for each item of the catalogue, and the ids of the list."""
    return sum(y_true[item] for item in top_items[:k]) / sum(y_true)
