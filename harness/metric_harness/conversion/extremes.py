"""The lists between which the mean of a definition lies, without going through every list.

Most definitions are sums over the hits: the i-th hit at rank j adds a number that depends on i, j and the number of
relevant items alone. Which list is the best for a weighted sum of two such definitions is then found rank by rank
(dynamic programming), and the corners of the hull near a mean by trying the weights that matter. The numbers are asked
of the reference, and random lists check that they add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.bounds import SAME
from metric_harness.conversion.states import States, depth_of, states, values_of
from metric_reference.signatures.signature import Signature

CHECKED = 300
"""Random lists on which a definition must be the sum of its hits."""
SLIGHT = 1e-10
"""Weight of the other definition where several lists are the best."""
MOST_CORNERS = 1000
MOST_NUMBERS = 20_000_000


@dataclass(frozen=True, eq=False)
class Sums:
    """A definition as a sum over hits.

    nothing : float64, shape (numbers,): the value without a hit, for each number of relevant items. adds : float64,
    shape (numbers, depth, depth): what the i-th hit at rank j adds, [number, j - 1, i - 1]; -inf: there is no i-th.
    """

    nothing: np.ndarray
    adds: np.ndarray

    def of(self, patterns: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The values of lists: float64, shape (lists,). numbers : the places of their numbers of relevant items."""
        count = np.cumsum(patterns, axis=1) - 1
        ranks = np.arange(patterns.shape[1])
        each = np.where(patterns, self.adds[numbers[:, None], ranks, np.maximum(count, 0)], 0.0)
        return self.nothing[numbers] + each.sum(axis=1)


def states_of_mean(start: Signature, goal: Signature, relevant: Sequence[int], low: float, high: float) -> States:
    """Lists that bound the mean of ``goal`` where that of ``start`` is from low to high.

    relevant : the numbers of relevant items that users have. Raises HarnessError as :func:`states`; there can be too
    many lists only for a definition that is no sum over the hits, or past :data:`MOST_NUMBERS`.
    """
    depth = depth_of(start, goal)
    few = len(relevant) * depth**2 <= MOST_NUMBERS
    found = extreme_states(start, goal, relevant, depth, low, high) if few else None
    return found or states(start, goal, relevant)


def extreme_states(
    start: Signature, goal: Signature, relevant: Sequence[int], depth: int, low: float, high: float
) -> States | None:
    """The lists at the corners of the hull near a mean; None for a definition that is no sum over the hits."""
    sums = [sums_of(signature, relevant, depth) for signature in (start, goal)]
    if sums[0] is None or sums[1] is None:
        return None
    search = _Search(sums[0], sums[1], np.array(relevant))
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


def sums_of(signature: Signature, relevant: Sequence[int], depth: int) -> Sums | None:
    """A definition as a sum over hits; None if it is none."""
    nothing = np.empty(len(relevant))
    adds = np.full((len(relevant), depth, depth), -np.inf)
    rng = np.random.default_rng(len(relevant))
    for place, number in enumerate(relevant):
        hits, ranks = np.tril_indices(depth)[::-1]  # i-th hit (from 0) at rank j (from 0), i <= j
        kept = hits < number
        hits, ranks = hits[kept], ranks[kept]
        patterns = np.arange(depth) < hits[:, None]
        patterns[np.arange(len(hits)), ranks] = True
        none = np.zeros((1, depth), dtype=bool)
        values = values_of(np.concatenate([none, patterns]), np.full(len(hits) + 1, number), signature)
        nothing[place] = values[0]
        top = np.zeros(depth + 1)  # the value of a number of hits at the first ranks
        top[0] = values[0]
        top[hits[hits == ranks] + 1] = values[1:][hits == ranks]
        adds[place, ranks, hits] = values[1:] - top[hits]
    found = Sums(nothing, adds)
    places = rng.integers(0, len(relevant), CHECKED)
    patterns = rng.random((CHECKED, depth)) < rng.random((CHECKED, 1))
    patterns &= np.cumsum(patterns, axis=1) <= np.array(relevant)[places][:, None]
    right = values_of(patterns, np.array(relevant)[places], signature)
    return found if np.allclose(found.of(patterns, places), right, rtol=0, atol=1e-10) else None


class _Search:
    """Lists that are the best in some weighing, found one after the other."""

    def __init__(self, start: Sums, goal: Sums, relevant: np.ndarray) -> None:
        self.start, self.goal, self.relevant = start, goal, relevant
        self.patterns: list[np.ndarray] = []
        self.places: list[int] = []
        self.points: list[tuple[float, float]] = []

    def best(self, x: float, y: float) -> int:
        """The number of the list with the largest x * start + y * goal, which is among those found from now on."""
        weighed = _weighed(x, self.start.adds) + _weighed(y, self.goal.adds)
        nothing = x * self.start.nothing + y * self.goal.nothing
        depth = weighed.shape[1]
        total = np.full((len(nothing), depth + 1), -np.inf)
        total[:, 0] = nothing
        taken = np.zeros((depth, len(nothing), depth + 1), dtype=bool)
        for rank in range(depth):
            with_hit = total[:, :-1] + weighed[:, rank, :]
            taken[rank, :, 1:] = with_hit > total[:, 1:]
            total[:, 1:] = np.maximum(total[:, 1:], with_hit)
        place, hits = np.unravel_index(int(total.argmax()), total.shape)
        return self._add(_followed(taken[:, place], int(hits)), int(place))

    def close_in(self, left: int, right: int, x: float, up: float) -> None:
        """Find the edge of the hull, above (1) or below (-1), that a vertical line meets."""
        for _ in range(MOST_CORNERS):
            (x0, _), (x1, _) = self.points[left], self.points[right]
            if x1 - x0 <= SAME:
                return
            normal = self.normal(left, right, up)
            found = self.best(*normal)
            above = sum(w * (p - q) for w, p, q in zip(normal, self.points[found], self.points[left], strict=True))
            if above <= SAME * 1e-3 or found in (left, right):
                return
            left, right = (found, right) if self.points[found][0] <= x else (left, found)

    def normal(self, left: int, right: int, up: float = 1.0) -> tuple[float, float]:
        """The direction that stands on the line through two points."""
        (x0, y0), (x1, y1) = self.points[left], self.points[right]
        return -(y1 - y0) * up, (x1 - x0) * up

    def states(self) -> States:
        """All lists that were found."""
        start, goal = (np.array([point[part] for point in self.points]) for part in (0, 1))
        return States(np.array(self.patterns), self.relevant[self.places], start, goal)

    def _add(self, pattern: np.ndarray, place: int) -> int:
        for number, (known, where) in enumerate(zip(self.patterns, self.places, strict=True)):
            if where == place and np.array_equal(known, pattern):
                return number
        self.patterns.append(pattern)
        self.places.append(place)
        one, two = (float(sums.of(pattern[None], np.array([place]))[0]) for sums in (self.start, self.goal))
        self.points.append((one, two))
        return len(self.points) - 1


def _weighed(weight: float, adds: np.ndarray) -> np.ndarray:
    """A definition's numbers times a weight; no i-th hit stays impossible."""
    with np.errstate(invalid="ignore"):  # 0 * -inf
        return np.where(np.isfinite(adds), weight * adds, -np.inf)


def _followed(taken: np.ndarray, hits: int) -> np.ndarray:
    """The list of the best choices: bool, shape (depth,)."""
    pattern = np.zeros(len(taken), dtype=bool)
    for rank in range(len(taken) - 1, -1, -1):
        if taken[rank, hits]:
            pattern[rank] = True
            hits -= 1
    return pattern
