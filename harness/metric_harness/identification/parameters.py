"""Numbers inside a definition, found from the answers to the probes: a log base, a persistence, a fixed depth.

Such a number cannot be a choice, because it can be anything. So the definitions that have one are left out of the space
of variants and tried when nothing in it fits: first with the numbers that people use, then with the one number that
explains one probe, if it explains the others as well.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

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

Value = Callable[[Variant, str], float]
"""What a variant gives for a probe."""


def with_parameter(
    names: Iterable[str], answered: Mapping[str, float], value: Value, explains: Callable[[Variant], bool]
) -> list[Variant]:
    """The variants with one parameter that explain the answers to the core probes, the plainest first.

    names : metrics, in the order in which they are searched; those of the first metric that has any are returned.
    answered : what a subject returned, by probe; value : what a variant gives for a probe; explains : whether a
    variant gives every answer.
    """
    for name in names:
        found = [variant for family in families(name) if (variant := solved(*family, answered, value, explains))]
        if found:
            return plainest(list(dict.fromkeys(found)))
    return []


def families(name: str) -> Iterator[tuple[Variant, dataclasses.Field[Any]]]:
    """The variants of a metric whose parameter is to be found, each once, with the field that holds it."""
    seen = set()
    for metric, parameter in METRICS[name].with_parameter():
        (field,) = (field for field in dataclasses.fields(metric) if field.name == parameter)
        for weight in metric.weights():
            probed = Variant(set_to(metric, field, _between(field)), weight).canonical()
            if (probed, parameter) not in seen:
                seen.add((probed, parameter))
                yield probed, field


def _between(field: dataclasses.Field[Any]) -> float:
    """A value that is no special case of another variant."""
    low, high = field.metadata["between"]
    return 7.0 if field.metadata["whole"] else float(low + (high - low) / 3)


def set_to(metric: Metric, field: dataclasses.Field[Any], number: float) -> Metric:
    """The metric with its parameter at a number."""
    return dataclasses.replace(metric, **{field.name: number})


def solved(
    family: Variant,
    field: dataclasses.Field[Any],
    answered: Mapping[str, float],
    value: Value,
    explains: Callable[[Variant], bool],
) -> Variant | None:
    """The variant of a family whose number explains every answer, or None."""

    def at(number: float) -> Variant:
        return dataclasses.replace(family, metric=set_to(family.metric, field, number))

    usual = field.metadata["usual"]
    tried = dict.fromkeys([*usual, *map(float, range(1, MOST_WHOLE + 1))]) if field.metadata["whole"] else usual
    for number in explaining(family, field, tuple(tried), answered, value):
        if explains(at(number)):
            return at(number)
    if field.metadata["whole"]:
        return None
    low, high = field.metadata["between"]
    grid = sorted({*usual, *(low + (high - low) * step / GRID for step in range(GRID + 1))})
    for number in roots(at, family, field, tuple(grid), answered, value):
        for digits in range(1, LONG + 1):
            short = round(number, digits)
            if low <= short <= high and explains(at(short)):
                return at(short) if digits <= SHORT or checked(at, grid, answered, value) else None
        if explains(at(number)) and checked(at, grid, answered, value):
            return at(number)
    return None


def explaining(
    family: Variant,
    field: dataclasses.Field[Any],
    numbers: tuple[float, ...],
    answered: Mapping[str, float],
    value: Value,
) -> list[float]:
    """Those of the numbers that give the answers to the probes without ties."""
    left = np.ones(len(numbers), dtype=bool)
    for probe, answer in answered.items():
        if not probe.startswith("tied_scores"):  # answered in one of several orders
            given = values_at(family, field.name, numbers, probe, value)
            near = np.abs(given - answer) <= TELLING * np.maximum(1.0, np.abs(given))
            left &= near | (np.isnan(given) & math.isnan(answer))
        if not left.any():
            return []
    return [numbers[int(at)] for at in np.flatnonzero(left)]


@lru_cache(maxsize=1 << 16)
def values_at(family: Variant, parameter: str, numbers: tuple[float, ...], probe: str, value: Value) -> np.ndarray:
    """float64, shape (numbers,): what a family gives for a probe with each number; each is asked for often."""
    made = (dataclasses.replace(family.metric, **{parameter: number}) for number in numbers)
    return np.array([value(dataclasses.replace(family, metric=metric), probe) for metric in made], dtype=np.float64)


def roots(
    at: Callable[[float], Variant],
    family: Variant,
    field: dataclasses.Field[Any],
    grid: tuple[float, ...],
    answered: Mapping[str, float],
    value: Value,
) -> Iterator[float]:
    """The numbers that explain the first probe on which the parameter bears; none if some probe is out of reach."""
    first: tuple[Callable[[float], float], list[float]] | None = None
    for probe, answer in answered.items():

        def gap(number: float, probe: str = probe, answer: float = answer) -> float:
            return value(at(number), probe) - answer

        gaps = (values_at(family, field.name, grid, probe, value) - answer).tolist()
        slack = SLACK * (max(gaps) - min(gaps)) + TELLING * max(1.0, abs(answer))
        if not min(gaps) - slack <= 0.0 <= max(gaps) + slack:
            return
        if first is None and max(gaps) - min(gaps) > TELLING:
            first = gap, gaps
    if first is not None:
        nearest, gaps = first
        for place in range(len(grid) - 1):
            if gaps[place] * gaps[place + 1] <= 0:
                yield bisected(nearest, grid[place], grid[place + 1])


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


def checked(at: Callable[[float], Variant], grid: list[float], answered: Mapping[str, float], value: Value) -> bool:
    """Whether a second probe can contradict the number: with one alone, some number always fits."""
    telling = 0
    for probe in answered:
        given = [value(at(number), probe) for number in grid]
        telling += max(given) - min(given) > TELLING
    return telling >= 2
