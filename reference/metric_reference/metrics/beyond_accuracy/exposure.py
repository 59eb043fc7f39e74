"""What the metrics beyond accuracy share: who is shown which item, and what the training data says of an item."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches


def exposure(matches: Matches, k: int, weights: Optional[np.ndarray] = None) -> np.ndarray:
    """How often each item stands among the first k ranks of a list: shape (n_items,); a repeated item counts each time.

    weights : what each rank counts, shape (at least the lists' width up to k,); 1 if not given.
    """
    listed = matches.case.recommended[:, :k]
    held = listed != NOTHING
    spread = None if weights is None else np.broadcast_to(weights[: listed.shape[1]], listed.shape)[held]
    return np.bincount(listed[held], spread, minlength=matches.case.n_items)


def item_counts(matches: Matches, who: str) -> np.ndarray:
    """Training interactions of each item, or ValueError that says who needs them."""
    counts = matches.case.item_counts
    if counts is None:
        raise ValueError(f"{who} needs item_counts (training interactions of each item), which this case does not have")
    return counts


def train_users(matches: Matches, who: str) -> int:
    """Number of training users, at least 1, or ValueError that says who needs it."""
    if matches.case.n_train_users is None:
        raise ValueError(f"{who} needs n_train_users (the number of training users), which this case does not have")
    return max(1, matches.case.n_train_users)


def train_rows(matches: Matches, who: str) -> Tuple[np.ndarray, np.ndarray]:
    """The users' training items as CSR, or ValueError that says who needs them."""
    indptr, items = matches.case.train_indptr, matches.case.train_items
    if indptr is None or items is None:
        raise ValueError(f"{who} needs train_items (each user's training items), which this case does not have")
    return indptr, items


def most_popular(counts: np.ndarray, k: int) -> np.ndarray:
    """bool array, shape (n_items,): the k items with the most training interactions, equal ones by item number."""
    chosen = np.zeros(len(counts), dtype=bool)
    chosen[np.argsort(-counts, kind="stable")[:k]] = True
    return chosen


def per_list(matches: Matches, k: int, value: np.ndarray, length: str) -> "tuple[np.ndarray, np.ndarray]":
    """Sum of a value over each list's first k items, and the divisor. An empty list is undefined.

    length : the divisor. ``list``: how many items these are; ``k``; ``trained``: how many of them have training
        interactions, and the others leave the sum too; ``catalogue``: n_items.
    value : of each item, shape (n_items,), or of each rank of each list, shape (users, width up to k).
    """
    listed = matches.case.recommended[:, :k]
    held = listed != NOTHING
    if length == "trained":
        held &= item_counts(matches, "length=trained")[listed] > 0
    total = np.where(held, value[listed] if value.ndim == 1 else value, 0.0).sum(axis=1)
    number = held.sum(axis=1)
    fixed = {"k": k, "catalogue": matches.case.n_items}
    divisor = np.where(number > 0, fixed[length], 0) if length in fixed else number
    return total, divisor.astype(np.float64)


def length_formula(length: str) -> str:
    """The divisor of :func:`per_list` in LaTeX."""
    return {"list": "|L|", "k": "k", "trained": r"|L \cap I_{\mathrm{train}}|", "catalogue": "|I|"}[length]
