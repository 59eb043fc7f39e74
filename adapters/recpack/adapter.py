"""RecPack takes two sparse matrices, users x items: true interactions and scores. It ranks and cuts itself."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Tuple

import numpy as np
from recpack import metrics
from scipy.sparse import csr_matrix

from metric_adapters.shapes import Entries, dense_ranks, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond


def version() -> str:
    return version_of("recpack")


def matrix(case: Case, entries: Entries) -> csr_matrix:
    users, items, values = entries
    return csr_matrix((values, (users, items)), shape=(case.users, case.n_items))


def matrices(case: Case) -> Tuple[csr_matrix, csr_matrix]:
    """True interactions, all 1 (the metrics are binary), and predicted scores as dense ranks.

    Ranks stand for scores because no stored entry may be zero; they sort the same way, ties included. The entries of a
    row are in the order of the items, as in the predictions that RecPack's algorithms make.
    """
    users, items, _ = relevant_pairs(case)
    return matrix(case, (users, items, np.ones(len(users)))), matrix(case, dense_ranks(case))


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for its value and for its results, which name the users that it has not dropped."""

    def ask(case: Case, k: int) -> Answer:
        asked = metric(k)
        asked.calculate(*matrices(case))
        results = asked.results
        if "item_id" in results:  # a row for each user and item: the documentation sums them by user for the mean
            results = results.groupby("user_id", as_index=False)["score"].sum()
        return Answer(asked.value, results["user_id"].to_numpy(np.int64), results["score"].to_numpy(np.float64))

    return ask


METRICS = (
    metrics.HitK,
    metrics.PrecisionK,
    metrics.RecallK,
    metrics.CalibratedRecallK,
    metrics.ReciprocalRankK,
    metrics.NDCGK,
    metrics.DCGK,
    metrics.DiscountedGainK,
)
SUBJECTS = {
    **{metric.__name__: Subject(asking(metric), metric) for metric in METRICS},
    **beyond.subjects(matrices),
}
