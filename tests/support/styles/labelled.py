"""One frame with a label and a score in each row; frames of one user; polars."""

import numpy as np
import pandas as pd


def recall_of_labelled(df, k):
    values = []
    for _, group in df.groupby("uid"):
        top = group.sort_values("score", ascending=False, kind="stable").head(k)
        values.append(top["label"].sum() / group["label"].sum())
    return np.mean(values)


def auc_of_frame(df: pd.DataFrame) -> float:
    """The mean over the users of the share of pairs in the right order."""
    values = []
    for _, group in df.groupby("user_id"):
        positive = group[group["label"] == 1]["pred"].to_numpy()
        negative = group[group["label"] == 0]["pred"].to_numpy()
        gaps = positive[:, None] - negative[None, :]
        values.append(((gaps > 0) + 0.5 * (gaps == 0)).mean())
    return float(np.mean(values))


def precision_of_user(user_df, k=10):
    """Rows of one user."""
    ordered = user_df.sort_values(by="pred", ascending=False)
    return ordered["relevance"].iloc[:k].sum() / k


def hit_rate_of_lists(table, k=10):
    """One row for each user, with lists in the cells."""
    shown = zip(table["recommendations"], table["ground_truth"], strict=True)
    return np.mean([len(set(given[:k]) & set(wanted)) > 0 for given, wanted in shown])
