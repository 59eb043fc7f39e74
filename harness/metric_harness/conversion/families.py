"""Families: lists with the same number of hits and the same two divisors, so that both definitions are sums over hits.

The list of a family with the largest weighted sum of the two definitions is found rank by rank (dynamic programming).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metric_harness.conversion.sums import Sums
from metric_harness.system.errors import HarnessError

MOST_STEPS = 400_000_000
"""Most families * ranks * hits: some seconds for each pair of weights."""


@dataclass(frozen=True, eq=False)
class Families:
    """Families of lists under two definitions.

    tables : int64, shape (families,): index of the table in ``Sums.adds``. hit, miss : bool, shape (families, depth):
    whether a rank may be a hit, or a miss. counts : by rank, how many hits there are up to it: int64, shape
    (families,), -1 if that does not matter.
    """

    start: Sums
    goal: Sums
    tables: np.ndarray
    hit: np.ndarray
    miss: np.ndarray
    counts: dict[int, np.ndarray]

    def take(self, chosen: np.ndarray) -> Families:
        """Some of the families, in this order."""
        counts = {rank: hits[chosen] for rank, hits in self.counts.items()}
        return replace(self, tables=self.tables[chosen], hit=self.hit[chosen], miss=self.miss[chosen], counts=counts)

    def largest(self, x: np.ndarray, y: np.ndarray, taken: np.ndarray | None = None) -> np.ndarray:
        """The largest x * sum of start + y * sum of goal for each number of hits; -inf where there is no list.

        x, y : float64, shape (families,). taken : bool, shape (depth, families, most + 1), zeros: becomes True where a
        rank is a hit. Returns float64, shape (families, most + 1).
        """
        _, depth, most = self.goal.adds.shape
        start_table, goal_table = (np.minimum(self.tables, len(sums.adds) - 1) for sums in (self.start, self.goal))
        total = np.full((len(x), most + 1), -np.inf)
        total[:, 0] = 0.0
        unrestricted = bool(self.hit.all() and self.miss.all())
        for rank in range(depth):
            top = min(most, rank + 1)
            with_hit = x[:, None] * self.start.adds[start_table, rank, :top]
            with_hit += y[:, None] * self.goal.adds[goal_table, rank, :top]
            with_hit += total[:, :top]
            if not unrestricted:
                with_hit[~self.hit[:, rank]] = -np.inf
                total[~self.miss[:, rank]] = -np.inf
            without_hit = total[:, 1 : top + 1]
            if taken is not None:
                taken[rank, :, 1 : top + 1] = with_hit > without_hit
            np.maximum(without_hit, with_hit, out=without_hit)
            if rank + 1 in self.counts:
                total[np.arange(most + 1) != self.counts[rank + 1][:, None]] = -np.inf
        return total

    def best(self, family: int, x: float, y: float) -> np.ndarray:
        """The list of a family with the largest weighted sum: bool, shape (depth,)."""
        _, depth, most = self.goal.adds.shape
        taken = np.zeros((depth, 1, most + 1), dtype=bool)
        total = self.take(np.array([family])).largest(np.array([x]), np.array([y]), taken)
        hits = int(total[0].argmax())
        pattern = np.zeros(depth, dtype=bool)
        for rank in range(depth - 1, -1, -1):
            if taken[rank, 0, hits]:
                pattern[rank] = True
                hits -= 1
        return pattern


@dataclass(frozen=True, eq=False)
class Rows:
    """One row for each family and each number of relevant items that it can have.

    family, relevant_index : int64, shape (rows,): the index of the family and that in ``Sums.relevant``. start, goal :
    float64, shape (rows,): 1 over the divisors.
    """

    family: np.ndarray
    relevant_index: np.ndarray
    start: np.ndarray
    goal: np.ndarray


def families_of(start: Sums, goal: Sums, above: int = -1) -> tuple[Families, Rows]:
    """All lists with more than ``above`` hits as families.

    Raises HarnessError for more than :data:`MOST_STEPS`.
    """
    _, depth, most = goal.adds.shape
    same_keys = (start.cut, start.last) == (goal.cut, goal.last) and start.divides() and goal.divides()
    kinds = [
        (hits, start_key, goal_key)
        for hits in range(above + 1, most + 1)
        for start_key in _keys(start, hits, depth)
        for goal_key in ([start_key] if same_keys else _keys(goal, hits, depth))
    ]
    hits, *keys = np.array(kinds).T
    enough_relevant = start.relevant >= hits[:, None]
    tables = np.zeros(len(hits), dtype=np.int64)
    if max(len(start.adds), len(goal.adds)) > 1:  # then a family has one number of relevant items
        kind, tables = np.nonzero(enough_relevant)
        hits, *keys = (column[kind] for column in (hits, *keys))
        enough_relevant = np.arange(len(start.relevant)) == tables[:, None]
    if len(hits) * depth * (most + 1) > MOST_STEPS:
        raise HarnessError(
            f"{len(hits)} kinds of lists at k = {depth} are too many: give a smaller k, or fewer relevant items"
        )
    family, relevant_index = np.nonzero(enough_relevant)
    hit, miss = np.ones((len(hits), depth), dtype=bool), np.ones((len(hits), depth), dtype=bool)
    counts, ranks, scales = {depth: hits}, np.arange(1, depth + 1), []
    for sums, key in zip((start, goal), keys, strict=True):
        scales.append(sums.scale(relevant_index, np.maximum(key[family], 0)))
        if sums.last and sums.divides():
            hit &= (ranks <= key[:, None]) | (ranks > sums.cut)
            miss &= ranks != key[:, None]
        elif sums.divides():
            counts[sums.cut] = key
    return Families(start, goal, tables, hit, miss, counts), Rows(family, relevant_index, *scales)


def _keys(sums: Sums, hits: int, depth: int) -> range:
    """The keys of lists with a number of hits; -1 alone where all lists have the same divisor."""
    if not sums.divides():
        return range(-1, 0)
    largest = sums.cut if sums.last and hits else min(hits, sums.cut)
    return range(max(0, hits - (depth - sums.cut)), largest + 1)
