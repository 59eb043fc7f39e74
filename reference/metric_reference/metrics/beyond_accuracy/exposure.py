"""Shared by the metrics beyond accuracy: how often items are recommended, and what the training data says of them."""

from __future__ import annotations

from typing import Optional, Tuple, TypeVar

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches

T = TypeVar("T")


def exposure(matches: Matches, k: int, weights: Optional[np.ndarray] = None) -> np.ndarray:
    """How often each item is among the first k ranks of a list: shape (n_items,); a repeated item counts each time.

    weights : of the ranks, at least as many as the lists have up to k; 1 if not given.
    """
    listed = matches.case.recommended[:, :k]
    filled = listed != NOTHING
    weight_of_rank = None if weights is None else np.broadcast_to(weights[: listed.shape[1]], listed.shape)[filled]
    return np.bincount(listed[filled], weight_of_rank, minlength=matches.case.n_items)


def item_counts(matches: Matches, needed_by: str) -> np.ndarray:
    """Training interactions of each item; ValueError, naming the metric that needs them, if the case has none."""
    return _required(matches.case.item_counts, needed_by, "item_counts (training interactions of each item)")


def train_users(matches: Matches, needed_by: str) -> int:
    """Number of training users, at least 1; ValueError, naming the metric that needs it, if the case has none."""
    return max(1, _required(matches.case.n_train_users, needed_by, "n_train_users (the number of training users)"))


def train_rows(matches: Matches, needed_by: str) -> Tuple[np.ndarray, np.ndarray]:
    """The users' training items as CSR; ValueError, naming the metric that needs them, if the case has none."""
    what = "train_items (each user's training items)"
    return _required(matches.case.train_indptr, needed_by, what), _required(matches.case.train_items, needed_by, what)


def _required(field: Optional[T], needed_by: str, what: str) -> T:
    if field is None:
        raise ValueError(f"{needed_by} needs {what}, which this case does not have")
    return field


def most_popular(counts: np.ndarray, k: int) -> np.ndarray:
    """bool array, shape (n_items,): the k items with the most training interactions, equal ones by item number."""
    chosen = np.zeros(len(counts), dtype=bool)
    chosen[np.argsort(-counts, kind="stable")[:k]] = True
    return chosen


def per_list(matches: Matches, k: int, value: np.ndarray, length: str) -> "tuple[np.ndarray, np.ndarray]":
    """Sum of a value over each list's first k items, and the divisor. An empty list is undefined.

    length : the divisor. ``list``: the number of these items; ``k``; ``trained``: the number of them with training
        interactions (the others are not in the sum either); ``catalogue``: n_items.
    value : of each item, shape (n_items,), or of each rank of each list, shape (users, width up to k).
    """
    listed = matches.case.recommended[:, :k]
    summed = listed != NOTHING
    if length == "trained":
        summed &= item_counts(matches, "length=trained")[listed] > 0
    total = np.where(summed, value[listed] if value.ndim == 1 else value, 0.0).sum(axis=1)
    count = summed.sum(axis=1)
    fixed = {"k": k, "catalogue": matches.case.n_items}
    divisor = np.where(count > 0, fixed[length], 0) if length in fixed else count
    return total, divisor.astype(np.float64)


def length_formula(length: str) -> str:
    """The divisor of :func:`per_list` in LaTeX."""
    return {"list": "|L|", "k": "k", "trained": r"|L \cap I_{\mathrm{train}}|", "catalogue": "|I|"}[length]
