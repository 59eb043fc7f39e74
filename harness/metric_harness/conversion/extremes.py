"""The lists that bound the mean of a definition, found without going through every list.

Each corner of the hull is the best list for some weights of the two definitions; only corners near the mean are needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metric_harness.conversion.bounds import chain
from metric_harness.conversion.families import families_of
from metric_harness.conversion.states import States, depth_of
from metric_harness.conversion.sums import Sums, sums_of
from metric_reference.signatures.signature import Signature
from metric_reports.tolerances import COMPOSED

TIE_WEIGHT = 1e-10
"""Weight of the other definition, which decides between lists that are equally good."""
MOST_CORNERS = 1000


def states_of_mean(start: Signature, goal: Signature, relevant: Sequence[int], low: float, high: float) -> States:
    """Lists that bound the mean of ``goal`` where that of ``start`` is from low to high.

    relevant : the numbers of relevant items that users have. Raises HarnessError as
    :func:`metric_harness.conversion.states.depth_of`, and for too many numbers.
    """
    depth = depth_of(start, goal)
    search = _Search(sums_of(start, relevant, depth), sums_of(goal, relevant, depth))
    left, right = search.best(-1.0, TIE_WEIGHT), search.best(1.0, TIE_WEIGHT)
    for up in (1.0, -1.0):
        search.best(TIE_WEIGHT, up)
        search.best(-TIE_WEIGHT, up)
        ends = search.best(-1.0, TIE_WEIGHT * up), search.best(1.0, TIE_WEIGHT * up)
        for x in (low, high):
            search.close_in(*ends, x, up)
    search.best(*search.normal(left, right))
    search.best(*(-weight for weight in search.normal(left, right)))
    return search.states()


class _Search:
    """Finds lists with the largest weighted sum of the two definitions, and keeps them."""

    def __init__(self, start: Sums, goal: Sums) -> None:
        self.sums = start, goal
        families, rows = families_of(start, goal)
        # Within a family a weighted sum is linear in the scales, so it is largest at a corner of their hull.
        kept: list[int] = []
        for of_family in np.split(np.argsort(rows.family, kind="stable"), np.cumsum(np.bincount(rows.family))[:-1]):
            x, y = rows.start[of_family], rows.goal[of_family]
            kept += of_family[np.union1d(chain(x, y), chain(x, -y))].tolist()
        self.relevant_index = rows.relevant_index[kept]
        self.scales = rows.start[kept], rows.goal[kept]
        self.families = families.take(rows.family[kept])
        self.patterns: list[np.ndarray] = []
        self.relevant_indices: list[int] = []
        self.points: list[tuple[float, float]] = []

    def best(self, x: float, y: float) -> int:
        """Find the list with the largest x * start + y * goal, and return its index among those kept."""
        start_weight, goal_weight = x * self.scales[0], y * self.scales[1]
        row = int(self.families.largest(start_weight, goal_weight).max(axis=1).argmax())
        return self._add(self.families.best(row, start_weight[row], goal_weight[row]), int(self.relevant_index[row]))

    def close_in(self, left: int, right: int, x: float, up: float) -> None:
        """Find the edge of the hull, above (1) or below (-1), that a vertical line meets."""
        for _ in range(MOST_CORNERS):
            (x0, _), (x1, _) = self.points[left], self.points[right]
            if x1 - x0 <= COMPOSED:
                return
            normal = self.normal(left, right, up)
            corner = self.best(*normal)
            above = sum(w * (p - q) for w, p, q in zip(normal, self.points[corner], self.points[left], strict=True))
            if above <= COMPOSED * 1e-3 * (x1 - x0) or corner in (left, right):
                return
            left, right = (corner, right) if self.points[corner][0] <= x else (left, corner)

    def normal(self, left: int, right: int, up: float = 1.0) -> tuple[float, float]:
        """The direction perpendicular to the line through two points."""
        (x0, y0), (x1, y1) = self.points[left], self.points[right]
        return -(y1 - y0) * up, (x1 - x0) * up

    def states(self) -> States:
        """All lists that were found."""
        start, goal = np.array(self.points).T
        return States(np.array(self.patterns), self.sums[0].relevant[self.relevant_indices], start, goal)

    def _add(self, pattern: np.ndarray, relevant_index: int) -> int:
        """Keep a list unless it is kept already; returns its index."""
        for i, (known, known_index) in enumerate(zip(self.patterns, self.relevant_indices, strict=True)):
            if known_index == relevant_index and np.array_equal(known, pattern):
                return i
        self.patterns.append(pattern)
        self.relevant_indices.append(relevant_index)
        start, goal = (float(sums.of(pattern[None], np.array([relevant_index]))[0]) for sums in self.sums)
        self.points.append((start, goal))
        return len(self.points) - 1
