"""Pictures of a record: spread of values, agreement between releases, speed. Each has its numbers as a table too."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from markupsafe import Markup

from metric_reports.html.svg import COLOURS, DOT, drawn, figure
from metric_reports.record import Record, from_json_number
from metric_reports.view.table import Variant, cutoffs, number_of
from metric_reports.view.words import clean, count, in_order, label, short

STACKED = 6
"""Dots above each other at most; more lie on top of one another."""
MANY = 24
"""A heat map of more releases leaves out those that are not the newest of their library."""
NOTED = 20
"""In a heat map of more rows the squares hold no text."""
ROOMY = 10
"""A heat map of so many rows has large squares."""
FAR = 50
"""Values so many times as large as others need a logarithmic axis."""


class Chart(NamedTuple):
    """A picture with what it shows in words and in numbers.

    svg : the drawing, or None where there is nothing to draw; head, rows : the table behind it.
    """

    name: str
    title: str
    caption: str
    svg: Markup
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Dot(NamedTuple):
    """A function's value: which row it stands in, where, how it is coloured, whether it was only predicted."""

    place: int
    value: float
    colour: str
    hollow: bool
    told: str


def charts(record: Record, known: dict[str, dict[str, Variant]]) -> dict[str, list[Chart]]:
    """The pictures of a record by group (``spread``, ``agreement``, ``speed``); a group without numbers is left out."""
    titles = {(one["name"], one["release"]): f"{one['title']} {one['release']}" for one in record["libraries"]}
    metrics = in_order(cell["metric"] for cell in record["cells"])
    columns = [(k, number, metric) for k in cutoffs(record) for number, metric in enumerate(metrics)]
    groups = {
        "spread": [spread(record, known, titles, metric, k, f"spread-{k}-{number}") for k, number, metric in columns],
        "agreement": [agreement(record, titles)],
        "speed": [speed(record, titles, k) for k in cutoffs(record)],
    }
    found = {name: [one for one in those if one is not None] for name, those in groups.items()}
    return {name: those for name, those in found.items() if those}


def named(titles: dict[tuple[str, str], str], thing: dict[str, Any]) -> str:
    """Title and release of what a cell belongs to."""
    pair = (thing["library"], thing["release"])
    return titles.get(pair, " ".join(pair))


def finite(value: Any) -> float | None:
    """A number of the record if it is a finite one."""
    number = from_json_number(value)
    return number if number is not None and math.isfinite(number) else None


def cut(text: str, width: int = 28) -> str:
    """A name short enough for the margin of a picture."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


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
        variant = known.get(metric, {}).get(cell["variant"])
        place = variants.index(variant) if variant else len(variants)
        who = f"{named(titles, cell)} {cell['function']}"
        dots.append(
            Dot(place, value, f"e{variant.colour}" if variant else "muted", predicted, f"{who}: {short(value)}")
        )
        rows.append((named(titles, cell), cell["function"], variant.letter if variant else "?",
                     f"{short(value, 6)}{' (predicted)' if predicted else ''}"))  # fmt: skip
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
        [dot._replace(place=places.index(dot.place)) for dot in dots], letters, f"chart-{name}",
        f"{title}: values by definition",
        f"{count(len(dots), 'function')} in {count(len(places), 'row')}, from {short(low)} to {short(high)}.",
        log=low > 0 and high / low > FAR, axis="log scale" if low > 0 and high / low > FAR else "",
    )  # fmt: skip
    return Chart(name, title, words, svg,
                 ("release", "function", "definition", "value"), sorted(rows, key=lambda row: row[2]))  # fmt: skip


def _times(ratio: float) -> str:
    return f"{ratio:,.1f} times" if ratio < 10 else f"{ratio:,.0f} times"


def _spread_words(low: float, high: float, definitions: int, unknown: bool) -> str:
    if high - low <= 1e-6 * max(abs(high), 1.0):
        return f"All at {short(low)}: {'one definition' if definitions == 1 else 'their definitions agree here'}."
    times = f", {_times(high / low)} as much at the top" if low > 0 and high / low >= 1.05 else ""
    if definitions < 2:
        return f"From {short(low)} to {short(high)}{times}" + (
            ": one definition, so it is who counts or how ties fall." if definitions and not unknown else "."
        )
    return f"{definitions} definitions of the same lists: {short(low)} to {short(high)}{times}."


def _dot_plot(
    dots: Sequence[Dot], rows: Sequence[str], name: str, title: str, about: str, *, log: bool = False,
    width: float = 400, axis: str = "",
) -> Markup:  # fmt: skip
    lifts, tallest = _stacked(dots, log)
    step = max(24.0, 2 * DOT * min(tallest, STACKED) + 8)
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
        axes.hlines([place + 0.5 for place in range(len(rows) - 1)], 0, 1, transform=axes.get_yaxis_transform(),
                    colors=COLOURS["rule"], linewidth=0.7)  # fmt: skip
        if axis:
            axes.set_xlabel(axis)
        axes.scatter(
            [dot.value for dot in dots],
            [dot.place + lift * 2 * DOT / step for dot, lift in zip(dots, lifts, strict=True)],
            s=40, linewidths=1.4, edgecolors=[COLOURS[dot.colour] for dot in dots], clip_on=False, zorder=3,
            facecolors=[COLOURS["paper" if dot.hollow else dot.colour] for dot in dots], gid="dots",
        )  # fmt: skip
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
            lifts[index] = position % STACKED - (min(len(pile), STACKED) - 1) / 2
    return lifts, max(map(len, piles.values()))


def agreement(record: Record, titles: dict[tuple[str, str], str]) -> Chart | None:
    """How often two releases mean the same by a metric; None for fewer than two releases."""
    means: dict[tuple[str, str], dict[str, set[str]]] = {}
    for cell in record["cells"]:
        if cell["variant"] is not None:
            mine = means.setdefault((cell["library"], cell["release"]), {})
            mine.setdefault(cell["metric"], set()).add(cell["variant"])
    newest = {(one["name"], one["release"]) for one in record["libraries"] if one.get("newest", True)}
    keys = [key for key in means if key in newest or len(means) <= MANY]
    if len(keys) < 2:
        return None
    shared: dict[tuple[int, int], tuple[int, int]] = {}
    for one, two in combinations(range(len(keys)), 2):
        common = means[keys[one]].keys() & means[keys[two]].keys()
        same = sum(bool(means[keys[one]][metric] & means[keys[two]][metric]) for metric in common)
        shared[one, two] = (same, len(common))
    names = [titles.get(key, " ".join(key)) for key in keys]
    rows = [(name, *(_fraction(shared, one, two) for two in range(len(keys)))) for one, name in enumerate(names)]
    caption = (
        "How many of the metrics that two releases share mean the same in both: the stronger in colour, the more. "
        f"{_extremes(shared, keys, names)}{'' if len(keys) == len(means) else ' Newest releases alone.'}"
    )
    svg = _heat_map(names, shared)
    return Chart("agreement", "Who means the same", caption.strip(), svg, ("release", *names), rows)


def _fraction(shared: dict[tuple[int, int], tuple[int, int]], one: int, two: int) -> str:
    if one == two:
        return "–"
    same, common = shared[min(one, two), max(one, two)]
    return f"{same} of {common}" if common else "none in common"


def _extremes(shared: dict[tuple[int, int], tuple[int, int]], keys: list[tuple[str, str]], names: list[str]) -> str:
    """The pair of two libraries that agree least."""
    pairs = [(same / common, -common, one, two) for (one, two), (same, common) in shared.items()
             if common and keys[one][0] != keys[two][0]]  # fmt: skip
    if not pairs:
        return ""
    _, _, one, two = min(pairs)
    return f"Furthest apart: {names[one]} and {names[two]}, the same in {_fraction(shared, one, two)}."


def _heat_map(names: list[str], shared: dict[tuple[int, int], tuple[int, int]]) -> Markup:
    from matplotlib.patches import Rectangle

    size, side = len(names), 38.0 if len(names) <= ROOMY else 27.0
    margin = 7.0 * max(len(cut(name)) for name in names)
    told = []
    with figure(side * size + margin + 20, side * size + margin + 20) as made:
        axes = made.subplots()
        axes.set_xlim(-0.5, size - 1.5)
        axes.set_ylim(size - 0.5, 0.5)
        axes.set_aspect("equal")
        axes.set_xticks(range(size - 1), labels=[cut(name) for name in names[:-1]], rotation=90,
                        rotation_mode="anchor", ha="right", va="center")  # fmt: skip
        axes.set_yticks(range(1, size), labels=[cut(name) for name in names[1:]])
        axes.tick_params(labelcolor=COLOURS["ink"])
        axes.spines["bottom"].set_visible(False)
        for (one, two), (same, common) in shared.items():
            share = same / common if common else 0.0
            square = Rectangle((one - 0.47, two - 0.47), 0.94, 0.94, facecolor=COLOURS["e5"], alpha=0.04 + 0.51 * share,
                               gid=f"square-{one}-{two}", linewidth=0)  # fmt: skip
            axes.add_patch(square)
            told.append((f"square-{one}-{two}", f"{names[two]} and {names[one]}: {_fraction(shared, one, two)}"))
            if size <= NOTED:
                axes.text(one, two, f"{same}/{common}" if common else "–", ha="center", va="center",
                          fontsize=11 if size <= ROOMY else 9)  # fmt: skip
        marks = {gid: [text] for gid, text in told}
        about = f"Lower triangle of {size} by {size} releases; the table below holds the numbers."
        return drawn(made, "chart-agreement", "Agreement between releases", about, marks)


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
    dots = [Dot(place, seconds, "e5", False, f"{name} {function}: {short(seconds, 3)} s")
            for place, name in enumerate(order) for seconds, function in taken[name]]  # fmt: skip
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
        dots, [cut(name) for name in order], f"chart-speed-{k}", f"Seconds of each function at k = {k}",
        f"{count(len(order), 'release')}, the fastest first.", log=True, width=620, axis="seconds, log scale",
    )  # fmt: skip
    return Chart(f"speed-{k}", "Speed", caption, svg,
                 ("release", "functions", "median, seconds", "slowest, seconds"), rows)  # fmt: skip
