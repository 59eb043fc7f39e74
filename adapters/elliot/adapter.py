"""Elliot takes a dict user -> [(item, score), ...], best first, and an object with the relevance and the data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from metric_adapters import checkout

checkout.on_path()

from elliot.evaluation import metrics  # noqa: E402
from elliot.evaluation.relevance import Relevance  # noqa: E402

from metric_adapters.shapes import candidate_scores, rank_scores, relevant_pairs  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402

from . import beyond  # noqa: E402

Recommendations = Dict[int, List[Tuple[int, float]]]
CONFIG = SimpleNamespace(config_test=True)
"""Of a run's configuration the metrics read this alone: whether they shall keep their log quiet."""


def version() -> str:
    return checkout.version()


def lists(case: Case) -> Recommendations:
    """The lists of a case; who has none stands in no dict of Elliot's, since it makes one from the rows there are."""
    scores = rank_scores(case)
    lengths = case.list_lengths.tolist()
    return {
        user: list(zip(case.recommended[user, :length].tolist(), scores[user, :length].tolist()))
        for user, length in enumerate(lengths)
        if length
    }


def full_lists(case: Case) -> Recommendations:
    """Every candidate of each user by falling score, which AUC and GAUC say they need.

    They read ranks alone: in Elliot each model orders its own ties. They are asked where there are none; on real data
    equal scores are ordered by item.
    """
    scores = candidate_scores(case)
    ranked: Recommendations = {}
    for user, row in enumerate(scores):
        order = np.argsort(-row, kind="stable")[: np.count_nonzero(row > -np.inf)]
        ranked[user] = list(zip(order.tolist(), row[order].tolist()))
    return ranked


def objects(case: Case, k: int, train: Dict[int, Any]) -> SimpleNamespace:
    """What Elliot's Evaluator hands to a metric. Ratings and threshold go in as they are: nDCG gains depend on both."""
    test: Dict[int, Dict[int, float]] = {user: {} for user in range(case.users)}
    for user, item, gain in zip(*(column.tolist() for column in relevant_pairs(case))):
        test[user][item] = gain
    return SimpleNamespace(
        relevance=Relevance(test, case.threshold),
        cutoff=k,
        num_items=case.n_items,
        data=SimpleNamespace(train_dict=train),
    )


def trained(case: Case) -> Dict[int, List[int]]:
    """The training items of each user, of which the AUCs read the number alone: the items that are no candidates."""
    return {user: np.flatnonzero(row == -np.inf).tolist() for user, row in enumerate(candidate_scores(case))}


def asking(name: str, full: bool = False, counts_train: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric by its public name for its mean and, where it has them, for the values of users.

    Elliot's Evaluator does the same two calls; it prints a mean rounded to five digits and returns it as it is.
    """

    def ask(case: Case, k: int) -> Answer:
        recommendations = full_lists(case) if full else lists(case)
        given = objects(case, k, trained(case) if counts_train else {})
        metric = metrics.parse_metric(name)(recommendations, CONFIG, None, given)
        value = metric.eval()
        if not hasattr(metric, "eval_user_metric"):
            return Answer(value)
        by_user = metric.eval_user_metric()
        return Answer(
            value, np.array(list(by_user), dtype=np.int64), np.array(list(by_user.values()), dtype=np.float64)
        )

    return ask


def ask_dcg(case: Case, k: int) -> Answer:
    """The DCG inside nDCG: each user's nDCG times the ideal that the same object divides by, averaged as nDCG is.

    In the ratio a constant base of the logarithm cancels; here it shows.
    """
    metric = metrics.nDCG(lists(case), CONFIG, None, objects(case, k, {}))
    by_user = {user: value * metric.compute_idcg(user, k) for user, value in metric.eval_user_metric().items()}
    values = np.array(list(by_user.values()), dtype=np.float64)
    return Answer(np.average(values), np.array(list(by_user), dtype=np.int64), values)


NAMES = ("HR", "Precision", "Recall", "F1", "MRR", "MAP", "MAR", "nDCG", "nDCGRendle2020")
SUBJECTS = {
    **{name: Subject(asking(name), metrics.parse_metric(name)) for name in NAMES},
    "nDCG[dcg]": Subject(ask_dcg, metrics.nDCG),
    "AUC": Subject(asking("AUC", full=True, counts_train=True), metrics.AUC),
    "GAUC": Subject(asking("GAUC", full=True, counts_train=True), metrics.GAUC),
    "LAUC": Subject(asking("LAUC", counts_train=True), metrics.LAUC),
    **beyond.subjects(lists),
}
