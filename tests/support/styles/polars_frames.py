"""Two polars frames."""

import polars as pl


def hit_rate(recs: pl.DataFrame, test: pl.DataFrame, k: int = 10) -> float:
    top = recs.sort(["user_id", "score"], descending=[False, True]).group_by("user_id", maintain_order=True).head(k)
    found = top.join(test, on=["user_id", "item_id"], how="inner")["user_id"].n_unique()
    return found / test["user_id"].n_unique()
