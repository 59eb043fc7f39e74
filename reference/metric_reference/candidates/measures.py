"""Metrics of one relevant item as weights of its rank."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

NAMES = ("hit_rate", "recall", "precision", "ndcg", "reciprocal_rank", "average_precision", "auc")
CUT = ("hit_rate", "recall", "precision")
"""These have no value without a cut-off."""


class Measure(NamedTuple):
    """A metric and its cut-off; None for the whole list. Written ``ndcg@10``, ``reciprocal_rank``, ``auc``."""

    name: str
    k: Optional[int]

    def width(self, negatives: int) -> int:
        """How many ranks can have a weight that is not 0, for lists of one item and these negatives."""
        return negatives + 1 if self.k is None else min(self.k, negatives + 1)


def measure(text: str) -> Measure:
    """The measure that a text names; ValueError for an unknown name and for a cut-off that is missing or does not fit.

    ``auc`` takes none; ``hit_rate``, ``recall`` and ``precision`` need one.
    """
    name, at, cut = text.partition("@")
    if name not in NAMES:
        raise ValueError(f"{text}: is none of {', '.join(NAMES)}")
    if at and not (cut.isdigit() and int(cut) > 0):
        raise ValueError(f"{text}: a cut-off is a whole number from 1 on, as in ndcg@10")
    if at and name == "auc":
        raise ValueError(f"{text}: takes no cut-off")
    if not at and name in CUT:
        raise ValueError(f"{text}: needs a cut-off, as in {name}@10")
    return Measure(name, int(cut) if at else None)


def rank_weights(one: Measure, width: int) -> np.ndarray:
    """The value of a list whose only relevant item is at rank 1, ..., width: float64, shape (width,).

    Up to the cut-off: 1 (hit rate, recall), 1 / k (precision), 1 / log2(rank + 1) (NDCG, whose ideal is 1),
    1 / rank (reciprocal rank, and average precision, which is the same); 0 beyond. ValueError for AUC, whose weights
    depend on the number of negatives.
    """
    if one.name == "auc":
        raise ValueError("auc: it has no weights of ranks alone; see auc_moments")
    ranks = np.arange(1.0, width + 1)
    if one.name == "ndcg":
        weights = 1.0 / np.log2(ranks + 1)
    elif one.name in ("reciprocal_rank", "average_precision"):
        weights = 1.0 / ranks
    else:
        weights = np.full(width, 1.0 / one.k if one.name == "precision" and one.k else 1.0)
    if one.k is not None:
        weights[one.k :] = 0.0
    return weights
