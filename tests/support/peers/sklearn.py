"""scikit-learn: scores and labels of every candidate, asked user by user, since it returns no more than a mean."""

import numpy as np
from sklearn import metrics


def convert(case, measures):
    scores = case["candidate_scores"]
    gains = np.zeros(scores.shape, dtype=np.int64)
    users = np.repeat(np.arange(len(scores)), np.diff(case["judged_indptr"]))
    gains[users, case["judged_items"]] = case["judged_gains"]
    return gains, scores


def of_user(measure, gains, scores):
    name, _, k = measure.partition("@")
    if name == "ndcg_score":
        return metrics.ndcg_score([gains], [scores], k=int(k) if k else None)
    if name == "dcg_score":
        return metrics.dcg_score([gains], [scores], k=int(k) if k else None)
    if name == "label_ranking_average_precision_score":
        return metrics.label_ranking_average_precision_score([gains > 0], [scores])
    return getattr(metrics, name)(gains > 0, scores)


def evaluate(converted, measures):
    gains, scores = converted
    found = {}
    for measure in measures:
        if measure == "roc_auc_score, stacked":
            found[measure] = [metrics.roc_auc_score(gains.ravel() > 0, scores.ravel())]
        else:
            found[measure] = [of_user(measure, *row) for row in zip(gains, scores, strict=True)]
    return found


def per_user(answer, measures, users):
    return {name: np.array(answer[name]) for name in measures}
