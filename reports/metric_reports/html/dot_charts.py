"""Pictures with a dot for each function: the spread of values, and speed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from metric_reports.html.chart import Chart, cut, finite, named
from metric_reports.html.svg import COLOURS, DOT, drawn, figure
from metric_reports.types.run import Record
from metric_reports.view.table import Variant, number_of
from metric_reports.view.words import count, label, short

TALLEST_PILE = 6
"""Dots above each other at most; further ones lie on top of one another."""
LOG_AXIS_RATIO = 50
"""Where the largest value is this many times the smallest, the axis is logarithmic."""


class Dot(NamedTuple):
    """A function's value: which row it stands in, where, how it is coloured, whether it was only predicted."""

    place: int
    value: float
    colour: str
    hollow: bool
    told: str


def spread(
    record: Record,
    known: dict[str, dict[str, Variant]],
    titles: dict[tuple[str, str], str],
    metric: str,
    k: int,
    name: str,
) -> Chart | None:
    """The values of one metric: a row for each definition, a dot for each function; None without two values."""
    rows: list[tuple[str, ...]] = []
    dots: list[Dot] = []
    variants, lost = list(known.get(metric, {}).values()), 0
    for cell in record["cells"]:
        predicted, value = cell["status"] == "not_available", finite(number_of(cell))
        if cell["metric"] != metric or cell["k"] != k:
            continue
        if value is None:
            lost += cell["value"] is not None
            continue
        variant = known.get(metric, {}).get(cell["variant"] or "")
        place = variants.index(variant) if variant else len(variants)
        who = f"{named(titles, cell)} {cell['function']}"
        dots.append(
            Dot(place, value, f"e{variant.colour}" if variant else "muted", predicted, f"{who}: {short(value)}")
        )
        rows.append(
            (
                named(titles, cell),
                cell["function"],
                variant.letter if variant else "?",
                f"{short(value, 6)}{' (predicted)' if predicted else ''}",
            )
        )
    if len(dots) < 2:
        return None
    places = sorted({dot.place for dot in dots})
    letters = [variants[place].letter if place < len(variants) else "?" for place in places]
    low, high = min(dot.value for dot in dots), max(dot.value for dot in dots)
    title, words = label(metric, k), _spread_words(low, high, len(set(letters) - {"?"}), "?" in letters)
    if "?" in letters:
        words += " “?” is what no known definition explains."
    if lost:
        words += f" Left out: {count(lost, 'value')} that {'is' if lost == 1 else 'are'} NaN or infinite."
    svg = _dot_plot(
        [dot._replace(place=places.index(dot.place)) for dot in dots],
        letters,
        f"chart-{name}",
        f"{title}: values by definition",
        f"{count(len(dots), 'function')} in {count(len(places), 'row')}, from {short(low)} to {short(high)}.",
        log=low > 0 and high / low > LOG_AXIS_RATIO,
        axis="log scale" if low > 0 and high / low > LOG_AXIS_RATIO else "",
    )
    return Chart(
        name, title, words, svg, ("release", "function", "definition", "value"), sorted(rows, key=lambda row: row[2])
    )


def _times(ratio: float) -> str:
    return f"{ratio:,.1f} times" if ratio < 10 else f"{ratio:,.0f} times"


def _spread_words(low: float, high: float, definitions: int, unknown: bool) -> str:
    if high - low <= 1e-6 * max(abs(high), 1.0):
        return f"All at {short(low)}: {'one definition' if definitions == 1 else 'their definitions agree here'}."
    times = f"; the largest is {_times(high / low)} the smallest" if low > 0 and high / low >= 1.05 else ""
    if definitions < 2:
        return f"From {short(low)} to {short(high)}{times}" + (
            ": one definition, so it is who counts or how ties fall." if definitions and not unknown else "."
        )
    return f"{definitions} definitions of the same lists: {short(low)} to {short(high)}{times}."


def _dot_plot(
    dots: Sequence[Dot],
    rows: Sequence[str],
    name: str,
    title: str,
    about: str,
    *,
    log: bool = False,
    width: float = 400,
    axis: str = "",
) -> Markup:
    lifts, tallest = _stacked(dots, log)
    step = max(24.0, 2 * DOT * min(tallest, TALLEST_PILE) + 8)
    with figure(width, step * len(rows) + (54 if axis else 34)) as made:
        axes = made.subplots()
        axes.set_yticks(range(len(rows)), labels=rows)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        if log:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axes.xaxis.set_minor_formatter(lambda value, _: "")
        else:
            axes.locator_params(axis="x", nbins=5)
        axes.grid(axis="x", linewidth=0.7)
        axes.hlines(
            [place + 0.5 for place in range(len(rows) - 1)],
            0,
            1,
            transform=axes.get_yaxis_transform(),
            colors=COLOURS["rule"],
            linewidth=0.7,
        )
        if axis:
            axes.set_xlabel(axis)
        axes.scatter(
            [dot.value for dot in dots],
            [dot.place + lift * 2 * DOT / step for dot, lift in zip(dots, lifts, strict=True)],
            s=40,
            linewidths=1.4,
            edgecolors=[COLOURS[dot.colour] for dot in dots],
            clip_on=False,
            zorder=3,
            facecolors=[COLOURS["paper" if dot.hollow else dot.colour] for dot in dots],
            gid="dots",
        )
        axes.margins(x=0.06)
        return drawn(made, name, title, about, {"dots": [dot.told for dot in dots]})


def _stacked(dots: Sequence[Dot], log: bool) -> tuple[list[float], int]:
    """How far each dot is moved up or down, in dots, so that equal values lie beside each other; the tallest pile."""
    scaled = [math.log10(dot.value) if log else dot.value for dot in dots]
    wide = (max(scaled) - min(scaled)) or 1.0
    piles: dict[tuple[int, int], list[int]] = {}
    for index, (dot, value) in enumerate(zip(dots, scaled, strict=True)):
        piles.setdefault((dot.place, round(40 * (value - min(scaled)) / wide)), []).append(index)
    lifts = [0.0] * len(dots)
    for pile in piles.values():
        for position, index in enumerate(pile):
            lifts[index] = position % TALLEST_PILE - (min(len(pile), TALLEST_PILE) - 1) / 2
    return lifts, max(map(len, piles.values()))


def speed(record: Record, titles: dict[tuple[str, str], str], k: int) -> Chart | None:
    """Seconds of each function on the same lists, a row for each release; None where nothing was timed."""
    taken: dict[str, list[tuple[float, str]]] = {}
    for cell in record["cells"]:
        seconds = finite(cell["seconds"])
        if cell["k"] == k and seconds is not None and seconds > 0:
            taken.setdefault(named(titles, cell), []).append((seconds, cell["function"]))
    if not taken:
        return None
    order = sorted(taken, key=lambda name: statistics.median(seconds for seconds, _ in taken[name]))
    middle = {name: statistics.median(seconds for seconds, _ in taken[name]) for name in order}
    dots = [
        Dot(place, seconds, "e5", False, f"{name} {function}: {short(seconds, 3)} s")
        for place, name in enumerate(order)
        for seconds, function in taken[name]
    ]
    caption = f"A dot is a function at k = {k}, further left is faster; each step of the axis is ten times as long."
    if len(order) > 1:
        caption += (
            f" The median function of {order[0]} took {short(middle[order[0]], 2)} s, that of {order[-1]} "
            f"{short(middle[order[-1]], 2)} s, {_times(middle[order[-1]] / middle[order[0]])} as long."
        )
    slowest = {name: max(taken[name]) for name in order}
    rows = [
        (name, str(len(taken[name])), short(middle[name], 3), f"{short(slowest[name][0], 3)} ({slowest[name][1]})")
        for name in order
    ]
    svg = _dot_plot(
        dots,
        [cut(name) for name in order],
        f"chart-speed-{k}",
        f"Seconds of each function at k = {k}",
        f"{count(len(order), 'release')}, the fastest first.",
        log=True,
        width=620,
        axis="seconds, log scale",
    )
    return Chart(
        f"speed-{k}", "Speed", caption, svg, ("release", "functions", "median, seconds", "slowest, seconds"), rows
    )
