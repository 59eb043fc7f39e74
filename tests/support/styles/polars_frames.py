"""Two polars frames."""

import polars as pl


def hit_rate(recs: pl.DataFrame, test: pl.DataFrame, k: int = 10) -> float:
    top = recs.sort(["user_id", "score"], descending=[False, True]).group_by("user_id", maintain_order=True).head(k)
    found = top.join(test, on=["user_id", "item_id"], how="inner")["user_id"].n_unique()
    return found / test["user_id"].n_unique()


def precision_before_group_by(recs: pl.DataFrame, test: pl.DataFrame, k: int = 10) -> float:
    ranked = recs.sort(["user_id", "score"], descending=[False, True]).with_row_count("place")
    listed = ranked.groupby("user_id", maintain_order=True).head(k)
    hits = listed.join(test.select(["user_id", "item_id"]), on=["user_id", "item_id"], how="inner")
    counted = hits.groupby("user_id").agg(pl.count().alias("hits"))
    users = listed.select("user_id").unique().join(counted, on="user_id", how="left")
    return float((users["hits"].fill_null(0) / k).mean())
