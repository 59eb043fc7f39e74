"""DL RS Evaluation: EvaluatorHoldout with a subclass of BaseRecommender that has the scores.

numpy's old names, which the project writes, are put back.
"""
# /// script
# dependencies = ["pandas==2.3.3"]
# ///

import numpy as np

for name, kind in (("float", float), ("int", int), ("bool", bool)):
    setattr(np, name, kind)

import scipy.sparse as sps  # noqa: E402
from feed import columns, on_path, ranked, read, report  # noqa: E402

on_path()

from Base.BaseRecommender import BaseRecommender  # noqa: E402
from Base.Evaluation.Evaluator import EvaluatorHoldout, EvaluatorMetrics  # noqa: E402
from Base.Evaluation.metrics import Diversity_similarity  # noqa: E402

data = read()


def matrix(rows, values):
    users, items, ratings = columns(rows, values)
    return sps.csr_matrix((np.array(ratings, dtype=float), (users, items)), shape=(data.users, data.items))


class Given(BaseRecommender):
    """The scores of the data set; BaseRecommender removes seen items, cuts and orders."""

    RECOMMENDER_NAME = "Given"

    def _compute_item_score(self, user_id_array, items_to_compute=None):
        return np.array(data.scores)[user_id_array]


rows = np.array(data.vectors)
unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
unlike = Diversity_similarity(np.clip(1 - unit @ unit.T, 0, 1))
train = matrix(data.train, [[1.0] * len(row) for row in data.train])
evaluator = EvaluatorHoldout(matrix(data.test, data.ratings), [data.k], diversity_object=unlike, verbose=False)
found = evaluator.evaluateRecommender(Given(train))[0][data.k]
values = {metric.name: found[metric.value] for metric in EvaluatorMetrics if metric.value in found}
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings)
