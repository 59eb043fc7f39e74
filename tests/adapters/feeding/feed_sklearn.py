"""scikit-learn: cross_validate with an estimator that has the scores and a scorer for each function.

A sample is a user, his target a row of the matrix of items; where a function takes one curve of all rows, a sample is a
user with an item; where it takes classes, a sample is a user and his class the first of his test items.
"""

import numpy as np
from feed import labels, ranked, read_untrained, report
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_validate

data = read_untrained()
scores, users = np.array(data.scores), np.arange(data.users)[:, None]
pairs = np.argwhere(np.isfinite(scores))


class Given(ClassifierMixin, BaseEstimator):
    """The scores of the data set: a row for a sample that is a user, a number for one that is a user with an item."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return scores[tuple(X.T)]

    predict = decision_function


class Classes(Given):
    def fit(self, X, y):
        self.classes_ = np.arange(data.items)
        return self


def evaluate(estimator, X, y, **scorers):
    """What cross_validate gives on one fold, in which every sample is trained on and tested."""
    everything = np.arange(len(X))
    found = cross_validate(estimator, X, y, scoring=scorers, cv=[(everything, everything)], error_score="raise")
    return {name: found[f"test_{name}"].item() for name in scorers}


k, binary, graded = data.k, np.array(labels(data)), np.array(labels(data, graded=True))
values = evaluate(
    Given(),
    users,
    graded,
    **{
        "ndcg_score": make_scorer(metrics.ndcg_score, k=k),
        "ndcg_score[ignore_ties]": make_scorer(metrics.ndcg_score, k=k, ignore_ties=True),
        "dcg_score": make_scorer(metrics.dcg_score, k=k),
    },
)
values.update(
    evaluate(
        Given(),
        users,
        binary,
        **{
            "average_precision_score[samples]": make_scorer(metrics.average_precision_score, average="samples"),
            "label_ranking_average_precision_score": make_scorer(metrics.label_ranking_average_precision_score),
            "label_ranking_loss": make_scorer(metrics.label_ranking_loss),
            "roc_auc_score[samples]": make_scorer(metrics.roc_auc_score, average="samples"),
        },
    )
)
flat = evaluate(Given(), pairs, binary.ravel(), roc_auc="roc_auc", average_precision="average_precision")
values.update({f"{name}_score": value for name, value in flat.items()})
shown = {"lists": ranked(data), "candidates": data.scores, "train": data.train}
report(values, relevant=data.test, gains=data.ratings, **shown)

first = [row[:1] for row in data.test]
by_class = {"k": k, "labels": range(data.items), "response_method": "decision_function"}
scorer = make_scorer(metrics.top_k_accuracy_score, **by_class)
report(evaluate(Classes(), users, np.array(first)[:, 0], top_k_accuracy_score=scorer), relevant=first, **shown)
