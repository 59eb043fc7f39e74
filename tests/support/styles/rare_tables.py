"""Rare ways of calling that need pandas or scipy."""

import math

import pandas as pd


def reciprocal_ranks_of_matrix(ranks):
    """A scipy matrix with the rank of each hit."""
    return ranks.power(-1, "f8").sum(axis=1).mean()


def precision_of_rows(predicted: pd.DataFrame, actual: pd.DataFrame, k: int) -> float:
    """A row for each user, an item in each cell."""
    shown, wanted = predicted.to_numpy()[:, :k], actual.to_numpy()
    return (shown[:, :, None] == wanted[:, None, :]).any(axis=2).mean(axis=1).mean()


def mean_reciprocal_rank_of_counts(rows):
    """An old way to give a count a new name."""
    counts = rows[rows["label"] > 0].groupby("user_id")["rank"].agg({"first": "min"})
    return (1.0 / counts["first"]).reindex(rows["user_id"].unique()).fillna(0.0).mean()


def recall_of_ratings(predicted_scores_df, test_df, train_df, k):
    """A row for each user, a column for each item; what a user has rated is dropped."""
    shares = []
    for user in test_df.index:
        held_out, known = test_df.loc[user], train_df.loc[user]
        wanted = set(held_out[held_out > 0].index)
        scores = predicted_scores_df.loc[user].drop(list(known[known > 0].index))
        shares += [len(wanted.intersection(scores.nlargest(k).index)) / len(wanted)] if wanted else []
    return sum(shares) / len(shares) if shares else 0.0


def ndcg_of_ratings(ratings_test: pd.DataFrame, predictions: pd.DataFrame, k=10):
    """The gains of a user are the cells of a row."""
    values = []
    for user, row in ratings_test.iterrows():
        best = sorted(row[row > 0], reverse=True)[:k]
        found = predictions.loc[user].sort_values(ascending=False).index[:k]
        dcg, ideal = (sum(g / math.log2(rank + 2) for rank, g in enumerate(gains)) for gains in (row[found], best))
        values += [dcg / ideal] if ideal else []
    return sum(values) / len(values) if values else 0.0
