"""Finds the best value of ``goal`` among lists with a given value of ``start``, and a list that has it.

Lines around the hull of each family bound what its lists can reach. Families are searched from the best bound down;
each step lowers a bound, and a family is done when its bound is no better than the best list found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import monotonic

import numpy as np

from metric_harness.conversion.families import Families, Rows
from metric_harness.conversion.halves import Family, Limit, Targets, best_lists, family_of
from metric_reports.tolerances import COMPOSED

SLOPES = np.union1d(np.tan(np.linspace(-1.5, 1.5, 21)), (-1.0, 1.0))
"""Slopes of the lines around a hull, in units of its height over its width. 1 and -1 make a flat hull exact."""
JOINT_PREFIXES = 4096
"""Most prefixes kept when all rows of a family are searched at once."""
FIRST_PREFIXES, MOST_PREFIXES = 2**10, 2**21
"""Prefixes kept for a single row: at first, and at most."""


@dataclass(frozen=True, eq=False)
class Attained:
    """value : of the best list, -inf if none is known. row : its row. packed : the ranks of its hits, as bits.
    bound : no list is better; equal to ``value`` where that is proven."""

    value: float
    row: int
    packed: np.ndarray
    bound: float


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines above all pairs of sums of each family: goal <= offset + slope * start.

    slopes, offsets : float64, shape (lines, families). left, right : the smallest and largest sum of start, shape
    (families,). top : the largest sum of goal, shape (families,).
    """

    slopes: np.ndarray
    offsets: np.ndarray
    left: np.ndarray
    right: np.ndarray
    top: np.ndarray


class Search:
    """Searches the lists of some families for the largest sign * goal."""

    def __init__(self, families: Families, rows: Rows, sign: float) -> None:
        self.families, self.rows, self.sign = families, rows, sign

    @cached_property
    def lines(self) -> Lines:
        """Lines around the hull of every family."""
        count = len(self.families.tables)

        def largest(x: np.ndarray | float, y: float) -> np.ndarray:
            sums: np.ndarray = self.families.largest(np.broadcast_to(x, count), np.full(count, y)).max(axis=1)
            return sums

        left, right, top = -largest(-1.0, 0.0), largest(1.0, 0.0), largest(0.0, self.sign)
        width, height = right - left, top + largest(0.0, -self.sign)
        slopes = SLOPES[:, None] * np.divide(height, width, out=np.zeros(count), where=width > COMPOSED)
        return Lines(slopes, np.array([largest(-slope, self.sign) for slope in slopes]), left, right, top)

    def bounds(self, value: float, chosen: np.ndarray) -> np.ndarray:
        """Upper bound of sign * goal for the lists of some rows with this value of start; -inf where there are none."""
        lines, family = self.lines, self.rows.family[chosen]
        start_scale, goal_scale = self.rows.start[chosen], self.rows.goal[chosen]
        defined = start_scale > 0
        sums = np.divide(value, start_scale, out=np.zeros(len(chosen)), where=defined)
        undefined = np.full(len(chosen), np.inf if abs(value) <= COMPOSED else -np.inf)
        tolerance = np.divide(COMPOSED, start_scale, out=undefined, where=defined)
        inside = (sums >= lines.left[family] - tolerance) & (sums <= lines.right[family] + tolerance)
        clipped = np.clip(sums, lines.left[family], lines.right[family])
        heights = (lines.offsets[:, family] + lines.slopes[:, family] * clipped).min(axis=0)
        return np.where(inside, goal_scale * np.where(defined, heights, lines.top[family]), -np.inf)

    def best(self, value: float, chosen: np.ndarray, known: float, seconds: float) -> Attained:
        """The best list of some rows with this value of start, if better than ``known``."""
        return _ValueSearch(self, value, chosen, known).run(monotonic() + seconds)


class _ValueSearch:
    """The search for one value of start: the bound of each row and the state of its search."""

    def __init__(self, search: Search, value: float, chosen: np.ndarray, known: float) -> None:
        self.search, self.chosen, self.value = search, chosen, known
        self.row, self.packed = -1, np.zeros(0, dtype=np.uint8)
        start_scale, goal_scale = search.rows.start[chosen], search.rows.goal[chosen]
        # An undefined value counts as 0, so its sums are multiplied by 0 (family_of) and divided by 1.
        self.start_scale, self.goal_scale = (np.where(scale > 0, scale, 1.0) for scale in (start_scale, goal_scale))
        self.kind = np.stack((search.rows.family[chosen], start_scale > 0, goal_scale > 0), axis=1)
        self.sums, self.tolerance = value / self.start_scale, COMPOSED / self.start_scale
        self.bound = search.bounds(value, chosen)
        self.searched_kinds: set[tuple[int, ...]] = set()
        self.progress: dict[int, _RowProgress] = {}

    def run(self, until: float) -> Attained:
        """Search the row with the largest bound until no bound beats the best list, or the time is over."""
        while len(self.bound):
            top = int(self.bound.argmax())
            if self.bound[top] <= self.value + COMPOSED or monotonic() > until:
                break
            kind = tuple(self.kind[top].tolist())
            if self.value > -np.inf and kind not in self.searched_kinds:
                self.searched_kinds.add(kind)
                rows = np.flatnonzero((self.kind == kind).all(axis=1) & (self.bound > self.value + COMPOSED))
                self._search_rows(rows, until)
            elif top not in self.progress:
                self.progress[top] = _RowProgress(self._family(top), self.sums[top])
                self.bound[top] = min(self.bound[top], self.progress[top].bound * self.goal_scale[top])
            elif not self._search_row(top, until):
                break
        bound = max(self.bound.max(initial=-np.inf), self.value)
        return Attained(
            self.value, self.row, self.packed, self.value if bound <= self.value + COMPOSED else float(bound)
        )

    def _family(self, row: int) -> Family:
        family, start_defined, goal_defined = self.kind[row].tolist()
        return family_of(self.search.families, family, start_defined, goal_defined * self.search.sign)

    def _search_rows(self, rows: np.ndarray, until: float) -> None:
        """Search all rows of a family at once: most have nothing better."""
        family = self._family(int(rows[0]))
        slopes, bounds = family.slopes(self.sums[rows])
        self.bound[rows] = np.minimum(self.bound[rows], bounds * self.goal_scale[rows])
        rows = rows[self.bound[rows] > self.value + COMPOSED]
        if not len(rows):
            return
        least = (self.value + COMPOSED) / self.goal_scale[rows]
        targets = Targets(self.sums[rows], self.tolerance[rows], least)
        best = best_lists(family, slopes, targets, Limit(JOINT_PREFIXES, until))
        for row, goal, packed in zip(rows.tolist(), best.goal, best.packed, strict=True):
            self._keep(row, goal, packed)
        if best.complete:
            self.bound[rows] = -np.inf

    def _search_row(self, row: int, until: float) -> bool:
        """Search a row for lists slightly below its bound; False if that needs more prefixes than may be kept."""
        progress = self.progress[row]
        floor = (self.value + COMPOSED) / self.goal_scale[row]
        least = max(progress.bound - progress.step, floor)
        targets = Targets(*(np.array([number]) for number in (self.sums[row], self.tolerance[row], least)))
        best = best_lists(progress.family, progress.slopes, targets, Limit(progress.prefixes, until))
        self._keep(row, best.goal[0], best.packed[0])
        if not best.complete:
            progress.step, progress.prefixes = progress.step / 2, progress.prefixes * 3 // 2
            return progress.prefixes <= MOST_PREFIXES
        done = best.goal[0] >= least or least <= max(floor, progress.least)
        progress.bound = least
        if 4 * best.prefixes < progress.prefixes:
            progress.step *= 2
        else:  # a longer step would need more prefixes than may be kept
            progress.prefixes *= 2
        self.bound[row] = -np.inf if done else min(self.bound[row], least * self.goal_scale[row])
        return True

    def _keep(self, row: int, goal: float, packed: np.ndarray) -> None:
        """Keep a list if it is better than the best one."""
        value = goal * self.goal_scale[row]
        if value > self.value:
            self.value, self.row, self.packed = float(value), int(self.chosen[row]), packed


class _RowProgress:
    """The search of one row: all its lists with a goal above ``bound`` are known; next are those down to ``step``
    below it."""

    def __init__(self, family: Family, start_sum: float) -> None:
        self.family = family
        self.slopes, bounds = family.slopes(np.array([start_sum]))
        self.bound, self.least = float(bounds[0]), family.least()
        self.step, self.prefixes = max(1e-3 * abs(self.bound), COMPOSED), FIRST_PREFIXES
