"""recmetrics: the steps of the example notebook that it ships, from a frame of predictions to each metric's call."""

import pandas as pd
import recmetrics
from feed import columns, ranked, read, report

data = read()
n = data.k
users, items, predictions = columns([list(range(data.items))] * data.users, data.scores)
everything = pd.DataFrame({"userId": users, "movieId": items, "cf_predictions": predictions})
users, items, ratings = columns(data.train, data.train_ratings)
train = pd.DataFrame({"userId": users, "movieId": items, "rating": ratings})
users, items, actual = columns(data.test, data.ratings)
test = pd.DataFrame({"userId": users, "movieId": items, "actual": actual})
test = test.merge(everything)
values = {name: getattr(recmetrics, name)(test.actual, test.cf_predictions) for name in ("mse", "rmse")}
unseen = everything.merge(train[["userId", "movieId"]], how="left", indicator=True).query("_merge == 'left_only'")
cf_model = unseen.pivot_table(index="userId", columns="movieId", values="cf_predictions").fillna(0)


def get_users_predictions(user_id):
    recommended = pd.DataFrame(cf_model.loc[user_id])
    recommended.columns = ["predicted_rating"]
    return recommended.sort_values("predicted_rating", ascending=False).head(n).index.tolist()


by_user = test.groupby("userId", as_index=False)["movieId"].agg({"actual": (lambda each: list(set(each)))})
by_user = by_user.set_index("userId")
actual, predicted = by_user.actual.to_list(), [get_users_predictions(user) for user in by_user.index]
assert predicted == ranked(data, n)
values["mark"] = recmetrics.mark(actual, predicted, k=n)
for name in ("recommender_precision", "recommender_recall"):
    values[name] = getattr(recmetrics, name)(predicted, actual)
values["prediction_coverage"] = recmetrics.prediction_coverage(predicted, train.movieId.unique().tolist())
values["novelty"], _ = recmetrics.novelty(predicted, dict(train.movieId.value_counts()), train.userId.nunique(), n)
values["personalization"] = recmetrics.personalization(predicted=predicted)
values["intra_list_similarity"] = recmetrics.intra_list_similarity(predicted, pd.DataFrame(data.vectors))
report(
    values,
    lists=predicted,
    relevant=data.test,
    gains=data.ratings,
    predicted=test.sort_values(["userId", "movieId"]).groupby("userId")["cf_predictions"].agg(list).tolist(),
)
