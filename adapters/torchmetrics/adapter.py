"""TorchMetrics takes three flat tensors with a row for each scored item: score, relevance, user.

It knows what has a row and nothing else: recall divides by the relevant rows, a user without rows does not exist.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from inspect import signature
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import torch
from torchmetrics import retrieval
from torchmetrics.retrieval import base

from metric_adapters.shapes import candidate_pairs, dense_rank, recommended_pairs, relevant_counts, relevant_pairs
from metric_adapters.subject import Answer, CannotShow, Subject
from metric_adapters.training import full_lists
from metric_reference.case import Case

Rows = Tuple[np.ndarray, np.ndarray, np.ndarray]
"""Scores (whole numbers above 0), gains (0 where not relevant) and users, one entry a row."""
UNLISTED, EMPTY = 1.0, 2.0
"""Scores below those of the lists."""

RELEASE = tuple(map(int, version_of("torchmetrics").split(".")[:2]))


def version() -> str:
    return version_of("torchmetrics")


def list_rows(case: Case, k: int) -> Rows:
    """The lists, and below them what a row for every candidate would show as well.

    TorchMetrics is made to be given every scored item, so that all relevant ones have a row and every user has k rows
    or more. A case may hold lists alone; then each relevant item that is not listed gets a row below all others, and
    each rank that a list leaves empty, up to k and to the number of relevant items, one that is not relevant: without
    these the unlisted items would move up into a short list and be hits. An item listed twice has two rows.
    """
    users, items, scores = recommended_pairs(case)
    relevant_users, relevant, gains = relevant_pairs(case)
    unlisted = ~np.isin(relevant_users * case.n_items + relevant, users * case.n_items + items)
    below = relevant_users[unlisted]
    empty = empty_ranks(case, np.maximum(k, relevant_counts(case)))
    return (
        np.concatenate((EMPTY + dense_rank(users, scores), np.full(len(empty), EMPTY), np.full(len(below), UNLISTED))),
        np.concatenate((gains_of(case, users, items), np.zeros(len(empty)), gains[unlisted])),
        np.concatenate((users, empty, below)),
    )


def rows_inside_lists(case: Case, k: int) -> Rows:
    """The lists alone: nothing below them may enter the first k, be it relevant or not.

    A user without a list has one row, not relevant, or he would not exist.
    """
    users, items, scores = recommended_pairs(case)
    empty = empty_ranks(case, np.ones(case.users, dtype=np.int64))
    return (
        np.concatenate((EMPTY + dense_rank(users, scores), np.full(len(empty), EMPTY))),
        np.concatenate((gains_of(case, users, items), np.zeros(len(empty)))),
        np.concatenate((users, empty)),
    )


def untied_rows_inside_lists(case: Case, k: int) -> Rows:
    """The same for AUROC inside the first k, which counts a pair of equal scores as half won: CannotShow for such."""
    users, _, scores = recommended_pairs(case)
    same = (users[1:] == users[:-1]) & (scores[1:] == scores[:-1])
    if same.any():
        raise CannotShow(f"user {users[1:][same][0]} has equal scores; AUROC counts their pairs as half won")
    return rows_inside_lists(case, k)


def candidate_rows(case: Case, k: int) -> Rows:
    """Every candidate of every user."""
    users, _, scores, labels = candidate_pairs(case)
    return dense_rank(users, scores), labels.astype(np.float64), users


def full_candidate_rows(case: Case, k: int) -> Rows:
    """Every candidate of every user, where each list reaches k: below a shorter one another candidate would move up."""
    full_lists(case, k)
    return candidate_rows(case, k)


def empty_ranks(case: Case, depth: np.ndarray) -> np.ndarray:
    """Each user as often as ranks are missing from the list up to this depth."""
    return np.repeat(np.arange(case.users), np.maximum(depth - case.list_lengths, 0))


def gains_of(case: Case, users: np.ndarray, items: np.ndarray) -> np.ndarray:
    """float64 array: the gain of each pair of user and item, 0 where the item is not relevant."""
    relevant_users, relevant_items, gains = relevant_pairs(case)
    keys = relevant_users * case.n_items + relevant_items
    order = np.argsort(keys)
    keys, gains = np.append(keys[order], np.iinfo(np.int64).max), np.append(gains[order], 0.0)
    wanted = users * case.n_items + items
    found = np.searchsorted(keys, wanted)
    return np.where(keys[found] == wanted, gains[found], 0.0)


def probabilities(scores: np.ndarray) -> np.ndarray:
    """The scores over a power of two that is larger than all of them, in the same order and exact in float32.

    TorchMetrics computes in float32, in which close scores become equal. Precision, recall, MRR and MAP count no hit at
    a score of 0 or less. AUROC takes a user's scores for logits as soon as one of them is outside [0, 1], and their
    sigmoid is 1.0 from about 17 up. Dense ranks brought into (0, 1) meet none of that.
    """
    return scores / 2.0 ** np.ceil(np.log2(scores.max(initial=1.0) + 1.0))


def asking(
    metric: Any,
    rows: Callable[[Case, int], Rows] = list_rows,
    *,
    cut: bool = True,
    graded: bool = False,
    **more: Any,
) -> Callable[[Case, int], Answer]:
    """Ask a metric for its mean, and on the way to it for the values of users, in the order of their numbers.

    The values are seen by an aggregation of ours, which then takes the mean with the function that the name "mean"
    leads to: the metric itself, which computes one user after the other, is asked once.

    cut : whether it is given ``top_k``; graded : whether relevance is the gain, else 1 and 0; more : its own options.
    With ``empty_target_action="skip"`` a user without relevant rows has no value.
    """

    def ask(case: Case, k: int) -> Answer:
        scores, gains, users = rows(case, k)
        target = gains if graded else gains > 0
        known = signature(metric.__init__).parameters
        options = {"top_k" if "top_k" in known else "k": k, **more} if cut else more
        tensors = torch.from_numpy(probabilities(scores)), torch.from_numpy(target), torch.from_numpy(users)
        if RELEASE < (1, 4):  # it takes no aggregation function
            return Answer(metric(**options)(*tensors).item())
        seen: List[torch.Tensor] = []

        def aggregated(values: torch.Tensor, dim: Optional[int] = None) -> torch.Tensor:
            seen.append(values)
            return base._retrieval_aggregate(values, "mean", dim)

        value = metric(aggregation=aggregated, **options)(*tensors)
        values = seen[0] if seen else value  # no user has a value: the metric is 0 without an aggregation
        answered = np.unique(users[gains > 0] if more.get("empty_target_action") == "skip" else users)
        return Answer(value.item(), answered, np.atleast_1d(values.numpy()).astype(np.float64))

    return ask


ASKED: Dict[str, Tuple[Callable[[Case, int], Rows], Dict[str, Any]]] = {
    "RetrievalHitRate": (list_rows, {}),
    "RetrievalPrecision": (list_rows, {}),
    "RetrievalRecall": (list_rows, {}),
    "RetrievalRPrecision": (list_rows, {"cut": False}),
    "RetrievalMRR": (list_rows, {}),
    "RetrievalMAP": (list_rows, {}),
    "RetrievalNormalizedDCG": (list_rows, {"graded": True}),
    "RetrievalAUROC": (candidate_rows, {"cut": False}),
    "RetrievalAUROC[top_k]": (untied_rows_inside_lists, {}),
    "RetrievalFallOut": (full_candidate_rows, {}),
    "RetrievalPrecision[adaptive_k]": (rows_inside_lists, {"adaptive_k": True}),
    "RetrievalRecall[pos]": (list_rows, {"empty_target_action": "pos"}),
    "RetrievalRecall[skip]": (list_rows, {"empty_target_action": "skip"}),
}
"""The rows that each metric is asked with, and how; older releases have not all of them."""

SUBJECTS = {
    name: Subject(asking(metric, rows, **how), metric)
    for name, (rows, how) in ASKED.items()
    for metric in [getattr(retrieval, name.partition("[")[0], None)]
    if metric is not None
}
