"""The list of a family with a given sum of ``start`` and the largest sum of ``goal``, by meeting in the middle.

The largest sum is near a known bound (the hull of the family). Prefixes of lists are made rank by rank; those that
cannot come near the bound are dropped. Where there are more prefixes than suffixes, all suffixes are made, and pairs
with the given sum are found by sorting.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np

from metric_harness.conversion.families import Families
from metric_reports.tolerances import EXACT

ROUNDING = 1e-11
"""Added to bounds, as sums are rounded."""
FEWEST_PREFIXES = 512
"""With fewer prefixes than this, going on rank by rank is faster than making suffixes."""
SLOPE_OFFSETS = np.sinh(np.linspace(0.0, 7.0, 21)[1:])
"""Distances of outer slopes from the middle of a grid: dense near it, a thousand times as far at the ends."""


@dataclass(frozen=True, eq=False)
class Limit:
    """prefixes : how many are kept at a time. until : when to stop, as of ``time.monotonic``."""

    prefixes: int
    until: float


class Best(NamedTuple):
    """For each target the largest sum of goal, -inf where no list was found, and the ranks of the hits, as bits.

    complete : whether no prefix was left out, so that sums of at least ``least`` are the largest there are. prefixes :
    the most that there were at a time.
    """

    goal: np.ndarray
    packed: np.ndarray
    complete: bool
    prefixes: int


class Targets(NamedTuple):
    """The sums that lists must have: float64, shape (targets,).

    start : the sum of start, within ``tolerance``. least : the smallest sum of goal.
    """

    start: np.ndarray
    tolerance: np.ndarray
    least: np.ndarray


class Parts(NamedTuple):
    """Prefixes or suffixes of lists: arrays of shape (parts,), but for ``packed``, the ranks of the hits as bits.

    start, goal : the sums. hits : up to the present rank, for suffixes those of the prefix included. target : the index
    of the target. slope : the index of the slope that gives the tightest bound.
    """

    start: np.ndarray
    goal: np.ndarray
    hits: np.ndarray
    packed: np.ndarray
    target: np.ndarray
    slope: np.ndarray

    def take(self, chosen: np.ndarray) -> Parts:
        """Some of the parts."""
        return Parts(*(column[chosen] for column in self))


@dataclass(frozen=True, eq=False)
class Family:
    """One family of :class:`Families`: lists with the same number of hits, and what each hit adds.

    start, goal : float64, shape (depth, hits). hit, miss : bool, shape (depth,): whether a rank may be one. counts : by
    rank, how many hits there are up to it.
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

    def largest(self, slopes: np.ndarray) -> np.ndarray:
        """The largest goal + slope * start of the ranks from each one on: float64, shape (depth + 1, slopes, hits + 1),
        by the number of hits before; -inf where no list goes on so."""
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
        """A grid of slopes, dense near those that give lists with these sums of start the tightest bounds, and these
        bounds."""
        grid = np.tan(np.linspace(-1.55, 1.55, 41)) * self._steepness()
        for _ in range(3):
            bounds = self.largest(grid)[0, :, 0] - start[:, None] * grid
            tightest = bounds.argmin(axis=1)
            low, high = grid[np.maximum(tightest - 1, 0)].min(), grid[np.minimum(tightest + 1, len(grid) - 1)].max()
            best = grid[tightest]
            grid = np.linspace(low, high, 41)
        offsets = 0.01 * self._steepness() * SLOPE_OFFSETS
        between = np.union1d(best, np.linspace(best.min(), best.max(), 21))
        return np.concatenate((best.min() - offsets[::-1], between, best.max() + offsets)), bounds.min(axis=1)

    def least(self) -> float:
        """The smallest sum of goal; inf where the family has no list."""
        return -float(Family(self.start, -self.goal, self.hit, self.miss, self.counts).largest(np.zeros(1))[0, 0, 0])

    def _steepness(self) -> float:
        """The range of goal over the range of start."""
        goal, start = (adds.max(axis=0) - adds.min(axis=0) for adds in (self.goal, self.start))
        return float(goal.sum() / start.sum()) if goal.any() and start.any() else 1.0


def family_of(families: Families, index: int, start_factor: float, goal_factor: float) -> Family:
    """One of the families, its sums multiplied by two factors."""
    depth = families.hit.shape[1]
    counts = {rank: int(hits[index]) for rank, hits in families.counts.items() if hits[index] >= 0}
    start, goal = (
        sums.adds[min(int(families.tables[index]), len(sums.adds) - 1)][:, : counts[depth]]
        for sums in (families.start, families.goal)
    )
    return Family(start_factor * start, goal_factor * goal, families.hit[index], families.miss[index], counts)


def best_lists(family: Family, slopes: np.ndarray, targets: Targets, limit: Limit) -> Best:
    """The best list for each target, from all prefixes that may lead to one, or a sample if there are too many."""
    rng, complete, most_prefixes = np.random.default_rng(0), True, 1
    depth = len(family.start)
    largest = family.largest(slopes)
    largest += (np.abs(slopes) * targets.tolerance.max() + ROUNDING)[:, None]
    target = np.arange(len(targets.start))
    zero = np.zeros(len(target))
    packed = np.zeros((len(target), -(-depth // 8)), dtype=np.uint8)
    slope = (largest[0, :, 0] - targets.start[:, None] * slopes).argmin(axis=1)
    prefixes = Parts(zero, zero, np.zeros_like(target), packed, target, slope)
    best = np.full(len(target), -np.inf), np.zeros_like(packed)
    suffixes_from = np.full(family.hits + 1, FEWEST_PREFIXES)
    for rank in range(depth):
        prefixes = _merged(_longer(family, prefixes, rank, slopes, largest[rank + 1], targets))
        most_prefixes = max(most_prefixes, len(prefixes.start))
        if monotonic() > limit.until:
            return Best(*best, False, most_prefixes)
        if len(prefixes.start) > limit.prefixes:
            prefixes = prefixes.take(rng.choice(len(prefixes.start), limit.prefixes, replace=False))
            complete = False
        counts = np.bincount(prefixes.hits, minlength=family.hits + 1)
        for hits in np.flatnonzero(counts >= suffixes_from):
            of_hits = prefixes.take(np.flatnonzero(prefixes.hits == hits))
            suffixes = _suffixes(family, of_hits, rank + 1, slopes, largest, targets)
            if suffixes is None:
                suffixes_from[hits] = 2 * counts[hits]
                continue
            _join(of_hits, suffixes, targets, best)
            prefixes = prefixes.take(np.flatnonzero(prefixes.hits != hits))
    distance = np.abs(prefixes.start - targets.start[prefixes.target])
    lists = prefixes.take(np.flatnonzero(distance <= targets.tolerance[prefixes.target]))
    _keep(best, lists.target, lists.goal, lists.packed)
    return Best(*best, complete, most_prefixes)


def _longer(
    family: Family, prefixes: Parts, rank: int, slopes: np.ndarray, largest: np.ndarray, targets: Targets
) -> Parts:
    """The prefixes made longer by a rank (from 0) that can reach their target."""
    longer = []
    if family.miss[rank]:
        longer.append(_reaching(prefixes, slopes, largest, targets))
    if family.hit[rank]:
        longer.append(_reaching(_with_hit(family, prefixes, rank), slopes, largest, targets))
    return Parts(*map(np.concatenate, zip(*longer, strict=True)))


def _with_hit(family: Family, parts: Parts, rank: int) -> Parts:
    """The parts that may have one more hit, with it at a rank (from 0)."""
    parts = parts.take(np.flatnonzero(parts.hits < family.hits))
    parts.packed[:, rank // 8] |= 128 >> rank % 8
    start = parts.start + family.start[rank, parts.hits]
    goal = parts.goal + family.goal[rank, parts.hits]
    return parts._replace(start=start, goal=goal, hits=parts.hits + 1)


def _reaching(prefixes: Parts, slopes: np.ndarray, largest: np.ndarray, targets: Targets) -> Parts:
    """The prefixes that can reach their target, by the bounds of their last slope and its two neighbours."""
    missing = targets.start[prefixes.target] - prefixes.start
    bound, best = np.full(len(missing), np.inf), prefixes.slope
    for slope in (best, np.maximum(best - 1, 0), np.minimum(best + 1, len(slopes) - 1)):
        slope_bound = largest[slope, prefixes.hits] - slopes[slope] * missing
        best = np.where(slope_bound < bound, slope, best)
        bound = np.minimum(bound, slope_bound)
    reaching = np.flatnonzero(prefixes.goal + bound >= targets.least[prefixes.target])
    return prefixes._replace(slope=best).take(reaching)


def _merged(parts: Parts) -> Parts:
    """Of parts that differ in the sum of goal alone, the one with the largest."""
    if len(parts.start) < FEWEST_PREFIXES // 2:
        return parts
    kind = parts.target * (int(parts.hits.max()) + 1) + parts.hits
    order = np.argsort(parts.start, kind="stable")
    order = order[np.argsort(kind[order], kind="stable")]
    new = (np.diff(kind[order], prepend=-1) != 0) | (np.diff(parts.start[order], prepend=-np.inf) > EXACT)
    if new.all():
        return parts
    group = np.cumsum(new)
    order = order[np.lexsort((-parts.goal[order], group))]
    return parts.take(order[new])


def _suffixes(
    family: Family, prefixes: Parts, rank: int, slopes: np.ndarray, largest: np.ndarray, targets: Targets
) -> Parts | None:
    """All suffixes with which prefixes of the same number of hits may reach a target; None if they are more than four
    times as many. ``target`` is not used; ``goal`` includes slope * start until the suffixes are returned."""
    hits = int(prefixes.hits[0])
    tried = np.union1d(prefixes.slope, np.arange(0, len(slopes), 4))
    least, missing = targets.least[prefixes.target], targets.start[prefixes.target] - prefixes.start
    needed = np.array([(least - prefixes.goal + slope * missing).min() for slope in slopes[tried]])
    tightest = int((largest[rank, tried, hits] - needed).argmin())
    slope, needed = tried[tightest], needed[tightest]
    sloped = Family(family.start, family.goal + slopes[slope] * family.start, family.hit, family.miss, family.counts)
    zero = np.zeros(1)
    index = np.zeros(1, dtype=np.int64)
    suffixes = Parts(zero, zero, np.full(1, hits), np.zeros((1, prefixes.packed.shape[1]), np.uint8), index, index)
    for at in range(rank, len(family.start)):
        longer = [
            parts.take(np.flatnonzero(parts.goal + largest[at + 1, slope, parts.hits] >= needed))
            for parts, allowed in ((suffixes, family.miss[at]), (_with_hit(sloped, suffixes, at), family.hit[at]))
            if allowed
        ]
        suffixes = _merged(Parts(*map(np.concatenate, zip(*longer, strict=True))))
        if len(suffixes.start) > 4 * len(prefixes.start):
            return None
    return suffixes._replace(goal=suffixes.goal - slopes[slope] * suffixes.start)


def _join(prefixes: Parts, suffixes: Parts, targets: Targets, best: tuple[np.ndarray, np.ndarray]) -> None:
    """Keep the best pairs of a prefix and a suffix that reach a target."""
    order = np.argsort(suffixes.start)
    missing, tolerance = targets.start[prefixes.target] - prefixes.start, targets.tolerance[prefixes.target]
    low = np.searchsorted(suffixes.start[order], missing - tolerance, "left")
    width = np.searchsorted(suffixes.start[order], missing + tolerance, "right") - low
    for offset in range(int(width.max(initial=0))):
        prefix = np.flatnonzero(width > offset)
        suffix = order[low[prefix] + offset]
        packed = prefixes.packed[prefix] | suffixes.packed[suffix]
        _keep(best, prefixes.target[prefix], prefixes.goal[prefix] + suffixes.goal[suffix], packed)


def _keep(best: tuple[np.ndarray, np.ndarray], target: np.ndarray, goal: np.ndarray, packed: np.ndarray) -> None:
    """Keep the lists that are better than the best one of their target."""
    order = np.lexsort((-goal, target))
    order = order[np.diff(target[order], prepend=-1) != 0]
    better = order[goal[order] > best[0][target[order]]]
    best[0][target[better]] = goal[better]
    best[1][target[better]] = packed[better]
