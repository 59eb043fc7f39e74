"""What the mean of one definition says about the mean of another.

A mean over users is a mixture of the lists that users can have. The means of two definitions so form the convex hull of
the pairs of values of all lists; the bounds are where a vertical line meets the hull, and the lists at the ends of the
edge that it meets attain them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.states import States
from metric_harness.system.errors import HarnessError

SAME = 1e-9
"""Values that are nearer than this are one."""


@dataclass(frozen=True)
class Bound:
    """A bound and the lists that attain it: pairs of the share of users and the number of the state.

    unproven : the share of users for whom no list is known that attains it; no list passes it all the same.
    gap : how far the bound that is attained can be from it.
    """

    value: float
    mixture: tuple[tuple[float, int], ...]
    unproven: float = 0.0
    gap: float = 0.0


@dataclass(frozen=True)
class Converted:
    """The smallest and the largest value. exact : they are one. line : slope and intercept, where every mean of the one
    definition gives one of the other. whole : the bounds are all that the definition can be, so nothing is known."""

    low: Bound
    high: Bound
    line: tuple[float, float] | None = None
    whole: bool = False

    @property
    def exact(self) -> bool:
        """Whether there is one value."""
        return self.high.value - self.low.value <= SAME


def of_mean(found: States, low: float, high: float) -> Converted:
    """The bounds for a mean that lies between two values, which may be equal.

    Raises HarnessError if no users have such a mean.
    """
    least, most = float(found.start.min()), float(found.start.max())
    if high < least - SAME or low > most + SAME:
        mean = f"{(low + high) / 2:g}"
        raise HarnessError(f"{mean}: no lists have this mean under these assumptions; it is from {least:g} to {most:g}")
    low, high = max(low, least), min(high, most)
    below, above = chain(found.start, found.goal), chain(found.start, -found.goal)
    smallest = min((_at(found, below, x) for x in _places(found, below, low, high)), key=lambda bound: bound.value)
    largest = max((_at(found, above, x) for x in _places(found, above, low, high)), key=lambda bound: bound.value)
    whole = smallest.value <= found.goal.min() + SAME and largest.value >= found.goal.max() - SAME
    return Converted(smallest, largest, _line(found), bool(whole and smallest.value < largest.value - SAME))


def chain(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The points of the lower convex hull, as indices in the order of x."""
    order = np.lexsort((y, x))
    order = order[np.concatenate(([True], np.diff(x[order]) > 0))]  # of one x the smallest y
    kept: list[int] = []
    for point in order.tolist():
        while len(kept) > 1 and _turn(x, y, kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return np.array(kept)


def _turn(x: np.ndarray, y: np.ndarray, a: int, b: int, c: int) -> float:
    return float((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))


def _places(found: States, hull: np.ndarray, low: float, high: float) -> Iterator[float]:
    """Where the bound can be smallest between two values: at these and at the corners between."""
    yield from (low, high)
    corners = found.start[hull]
    yield from corners[(corners > low) & (corners < high)].tolist()


def _at(found: States, hull: np.ndarray, x: float) -> Bound:
    """The height of a chain, and the one or two lists that attain it."""
    corners = found.start[hull]
    right = int(np.clip(np.searchsorted(corners, x), 0, len(hull) - 1))
    left = right if corners[right] == x or right == 0 else right - 1
    a, b = int(hull[left]), int(hull[right])
    share = 0.0 if a == b else (x - found.start[a]) / (found.start[b] - found.start[a])
    value = (1 - share) * found.goal[a] + share * found.goal[b]
    mixture = tuple((float(part), state) for part, state in ((1 - share, a), (share, b)) if part > 0)
    return Bound(float(value), mixture)


def _line(found: States) -> tuple[float, float] | None:
    """Slope and intercept, where all pairs of values lie on one line that is not upright."""
    low, high = int(found.start.argmin()), int(found.start.argmax())
    width = found.start[high] - found.start[low]
    if width <= SAME:
        return None
    slope = float((found.goal[high] - found.goal[low]) / width)
    intercept = float(found.goal[low] - slope * found.start[low])
    off = np.abs(found.goal - slope * found.start - intercept).max()
    return (slope, intercept) if off <= SAME else None
