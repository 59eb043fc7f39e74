"""Two pandas frames."""

import numpy as np
import pandas as pd


def recall_at_k(predictions, test, k=10):
    """Columns named in the code; users of the test set alone."""
    top = predictions.sort_values("score", ascending=False, kind="stable").groupby("userId").head(k)
    both = test.merge(top, on=["userId", "movieId"])
    found = both.groupby("userId")["movieId"].count()
    wanted = test.groupby("userId")["movieId"].count()
    return (found.reindex(wanted.index).fillna(0) / wanted).mean()


def ndcg_of_ranks(rating_true, rating_pred, col_user="userID", col_item="itemID", col_prediction="prediction", k=10):
    """It makes the column of ranks, and merges the hits with the predictions again."""
    top = rating_pred.sort_values([col_user, col_prediction], ascending=[True, False], kind="stable")
    top = top.assign(rank=top.groupby(col_user).cumcount() + 1)
    top = top[top["rank"] <= k].merge(rating_true, on=[col_user, col_item])[[col_user, col_item, "rank"]]
    hits = top.merge(rating_pred, on=[col_user, col_item])
    gained = (1 / np.log2(hits["rank"] + 1)).groupby(hits[col_user]).sum()
    wanted = rating_true.groupby(col_user)[col_item].count().clip(upper=k)
    ideal = wanted.map(lambda count: (1 / np.log2(np.arange(count) + 2)).sum())
    return (gained.reindex(wanted.index).fillna(0.0) / ideal).mean()


def ndcg_at_k(rating_true: pd.DataFrame, rating_pred: pd.DataFrame, col_user="userID", col_item="itemID",
              col_rating="rating", col_prediction="prediction", k=10):  # fmt: skip
    """Columns as parameters; linear gains; a Series by user is averaged by whoever calls."""
    ordered = rating_pred.sort_values([col_user, col_prediction], ascending=[True, False], kind="stable")
    ordered = ordered.assign(place=ordered.groupby(col_user).cumcount() + 1)
    joined = ordered[ordered["place"] <= k].merge(rating_true, on=[col_user, col_item])
    joined["gain"] = joined[col_rating] / np.log2(joined["place"] + 1)
    ideal = rating_true.sort_values([col_user, col_rating], ascending=[True, False])
    ideal = ideal.assign(place=ideal.groupby(col_user).cumcount() + 1)
    ideal = ideal[ideal["place"] <= k]
    best = (ideal[col_rating] / np.log2(ideal["place"] + 1)).groupby(ideal[col_user]).sum()
    return joined.groupby(col_user)["gain"].sum().reindex(best.index).fillna(0.0) / best


def ndcg_of_weights(predictions, k, test_out):
    """Its weights are a column that it makes, not the ratings."""
    top = predictions.drop_duplicates(["user_id", "item_id"]).groupby("user_id").head(k).reset_index(drop=True)
    top["weight"] = 1 / np.log2(top.groupby("user_id").cumcount() + 2)
    gained = top.merge(test_out, on=["user_id", "item_id"]).groupby("user_id")["weight"].sum()
    wanted = test_out["user_id"].value_counts().clip(upper=k)
    ideal = wanted.map(lambda count: (1 / np.log2(np.arange(count) + 2)).sum())
    return gained.div(ideal, fill_value=0).mean()


def ndcg_of_lots(scored, truth, score_col, k=10):
    """Users and items under names of its own, which its joins tell; a helper makes the ranks."""
    top = _ranked(scored, score_col)
    top = top[top["i"] <= k].merge(truth, on=["lot_id", "sid"], how="inner")
    gained = (top.label / np.log2(top["i"] + 1)).groupby(top.lot_id).sum()
    best = _ranked(truth, "label")
    best = best[best["i"] <= k]
    ideal = (best.label / np.log2(best["i"] + 1)).groupby(best.lot_id).sum()
    return (gained.reindex(ideal.index).fillna(0) / ideal).mean()


def _ranked(rows, column):
    rows = rows[["lot_id", "sid", column]].sort_values(["lot_id", column], ascending=[True, False], kind="stable")
    return rows.assign(i=rows.groupby("lot_id").cumcount() + 1)


def ndcg_of_judged(group, score_col, k=10):
    """A column that a frame need not have tells which rows are judged."""
    judged = group.loc[_judged(group)]
    ideal = _gain(judged.sort_values("relevance", ascending=False), k)
    return _gain(group.sort_values(score_col, ascending=False), k) / ideal if ideal > 0 else None


def _judged(frame):
    if "judged" in frame.columns:
        return frame["judged"].fillna(0).astype(bool).to_numpy()
    return frame["relevance"].notna().to_numpy()


def _gain(rows, k):
    grades = rows.head(k)["relevance"].to_numpy(dtype=float)
    return float(((2**grades - 1) / np.log2(np.arange(2, len(grades) + 2))).sum())


def mrr_of_scores_aside(df, preds):
    """A score for each row of a frame, in an array beside it."""
    df = df.assign(pred=preds)
    df["place"] = df.groupby("query_id")["pred"].rank(ascending=False, method="first")
    return (1 / df[df["label"] == 1].groupby("query_id")["place"].min()).mean()


def ndcg_weighed_by_rows(df, k=10):
    """The mean over users is weighed by the rows of each, which are as many in a frame of all items."""
    values, rows = [], []
    for _, group in df.groupby("user_id"):
        ideal = _gain(group.sort_values("relevance", ascending=False), k)
        if ideal > 0:
            values.append(_gain(group.sort_values("score", ascending=False), k) / ideal)
            rows.append(len(group))
    return float(np.average(values, weights=rows)) if values else 0.0
