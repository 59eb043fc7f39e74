"""RecPack: PipelineBuilder and Pipeline.run with an algorithm of ours that predicts the scores.

The pipeline makes a metric from its name and K alone, so diversity, which is fitted on features, is registered fitted.
"""
# /// script
# dependencies = ["torch==2.13.0", "tqdm==4.67.1", "hyperopt==0.2.7", "setuptools==80.9.0"]
# ///

import numpy as np
import pandas as pd
from feed import named, ranked, read, report
from recpack.algorithms.base import Algorithm
from recpack.matrix import InteractionMatrix
from recpack.metrics import IntraListDiversityK
from recpack.pipelines import ALGORITHM_REGISTRY, METRIC_REGISTRY, PipelineBuilder
from scipy.sparse import csr_matrix

data = read()
METRICS = ["HitK", "PrecisionK", "RecallK", "CalibratedRecallK", "ReciprocalRankK", "NDCGK", "DCGK", "DiscountedGainK"]


def interactions(rows):
    """RecPack's matrix of interactions, with users and items numbered as in the data set."""
    table = pd.DataFrame(named(("user", "item"), rows))
    return InteractionMatrix(table, "item", "user", shape=(data.users, data.items))


class Given(Algorithm):
    """The scores of the data set, for the items that a user has not seen: RecPack removes history in its pipeline."""

    def _fit(self, X):
        self.fitted_ = True

    def _predict(self, X):
        return csr_matrix(np.array(data.scores))


class FittedDiversity(IntraListDiversityK):
    def __init__(self, K):
        super().__init__(K)
        self.fit(csr_matrix(np.array(data.vectors) > 0.5))


ALGORITHM_REGISTRY.register("Given", Given)
METRIC_REGISTRY.register("FittedDiversity", FittedDiversity)
builder = PipelineBuilder()
train, test = interactions(data.train), interactions(data.test)
builder.set_full_training_data(train)
builder.set_test_data((train, test))
builder.add_algorithm("Given")
for name in (*METRICS, "CoverageK", "FittedDiversity"):
    builder.add_metric(name, K=data.k)
pipeline = builder.build()
pipeline.run()
(found,) = pipeline.get_metrics().to_dict("records")
values = {name: found[f"{name}_{data.k}"] for name in (*METRICS, "CoverageK", "FittedDiversity")}
values["IntraListDiversityK"] = values.pop("FittedDiversity")
vectors = (np.array(data.vectors) > 0.5) * 1.0
report(values, lists=ranked(data), relevant=data.test, vectors=vectors.tolist())
