"""LightGBM: train with a validation set whose metrics are recorded; both sets begin with the data set's scores.

The trees that are trained add to those scores. The lists are made of what the trained model predicts.
"""

import lightgbm
import numpy as np
from feed import labels, read_untrained, report

data = read_untrained()
ROUNDS = 5
rows = data.users * data.items
features = np.random.default_rng(1).random((rows, 3))


def train(metrics, objective, truth, groups=None):
    """The metrics of the last round, and what the model then predicts, a row for each user."""
    truth, start = np.ravel(truth), np.ravel(data.scores) * 4
    parameters = {"objective": objective, "metric": metrics, "eval_at": [data.k], "verbose": -1, "num_threads": 1}
    trained = lightgbm.Dataset(features, truth, group=groups, init_score=start)
    valid = lightgbm.Dataset(features, truth, group=groups, init_score=start, reference=trained)
    kept = {}
    model = lightgbm.train(
        parameters, trained, ROUNDS, [valid], valid_names=["valid"], callbacks=[lightgbm.record_evaluation(kept)]
    )
    predicted = (start + model.predict(features, raw_score=True)).reshape(data.users, data.items)
    return {name.partition("@")[0]: rounds[-1] for name, rounds in kept["valid"].items()}, predicted


def tell(values, predicted):
    assert len(np.unique(predicted)) == rows
    assert not np.allclose(predicted, np.array(data.scores) * 4)
    report(
        values,
        lists=np.argsort(-predicted, axis=1).tolist(),
        relevant=data.test,
        gains=data.ratings,
        candidates=predicted.tolist(),
        train=data.train,
    )


groups = [data.items] * data.users
tell(*train(["ndcg"], "lambdarank", labels(data, graded=True), groups))
tell(*train(["map"], "lambdarank", labels(data), groups))
tell(*train(["auc", "average_precision"], "binary", labels(data)))
