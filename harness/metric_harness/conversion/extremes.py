"""The lists between which the mean of a definition lies, without going through every list.

The corners of the hull near a mean are found by trying the weighings of the two definitions that matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metric_harness.conversion.bounds import SAME, chain
from metric_harness.conversion.families import families_of
from metric_harness.conversion.states import States, depth_of
from metric_harness.conversion.sums import Sums, sums_of
from metric_reference.signatures.signature import Signature

SLIGHT = 1e-10
"""Weight of the other definition where several lists are the best."""
MOST_CORNERS = 1000


def states_of_mean(start: Signature, goal: Signature, relevant: Sequence[int], low: float, high: float) -> States:
    """Lists that bound the mean of ``goal`` where that of ``start`` is from low to high.

    relevant : the numbers of relevant items that users have. Raises HarnessError as
    :func:`metric_harness.conversion.states.depth_of`, and for too many numbers.
    """
    depth = depth_of(start, goal)
    search = _Search(sums_of(start, relevant, depth), sums_of(goal, relevant, depth))
    left, right = search.best(-1.0, SLIGHT), search.best(1.0, SLIGHT)
    for up in (1.0, -1.0):
        search.best(SLIGHT, up)
        search.best(-SLIGHT, up)
        ends = search.best(-1.0, SLIGHT * up), search.best(1.0, SLIGHT * up)
        for x in (low, high):
            search.close_in(*ends, x, up)
    search.best(*search.normal(left, right))
    search.best(*(-part for part in search.normal(left, right)))
    return search.states()


class _Search:
    """Lists that are the best in some weighing, found one after the other."""

    def __init__(self, start: Sums, goal: Sums) -> None:
        self.sums = start, goal
        self.families, rows = families_of(start, goal)
        # In one family a weighed value is linear in the scales, so it is the largest at a corner of their hull.
        kept = []
        for each in np.split(np.argsort(rows.family, kind="stable"), np.cumsum(np.bincount(rows.family))[:-1]):
            x, y = rows.start[each], rows.goal[each]
            kept += each[np.union1d(chain(x, y), chain(x, -y))].tolist()
        self.family, self.place = rows.family[kept], rows.place[kept]
        self.scales = rows.start[kept], rows.goal[kept]
        self.of_rows = self.families.take(self.family)
        self.patterns: list[np.ndarray] = []
        self.places: list[int] = []
        self.points: list[tuple[float, float]] = []

    def best(self, x: float, y: float) -> int:
        """The number of the list with the largest x * start + y * goal, which is among those found from now on."""
        first, second = x * self.scales[0], y * self.scales[1]
        row = int(self.of_rows.most(first, second).max(axis=1).argmax())
        return self._add(self.of_rows.best(row, first[row], second[row]), int(self.place[row]))

    def close_in(self, left: int, right: int, x: float, up: float) -> None:
        """Find the edge of the hull, above (1) or below (-1), that a vertical line meets."""
        for _ in range(MOST_CORNERS):
            (x0, _), (x1, _) = self.points[left], self.points[right]
            if x1 - x0 <= SAME:
                return
            normal = self.normal(left, right, up)
            found = self.best(*normal)
            above = sum(w * (p - q) for w, p, q in zip(normal, self.points[found], self.points[left], strict=True))
            if above <= SAME * 1e-3 * (x1 - x0) or found in (left, right):
                return
            left, right = (found, right) if self.points[found][0] <= x else (left, found)

    def normal(self, left: int, right: int, up: float = 1.0) -> tuple[float, float]:
        """The direction that stands on the line through two points."""
        (x0, y0), (x1, y1) = self.points[left], self.points[right]
        return -(y1 - y0) * up, (x1 - x0) * up

    def states(self) -> States:
        """All lists that were found."""
        start, goal = (np.array([point[part] for point in self.points]) for part in (0, 1))
        return States(np.array(self.patterns), self.sums[0].numbers[self.places], start, goal)

    def _add(self, pattern: np.ndarray, place: int) -> int:
        for number, (known, where) in enumerate(zip(self.patterns, self.places, strict=True)):
            if where == place and np.array_equal(known, pattern):
                return number
        self.patterns.append(pattern)
        self.places.append(place)
        one, two = (float(sums.of(pattern[None], np.array([place]))[0]) for sums in self.sums)
        self.points.append((one, two))
        return len(self.points) - 1
