"""LensKit's metrics beyond accuracy and of rating error."""

import pandas as pd
from lenskit.data import ItemList, from_interactions_df
from lenskit.metrics import MAE, RMSE, ExposureGini, ListGini, MeanPopRank

from frames import Full, columns, lists, rated, train  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    rows = [ItemList(item_ids=row, ordered=True) for row in lists(case, k)]
    data = from_interactions_df(pd.DataFrame(columns(("user_id", "item_id"), train(case))))
    rank = MeanPopRank(data)
    found = {"MeanPopRank": sum(rank.measure_list(row, row) for row in rows) / len(rows)}
    for metric in (ListGini, ExposureGini):
        over = metric(items=case.n_items)
        found[metric.__name__] = over.global_aggregate([over.compute_list_data(row, None) for row in rows])
    users, items, truth, predicted = rated(case)
    frame = pd.DataFrame({"user": users, "item_id": items, "rating": truth, "score": predicted})
    pairs = [
        (ItemList.from_df(part[["item_id", "score"]]), ItemList.from_df(part[["item_id", "rating"]]))
        for _, part in frame.groupby("user")
    ]
    for error in (MAE(), RMSE()):
        name = type(error).__name__
        found[name] = error.global_aggregate([error.compute_list_data(*pair) for pair in pairs])
        found[name + "[users]"] = sum(error.measure_list(*pair) for pair in pairs) / len(pairs)
    return found
