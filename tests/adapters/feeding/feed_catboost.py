"""CatBoost: CatBoost.fit with a set whose metrics are kept; the baseline of both sets are the data set's scores.

The trees that are trained add to the baseline. The lists are made of what the trained model predicts.
"""

import numpy as np
from catboost import CatBoost, Pool
from feed import labels, read_untrained, report

data = read_untrained()
ROUNDS = 5
rows = data.users * data.items
features = np.random.default_rng(1).random((rows, 3))
start = np.ravel(data.scores) * 4
users = np.repeat(np.arange(data.users), data.items)


def train(metrics, loss, truth):
    """Report the metrics of the last round by function, with what the model then predicts."""
    pool = Pool(features, np.ravel(truth), group_id=users, baseline=start)
    given = Pool(features, np.ravel(truth), group_id=users, baseline=start)
    model = CatBoost(
        {
            "loss_function": loss,
            "custom_metric": [*metrics],
            "iterations": ROUNDS,
            "use_best_model": False,
            "thread_count": 1,
            "allow_writing_files": False,
            "verbose": False,
        }
    )
    model.fit(pool, eval_set=given)
    predicted = model.predict(given, prediction_type="RawFormulaVal").reshape(data.users, data.items)
    assert len(np.unique(predicted)) == rows
    assert not np.allclose(predicted.ravel(), start)
    kept = model.get_evals_result()["validation"]
    report(
        {function: kept[name][-1] for name, function in metrics.items()},
        lists=np.argsort(-predicted, axis=1).tolist(),
        relevant=data.test,
        gains=data.ratings,
        candidates=predicted.tolist(),
        train=data.train,
    )


top = f"top={data.k}"
graded = {f"NDCG:{top};type=Base": "NDCG", f"NDCG:{top};type=Exp": "NDCG[Exp]", f"DCG:{top};type=Base": "DCG"}
train(graded, "QueryRMSE", labels(data, graded=True))
binary = {f"{name}:{top}": name for name in ("MAP", "MRR", "PrecisionAt", "RecallAt")}
train({**binary, "QueryAUC": "QueryAUC"}, "QueryRMSE", labels(data))
train({"AUC": "AUC", "PRAUC": "PRAUC"}, "Logloss", labels(data))
