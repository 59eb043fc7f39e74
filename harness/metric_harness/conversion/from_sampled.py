"""A value among drawn candidates as a value among all items: bounds, and the flattest spread of ranks that has it.

Each user has one relevant item, at a rank among all items that nobody knows. A mean over users is a mixture of ranks,
so the pairs of the expected value among drawn candidates and the value among all items form a convex hull, as those of
two definitions do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.states import States, depth_of, values_of
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.scheme import Scheme
from metric_reference.signatures.signature import Signature

MOST_ITEMS = 10_000_000
ERRORS = 4.0
"""Standard errors that chance is allowed."""
CELLS = 2**22
HALVINGS = 200


@dataclass(frozen=True, eq=False)
class FullRanks(States):
    """The full ranks that decide the bounds, as states with one relevant item. ranks : int64, shape (states,).
    items : how many there are."""

    ranks: np.ndarray
    items: int

    def words(self, state: int) -> str:
        """Describes where the relevant item is."""
        return f"relevant item at rank {self.ranks[state]} of {self.items}"


@dataclass(frozen=True, eq=False)
class Curves:
    """What each full rank is worth.

    drawn : the expected value among drawn candidates, float64, shape (items,). full : the value among all items, of the
    same shape. marks : the values that a single list can have among drawn candidates, float64, shape (k + 1,), the last
    one without a hit.
    """

    drawn: np.ndarray
    full: np.ndarray
    marks: np.ndarray

    def states(self) -> FullRanks:
        """The ranks up to the cut-off of the full list, and of the others, which are worth the same, the first where
        the drawn value is largest and smallest."""
        differ = np.flatnonzero(self.full != self.full[-1])
        depth = int(differ[-1]) + 1 if len(differ) else 0
        rest = np.arange(depth, len(self.full))
        ends = {int(depth + self.drawn[rest].argmax()), int(depth + self.drawn[rest].argmin())} if len(rest) else set()
        kept = np.array([*range(depth), *sorted(ends)])
        patterns = np.zeros((len(kept), 0), dtype=bool)
        ones = np.ones(len(kept), dtype=np.int64)
        return FullRanks(patterns, ones, self.drawn[kept], self.full[kept], kept + 1, len(self.full))

    def flattest(self, value: float) -> float | None:
        """The full value of the flattest spread of ranks whose drawn value is this one: that of largest entropy, whose
        shares are proportional to exp(slope * drawn). None where no spread has the value."""
        least, most = float(self.drawn.min()), float(self.drawn.max())
        if not least < value < most:
            return None

        def shares(slope: float) -> np.ndarray:
            weights: np.ndarray = np.exp(slope * (self.drawn - (most if slope > 0 else least)))
            return weights / weights.sum()

        low, high = -1.0, 1.0
        while shares(low) @ self.drawn > value and low > -1e12:
            low *= 2
        while shares(high) @ self.drawn < value and high < 1e12:
            high *= 2
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if shares(middle) @ self.drawn < value else (low, middle)
            if high - low <= 1e-13 * max(abs(low), abs(high)):
                break
        return float(shares((low + high) / 2) @ self.full)

    def cut_off(self) -> float | None:
        """For a metric that asks only whether there is a hit: the sum of its chances over all ranks, so the cut-off of
        the full list that has as many (Li et al. 2020). None for other metrics."""
        if not (self.marks[:-1] == self.marks[0]).all() or self.marks[-1] != 0 or self.marks[0] == 0:
            return None
        return float(self.drawn.sum() / self.marks[0])


def curves_of(start: Signature, goal: Signature, scheme: Scheme, items: int) -> Curves:
    """What each full rank is worth among drawn candidates in one definition, and among all items in another.

    Raises HarnessError for definitions that cannot be converted, a cut-off beyond the candidates, one that is not
    applied, more negatives than there are, and more items than 10,000,000.
    """
    depth_of(start, goal)
    if not 2 <= items <= MOST_ITEMS:
        raise HarnessError(f"--of {items}: give all candidates, the relevant one among them, from 2 to {MOST_ITEMS}")
    cuts: list[int] = []
    for signature, candidates in ((start, scheme.negatives + 1), (goal, items)):
        cut = signature.variant.k or 0
        if signature.variant.metric.made().get("cut") == "none":
            raise HarnessError(f"{signature.short()}: it has no cut-off in effect; give a definition with cut:k")
        if cut > candidates:
            raise HarnessError(f"@{cut} is beyond the {candidates} candidates that are ranked")
        cuts.append(cut)
    marks, values = (_by_rank(signature, cut) for signature, cut in zip((start, goal), cuts, strict=True))
    drawn = np.empty(items)
    step = max(1, CELLS // cuts[0])
    try:
        for begin in range(0, items, step):
            ranks = np.arange(begin + 1, min(begin + step, items) + 1)
            chances = rank_probabilities(scheme, of_ranks(ranks, items), cuts[0])
            drawn[begin : begin + step] = marks[:-1] @ chances + marks[-1] * (1 - chances.sum(axis=0))
    except ValueError as error:
        raise HarnessError(f"--sampled {scheme.negatives} --of {items}: {error}") from None
    full = np.full(items, values[-1])
    full[: cuts[1]] = values[:-1]
    return Curves(drawn, full, marks)


def _by_rank(signature: Signature, cut: int) -> np.ndarray:
    """The values of lists whose only relevant item is at rank 1, ..., cut, and of one without: shape (cut + 1,)."""
    patterns = np.concatenate((np.eye(cut, dtype=bool), np.zeros((1, cut), dtype=bool)))
    return values_of(patterns, np.ones(cut + 1, dtype=np.int64), signature)


def allowed(low: float, high: float, users: int, most: float) -> tuple[float, float]:
    """The expectations for which a mean over users from low to high lies within 4 standard errors.

    A value between 0 and ``most`` with expectation e has a variance of at most e (most - e), and the mean over users
    one of at most that over their number; so these are the ends of Wilson's interval.
    """
    ends: list[float] = []
    for value, sign in ((low / most, -1.0), (high / most, 1.0)):
        spread = ERRORS**2 / users
        middle = value + spread / 2
        root = math.sqrt(max(spread * value * (1 - value) + spread * spread / 4, 0.0))
        ends.append(most * (middle + sign * root) / (1 + spread))
    return max(ends[0], 0.0), min(ends[1], most)
