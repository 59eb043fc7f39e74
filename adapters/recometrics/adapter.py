"""recometrics takes sparse matrices, users x items, of training and test items, and the factors of users and items.

It returns a table with a row for each user and a column for each metric; the mean is the caller's.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Callable, Tuple

import numpy as np
import recometrics
from scipy.sparse import csr_matrix

from metric_adapters.matrices import list_matrices
from metric_adapters.shapes import candidate_scores, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("recometrics")


def from_lists(case: Case, k: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training items, test values and scores; no item is taken out of the ranking by training."""
    truth, scores = list_matrices(case, k)
    return np.zeros(truth.shape), truth, scores


def from_candidates(case: Case, k: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for all candidates; every other item is one of the training data."""
    scores = candidate_scores(case)
    truth = np.zeros(scores.shape)
    users, items, gains = relevant_pairs(case)
    truth[users, items] = gains
    seen = np.isneginf(scores)
    return seen.astype(np.float64), truth, np.where(seen, 0.0, scores)


def asking(
    name: str, matrices: Callable[[Case, int], Tuple[np.ndarray, np.ndarray, np.ndarray]] = from_lists, cut: bool = True
) -> Callable[[Case, int], Answer]:
    """Ask for all metrics, of which one is taken: the mean of its column, which leaves NaN out, and the column.

    Asked for alone, TP@K, R@K and TAP@K raise an error and Hit@K and RR@K are memory that nothing was written to.
    """

    def ask(case: Case, k: int) -> Answer:
        train, test, scores = matrices(case, k)
        column = recometrics.calc_reco_metrics(
            csr_matrix(train),
            csr_matrix(test),
            np.ascontiguousarray(scores),
            np.eye(scores.shape[1]),
            k=k if cut else 1,
            all_metrics=True,
            rename_k=False,
            break_ties_with_noise=False,
            nthreads=1,
        )[name]
        return Answer(column.mean(), np.arange(case.users), column.to_numpy(np.float64))

    return ask


source = recometrics.calc_reco_metrics
CUT = ("P@K", "TP@K", "R@K", "AP@K", "TAP@K", "NDCG@K", "Hit@K", "RR@K")
SUBJECTS = {name: Subject(asking(name), source) for name in CUT}
SUBJECTS.update({name: Subject(asking(name, from_candidates, cut=False), source) for name in ("ROC_AUC", "PR_AUC")})
