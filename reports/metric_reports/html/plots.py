"""Dot plots and ordered matrices as SVG with the colours of the page, so that light, dark and print all work."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from metric_reports.view.words import clean

DOT_RADIUS, ROW_HEIGHT, MARGIN, CHAR_WIDTH = 4.0, 20, 14, 6.2
"""In pixels."""
TALLEST_PILE = 6
"""The most dots stacked on each other; further ones are drawn over these."""
LOG_AXIS_RATIO = 50
"""The axis is logarithmic if the largest value is more than this many times the smallest."""


class Dot(NamedTuple):
    """A value of a row, the name of its colour, whether it is hollow (only predicted), and its tooltip."""

    row: int
    value: float
    colour: str
    hollow: bool
    tooltip: str


def dot_plot(
    dots: Sequence[Dot], rows: Sequence[str], name: str, title: str, description: str, width: int = 640
) -> Markup:
    """Dots in rows over a common axis, which is logarithmic for a wide range of values; the title is drawn too."""
    left = min(330, max(map(len, rows)) * CHAR_WIDTH + 24)
    x_of, ticks = axis(min(dot.value for dot in dots), max(dot.value for dot in dots), left, width - MARGIN - 20)
    lifts = piles(dots, x_of)
    top = 34
    middles, foot = [], float(top)
    for index in range(len(rows)):
        largest = max((abs(lift) for dot, lift in zip(dots, lifts, strict=True) if dot.row == index), default=0)
        height = max(ROW_HEIGHT, 2 * DOT_RADIUS * (2 * largest + 1) + 6)
        middles.append(foot + height / 2)
        foot += height
    parts = [text(0, 16, title, "heading")]
    parts += [f'<path d="M{x:.1f} {top}V{foot:.1f}" stroke="var(--rule)"/>' for x, _ in ticks]
    parts += [text(x, foot + 15, label, "tick", "middle") for x, label in ticks]
    parts += [
        text(left - 12, middle + 4, shortened(row, left), "row", "end")
        for row, middle in zip(rows, middles, strict=True)
    ]
    for dot, lift in zip(dots, lifts, strict=True):
        y = middles[dot.row] + lift * 2 * DOT_RADIUS
        fill = "paper" if dot.hollow else dot.colour
        parts.append(
            f'<circle cx="{x_of(dot.value):.1f}" cy="{y:.1f}" r="{DOT_RADIUS - 0.4}" fill="var(--{fill})" '
            f'stroke="var(--{dot.colour})"><title>{safe(dot.tooltip)}</title></circle>'
        )
    return svg(parts, name, title, description, width, foot + 24)


def axis(
    low: float, high: float, left: float, right: float
) -> tuple[Callable[[float], float], list[tuple[float, str]]]:
    """The function from a value to its x between two edges in pixels, and the ticks: x and label."""
    if low > 0 and high / low > LOG_AXIS_RATIO:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))

        def logarithmic(value: float) -> float:
            return left + (math.log10(value) - first) / max(last - first, 1) * (right - left)

        return logarithmic, [(logarithmic(10.0**power), f"{10.0**power:g}") for power in range(first, last + 1)]
    step = tick_step((high - low) or abs(high) or 1.0)
    first, last = math.floor(low / step), math.ceil(high / step)
    last += first == last

    def linear(value: float) -> float:
        return left + (value / step - first) / (last - first) * (right - left)

    return linear, [(linear(number * step), f"{number * step:.6g}") for number in range(first, last + 1)]


def tick_step(span: float) -> float:
    """1, 2 or 5 times a power of ten, for four to eight ticks."""
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 6)


def piles(dots: Sequence[Dot], x_of: Callable[[float], float]) -> list[float]:
    """How far each dot is moved up or down, in dot diameters, so that equal values do not overlap."""
    groups: dict[tuple[int, int], list[int]] = {}
    for index, dot in enumerate(dots):
        groups.setdefault((dot.row, round(x_of(dot.value) / (2 * DOT_RADIUS))), []).append(index)
    lifts = [0.0] * len(dots)
    for group in groups.values():
        for position, index in enumerate(group):
            lifts[index] = position % TALLEST_PILE - (min(len(group), TALLEST_PILE) - 1) / 2
    return lifts


def matrix(
    names: Sequence[str], shares: Sequence[Sequence[float | None]], name: str, title: str, description: str
) -> Markup:
    """The lower triangle of a square matrix of shares; a larger share is darker, None is left empty."""
    size, left = 26, min(330, max(map(len, names)) * CHAR_WIDTH + 14)
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
        parts.append(text(left + row * size + 4, y + 17, label.partition(" ")[0], "tick"))  # the definition's letter
    return svg(parts, name, title, description, int(left + size * len(names) + 20), top + size * len(names) + 8)


def shortened(label: str, left: float) -> str:
    """A label that fits into the margin."""
    line, fitting = " ".join(clean(label).split()), int((left - 14) / CHAR_WIDTH)
    return line if len(line) <= fitting else f"{line[: fitting - 1]}…"


def text(x: float, y: float, content: str, kind: str, anchor: str = "start", colour: str = "") -> str:
    """A text; ``kind`` sets its size. The drawing's defaults, size 11 and anchor "start", are not repeated."""
    size = {"heading": ' font-size="14"', "cell": ' font-size="10"'}.get(kind, "")
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    weight = ' font-weight="600"' if kind == "heading" else ""
    fill = colour or ("muted" if kind == "tick" else "ink")
    return f'<text x="{x:.1f}" y="{y:.1f}"{size}{anchored} fill="var(--{fill})"{weight}>{safe(content)}</text>'


def safe(content: str) -> Markup:
    """A text of a record, escaped and without control characters."""
    return escape(clean(" ".join(content.split())))


def svg(parts: Sequence[str], name: str, title: str, description: str, width: float, height: float) -> Markup:
    """The drawing, with a title and a description for screen readers."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{escape(name)}-t {escape(name)}-d" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" font-size="11">'
        f'<title id="{escape(name)}-t">{safe(title)}</title><desc id="{escape(name)}-d">{safe(description)}</desc>'
    )
    return Markup(head + "".join(parts) + "</svg>")
