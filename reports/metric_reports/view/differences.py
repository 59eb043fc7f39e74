"""A histogram of each user's value minus the value of the standard variant."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from metric_reports.types.run import Gaps
from metric_reports.view.words import count, short

WIDTH, HEIGHT, FOOT = 320, 84, 16


class Histogram(NamedTuple):
    """A histogram as SVG, its caption and its table.

    lower, higher : the bars left and right of 0, as the ``d`` of a path; zero : x of 0; ends : the smallest and the
    largest edge as text; rows : (from, to, users) of each bar.
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
    """The histogram of a cell's ``difference_to_standard``; without bars where all users are equal."""
    edges, counts = gaps["edges"], gaps["counts"]
    all_users = count(gaps["users"], "user")
    if not counts or not gaps["users"]:
        text = f"All equal: {all_users}" if gaps["users"] else "No user has a value on both sides"
        return Histogram(f"{text}, {SOURCES[gaps['source']]}.", gaps["standard"], "", "", 0.0, ("", ""), [])
    sides = [
        f"{users:,} {name} (by up to {short(abs(end), 2)})"
        for name, users, end in (("lower", gaps["lower"], edges[0]), ("higher", gaps["higher"], edges[-1]))
        if users
    ]
    caption = f"Of {all_users}, {gaps['equal']:,} equal, {' and '.join(sides)}, {SOURCES[gaps['source']]}."
    scale = WIDTH / (edges[-1] - edges[0])
    user_height = (HEIGHT - FOOT - 14) / max(counts)
    lower = higher = ""
    rows = []
    for (left, right), users in zip(pairwise(edges), counts, strict=True):
        if not users:
            continue
        x, width, height = (left - edges[0]) * scale, max((right - left) * scale - 1, 1), max(users * user_height, 1)
        bar = f"M{x:.0f} {HEIGHT - FOOT}v{-height:.0f}h{width:.0f}v{height:.0f}z"
        lower, higher = (lower, higher + bar) if left >= 0 else (lower + bar, higher)
        rows.append((short(left, 3), short(right, 3), f"{users:,}"))
    zero, ends = round(-edges[0] * scale, 1), (short(edges[0], 2), short(edges[-1], 2))
    return Histogram(caption, gaps["standard"], lower, higher, zero, ends, rows)
