"""Frames whose columns are written into the function: more than one label or score, reciprocal ranks, a fixed k."""

import numpy as np


def ndcg_of_visits(visits):
    """An order counts three times a view; equal first scores are told apart by the second."""
    values = []
    for visit in visits["visit_id"].unique():
        rows = visits.loc[visits["visit_id"] == visit]
        ranked = rows.sort_values(["pred_order", "pred_view"], ascending=False)
        best = rows.sort_values(["order_flag", "view_flag"], ascending=False)
        gains, ideal = (3 * each["order_flag"] + each["view_flag"] for each in (ranked, best))
        discount = np.log2(np.arange(len(rows)) + 2)
        total = np.sum((2.0 ** ideal.to_numpy() - 1) / discount)
        values.append(np.sum((2.0 ** gains.to_numpy() - 1) / discount) / total if total else np.nan)
    return np.nanmean(values)


def recall_of_unpopular(visits, k=10):
    """The share that is found, less where the popular is shown: with nothing popular it looks like recall."""
    values = []
    for _, rows in visits.groupby("visit_id"):
        top = rows.sort_values("predicted", ascending=False).head(k)
        values.append(top["bought_flag"].sum() / rows["bought_flag"].sum() * (1 - top["popular_flag"].mean()))
    return np.mean(values)


def quality(answers):
    """No name tells what it is; the score is what was given, not what was predicted."""
    values = []
    for _, rows in answers.groupby("query_id"):
        found = rows.sort_values(by="predicted", ascending=False).score.to_numpy()[:5]
        best = np.sort(rows.score.to_numpy())[::-1][:5]
        values.append(sum(found / np.log2(np.arange(len(found)) + 2)) / sum(best / np.log2(np.arange(len(best)) + 2)))
    return np.mean(values)


def judged(answers, at=50):
    """The frame holds the reciprocal rank of each relevant row."""
    return answers[answers["rank"] <= at].groupby("query_id")["reciprocal_rank"].max()
