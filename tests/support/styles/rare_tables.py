"""Rare ways of calling that need pandas or scipy."""

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
