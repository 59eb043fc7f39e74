"""The smallest case on which two sides differ: small cases are tried in the order of their size."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from metric_harness.naming.probes.probe import all_listed, beyond_probes, build, core_probes
from metric_harness.naming.question import Difference, Question, Side, differ
from metric_reference.case import Case
from metric_reference.variant import BEYOND

TRIES = 600
"""This many small cases are tried before the probes."""


class Shape(NamedTuple):
    """One user: which ranks of the list are hits, how many relevant items are not listed, and the cut-off."""

    hits: tuple[bool, ...]
    missing: int
    k: int


def _shapes(length: int) -> list[Shape]:
    """The users with up to ``length`` listed items and at least one relevant item, in the order of size."""
    shapes = [
        Shape(hits, missing, k)
        for size in range(1, length + 1)
        for hits in itertools.product((True, False), repeat=size)
        for missing in range(3)
        if any(hits) or missing
        for k in range(1, size + 2)
    ]
    return sorted(shapes, key=lambda s: (len(s.hits) + s.missing, abs(s.k - len(s.hits)), -sum(s.hits)))


def _small_cases(length: int = 4) -> Iterator[tuple[Case, int]]:
    """One user with up to ``length`` listed items: binary gains first, then graded ones; then two users."""
    for shape in _shapes(length):
        yield _case_of([shape]), shape.k
    for shape in _shapes(3):
        relevant = sum(shape.hits) + shape.missing
        if relevant > 1:
            gains = [float(1 + i % 3) for i in range(relevant)]
            yield _case_of([shape], [gains[::-1]]), shape.k
            yield _case_of([shape], [gains]), shape.k
    for first, second in itertools.product(_shapes(2)[:20], repeat=2):
        yield _case_of([first, second]), max(first.k, second.k)


def _case_of(shapes: Sequence[Shape], gains: Sequence[Sequence[float]] | None = None) -> Case:
    """Users whose lists hold the items 0, 1, ...; the relevant items that are not listed follow them."""
    lists = [list(range(len(shape.hits))) for shape in shapes]
    relevant = [
        [rank for rank, hit in enumerate(hits) if hit] + list(range(len(hits), len(hits) + missing))
        for hits, missing, _ in shapes
    ]
    n_items = max(len(shape.hits) + shape.missing for shape in shapes) + 2
    return build(lists, relevant, n_items, gains=gains)


def smallest_difference(
    asked: Side,
    other: Side,
    tries: int = TRIES,
    all_items: bool = False,
    metric: str | None = None,
    deepest: int | None = None,
) -> Difference | None:
    """The first case on which two sides differ, or None: ``tries`` small cases are tried, then the probes.

    all_items : every list holds all items and k is their number, for a function that scores all items and takes no k.
    deepest : the cut-off that the function's source holds. metric : the metric that both compute; one beyond accuracy
    is tried on its probes alone, which have what it reads.
    """
    if metric in BEYOND:
        beyond = (probe for probe in beyond_probes() if probe.asked_of(metric))
        return first_difference(asked, other, ((probe.case, probe.k) for probe in beyond))
    probes = ((probe.case, probe.k) for probe in core_probes())
    cases: Iterable[tuple[Case, int]] = itertools.chain(itertools.islice(_small_cases(), tries), probes)
    if deepest is not None:
        cases = ((case, k) for case, k in cases if k <= deepest)
    if all_items:
        cases = ((all_listed(case), case.n_items) for case, _ in cases)
    return first_difference(asked, other, cases)


def first_difference(asked: Side, other: Side, cases: Iterable[tuple[Case, int]]) -> Difference | None:
    """The first of these cases on which two sides differ, or None; cases that one side cannot be asked are skipped."""
    for case, k in cases:
        replies = [side(Question(case, k)) for side in (other, asked)]
        if any(reply.kind == "cannot_show" for reply in replies):
            continue
        other_value, value = (reply.value for reply in replies)
        if differ(value, other_value):
            return Difference(case, k, value, other_value, replies[1].error)
    return None
