"""Recommendation lists as drawings: a box for each rank, hits marked, a bar after the cut-off."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from metric_reports.audit.case_lines import with_gain
from metric_reports.types.common import ShownUser


class Box(NamedTuple):
    """One rank of a drawn list. beyond : the rank is past the cut-off."""

    rank: int
    item: Any
    hit: bool
    beyond: bool


class Strip(NamedTuple):
    """A user of a small case: the ranked list and the relevant items, each with its gain if gains differ from 1."""

    boxes: list[Box]
    relevant: list[str]


def strip(user: ShownUser, k: int) -> Strip:
    """A user of a probe or of a finding's case, ready to be drawn."""
    listed, hits = user.get("list") or [], user.get("hits") or []
    relevant, gains = user.get("relevant") or [], user.get("gains") or []
    boxes = [
        Box(rank, item, bool(hit), rank > k)
        for rank, (item, hit) in enumerate(zip_longest(listed, hits[: len(listed)], fillvalue=False), start=1)
    ]
    graded = any(gain != 1 for gain in gains)
    pairs = zip_longest(relevant, gains, fillvalue=1)
    texts = [with_gain(item, gain) if graded else f"{item}" for item, gain in pairs]
    return Strip(boxes, texts[: len(relevant)])


def sums(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    """The arithmetic of a case by variant: ``VARIANT@K: SUM = VALUE`` as (``VARIANT@K``, [``SUM = VALUE``])."""
    parts = [line.partition(": ") for line in lines]
    return [(variant, [term for _, _, term in group]) for variant, group in groupby(parts, key=lambda part: part[0])]
