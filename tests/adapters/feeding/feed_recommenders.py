"""Recommenders: python_stratified_split, SAR fitted on the training part, and the functions on the frames it returns.

The way of the library's own notebooks; numpy's old name NaN, which SAR writes, is put back.
"""

import numpy as np
import pandas as pd
from feed import named, read, report

np.NaN = np.nan  # noqa: NPY201
from recommenders.datasets.python_splitters import python_stratified_split  # noqa: E402
from recommenders.evaluation import python_evaluation as evaluation  # noqa: E402
from recommenders.models.sar import SAR  # noqa: E402

data = read()
k = data.k
NAMES = ("userID", "itemID", "rating")
rows = [[*seen, *found] for seen, found in zip(data.train, data.test, strict=True)]
rated = [[*seen, *found] for seen, found in zip(data.train_ratings, data.ratings, strict=True)]
everything = pd.DataFrame(named(NAMES, rows, rated))
train, test = python_stratified_split(everything, ratio=0.75, seed=3)
assert train["itemID"].nunique() == data.items
model = SAR(col_user="userID", col_item="itemID", col_rating="rating", col_timestamp="time", normalize=True)
model.fit(train)
test = test.sort_values(["userID", "itemID"])
top = model.recommend_k_items(test, top_k=k, remove_seen=True)
predicted = model.predict(test)
RANKING = ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k", "ndcg_at_k")
values = {name: getattr(evaluation, name)(test, top, k=k) for name in RANKING}
values.update({f"ndcg_at_k[{kind}]": evaluation.ndcg_at_k(test, top, k=k, score_type=kind) for kind in ("raw", "exp")})
for name in ("rmse", "mae", "rsquared", "exp_var"):
    values[name] = getattr(evaluation, name)(test, predicted)
everyone, everything = pd.DataFrame({"userID": range(data.users)}), pd.DataFrame({"itemID": range(data.items)})
labelled = everyone.merge(everything, how="cross")
labelled = labelled.merge(train, how="left", indicator=True).query("_merge == 'left_only'")[["userID", "itemID"]]
labelled = labelled.merge(test, how="left")
labelled["rating"] = labelled["rating"].notna().astype(int)
scored = model.predict(labelled).assign(prediction=lambda frame: frame["prediction"] / 6)
values["auc"], values["logloss"] = evaluation.auc(labelled, scored), evaluation.logloss(labelled, scored)
for name in ("novelty", "catalog_coverage", "distributional_coverage"):
    values[name] = getattr(evaluation, name)(train, top)
hit = top.merge(test[["userID", "itemID"]].assign(relevance=1.0), how="left").fillna({"relevance": 0.0})
features = pd.DataFrame({"itemID": range(data.items), "features": list(np.array(data.vectors))})
for end, given in (("", {}), ("[features]", {"item_feature_df": features, "item_sim_measure": "item_feature_vector"})):
    values[f"diversity{end}"] = evaluation.diversity(train, top, **given)
    values[f"serendipity{end}"] = evaluation.serendipity(train, hit, col_relevance="relevance", **given)


def by_user(frame, column):
    return [frame.loc[frame["userID"] == user, column].tolist() for user in range(data.users)]


matrix = np.full((data.users, data.items), None, dtype=object)
matrix[scored["userID"], scored["itemID"]] = scored["prediction"]
report(
    values,
    lists=by_user(top, "itemID"),
    relevant=by_user(test, "itemID"),
    gains=by_user(test, "rating"),
    train=by_user(train, "itemID"),
    candidates=matrix.tolist(),
    predicted=by_user(predicted.sort_values(["userID", "itemID"]), "prediction"),
)
