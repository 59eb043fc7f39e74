"""Free parameters of definitions, solved for from the answers to the probes: a log base, a persistence, a fixed depth.

A free parameter has infinitely many values, so its definitions are not in the space of variants. They are tried when no
variant of the space fits: first with the usual values, then with the value that explains one probe, if it explains the
others as well.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from metric_harness.naming.probes.predictions import curve, expected
from metric_reference.metric import Metric
from metric_reference.registry import METRICS
from metric_reference.variant import Variant, plainest
from metric_reports.tolerances import FLOAT32

LARGEST_INTEGER = 40
"""Integer parameters are tried up to this one."""

GRID_STEPS = 12
"""Equal steps over the range of a parameter, between which a change of sign is searched."""

HALVINGS = 50
SLACK = 0.2
"""An answer may lie outside the values on the grid by this share of their range: values need not be monotone."""


FEW_DIGITS, MOST_DIGITS = 2, 6
"""Digits after the point of a parameter that a person would write down, and the most that are tried."""


def with_parameter(
    names: Iterable[str], answered: Mapping[str, float], explains: Callable[[Variant], bool]
) -> list[Variant]:
    """The variants with one parameter that explain the answers to the core probes, the plainest first.

    names : metrics, in the order in which they are searched; only the first metric with such variants counts.
    answered : the values that a subject returned, by probe; explains : whether a variant gives every answer.
    """
    for name in names:
        variants = [variant for family in families(name) if (variant := _solved(family, answered, explains))]
        if variants:
            return plainest(list(dict.fromkeys(variants)))
    return []


@dataclass(frozen=True, eq=False)
class Family:
    """The variants that differ in one parameter alone: their metric and weight, and the parameter's field.

    name : the metric's name and the number of this family among the metric's families.
    """

    name: str
    metric: Metric
    weight: str
    field: dataclasses.Field[Any]

    def at(self, number: float) -> Variant:
        """The variant with this value of the parameter."""
        return Variant(self._made(number), self.weight)

    def _made(self, number: float) -> Metric:
        return dataclasses.replace(self.metric, **{self.field.name: number})

    @cached_property
    def between(self) -> tuple[float, float]:
        """The smallest and the largest value of the parameter."""
        low, high = self.field.metadata["between"]
        return low, high

    @cached_property
    def usual(self) -> tuple[float, ...]:
        """The values that people use; for an integer parameter, all small integers too."""
        usual = self.field.metadata["usual"]
        return tuple(dict.fromkeys([*usual, *map(float, range(1, LARGEST_INTEGER + 1))]) if self.integer else usual)

    @cached_property
    def grid(self) -> tuple[float, ...]:
        """The usual values and the equal steps over the range, in order."""
        low, high = self.between
        return tuple(sorted({*self.usual, *(low + (high - low) * step / GRID_STEPS for step in range(GRID_STEPS + 1))}))

    @property
    def integer(self) -> bool:
        """Whether the parameter is an integer."""
        return bool(self.field.metadata["whole"])

    def values(self, numbers: tuple[float, ...], probe: str) -> np.ndarray:
        """float64, shape (numbers,): the values for a probe; ``numbers`` is ``usual`` or ``grid``."""
        kind = "usual" if numbers is self.usual else "grid"
        return curve(f"{self.name} {kind}", map(self._made, numbers), self.weight, probe)


@cache
def families(name: str) -> tuple[Family, ...]:
    """The families of a metric, each once."""
    unique: dict[tuple[Variant, str], Family] = {}
    for metric, parameter in METRICS[name].with_parameter():
        (field,) = (field for field in dataclasses.fields(metric) if field.name == parameter)
        for weight in metric.weights():
            variant = Variant(dataclasses.replace(metric, **{parameter: _generic(field)}), weight).canonical()
            family = Family(f"{name} {len(unique)}", variant.metric, variant.weight, field)
            unique.setdefault((variant, parameter), family)
    return tuple(unique.values())


def _generic(field: dataclasses.Field[Any]) -> float:
    """A value with which a family is not a special case of another variant."""
    low, high = field.metadata["between"]
    return 7.0 if field.metadata["whole"] else float(low + (high - low) / 3)


def _solved(family: Family, answered: Mapping[str, float], explains: Callable[[Variant], bool]) -> Variant | None:
    """The variant of a family whose parameter explains every answer, or None."""
    for number in _usual_fits(family, answered):
        if explains(family.at(number)):
            return family.at(number)
    if family.integer:
        return None
    low, high = family.between
    for number in _roots(family, answered):
        for digits in range(1, MOST_DIGITS + 1):
            rounded = round(number, digits)
            if low <= rounded <= high and explains(family.at(rounded)):
                return family.at(rounded) if digits <= FEW_DIGITS or _two_probes_depend(family, answered) else None
        if explains(family.at(number)) and _two_probes_depend(family, answered):
            return family.at(number)
    return None


def _usual_fits(family: Family, answered: Mapping[str, float]) -> list[float]:
    """The usual values of the parameter that give the answers to the probes without ties."""
    fitting = np.ones(len(family.usual), dtype=bool)
    for probe, answer in answered.items():
        if not probe.startswith("tied_scores"):  # answered in one of several orders
            predicted = family.values(family.usual, probe)
            close = np.abs(predicted - answer) <= FLOAT32 * np.maximum(1.0, np.abs(predicted))
            fitting &= close | (np.isnan(predicted) & math.isnan(answer))
        if not fitting.any():
            return []
    return [family.usual[int(i)] for i in np.flatnonzero(fitting)]


def _roots(family: Family, answered: Mapping[str, float]) -> Iterator[float]:
    """The numbers that explain the first probe that depends on the parameter; none if no number explains some probe."""
    first: tuple[Callable[[float], float], list[float]] | None = None
    for probe, answer in answered.items():

        def gap(number: float, probe: str = probe, answer: float = answer) -> float:
            return expected(family.at(number), probe) - answer

        gaps = (family.values(family.grid, probe) - answer).tolist()
        slack = SLACK * (max(gaps) - min(gaps)) + FLOAT32 * max(1.0, abs(answer))
        if not min(gaps) - slack <= 0.0 <= max(gaps) + slack:
            return
        if first is None and max(gaps) - min(gaps) > FLOAT32:
            first = gap, gaps
    if first is not None:
        first_gap, gaps = first
        for i in range(len(family.grid) - 1):
            if gaps[i] * gaps[i + 1] <= 0:
                yield _bisected(first_gap, family.grid[i], family.grid[i + 1])


def _bisected(gap: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign between two numbers."""
    at_low = gap(low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        at_middle = gap(middle)
        if at_middle == 0.0:
            return middle
        low, high, at_low = (low, middle, at_low) if at_low * at_middle < 0 else (middle, high, at_middle)
    return (low + high) / 2


def _two_probes_depend(family: Family, answered: Mapping[str, float]) -> bool:
    """Whether two probes or more depend on the parameter: some number explains any answer to a single one."""
    curves = (family.values(family.grid, probe) for probe in answered)
    return sum(max(values) - min(values) > FLOAT32 for values in curves) >= 2
