"""The best list of a family whose sum under one definition is a given number, proven to be the best.

The best list has a sum of the other definition near a bound that is known (the hull of the family). Beginnings of lists
are made rank by rank, without those that cannot come near the bound, whatever follows. Where there are more beginnings
than endings, the endings are made, and beginnings and endings that give the number together are found by sorting.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np

from metric_harness.conversion.families import Families

EQUAL = 1e-12
"""Sums that are nearer than this are one."""
ROUNDING = 1e-11
"""Bounds are wider by so much, as sums are rounded."""
FEW = 512
"""With fewer beginnings than this, going on rank by rank is faster than making endings."""
SPREAD = np.sinh(np.linspace(0.0, 7.0, 21)[1:])
"""How far the slopes of a grid are from its middle: dense there, a thousand times as far at the ends."""


@dataclass(frozen=True, eq=False)
class Limit:
    """lists : how many beginnings are kept at a time. until : when to stop, as of ``time.monotonic``."""

    lists: int
    until: float


class Best(NamedTuple):
    """For each target the largest sum of goal, -inf where no list was found, and the ranks that are hits, as bits.

    complete : whether no list was left out, so that sums of at least ``least`` are the largest there are. most : how
    many beginnings there were at a time.
    """

    goal: np.ndarray
    packed: np.ndarray
    complete: bool
    most: int


class Targets(NamedTuple):
    """What lists are wanted: float64, shape (targets,).

    start : the sum of the first definition, reached within ``near``. least : the sum of the other, at least.
    """

    start: np.ndarray
    near: np.ndarray
    least: np.ndarray


class Part(NamedTuple):
    """Beginnings or endings of lists: arrays of shape (lists,), but for ``packed``, the ranks that are hits as bits.

    start, goal : the sums. hits : up to the present rank, those of the beginning too. target : which one is wanted.
    slope : which slope of the grid bounds it best.
    """

    start: np.ndarray
    goal: np.ndarray
    hits: np.ndarray
    packed: np.ndarray
    target: np.ndarray
    slope: np.ndarray

    def take(self, chosen: np.ndarray) -> Part:
        """Some of them."""
        return Part(*(column[chosen] for column in self))


@dataclass(frozen=True, eq=False)
class Family:
    """One family of :class:`Families`: lists with one number of hits, and what they add.

    start, goal : float64, shape (depth, hits). hit, miss : bool, shape (depth,). counts : hits up to some ranks.
    """

    start: np.ndarray
    goal: np.ndarray
    hit: np.ndarray
    miss: np.ndarray
    counts: dict[int, int]

    @property
    def hits(self) -> int:
        """How many hits each list has."""
        return self.start.shape[1]

    def most(self, slopes: np.ndarray) -> np.ndarray:
        """The largest goal + slope * start of what follows each rank: float64, shape (depth + 1, slopes, hits + 1);
        -inf where nothing can follow."""
        depth = len(self.start)
        total = np.full((depth + 1, len(slopes), self.hits + 1), -np.inf)
        total[depth, :, self.hits] = 0.0
        for rank in range(depth - 1, -1, -1):
            if self.miss[rank]:
                total[rank] = total[rank + 1]
            if self.hit[rank]:
                adds = self.goal[rank] + slopes[:, None] * self.start[rank]
                np.maximum(total[rank, :, :-1], total[rank + 1, :, 1:] + adds, out=total[rank, :, :-1])
            if rank in self.counts:
                total[rank][:, np.arange(self.hits + 1) != self.counts[rank]] = -np.inf
        return total

    def slopes(self, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A grid of slopes, dense where the hull bounds lists with these sums best, and these bounds."""
        grid = np.tan(np.linspace(-1.55, 1.55, 41)) * self._steepness()
        for _ in range(3):
            bounds = self.most(grid)[0, :, 0] - start[:, None] * grid
            place = bounds.argmin(axis=1)
            low, high = grid[np.maximum(place - 1, 0)].min(), grid[np.minimum(place + 1, len(grid) - 1)].max()
            best = grid[place]
            grid = np.linspace(low, high, 41)
        far = 0.01 * self._steepness() * SPREAD
        between = np.union1d(best, np.linspace(best.min(), best.max(), 21))
        return np.concatenate((best.min() - far[::-1], between, best.max() + far)), bounds.min(axis=1)

    def least(self) -> float:
        """The smallest sum of goal; inf where the family has no list."""
        return -float(Family(self.start, -self.goal, self.hit, self.miss, self.counts).most(np.zeros(1))[0, 0, 0])

    def _steepness(self) -> float:
        """What goal can change over what start can."""
        spans = [each.max(axis=0) - each.min(axis=0) for each in (self.goal, self.start)]
        return float(spans[0].sum() / spans[1].sum()) if spans[0].any() and spans[1].any() else 1.0


def family_of(families: Families, number: int, first: float, second: float) -> Family:
    """One of the families, the two sums multiplied by numbers."""
    depth = families.hit.shape[1]
    counts = {rank: int(exactly[number]) for rank, exactly in families.counts.items() if exactly[number] >= 0}
    tables = [
        each.adds[min(int(families.tables[number]), len(each.adds) - 1)] for each in (families.start, families.goal)
    ]
    start, goal = (table[:, : counts[depth]] for table in tables)
    return Family(first * start, second * goal, families.hit[number], families.miss[number], counts)


def best_lists(family: Family, slopes: np.ndarray, wanted: Targets, limit: Limit) -> Best:
    """The best list for each target, by going through all beginnings that may become one, or some if these are many."""
    rng, complete, largest = np.random.default_rng(0), True, 1
    depth = len(family.start)
    most = family.most(slopes)
    most += (np.abs(slopes) * wanted.near.max() + ROUNDING)[:, None]
    number = np.arange(len(wanted.start))
    none = np.zeros(len(number))
    bytes_of = np.zeros((len(number), -(-depth // 8)), dtype=np.uint8)
    first = (most[0, :, 0] - wanted.start[:, None] * slopes).argmin(axis=1)
    lists = Part(none, none, np.zeros_like(number), bytes_of, number, first)
    found = np.full(len(number), -np.inf), np.zeros_like(bytes_of)
    again = np.full(family.hits + 1, FEW)
    for rank in range(depth):
        lists = _merged(_longer(family, lists, rank, slopes, most[rank + 1], wanted))
        largest = max(largest, len(lists.start))
        if monotonic() > limit.until:
            return Best(*found, False, largest)
        if len(lists.start) > limit.lists:
            lists, complete = lists.take(rng.choice(len(lists.start), limit.lists, replace=False)), False
        counts = np.bincount(lists.hits, minlength=family.hits + 1)
        for hits in np.flatnonzero(counts >= again):
            here = np.flatnonzero(lists.hits == hits)
            ends = _ends(family, lists.take(here), rank + 1, slopes, most, wanted)
            if ends is None:
                again[hits] = 2 * counts[hits]
                continue
            _join(lists.take(here), ends, wanted, found)
            lists = lists.take(np.flatnonzero(lists.hits != hits))
    done = lists.take(np.flatnonzero(np.abs(lists.start - wanted.start[lists.target]) <= wanted.near[lists.target]))
    _keep(found, done.target, done.goal, done.packed)
    return Best(*found, complete, largest)


def _longer(family: Family, lists: Part, rank: int, slopes: np.ndarray, most: np.ndarray, wanted: Targets) -> Part:
    """The beginnings with a rank (from 0) more that can reach a target."""
    parts = []
    if family.miss[rank]:
        parts.append(_kept(lists, slopes, most, wanted))
    if family.hit[rank]:
        parts.append(_kept(_hit(family, lists, rank), slopes, most, wanted))
    return Part(*map(np.concatenate, zip(*parts, strict=True)))


def _hit(family: Family, lists: Part, rank: int) -> Part:
    """The lists that can have one more hit, with it at a rank (from 0)."""
    lists = lists.take(np.flatnonzero(lists.hits < family.hits))
    lists.packed[:, rank // 8] |= 128 >> rank % 8
    start = lists.start + family.start[rank, lists.hits]
    goal = lists.goal + family.goal[rank, lists.hits]
    return lists._replace(start=start, goal=goal, hits=lists.hits + 1)


def _kept(lists: Part, slopes: np.ndarray, most: np.ndarray, wanted: Targets) -> Part:
    """The beginnings that can reach their target as far as slopes near their last one say."""
    left = wanted.start[lists.target] - lists.start
    bound, best = np.full(len(left), np.inf), lists.slope
    for slope in (best, np.maximum(best - 1, 0), np.minimum(best + 1, len(slopes) - 1)):
        reached = most[slope, lists.hits] - slopes[slope] * left
        best = np.where(reached < bound, slope, best)
        bound = np.minimum(bound, reached)
    kept = np.flatnonzero(lists.goal + bound >= wanted.least[lists.target])
    return lists._replace(slope=best).take(kept)


def _merged(lists: Part) -> Part:
    """Of lists that only the sum of goal tells apart, the one with the largest."""
    if len(lists.start) < FEW // 2:
        return lists
    kind = lists.target * (int(lists.hits.max()) + 1) + lists.hits
    order = np.argsort(lists.start, kind="stable")
    order = order[np.argsort(kind[order], kind="stable")]
    new = (np.diff(kind[order], prepend=-1) != 0) | (np.diff(lists.start[order], prepend=-np.inf) > EQUAL)
    if new.all():
        return lists
    group = np.cumsum(new)
    order = order[np.lexsort((-lists.goal[order], group))]
    return lists.take(order[new])


def _ends(family: Family, lists: Part, rank: int, slopes: np.ndarray, most: np.ndarray, wanted: Targets) -> Part | None:
    """All that can follow some beginnings with one number of hits, so that a target is reached; None if it is more than
    four times as much as the beginnings. ``target`` is not used; ``goal`` has slope * start added until the end."""
    hits = int(lists.hits[0])
    tried = np.union1d(lists.slope, np.arange(0, len(slopes), 4))
    least, start = wanted.least[lists.target], wanted.start[lists.target] - lists.start
    need = np.array([(least - lists.goal + slope * start).min() for slope in slopes[tried]])
    tightest = int((most[rank, tried, hits] - need).argmin())
    slope, need = tried[tightest], need[tightest]
    steep = Family(family.start, family.goal + slopes[slope] * family.start, family.hit, family.miss, family.counts)
    none = np.zeros(1)
    zero = np.zeros(1, dtype=np.int64)
    ends = Part(none, none, np.full(1, hits), np.zeros((1, lists.packed.shape[1]), np.uint8), zero, zero)
    for at in range(rank, len(family.start)):
        parts = [
            each.take(np.flatnonzero(each.goal + most[at + 1, slope, each.hits] >= need))
            for each, may in ((ends, family.miss[at]), (_hit(steep, ends, at), family.hit[at]))
            if may
        ]
        ends = _merged(Part(*map(np.concatenate, zip(*parts, strict=True))))
        if len(ends.start) > 4 * len(lists.start):
            return None
    return ends._replace(goal=ends.goal - slopes[slope] * ends.start)


def _join(lists: Part, ends: Part, wanted: Targets, found: tuple[np.ndarray, np.ndarray]) -> None:
    """Look for beginnings and ends that give a target."""
    order = np.argsort(ends.start)
    left, near = wanted.start[lists.target] - lists.start, wanted.near[lists.target]
    low = np.searchsorted(ends.start[order], left - near, "left")
    width = np.searchsorted(ends.start[order], left + near, "right") - low
    for offset in range(int(width.max(initial=0))):
        one = np.flatnonzero(width > offset)
        other = order[low[one] + offset]
        packed = lists.packed[one] | ends.packed[other]
        _keep(found, lists.target[one], lists.goal[one] + ends.goal[other], packed)


def _keep(found: tuple[np.ndarray, np.ndarray], target: np.ndarray, goal: np.ndarray, packed: np.ndarray) -> None:
    """Put lists among those found, where they are better."""
    order = np.lexsort((-goal, target))
    order = order[np.diff(target[order], prepend=-1) != 0]
    better = order[goal[order] > found[0][target[order]]]
    found[0][target[better]] = goal[better]
    found[1][target[better]] = packed[better]
