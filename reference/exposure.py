"""How often each item is recommended: what coverage, entropy and Gini index are made of."""

from __future__ import annotations

import numpy as np

from reference.case import NOTHING
from reference.matching import Matches


def exposure(matches: Matches, k: int) -> np.ndarray:
    """Lists that hold each item among the first k ranks: int64, shape (n_items,); a repeated item counts each time."""
    listed = matches.case.recommended[:, :k]
    return np.bincount(listed[listed != NOTHING], minlength=matches.case.n_items)


def item_counts(matches: Matches, who: str) -> np.ndarray:
    """Training interactions of each item, or ValueError that says who needs them."""
    counts = matches.case.item_counts
    if counts is None:
        raise ValueError(f"{who} needs item_counts (training interactions of each item), which this case does not have")
    return counts


def per_list_mean(matches: Matches, k: int, of_item: np.ndarray, length: str) -> "tuple[np.ndarray, np.ndarray]":
    """Sum of a value over each list's first k items, and the divisor: ``list`` (its length up to k) or ``k``."""
    listed = matches.case.recommended[:, :k]
    total = np.where(listed == NOTHING, 0.0, of_item[listed]).sum(axis=1)
    lengths = np.minimum(matches.lengths, k)
    divisor = lengths if length == "list" else np.where(lengths > 0, k, 0)
    return total, divisor.astype(np.float64)
