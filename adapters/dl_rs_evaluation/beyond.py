"""The metrics of DL RS Evaluation that read the training data or all lists at once, from the same Evaluator."""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np
import scipy.sparse as sps
from Base.Evaluation import metrics
from Base.Evaluation.Evaluator import EvaluatorHoldout

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import full_lists, train_pairs, vectors
from metric_reference.case import Case

SOURCES = {
    "NOVELTY": metrics.Novelty,
    "AVERAGE_POPULARITY": metrics.AveragePopularity,
    "DIVERSITY_MEAN_INTER_LIST": metrics.Diversity_MeanInterList,
    "DIVERSITY_HERFINDAHL": metrics.Diversity_Herfindahl,
    "COVERAGE_ITEM": metrics.Coverage_Item,
    "COVERAGE_USER": metrics.Coverage_User,
    "DIVERSITY_GINI": metrics.Gini_Diversity,
    "SHANNON_ENTROPY": metrics.Shannon_Entropy,
    "DIVERSITY_SIMILARITY": metrics.Diversity_similarity,
}
TRAINED = ("NOVELTY", "AVERAGE_POPULARITY")
FULL = ("DIVERSITY_MEAN_INTER_LIST",)
"""What takes every list to have k items, as the library's own recommenders make them."""


def unlike(case: Case) -> np.ndarray:
    """1 - cosine similarity of the items' vectors, within [0, 1] as Diversity_similarity wants it."""
    rows = vectors(case)
    length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    unit = rows / np.where(length > 0, length, 1.0)
    return np.clip(1.0 - unit @ unit.T, 0.0, 1.0)


def subjects(recommender: Callable[[Case], Any]) -> Dict[str, Subject]:
    """The subjects; ``recommender`` makes the recommender that recommends the lists of a case."""

    def asking(name: str) -> Callable[[Case, int], Answer]:
        def ask(case: Case, k: int) -> Answer:
            if name in FULL:
                full_lists(case, k)
            users, items, gains = relevant_pairs(case)
            test = sps.csr_matrix((gains, (users, items)), shape=(case.users, case.n_items))
            asked = recommender(case)
            if name in TRAINED:
                rows, columns = train_pairs(case)
                shape = (int(rows.max()) + 1, case.n_items)
                matrix = sps.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
                asked.get_URM_train = lambda: matrix
            unlikeness = metrics.Diversity_similarity(unlike(case)) if name == "DIVERSITY_SIMILARITY" else None
            evaluator = EvaluatorHoldout(test, [k], diversity_object=unlikeness, verbose=False)
            results, _ = evaluator.evaluateRecommender(asked)
            return Answer(float(results[k][name]))

        return ask

    return {name: Subject(asking(name), source) for name, source in SOURCES.items()}
