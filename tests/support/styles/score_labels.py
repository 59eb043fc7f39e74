"""Scores and labels: zipped, grouped, over all candidates."""

from collections import defaultdict

import numpy as np


def precision_of_pairs(pairs, k):
    """(score, label) of one user."""
    ordered = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return sum(label for _, label in ordered[:k]) / k


def user_ndcg(label_scores, topk):
    """(label, score) of one user."""
    ordered = sorted(label_scores, key=lambda x: -x[1])
    labels = [label for label, _ in ordered]

    def dcg(values):
        return sum(value / np.log2(at + 2) for at, value in enumerate(values[:topk]))

    return dcg(labels) / dcg(sorted(labels, reverse=True))


def group_auc(labels, preds, user_ids):
    """The mean over users; flat arrays."""
    by_user = defaultdict(list)
    for label, pred, user in zip(labels, preds, user_ids, strict=True):
        by_user[user].append((label, pred))
    values = []
    for rows in by_user.values():
        positive, negative = [p for y, p in rows if y], [p for y, p in rows if not y]
        pairs = [(a > b) + 0.5 * (a == b) for a in positive for b in negative]
        values.append(sum(pairs) / len(pairs))
    return float(np.mean(values))


def mrr_of_groups(y_true, y_score, group_sizes, k):
    """Group sizes as learning to rank has them."""
    values, start = [], 0
    for size in group_sizes:
        order = np.argsort(-y_score[start : start + size], kind="stable")[:k]
        places = np.flatnonzero(y_true[start : start + size][order])
        values.append(1 / (places[0] + 1) if len(places) else 0.0)
        start += size
    return np.mean(values)


def roc_auc(y_true, y_score):
    """Without k: over all candidates of one user."""
    order = np.argsort(y_score, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    for score in np.unique(y_score):
        ranks[y_score == score] = ranks[y_score == score].mean()
    positives = y_true.sum()
    return (ranks[y_true == 1].sum() - positives * (positives + 1) / 2) / (positives * (len(y_true) - positives))


def precision_recall_at_k(predictions, k=10, threshold=3.5):
    """(user, item, rating, estimate, details) tuples; two dicts by user."""
    user_est_true = defaultdict(list)
    for uid, _, true_r, est, _ in predictions:
        user_est_true[uid].append((est, true_r))
    precisions, recalls = {}, {}
    for uid, ratings in user_est_true.items():
        ratings.sort(key=lambda pair: pair[0], reverse=True)
        relevant = sum(true_r >= threshold for _, true_r in ratings)
        chosen = [(est, true_r) for est, true_r in ratings[:k] if est >= threshold]
        hits = sum(true_r >= threshold for _, true_r in chosen)
        precisions[uid] = hits / len(chosen) if chosen else 0
        recalls[uid] = hits / relevant if relevant else 0
    return precisions, recalls


def hit_rate_of_predictions(predictions, k=10, threshold=3.5):
    """Whatever is predicted, the first k count."""
    ratings_of = defaultdict(list)
    for user, _, rating, predicted, _ in predictions:
        ratings_of[user].append((predicted, rating))
    found = 0
    for ratings in ratings_of.values():
        ratings.sort(key=lambda pair: pair[0], reverse=True)
        found += any(rating >= threshold for _, rating in ratings[:k])
    return found / len(ratings_of)
