"""The smallest case that shows a difference: small cases are tried in the order of their size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from metric_harness.identification.agreement import agrees
from metric_harness.identification.probes import all_listed, beyond_probes, build, core_probes
from metric_reference.case import Case
from metric_reference.variant import BEYOND

TRIES = 600
Answerer = Callable[[Case, int], float | None]
"""Called with a case and a cut-off; None where there is no number (an error)."""


class Unaskable(Exception):
    """Raised by a side that cannot be asked for a case at all, which says nothing about it."""


@dataclass(frozen=True)
class Difference:
    """A case on which two sides differ, and what each gives (None: an error)."""

    case: Case
    k: int
    value: float | None
    other: float | None


def lists_up_to(length: int) -> Iterator[tuple[list[bool], int, int]]:
    """(hits by rank, relevant items not listed, k) of one user, in the order of size; one at least is relevant."""
    shapes = []
    for size in range(1, length + 1):
        for hits in itertools.product((True, False), repeat=size):
            for missing in range(3):
                if any(hits) or missing:
                    shapes += [(list(hits), missing, k) for k in range(1, size + 2)]
    return iter(
        sorted(shapes, key=lambda shape: (len(shape[0]) + shape[1], abs(shape[2] - len(shape[0])), -sum(shape[0])))
    )


def small_cases(length: int = 4) -> Iterator[tuple[Case, int]]:
    """One user with up to ``length`` items: binary gains first, then graded ones, then two users."""
    for hits, missing, k in lists_up_to(length):
        yield one_user(hits, missing), k
    for hits, missing, k in lists_up_to(3):
        relevant = sum(hits) + missing
        if relevant > 1:
            yield one_user(hits, missing, [float(1 + place % 3) for place in range(relevant)][::-1]), k
            yield one_user(hits, missing, [float(1 + place % 3) for place in range(relevant)]), k
    for first, second in itertools.product(itertools.islice(lists_up_to(2), 20), repeat=2):
        yield two_users(first, second), max(first[2], second[2])


def one_user(hits: list[bool], missing: int, gains: list[float] | None = None) -> Case:
    """A list of items 0, 1, ... with these hits, and relevant items that are not listed after them."""
    size = len(hits)
    relevant = [rank for rank, hit in enumerate(hits) if hit] + list(range(size, size + missing))
    return build([list(range(size))], [relevant], size + missing + 2, gains=None if gains is None else [gains])


def two_users(first: tuple[list[bool], int, int], second: tuple[list[bool], int, int]) -> Case:
    """Two users with these lists over one catalogue."""
    n_items = max(len(hits) + missing for hits, missing, _ in (first, second)) + 2
    lists, relevant = [], []
    for hits, missing, _ in (first, second):
        size = len(hits)
        lists.append(list(range(size)))
        relevant.append([rank for rank, hit in enumerate(hits) if hit] + list(range(size, size + missing)))
    return build(lists, relevant, n_items)


def smallest_difference(
    asked: Answerer, other: Answerer, tries: int = TRIES, all_items: bool = False, metric: str | None = None
) -> Difference | None:
    """The first case on which two sides differ, or None: ``tries`` small ones are tried, then the probes.

    Where one side is an error and the other a number they differ; two errors do not. all_items : every list holds all
    items and k is past them, for a function that scores all items and takes no k. metric : which one they compute; one
    beyond accuracy is tried on its probes alone, since others lack what it reads.
    """
    if metric in BEYOND:
        beyond = (probe for probe in beyond_probes() if probe.asked_of(metric))
        return first_difference(asked, other, ((probe.case, probe.k) for probe in beyond))
    probes = ((probe.case, probe.k) for probe in core_probes())
    cases: Iterable[tuple[Case, int]] = itertools.chain(itertools.islice(small_cases(), tries), probes)
    if all_items:
        cases = ((all_listed(case), case.n_items) for case, _ in cases)
    return first_difference(asked, other, cases)


def first_difference(asked: Answerer, other: Answerer, cases: Iterable[tuple[Case, int]]) -> Difference | None:
    """The first of these cases on which two sides differ, or None; cases that a side cannot be asked are skipped."""
    for case, k in cases:
        try:
            theirs = other(case, k)
            ours = asked(case, k)
        except Unaskable:
            continue
        if differ(ours, theirs):
            return Difference(case, k, ours, theirs)
    return None


def differ(one: float | None, two: float | None) -> bool:
    """Whether two answers are not the same; NaN equals NaN."""
    if one is None or two is None:
        return (one is None) != (two is None)
    return not (math.isnan(one) and math.isnan(two)) and not agrees(one, two)
