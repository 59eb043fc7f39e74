"""Dot plots and ordered matrices as SVG with the colours of the page, so that light, dark and print all work."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from metric_reports.view.words import clean

DOT, ROW, MARGIN, LETTER = 4.0, 20, 14, 6.2
"""Radius of a dot, height of a row, free space around, width of a character: in pixels."""
TALLEST_PILE = 6
"""Dots above each other at most; further ones lie on top of one another."""
LOG_AXIS_RATIO = 50
"""Where the largest value is this many times the smallest, the axis is logarithmic."""


class Dot(NamedTuple):
    """A value: which row it stands in, where, the name of its colour, whether it was only predicted, what it says."""

    row: int
    value: float
    colour: str
    hollow: bool
    told: str


def dot_plot(dots: Sequence[Dot], rows: Sequence[str], name: str, title: str, about: str, width: int = 640) -> Markup:
    """Dots in rows over a common axis, which is logarithmic where the values need it; the title is part of it."""
    left = min(330, max(map(len, rows)) * LETTER + 24)
    place, ticks = axis(min(dot.value for dot in dots), max(dot.value for dot in dots), left, width - MARGIN - 20)
    lifts = piles(dots, place)
    top = 34
    middles, foot = [], float(top)
    for index in range(len(rows)):
        most = max((abs(lift) for dot, lift in zip(dots, lifts, strict=True) if dot.row == index), default=0)
        high = max(ROW, 2 * DOT * (2 * most + 1) + 6)
        middles.append(foot + high / 2)
        foot += high
    parts = [text(0, 16, title, "heading")]
    parts += [f'<path d="M{x:.1f} {top}V{foot:.1f}" stroke="var(--rule)"/>' for x, _ in ticks]
    parts += [text(x, foot + 15, label, "tick", "middle") for x, label in ticks]
    parts += [
        text(left - 12, middle + 4, shortened(row, left), "row", "end")
        for row, middle in zip(rows, middles, strict=True)
    ]
    for dot, lift in zip(dots, lifts, strict=True):
        y = middles[dot.row] + lift * 2 * DOT
        fill = "paper" if dot.hollow else dot.colour
        parts.append(
            f'<circle cx="{place(dot.value):.1f}" cy="{y:.1f}" r="{DOT - 0.4}" fill="var(--{fill})" '
            f'stroke="var(--{dot.colour})"><title>{safe(dot.told)}</title></circle>'
        )
    return svg(parts, name, title, about, width, foot + 24)


def axis(
    low: float, high: float, left: float, right: float
) -> tuple[Callable[[float], float], list[tuple[float, str]]]:
    """Where a value lies between two edges in pixels, and the ticks: place and label."""
    if low > 0 and high / low > LOG_AXIS_RATIO:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))

        def place(value: float) -> float:
            return left + (math.log10(value) - first) / max(last - first, 1) * (right - left)

        return place, [(place(10.0**power), f"{10.0**power:g}") for power in range(first, last + 1)]
    step = tick_step((high - low) or abs(high) or 1.0)
    first, last = math.floor(low / step), math.ceil(high / step)
    last += first == last

    def linear(value: float) -> float:
        return left + (value / step - first) / (last - first) * (right - left)

    return linear, [(linear(number * step), f"{number * step:.6g}") for number in range(first, last + 1)]


def tick_step(span: float) -> float:
    """1, 2 or 5 times a power of ten, for four to eight ticks."""
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= 6)


def piles(dots: Sequence[Dot], place: Callable[[float], float]) -> list[float]:
    """How far each dot is moved up or down, in dots, so that equal values lie beside each other."""
    groups: dict[tuple[int, int], list[int]] = {}
    for index, dot in enumerate(dots):
        groups.setdefault((dot.row, round(place(dot.value) / (2 * DOT))), []).append(index)
    lifts = [0.0] * len(dots)
    for group in groups.values():
        for position, index in enumerate(group):
            lifts[index] = position % TALLEST_PILE - (min(len(group), TALLEST_PILE) - 1) / 2
    return lifts


def matrix(names: Sequence[str], shares: Sequence[Sequence[float | None]], name: str, title: str, about: str) -> Markup:
    """The lower half of a square matrix of shares, darker for more; a share of None is left empty."""
    size, left = 26, min(330, max(map(len, names)) * LETTER + 14)
    top = 30
    parts = [text(0, 16, title, "heading")]
    for row, label in enumerate(names):
        y = top + row * size
        parts.append(text(left - 8, y + 17, shortened(label, left), "row", "end"))
        for column in range(row):
            share = shares[row][column]
            if share is None:
                continue
            x = left + column * size
            ink = "paper" if share > 0.55 else "ink"
            parts.append(
                f'<g><title>{safe(label)} and {safe(names[column])}</title><path d="M{x} {y}h24v24h-24z" '
                f'fill="var(--e5)" fill-opacity="{share:.2f}"/>'
                + text(x + 12, y + 16, f"{share * 100:.0f}", "cell", "middle", ink)
                + "</g>"
            )
        parts.append(text(left + row * size + 4, y + 17, letter(label), "tick"))
    return svg(parts, name, title, about, int(left + size * len(names) + 20), top + size * len(names) + 8)


def letter(label: str) -> str:
    """The letter that a label of a definition begins with."""
    return label.partition(" ")[0]


def shortened(label: str, left: float) -> str:
    """A label that fits into the margin."""
    line, most = " ".join(clean(label).split()), int((left - 14) / LETTER)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def text(x: float, y: float, content: str, kind: str, anchor: str = "start", colour: str = "") -> str:
    """A text; ``kind`` says how large it is. A size of 11 and the start as anchor are those of the whole drawing."""
    size = {"heading": ' font-size="14"', "cell": ' font-size="10"'}.get(kind, "")
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    weight = ' font-weight="600"' if kind == "heading" else ""
    paint = colour or ("muted" if kind == "tick" else "ink")
    return f'<text x="{x:.1f}" y="{y:.1f}"{size}{place} fill="var(--{paint})"{weight}>{safe(content)}</text>'


def safe(content: str) -> Markup:
    """A text of a record, escaped and without control characters."""
    return escape(clean(" ".join(content.split())))


def svg(parts: Sequence[str], name: str, title: str, about: str, width: float, height: float) -> Markup:
    """The drawing with its name and description for who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{escape(name)}-t {escape(name)}-d" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" font-size="11">'
        f'<title id="{escape(name)}-t">{safe(title)}</title><desc id="{escape(name)}-d">{safe(about)}</desc>'
    )
    return Markup(head + "".join(parts) + "</svg>")
