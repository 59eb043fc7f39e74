"""Where relevant items stand in the pool of items that may be drawn as negatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from metric_reference.candidates.scheme import Scheme

Numbers = Union[np.ndarray, float, int]


@dataclass(frozen=True, eq=False, init=False)
class Places:
    """One row for each relevant item.

    above : how many items of the pool score above it. pool : how many items may be drawn. tied : how many of them have
    its score. All of shape (rows,), or numbers that hold for all rows; whole numbers for uniform weights, and sums of
    weights for popularity.

    Raises ValueError for shapes that do not fit, numbers that are not finite, negative ones, an empty pool, and more
    items above and tied than there are.
    """

    above: np.ndarray
    pool: np.ndarray
    tied: np.ndarray

    def __init__(self, above: Numbers, pool: Numbers, tied: Numbers = 0) -> None:
        try:
            rows = np.broadcast_arrays(*(np.atleast_1d(_signed(part)) for part in (above, pool, tied)))
        except ValueError:
            raise ValueError("places: above, pool and tied have different lengths") from None
        for name, values in zip(("above", "pool", "tied"), rows):
            if values.ndim != 1 or values.dtype.kind not in "iuf":
                raise ValueError(f"places: {name} must be numbers of shape (rows,)")
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                raise ValueError(f"places: {name} has a number that is not finite")
            if values.size and values.min() < 0:
                raise ValueError(f"places: {name} has a negative number")
            object.__setattr__(self, name, values)
        if (self.pool <= 0).any():
            raise ValueError("places: a pool is empty, so nothing can be drawn")
        if (self.above + self.tied > self.pool * (1 + 1e-12)).any():
            raise ValueError("places: more items are above and tied than there are in the pool")

    def __len__(self) -> int:
        return len(self.above)

    def take(self, rows: Union[np.ndarray, slice]) -> "Places":
        """Some of the rows, not checked again."""
        taken = object.__new__(Places)
        for name in ("above", "pool", "tied"):
            object.__setattr__(taken, name, getattr(self, name)[rows])
        return taken

    def check(self, scheme: Scheme) -> None:
        """ValueError where a scheme cannot be drawn from these pools."""
        if scheme.weights == "uniform":
            for name in ("above", "pool", "tied"):
                values = getattr(self, name)
                if values.dtype.kind == "f" and (values % 1 != 0).any():
                    raise ValueError(f"places: {name} must be whole numbers where items are drawn uniformly")
        if not scheme.replacement and len(self) and scheme.negatives > self.pool.min():
            raise ValueError(
                f"negatives: {scheme.negatives} cannot be drawn without replacement from {int(self.pool.min())} items"
            )


def of_ranks(ranks: np.ndarray, candidates: Numbers) -> Places:
    """Places of items at full ranks, where all other candidates may be drawn.

    ranks : shape (rows,), from 1 on, with no item tied. candidates : the number of candidates that were ranked, the
    item itself among them; a number or shape (rows,). Raises ValueError for a rank outside 1, ..., candidates.
    """
    ranks, total = _signed(ranks), _signed(candidates)
    if ranks.size and (ranks.min() < 1 or (ranks > total).any()):
        raise ValueError("ranks: they must be from 1 to the number of candidates")
    return Places(ranks - 1, total - 1)


def _signed(numbers: Numbers) -> np.ndarray:
    """As an array, of signed numbers if they are whole: the difference of unsigned ones cannot be negative."""
    array = np.asarray(numbers)
    return array.astype(np.int64) if array.dtype.kind == "u" else array


def of_ranks_of_users(ranks: np.ndarray, users: np.ndarray, candidates: Numbers) -> Places:
    """Places of items at full ranks, where no other relevant item of the same user may be drawn.

    users : shape (rows,): whose item each is. The other arguments as for :func:`of_ranks`; candidates are the same in
    all rows of a user. Raises ValueError as it does, and if two items of a user have one rank.
    """
    places = of_ranks(ranks, candidates)
    users, ranks = np.asarray(users), _signed(ranks)
    if users.shape != ranks.shape:
        raise ValueError("users: give one for each rank")
    order = np.lexsort((ranks, users))
    begins = np.concatenate(([True], users[order][1:] != users[order][:-1])) if len(order) else np.zeros(0, bool)
    if (~begins[1:] & (np.diff(ranks[order]) == 0)).any():
        raise ValueError("ranks: two items of a user have the same rank")
    starts = np.flatnonzero(begins)
    counts = np.diff(np.append(starts, len(order)))
    before, relevant = np.empty(len(order), np.int64), np.empty(len(order), np.int64)
    before[order] = np.arange(len(order)) - np.repeat(starts, counts)
    relevant[order] = np.repeat(counts, counts)
    return Places(places.above - before, places.pool - (relevant - 1))


def of_scores(
    scores: np.ndarray,
    relevant: np.ndarray,
    excluded: Optional[np.ndarray] = None,
    weights: Optional[np.ndarray] = None,
    other_relevant: bool = False,
) -> Places:
    """Places of one user's relevant items by the scores of all items.

    scores : float64, shape (items,). relevant : indices of the relevant items. excluded : indices of the items that are
    not drawn, such as those of training; None if all may be. weights : shape (items,), for popularity; None counts
    items. other_relevant : whether the user's other relevant items may be drawn as negatives.

    Raises ValueError for a score that is NaN and for weights of another length.
    """
    scores, relevant = np.asarray(scores, np.float64), np.asarray(relevant, np.int64)
    if np.isnan(scores).any():
        raise ValueError("scores: NaN has no place")
    weight = np.ones(len(scores), np.int64) if weights is None else np.asarray(weights)
    if weight.shape != scores.shape:
        raise ValueError("weights: give one for each item")
    weight = weight.copy()
    if excluded is not None:
        weight[np.asarray(excluded, np.int64)] = 0
    if not other_relevant:
        weight[relevant] = 0
    order = np.argsort(scores, kind="stable")
    sums = np.concatenate((np.zeros(1, weight.dtype), np.cumsum(weight[order])))
    left, right = (np.searchsorted(scores[order], scores[relevant], side) for side in ("left", "right"))
    own = weight[relevant]  # an item is no negative of itself
    return Places(sums[-1] - sums[right], sums[-1] - own, sums[right] - sums[left] - own)
