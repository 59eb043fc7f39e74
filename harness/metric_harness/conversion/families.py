"""Sets of lists in which two definitions have one divisor each, so that both are sums over the hits.

The best list of each set in some weighing of the two sums is found rank by rank (dynamic programming).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from metric_harness.conversion.sums import Sums
from metric_harness.system.errors import HarnessError

MOST_STEPS = 400_000_000
"""Sets times ranks times hits, at most: some seconds for each weighing."""


@dataclass(frozen=True, eq=False)
class Families:
    """Sets of lists.

    tables : int64, shape (families,): which table of what hits add counts. hit, miss : bool, shape (families, depth):
    whether a list may hit a rank, or miss it. counts : for some ranks, how many hits there may be up to it: bool, shape
    (families, most + 1).
    """

    start: Sums
    goal: Sums
    tables: np.ndarray
    hit: np.ndarray
    miss: np.ndarray
    counts: dict[int, np.ndarray]

    def take(self, chosen: np.ndarray) -> Families:
        """Some of the sets, in this order."""
        counts = {rank: allowed[chosen] for rank, allowed in self.counts.items()}
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
                total[~self.counts[rank + 1]] = -np.inf
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


def families_of(start: Sums, goal: Sums, above: int | None = None) -> tuple[Families, Rows]:
    """All lists as families.

    above : make a family for each number of hits of the whole list, and only for those that are more. Raises
    HarnessError for more than :data:`MOST_STEPS`.
    """
    _, depth, most = goal.adds.shape
    ranks = sorted({depth} | {each.cut for each in (start, goal) if not each.last})
    known: dict[Family, int] = {}
    alike: dict[tuple[object, ...], np.ndarray] = {}  # users with these have the same families
    rows = []
    for place, number in enumerate(start.numbers.tolist()):
        limit, table = min(number, most), place if max(len(start.adds), len(goal.adds)) > 1 else 0
        classes = start.classes(place), goal.classes(place)
        name = (limit, table, *(each.tobytes() for each in classes))
        if name not in alike:
            ends = np.arange(most + 1) <= limit
            chosen = ends[None] if above is None else np.eye(most + 1, dtype=bool)[above + 1 : limit + 1]
            found = [
                (known.setdefault(family, len(known)), *keys)
                for keys in _pairs(start, goal, *classes)
                for end in _ends(start, goal, classes, keys, chosen)
                if (family := _family(start, goal, classes, keys, ranks, end, table)) is not None
            ]
            alike[name] = np.array(found, dtype=np.int64).reshape(-1, 3)
        family, first, second = alike[name].T
        rows.append((family, np.full(len(family), place), start.scale(place, first), goal.scale(place, second)))
    if len(known) * depth * (most + 1) > MOST_STEPS:
        raise HarnessError(
            f"{len(known)} kinds of lists at k = {depth} are too many: give a smaller k, or fewer relevant items"
        )
    return _made(start, goal, list(known), ranks), Rows(*map(np.concatenate, zip(*rows, strict=True)))


Family = tuple[int, bytes, tuple[int, int]]
"""Table; the numbers of hits that there may be up to the ranks, packed; the ranks of the last hits, or -1."""


def _pairs(start: Sums, goal: Sums, one: np.ndarray, other: np.ndarray) -> list[tuple[int, int]]:
    """A key of each class of divisors of start, beside one of goal: those that a list can have together."""
    if (start.cut, start.last) == (goal.cut, goal.last):
        _, keys = np.unique(np.stack((one, other))[:, one >= 0], axis=1, return_index=True)
        return [(key, key) for key in np.flatnonzero(one >= 0)[keys].tolist()]
    first, second = (
        np.flatnonzero(each >= 0)[np.unique(each[each >= 0], return_index=True)[1]] for each in (one, other)
    )
    return list(product(first.tolist(), second.tolist()))


def _ends(
    start: Sums, goal: Sums, classes: tuple[np.ndarray, np.ndarray], keys: tuple[int, int], chosen: np.ndarray
) -> np.ndarray:
    """Of the sets of numbers of hits those that go with two keys."""
    for each, its, key in zip((start, goal), classes, keys, strict=True):
        if not each.last and each.cut == len(its) - 1:
            chosen = chosen[(chosen & (its == its[key])[: chosen.shape[1]]).any(axis=1)]
    return chosen


def _family(
    start: Sums,
    goal: Sums,
    classes: tuple[np.ndarray, np.ndarray],
    keys: tuple[int, int],
    ranks: list[int],
    end: np.ndarray,
    table: int,
) -> Family | None:
    """The lists whose divisors are those of two keys; None if there are none."""
    depth = ranks[-1]
    counts = {rank: np.ones(len(end), dtype=bool) for rank in ranks}
    counts[depth] &= end
    last = [-1, -1]
    for place, (each, its, key) in enumerate(zip((start, goal), classes, keys, strict=True)):
        if each.last:
            last[place] = key
        else:
            counts[each.cut] &= (its == its[key])[: len(end)]
    if not all(allowed.any() for allowed in counts.values()):
        return None
    few, many = np.flatnonzero(counts[ranks[-1]])[[0, -1]]
    for rank in ranks:
        least, largest = np.flatnonzero(counts[rank])[[0, -1]]
        if least > many or largest + depth - rank < few:
            return None
    return table, np.stack([counts[rank] for rank in ranks]).tobytes(), (last[0], last[1])


def _made(start: Sums, goal: Sums, known: list[Family], ranks: list[int]) -> Families:
    """Families as arrays."""
    depth, most = start.adds.shape[1:]
    hit, miss = np.ones((len(known), depth), dtype=bool), np.ones((len(known), depth), dtype=bool)
    at = np.arange(1, depth + 1)
    for place, each in enumerate((start, goal)):
        key = np.array([last[place] for _, _, last in known])[:, None]
        hit &= ~((key >= 0) & (at > key) & (at <= each.cut))
        miss &= at != key
    counts = np.frombuffer(b"".join(packed for _, packed, _ in known), dtype=bool)
    counts = counts.reshape(len(known), len(ranks), most + 1)
    tables = np.array([table for table, _, _ in known])
    return Families(start, goal, tables, hit, miss, {rank: counts[:, at] for at, rank in enumerate(ranks)})
