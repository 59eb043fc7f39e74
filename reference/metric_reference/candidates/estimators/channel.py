"""What estimators share: the chance of each sampled rank given the full one, and the value of each full rank."""

from __future__ import annotations

import numpy as np

from metric_reference.candidates.measures import measure, rank_weights
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.scheme import Scheme


def chances(scheme: Scheme, items: int) -> np.ndarray:
    """P(sampled rank | full rank): float64, shape (negatives + 1, items); its columns sum to 1.

    items : how many candidates the full ranking has, the relevant one among them; the negatives are drawn from the
    others. Raises ValueError for popularity, where the rank alone does not say the weight above it, for
    ``per="user"``, and for fewer than two items or more negatives than can be drawn.
    """
    if scheme.weights != "uniform" or scheme.per != "item":
        raise ValueError("estimators: they need negatives drawn uniformly for each item alone")
    if items < 2:
        raise ValueError("items: there must be two at least")
    return rank_probabilities(scheme, of_ranks(np.arange(1, items + 1), items), scheme.negatives + 1)


def full_values(text: str, items: int) -> np.ndarray:
    """The value of a measure at full rank 1, ..., items: float64, shape (items,). ValueError as for ``measure``."""
    one = measure(text)
    if one.name == "auc":
        return 1 - np.arange(items) / max(items - 1, 1)
    return rank_weights(one, items)


def counts_of(sampled_ranks: np.ndarray, scheme: Scheme) -> np.ndarray:
    """How often each sampled rank was seen: int64, shape (negatives + 1,). ValueError for ranks that cannot be."""
    ranks = np.asarray(sampled_ranks)
    if ranks.ndim != 1 or not len(ranks) or ranks.dtype.kind not in "iu":
        raise ValueError("sampled ranks: give whole numbers, shape (rows,), at least one")
    if ranks.min() < 1 or ranks.max() > scheme.negatives + 1:
        raise ValueError(f"sampled ranks: they must be from 1 to {scheme.negatives + 1}")
    return np.bincount(ranks - 1, minlength=scheme.negatives + 1)
