"""The best value of a definition that a list with a given value of another has, and a list that has it.

Families of lists are looked at in the order of the bounds that lines around their hulls give. A family is done when its
bound, which comes down with each look, is no better than the best list found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import monotonic

import numpy as np

from metric_harness.conversion.bounds import SAME
from metric_harness.conversion.families import Families, Rows
from metric_harness.conversion.halves import Family, Limit, Targets, best_lists, family_of

SLOPES = np.union1d(np.tan(np.linspace(-1.5, 1.5, 21)), (-1.0, 1.0))
"""Of the lines around a hull, as shares of its height over its width. With 1 and -1 a hull that is a line is exact."""
TOGETHER = 4096
"""Beginnings of lists when all rows of a family are looked at together."""
FIRST, MOST = 2**10, 2**21
"""Beginnings of lists at first, and at most."""


@dataclass(frozen=True, eq=False)
class Found:
    """value : of the best list, -inf if none is known. row : its row. packed : its ranks that are hits, as bits.
    bound : no list is better; it is the value where that is proven."""

    value: float
    row: int
    packed: np.ndarray
    bound: float


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines above all pairs of sums of each family: goal <= offset + slope * start.

    slopes, offsets : float64, shape (lines, families). left, right : the ends of start, shape (families,). top : the
    largest goal.
    """

    slopes: np.ndarray
    offsets: np.ndarray
    left: np.ndarray
    right: np.ndarray
    top: np.ndarray


class Search:
    """The largest values of sign * goal in the lists of some families."""

    def __init__(self, families: Families, rows: Rows, sign: float) -> None:
        self.families, self.rows, self.sign = families, rows, sign

    @cached_property
    def lines(self) -> Lines:
        """Lines around the hull of every family."""
        count = len(self.families.tables)

        def largest(x: np.ndarray | float, y: float) -> np.ndarray:
            found: np.ndarray = self.families.most(np.broadcast_to(x, count), np.full(count, y)).max(axis=1)
            return found

        left, right, top = -largest(-1.0, 0.0), largest(1.0, 0.0), largest(0.0, self.sign)
        width, height = right - left, top + largest(0.0, -self.sign)
        slopes = SLOPES[:, None] * np.divide(height, width, out=np.zeros(count), where=width > SAME)
        return Lines(slopes, np.array([largest(-slope, self.sign) for slope in slopes]), left, right, top)

    def bounds(self, value: float, chosen: np.ndarray) -> np.ndarray:
        """What lists of some rows can have at most where the value of start is given; -inf where it cannot be."""
        lines, family = self.lines, self.rows.family[chosen]
        first, second = self.rows.start[chosen], self.rows.goal[chosen]
        sums = np.divide(value, first, out=np.zeros(len(first)), where=first > 0)
        near = np.divide(
            SAME, first, out=np.full(len(first), np.inf if abs(value) <= SAME else -np.inf), where=first > 0
        )
        inside = (sums >= lines.left[family] - near) & (sums <= lines.right[family] + near)
        clipped = np.clip(sums, lines.left[family], lines.right[family])
        reached = (lines.offsets[:, family] + lines.slopes[:, family] * clipped).min(axis=0)
        return np.where(inside, second * np.where(first > 0, reached, lines.top[family]), -np.inf)

    def best(self, value: float, chosen: np.ndarray, known: float, seconds: float) -> Found:
        """The best list of some rows, where it is better than one that is known."""
        return _Ask(self, value, chosen, known).answer(monotonic() + seconds)


class _Ask:
    """The search for one value: what each row can have at most, and how far it was looked at."""

    def __init__(self, search: Search, value: float, chosen: np.ndarray, known: float) -> None:
        self.search, self.chosen, self.value = search, chosen, known
        self.row, self.packed = -1, np.zeros(0, dtype=np.uint8)
        first, second = search.rows.start[chosen], search.rows.goal[chosen]
        # What is undefined counts as 0, which a sum of zeros gives.
        self.first, self.second = (np.where(scale > 0, scale, 1.0) for scale in (first, second))
        self.kind = np.stack((search.rows.family[chosen], first > 0, second > 0), axis=1)
        self.sums, self.near = value / self.first, SAME / self.first
        self.bound = search.bounds(value, chosen)
        self.seen: set[tuple[int, ...]] = set()
        self.looks: dict[int, _Look] = {}

    def answer(self, until: float) -> Found:
        """Look at the row with the largest bound until none is better than the best list, or the time is over."""
        while len(self.bound):
            top = int(self.bound.argmax())
            if self.bound[top] <= self.value + SAME or monotonic() > until:
                break
            kind = tuple(self.kind[top].tolist())
            if self.value > -np.inf and kind not in self.seen:
                self.seen.add(kind)
                self._together(
                    np.flatnonzero((self.kind == kind).all(axis=1) & (self.bound > self.value + SAME)), until
                )
            elif top not in self.looks:
                self.looks[top] = _Look(self._family(top), self.sums[top])
                self.bound[top] = min(self.bound[top], self.looks[top].bound * self.second[top])
            elif not self._look(top, until):
                break
        bound = max(self.bound.max(initial=-np.inf), self.value)
        return Found(self.value, self.row, self.packed, self.value if bound <= self.value + SAME else float(bound))

    def _family(self, row: int) -> Family:
        number, *defined = self.kind[row].tolist()
        return family_of(self.search.families, number, defined[0], defined[1] * self.search.sign)

    def _together(self, rows: np.ndarray, until: float) -> None:
        """Look once at all rows of a family: most have nothing better."""
        family = self._family(int(rows[0]))
        slopes, bounds = family.slopes(self.sums[rows])
        self.bound[rows] = np.minimum(self.bound[rows], bounds * self.second[rows])
        rows = rows[self.bound[rows] > self.value + SAME]
        if not len(rows):
            return
        least = (self.value + SAME) / self.second[rows]
        wanted = Targets(self.sums[rows], self.near[rows], least)
        found = best_lists(family, slopes, wanted, Limit(TOGETHER, until))
        for row, goal, packed in zip(rows.tolist(), found.goal, found.packed, strict=True):
            self._keep(row, goal, packed)
        if found.complete:
            self.bound[rows] = -np.inf

    def _look(self, row: int, until: float) -> bool:
        """Look for lists that are a little worse than the bound; whether there is hope."""
        look = self.looks[row]
        floor = (self.value + SAME) / self.second[row]
        least = max(look.bound - look.step, floor)
        wanted = Targets(*(np.array([one]) for one in (self.sums[row], self.near[row], least)))
        found = best_lists(look.family, look.slopes, wanted, Limit(look.lists, until))
        self._keep(row, found.goal[0], found.packed[0])
        if not found.complete:
            look.step, look.lists = look.step / 2, look.lists * 3 // 2
            return look.lists <= MOST
        done = found.goal[0] >= least or least <= max(floor, look.least)
        look.bound = least
        if 4 * found.most < look.lists:
            look.step *= 2
        else:  # a longer step would need more lists than may be made
            look.lists *= 2
        self.bound[row] = -np.inf if done else min(self.bound[row], least * self.second[row])
        return True

    def _keep(self, row: int, goal: float, packed: np.ndarray) -> None:
        if goal * self.second[row] > self.value:
            self.value, self.row, self.packed = float(goal * self.second[row]), int(self.chosen[row]), packed


class _Look:
    """How far a row was looked at: all lists with a goal above ``bound`` are known; those ``step`` below are next."""

    def __init__(self, family: Family, wanted: float) -> None:
        self.family = family
        self.slopes, bounds = family.slopes(np.array([wanted]))
        self.bound, self.least = float(bounds[0]), family.least()
        self.step, self.lists = max(1e-3 * abs(self.bound), SAME), FIRST
