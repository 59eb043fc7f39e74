"""XGBoost: train with an evaluation set whose metrics are recorded; the set's margins begin with the data set's scores.

The trees that are trained add to those scores. The lists are made of the margins that the trained model predicts.
"""

import numpy as np
import xgboost
from feed import labels, read_untrained, report

data = read_untrained()
ROUNDS = 5
rows = data.users * data.items
features = np.random.default_rng(1).random((rows, 3))
start = np.ravel(data.scores) * 4


def train(metrics, objective, truth, grouped=True, **options):
    """Report the metrics of the last round by function, with what the model then predicts."""
    matrix = xgboost.DMatrix(features, label=np.ravel(truth), base_margin=start, nthread=1)
    if grouped:
        matrix.set_group([data.items] * data.users)
    parameters = {"objective": objective, "eval_metric": [*metrics], "nthread": 1, "seed": 1, **options}
    kept = {}
    model = xgboost.train(parameters, matrix, ROUNDS, evals=[(matrix, "valid")], evals_result=kept, verbose_eval=False)
    predicted = model.predict(matrix, output_margin=True).astype(float).reshape(data.users, data.items)
    assert len(np.unique(predicted)) == rows
    assert not np.allclose(predicted.ravel(), start)
    report(
        {function: kept["valid"][name][-1] for name, function in metrics.items()},
        lists=np.argsort(-predicted, axis=1).tolist(),
        relevant=data.test,
        gains=data.ratings if truth is graded else None,
        candidates=predicted.tolist(),
        train=data.train,
        within=1e-6,
    )


k, graded, binary = data.k, labels(data, graded=True), labels(data)
train({f"ndcg@{k}": "ndcg", f"ndcg@{k}-": "ndcg[-]"}, "rank:ndcg", graded)
train({f"ndcg@{k}": "ndcg[ndcg_exp_gain=false]"}, "rank:ndcg", graded, ndcg_exp_gain=False)
train({f"map@{k}": "map", f"pre@{k}": "pre"}, "rank:map", binary)
train({"auc": "auc[rank]"}, "rank:ndcg", binary)
train({"auc": "auc"}, "binary:logistic", binary, grouped=False)
