"""Sets of lists with one number of hits, in which two definitions have one divisor each: both are sums over the hits.

The best list of each set in some weighing of the two sums is found rank by rank (dynamic programming).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metric_harness.conversion.sums import Sums
from metric_harness.system.errors import HarnessError

MOST_STEPS = 400_000_000
"""Sets times ranks times hits, at most: some seconds for each weighing."""


@dataclass(frozen=True, eq=False)
class Families:
    """Sets of lists.

    tables : int64, shape (families,): which table of what hits add counts. hit, miss : bool, shape (families, depth):
    whether a list may hit a rank, or miss it. counts : for some ranks, how many hits there are up to it: int64, shape
    (families,).
    """

    start: Sums
    goal: Sums
    tables: np.ndarray
    hit: np.ndarray
    miss: np.ndarray
    counts: dict[int, np.ndarray]

    def take(self, chosen: np.ndarray) -> Families:
        """Some of the sets, in this order."""
        counts = {rank: exactly[chosen] for rank, exactly in self.counts.items()}
        return replace(self, tables=self.tables[chosen], hit=self.hit[chosen], miss=self.miss[chosen], counts=counts)

    def most(self, x: np.ndarray, y: np.ndarray, taken: np.ndarray | None = None) -> np.ndarray:
        """The largest x * sum of start + y * sum of goal for each number of hits; -inf where there is no list.

        x, y : float64, shape (families,). taken : bool, shape (depth, families, most + 1), zeros: is filled with the
        choices made. Returns float64, shape (families, most + 1).
        """
        _, depth, most = self.goal.adds.shape
        first, second = (np.minimum(self.tables, len(each.adds) - 1) for each in (self.start, self.goal))
        total = np.full((len(x), most + 1), -np.inf)
        total[:, 0] = 0.0
        free = bool(self.hit.all() and self.miss.all())
        for rank in range(depth):
            top = min(most, rank + 1)
            gain = x[:, None] * self.start.adds[first, rank, :top] + y[:, None] * self.goal.adds[second, rank, :top]
            gain += total[:, :top]
            if not free:
                gain[~self.hit[:, rank]] = -np.inf
                total[~self.miss[:, rank]] = -np.inf
            reached = total[:, 1 : top + 1]
            if taken is not None:
                taken[rank, :, 1 : top + 1] = gain > reached
            np.maximum(reached, gain, out=reached)
            if rank + 1 in self.counts:
                total[np.arange(most + 1) != self.counts[rank + 1][:, None]] = -np.inf
        return total

    def best(self, family: int, x: float, y: float) -> np.ndarray:
        """The list of a family with the largest weighed sum: bool, shape (depth,)."""
        _, depth, most = self.goal.adds.shape
        taken = np.zeros((depth, 1, most + 1), dtype=bool)
        total = self.take(np.array([family])).most(np.array([x]), np.array([y]), taken)
        hits = int(total[0].argmax())
        pattern = np.zeros(depth, dtype=bool)
        for rank in range(depth - 1, -1, -1):
            if taken[rank, 0, hits]:
                pattern[rank] = True
                hits -= 1
        return pattern


@dataclass(frozen=True, eq=False)
class Rows:
    """For each family and each number of relevant items that it can have: where that stands among the numbers, and 1
    over both divisors. int64 and float64, shape (rows,)."""

    family: np.ndarray
    place: np.ndarray
    start: np.ndarray
    goal: np.ndarray


def families_of(start: Sums, goal: Sums, above: int = -1) -> tuple[Families, Rows]:
    """All lists with more than a number of hits as families.

    Raises HarnessError for more than :data:`MOST_STEPS`.
    """
    _, depth, most = goal.adds.shape
    alike = (start.cut, start.last) == (goal.cut, goal.last) and start.divides() and goal.divides()
    kinds = [
        (hits, first, second)
        for hits in range(above + 1, most + 1)
        for first in _keys(start, hits, depth)
        for second in ([first] if alike else _keys(goal, hits, depth))
    ]
    hits, *keys = np.array(kinds).T
    can = start.numbers >= hits[:, None]
    tables = np.zeros(len(hits), dtype=np.int64)
    if max(len(start.adds), len(goal.adds)) > 1:  # then a family has one number of relevant items
        kind, tables = np.nonzero(can)
        hits, *keys = (each[kind] for each in (hits, *keys))
        can = np.arange(len(start.numbers)) == tables[:, None]
    if len(hits) * depth * (most + 1) > MOST_STEPS:
        raise HarnessError(
            f"{len(hits)} kinds of lists at k = {depth} are too many: give a smaller k, or fewer relevant items"
        )
    family, place = np.nonzero(can)
    scales = (each.scale(place, np.maximum(key[family], 0)) for each, key in zip((start, goal), keys, strict=True))
    hit, miss = np.ones((len(hits), depth), dtype=bool), np.ones((len(hits), depth), dtype=bool)
    counts, at = {depth: hits}, np.arange(1, depth + 1)
    for each, key in zip((start, goal), keys, strict=True):
        if each.last and each.divides():
            hit &= (at <= key[:, None]) | (at > each.cut)
            miss &= at != key[:, None]
        elif each.divides():
            counts[each.cut] = key
    return Families(start, goal, tables, hit, miss, counts), Rows(family, place, *scales)


def _keys(each: Sums, hits: int, depth: int) -> range:
    """The keys of lists with a number of hits; -1 alone where all lists have one divisor."""
    if not each.divides():
        return range(-1, 0)
    largest = each.cut if each.last and hits else min(hits, each.cut)
    return range(max(0, hits - (depth - each.cut)), largest + 1)
