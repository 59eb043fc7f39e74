"""Recommenders' Spark evaluators, fed with the frames that its Python functions get."""
# /// script
# dependencies = ["pyspark==3.5.1", "pyarrow==22.0.0", "setuptools==80.9.0"]
# ///

import numpy as np
from cases import FEW, cases, number, report, session
from recommenders.evaluation.spark_evaluation import (
    SparkDiversityEvaluation,
    SparkRankingEvaluation,
    SparkRatingEvaluation,
)

from metric_adapters.shapes import frame, hit_matrix, recommended_pairs, relevant_pairs
from metric_adapters.training import rated_pairs, train_pairs
from metric_reference.case import NOTHING

spark = session()
TRUE, PREDICTED = ("userID", "itemID", "rating"), ("userID", "itemID", "prediction")
RANKING = ("precision_at_k", "recall_at_k", "ndcg_at_k", "map", "map_at_k")
RATING = ("rmse", "mae", "rsquared", "exp_var")
BESIDE_TRAINING = ("novelty", "catalog_coverage", "distributional_coverage", "diversity", "serendipity")
answers: dict = {}


def table(names, *arrays):
    return spark.createDataFrame(frame(names, *arrays))


def add(name, functions, evaluator):
    """Ask an evaluator for each of its functions."""
    for function in functions:
        answers.setdefault(function, {})[name] = number(getattr(evaluator, function))


for name, k, case in cases():
    if name not in FEW:
        continue
    predicted = table(PREDICTED, *recommended_pairs(case))
    add(name, RANKING, SparkRankingEvaluation(table(TRUE, *relevant_pairs(case)), predicted, k=k))
    if case.item_counts is None:
        continue
    users, items, ratings, guesses = rated_pairs(case)
    guessed = table(PREDICTED, users, items, guesses)
    add(name, RATING, SparkRatingEvaluation(table(TRUE, users, items, ratings), guessed))
    kept = case.recommended[:, :k] != NOTHING
    hits = hit_matrix(case, k)[:, : kept.shape[1]][kept].astype(np.float64)
    cut = table((*TRUE[:2], "relevance"), np.nonzero(kept)[0], case.recommended[:, :k][kept], hits)
    train = table(TRUE[:2], *train_pairs(case))
    add(name, BESIDE_TRAINING, SparkDiversityEvaluation(train, cut, col_relevance="relevance"))
report(answers)
