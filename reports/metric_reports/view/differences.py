"""How far users lie from the standard variant: a histogram as the page draws it."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from metric_reports.types.run import Gaps
from metric_reports.view.words import count, short

WIDTH, HEIGHT, FOOT = 320, 84, 16


class Histogram(NamedTuple):
    """A drawn histogram and what it says.

    lower, higher : the bars on either side of 0, as the ``d`` of a path; zero : where 0 lies; ends : the smallest and
    the largest edge as text; rows : the table behind it, (from, to, users).
    """

    caption: str
    standard: str
    lower: str
    higher: str
    zero: float
    ends: tuple[str, str]
    rows: list[tuple[str, str, str]]
    width: int = WIDTH
    height: int = HEIGHT
    foot: int = FOOT


SOURCES = {"library": "by the library's own values", "reference": "by the reference's values; the library gives none"}


def histogram(gaps: Gaps) -> Histogram:
    """What a cell's ``difference_to_standard`` looks like; without bars where every user is equal."""
    lines, counts = gaps["edges"], gaps["counts"]
    whole = count(gaps["users"], "user")
    if not counts or not gaps["users"]:
        text = f"All equal: {whole}" if gaps["users"] else "No user has a value on both sides"
        return Histogram(f"{text}, {SOURCES[gaps['source']]}.", gaps["standard"], "", "", 0.0, ("", ""), [])
    parts = [
        f"{users:,} {name} (by up to {short(abs(end), 2)})"
        for name, users, end in (("lower", gaps["lower"], lines[0]), ("higher", gaps["higher"], lines[-1]))
        if users
    ]
    caption = f"Of {whole}, {gaps['equal']:,} equal, {' and '.join(parts)}, {SOURCES[gaps['source']]}."
    scale = WIDTH / (lines[-1] - lines[0])
    tall = (HEIGHT - FOOT - 14) / max(counts)
    bars: dict[bool, list[str]] = {False: [], True: []}
    for (left, right), users in zip(pairwise(lines), counts, strict=True):
        if users:
            x, wide, high = (left - lines[0]) * scale, max((right - left) * scale - 1, 1), max(users * tall, 1)
            bars[left >= 0].append(f"M{x:.0f} {HEIGHT - FOOT}v{-high:.0f}h{wide:.0f}v{high:.0f}z")
    rows = [
        (short(left, 3), short(right, 3), f"{users:,}")
        for (left, right), users in zip(pairwise(lines), counts, strict=True)
        if users
    ]
    return Histogram(
        caption,
        gaps["standard"],
        "".join(bars[False]),
        "".join(bars[True]),
        round(-lines[0] * scale, 1),
        (short(lines[0], 2), short(lines[-1], 2)),
        rows,
    )
