"""Recommenders' metrics beyond accuracy and of rating error, and R-precision."""

import warnings

import pandas as pd
from recommenders.evaluation import python_evaluation as evaluation

from frames import Full, columns, rated, recommended, relevant, train  # isort:skip

warnings.simplefilter("ignore")


def answers(case: Full, k: int) -> dict[str, float]:
    seen = pd.DataFrame(columns(("userID", "itemID"), train(case)))
    users, items, ranks = recommended(case, k)
    reco = pd.DataFrame({"userID": users, "itemID": items, "prediction": 1.0 / ranks})
    truth = pd.DataFrame(columns(("userID", "itemID"), relevant(case))).assign(rating=1.0)
    hits = reco.merge(truth, how="left").assign(relevance=lambda frame: frame["rating"].fillna(0.0))
    features = pd.DataFrame({"itemID": range(case.n_items), "features": list(case.item_vectors)})
    alike = {"item_feature_df": features, "item_sim_measure": "item_feature_vector"}
    rated_users, rated_items, ratings, predictions = rated(case)
    pairs = {"userID": rated_users, "itemID": rated_items}
    true, predicted = pd.DataFrame({**pairs, "rating": ratings}), pd.DataFrame({**pairs, "prediction": predictions})
    found = {
        "catalog_coverage": evaluation.catalog_coverage(seen, reco),
        "distributional_coverage": evaluation.distributional_coverage(seen, reco),
        "novelty": evaluation.novelty(seen, reco),
        "diversity": evaluation.diversity(seen, reco),
        "serendipity": evaluation.serendipity(seen, reco),
        "r_precision_at_k": evaluation.r_precision_at_k(truth, reco, k=k),
        "mae": evaluation.mae(true, predicted),
        "rmse": evaluation.rmse(true, predicted),
    }
    if case.item_vectors.any(axis=1).all():  # it divides by the length of every vector
        found["diversity[features]"] = evaluation.diversity(seen, reco, **alike)
        found["serendipity[features]"] = evaluation.serendipity(seen, reco, **alike)
        found["serendipity[features, relevance]"] = evaluation.serendipity(
            seen, hits, **alike, col_relevance="relevance"
        )
    return found
