"""Several metrics in one return."""

import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

Scores = namedtuple("Scores", ["hit", "mrr"])


def _hits(actual, predicted, k):
    return [item in actual for item in predicted[:k]]


def _ndcg(actual, predicted, k):
    gained = sum(1 / math.log2(rank + 2) for rank, hit in enumerate(_hits(actual, predicted, k)) if hit)
    return gained / sum(1 / math.log2(rank + 2) for rank in range(min(k, len(actual))))


def precision_recall(actual, predicted, k=10):
    found = sum(_hits(actual, predicted, k))
    return found / k, found / len(actual)


def evaluate_user(predicted, actual, topk):
    return {"hits": any(_hits(actual, predicted, topk)), f"NDCG@{topk}": _ndcg(actual, predicted, topk), "best": None}


def by_cut_off(actual, predicted, ks=(5, 10, 20)):
    return {k: _ndcg(actual, predicted, k) for k in ks}


def metrics_by_cut_off(actual, predicted, ats):
    """``ats`` is a list of cut-offs."""
    return {
        "recall": {k: sum(_hits(actual, predicted, k)) / len(actual) for k in ats},
        "ndcg": {k: _ndcg(actual, predicted, k) for k in ats},
    }


def all_users(ground_truth, predictions, Ks="[20, 40]"):
    """Arrays over the cut-offs, which come as text; the mean over the users is its own."""
    ks = eval(Ks)
    out = {"precision": np.zeros(len(ks)), "recall": np.zeros(len(ks))}
    for actual, predicted in zip(ground_truth, predictions, strict=True):
        for at, k in enumerate(ks):
            out["precision"][at] += sum(_hits(actual, predicted, k)) / k / len(predictions)
            out["recall"][at] += sum(_hits(actual, predicted, k)) / len(actual) / len(predictions)
    return out


def curve(actual, predicted, max_k):
    """Precision at 1, 2, ..., max_k."""
    return [sum(_hits(actual, predicted, k)) / k for k in range(1, max_k + 1)]


def hit_and_mrr(actual, predicted, k):
    hits = _hits(actual, predicted, k)
    return Scores(float(any(hits)), 1 / (hits.index(True) + 1) if any(hits) else 0.0)


@dataclass
class Result:
    users: str
    recall: float
    precision: float


def as_dataclass(actual, predicted, k):
    precision, recall = precision_recall(actual, predicted, k)
    return Result("all", recall, precision)


def as_text(actual, predicted, k):
    precision, recall = precision_recall(actual, predicted, k)
    return f"Precision@{k}: {precision:.12f}, Recall@{k}: {recall:.12f}"


def per_user_arrays(actual, predicted, k):
    """Two arrays with a value for each user."""
    pairs = [precision_recall(wanted, given, k) for wanted, given in zip(actual, predicted, strict=True)]
    return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
