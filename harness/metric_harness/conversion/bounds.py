"""What the mean of one definition says about the mean of another.

A mean over users is a mixture of the lists that users can have. So the means of two definitions, as pairs, form the
convex hull of the pairs of values of all lists. The bounds are where a vertical line meets the hull, and the lists at
the ends of the edge that it meets attain them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.states import States
from metric_harness.system.errors import HarnessError
from metric_reports.tolerances import COMPOSED


@dataclass(frozen=True)
class Bound:
    """A bound and the lists that attain it.

    mixture : pairs of the share of users and the index of the state. unproven : the share of users for whom no list
    that attains the bound is known; it is a bound all the same. gap : how far the known lists can be from it.
    """

    value: float
    mixture: tuple[tuple[float, int], ...]
    unproven: float = 0.0
    gap: float = 0.0


@dataclass(frozen=True)
class Converted:
    """The smallest and the largest value. line : slope and intercept, where the second definition is a linear function
    of the first. nothing_known : the bounds are those of any list, so the mean says nothing."""

    low: Bound
    high: Bound
    line: tuple[float, float] | None = None
    nothing_known: bool = False

    @property
    def exact(self) -> bool:
        """Whether the two bounds are equal."""
        return self.high.value - self.low.value <= COMPOSED


def of_mean(states: States, low: float, high: float) -> Converted:
    """The bounds for a mean from ``low`` to ``high``, which may be equal.

    Raises HarnessError if no users have such a mean.
    """
    least, most = float(states.start.min()), float(states.start.max())
    if high < least - COMPOSED or low > most + COMPOSED:
        mean = f"{(low + high) / 2:g}"
        raise HarnessError(f"{mean}: no lists have this mean under these assumptions; it is from {least:g} to {most:g}")
    low, high = max(low, least), min(high, most)
    below, above = chain(states.start, states.goal), chain(states.start, -states.goal)
    smallest = min(_bounds(states, below, low, high), key=lambda bound: bound.value)
    largest = max(_bounds(states, above, low, high), key=lambda bound: bound.value)
    widest = smallest.value <= states.goal.min() + COMPOSED and largest.value >= states.goal.max() - COMPOSED
    return Converted(smallest, largest, _line(states), bool(widest and smallest.value < largest.value - COMPOSED))


def chain(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The points of the lower convex hull, as indices in the order of x."""
    order = np.lexsort((y, x))
    order = order[np.concatenate(([True], np.diff(x[order]) > 0))]  # for each x the smallest y
    kept: list[int] = []
    for point in order.tolist():
        while len(kept) > 1 and _turn(x, y, kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return np.array(kept)


def _turn(x: np.ndarray, y: np.ndarray, a: int, b: int, c: int) -> float:
    """Positive where the way from a over b to c turns left."""
    return float((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))


def _bounds(states: States, hull: np.ndarray, low: float, high: float) -> Iterator[Bound]:
    """The bounds at ``low``, at ``high`` and at the corners between, among which the extreme one is."""
    corners = states.start[hull]
    for x in (low, high, *corners[(corners > low) & (corners < high)].tolist()):
        yield _bound_at(states, hull, x)


def _bound_at(states: States, hull: np.ndarray, x: float) -> Bound:
    """The height of a hull at ``x``, and the one or two lists that attain it."""
    corners = states.start[hull]
    right = int(np.clip(np.searchsorted(corners, x), 0, len(hull) - 1))
    left = right if corners[right] == x or right == 0 else right - 1
    a, b = int(hull[left]), int(hull[right])
    share = 0.0 if a == b else (x - states.start[a]) / (states.start[b] - states.start[a])
    value = (1 - share) * states.goal[a] + share * states.goal[b]
    mixture = tuple((float(weight), state) for weight, state in ((1 - share, a), (share, b)) if weight > 0)
    return Bound(float(value), mixture)


def _line(states: States) -> tuple[float, float] | None:
    """Slope and intercept, where all pairs of values lie on one line that is not vertical."""
    low, high = int(states.start.argmin()), int(states.start.argmax())
    width = states.start[high] - states.start[low]
    if width <= COMPOSED:
        return None
    slope = float((states.goal[high] - states.goal[low]) / width)
    intercept = float(states.goal[low] - slope * states.start[low])
    residual = np.abs(states.goal - slope * states.start - intercept).max()
    return (slope, intercept) if residual <= COMPOSED else None
