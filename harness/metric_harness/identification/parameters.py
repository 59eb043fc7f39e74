"""Numbers inside a definition, found from the answers to the probes: a log base, a persistence, a fixed depth.

Such a number cannot be a choice, because it can be anything. So the definitions that have one are left out of the space
of variants and tried when nothing in it fits: first with the numbers that people use, then with the one number that
explains one probe, if it explains the others as well.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from metric_harness.identification.predictions import curve, expected
from metric_reference.metric import Metric
from metric_reference.registry import METRICS
from metric_reference.variant import Variant, plainest

MOST_WHOLE = 40
"""Whole numbers are tried up to this one."""

GRID = 12
"""Between how many values of a parameter the answer is looked for before it is narrowed down."""

HALVINGS = 50
SLACK = 0.2
"""An answer may lie outside of what the grid gives by this share of its range, because a value need not be monotone."""

TELLING = 1e-6
"""A probe tells a parameter if its value moves by more than this over the range of the parameter."""

SHORT, LONG = 2, 6
"""Digits after the point of a number that a person would write down, and the most that are tried."""


def with_parameter(
    names: Iterable[str], answered: Mapping[str, float], explains: Callable[[Variant], bool]
) -> list[Variant]:
    """The variants with one parameter that explain the answers to the core probes, the plainest first.

    names : metrics, in the order in which they are searched; those of the first metric that has any are returned.
    answered : what a subject returned, by probe; explains : whether a variant gives every answer.
    """
    for name in names:
        found = [variant for family in families(name) if (variant := solved(family, answered, explains))]
        if found:
            return plainest(list(dict.fromkeys(found)))
    return []


@dataclass(frozen=True, eq=False)
class Family:
    """The variants that differ in one number: the metric and the weight of them all, and the field of the number.

    name : its place among the families of its metric.
    """

    name: str
    metric: Metric
    weight: str
    field: dataclasses.Field[Any]

    def at(self, number: float) -> Variant:
        """The variant with a number."""
        return Variant(self._made(number), self.weight)

    def _made(self, number: float) -> Metric:
        return dataclasses.replace(self.metric, **{self.field.name: number})

    @cached_property
    def between(self) -> tuple[float, float]:
        """The least and the largest number."""
        low, high = self.field.metadata["between"]
        return low, high

    @cached_property
    def usual(self) -> tuple[float, ...]:
        """The numbers that people use; of whole numbers all small ones."""
        usual = self.field.metadata["usual"]
        return tuple(dict.fromkeys([*usual, *map(float, range(1, MOST_WHOLE + 1))]) if self.whole else usual)

    @cached_property
    def grid(self) -> tuple[float, ...]:
        """The usual numbers, and others over the whole range."""
        low, high = self.between
        return tuple(sorted({*self.usual, *(low + (high - low) * step / GRID for step in range(GRID + 1))}))

    @property
    def whole(self) -> bool:
        """Whether the number is a whole one."""
        return bool(self.field.metadata["whole"])

    def values(self, numbers: tuple[float, ...], probe: str) -> np.ndarray:
        """float64, shape (numbers,): what it gives for a probe with each of its usual numbers, or of its grid."""
        kind = "usual" if numbers is self.usual else "grid"
        return curve(f"{self.name} {kind}", map(self._made, numbers), self.weight, probe)


@cache
def families(name: str) -> tuple[Family, ...]:
    """The variants of a metric whose parameter is to be found, each once, with the field that holds it."""
    found: dict[tuple[Variant, str], Family] = {}
    for metric, parameter in METRICS[name].with_parameter():
        (field,) = (field for field in dataclasses.fields(metric) if field.name == parameter)
        for weight in metric.weights():
            probed = Variant(dataclasses.replace(metric, **{parameter: _telling(field)}), weight).canonical()
            place = f"{name} {len(found)}"
            found.setdefault((probed, parameter), Family(place, probed.metric, probed.weight, field))
    return tuple(found.values())


def _telling(field: dataclasses.Field[Any]) -> float:
    """A value that is no special case of another variant."""
    low, high = field.metadata["between"]
    return 7.0 if field.metadata["whole"] else float(low + (high - low) / 3)


def solved(family: Family, answered: Mapping[str, float], explains: Callable[[Variant], bool]) -> Variant | None:
    """The variant of a family whose number explains every answer, or None."""
    for number in explaining(family, answered):
        if explains(family.at(number)):
            return family.at(number)
    if family.whole:
        return None
    low, high = family.between
    for number in roots(family, answered):
        for digits in range(1, LONG + 1):
            short = round(number, digits)
            if low <= short <= high and explains(family.at(short)):
                return family.at(short) if digits <= SHORT or checked(family, answered) else None
        if explains(family.at(number)) and checked(family, answered):
            return family.at(number)
    return None


def explaining(family: Family, answered: Mapping[str, float]) -> list[float]:
    """Those of the usual numbers that give the answers to the probes without ties."""
    left = np.ones(len(family.usual), dtype=bool)
    for probe, answer in answered.items():
        if not probe.startswith("tied_scores"):  # answered in one of several orders
            given = family.values(family.usual, probe)
            near = np.abs(given - answer) <= TELLING * np.maximum(1.0, np.abs(given))
            left &= near | (np.isnan(given) & math.isnan(answer))
        if not left.any():
            return []
    return [family.usual[int(at)] for at in np.flatnonzero(left)]


def roots(family: Family, answered: Mapping[str, float]) -> Iterator[float]:
    """The numbers that explain the first probe on which the parameter bears; none if some probe is out of reach."""
    first: tuple[Callable[[float], float], list[float]] | None = None
    for probe, answer in answered.items():

        def gap(number: float, probe: str = probe, answer: float = answer) -> float:
            return expected(family.at(number), probe) - answer

        gaps = (family.values(family.grid, probe) - answer).tolist()
        slack = SLACK * (max(gaps) - min(gaps)) + TELLING * max(1.0, abs(answer))
        if not min(gaps) - slack <= 0.0 <= max(gaps) + slack:
            return
        if first is None and max(gaps) - min(gaps) > TELLING:
            first = gap, gaps
    if first is not None:
        nearest, gaps = first
        for place in range(len(family.grid) - 1):
            if gaps[place] * gaps[place + 1] <= 0:
                yield bisected(nearest, family.grid[place], family.grid[place + 1])


def bisected(gap: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign between two numbers."""
    below = gap(low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        here = gap(middle)
        if here == 0.0:
            return middle
        low, high, below = (low, middle, below) if below * here < 0 else (middle, high, here)
    return (low + high) / 2


def checked(family: Family, answered: Mapping[str, float]) -> bool:
    """Whether a second probe can contradict the number: with one alone, some number always fits."""
    given = (family.values(family.grid, probe) for probe in answered)
    return sum(max(values) - min(values) > TELLING for values in given) >= 2
