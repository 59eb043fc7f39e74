"""Pictures of a record: the spread of values, how definitions agree user by user, speed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from metric_reports.html.plots import Dot, dot_plot, matrix
from metric_reports.record import from_json_number
from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import Who
from metric_reports.types.run import Record, UserPair
from metric_reports.view.table import Variant, apart_of, cutoffs, key_of, number_of
from metric_reports.view.words import count, in_order, label, listing, short

Titles = Mapping[tuple[str, str], str]


class Chart(NamedTuple):
    """A picture with a caption; head, rows : its data as a table, if the page has them nowhere else."""

    name: str
    title: str
    caption: str
    svg: Markup
    head: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()


def charts(record: Record, known: dict[str, dict[str, Variant]], metrics: Sequence[str]) -> dict[str, list[Chart]]:
    """The pictures of some metrics by group (``spread``, ``matrix``, ``speed``); an empty group is left out."""
    titles = {(row["name"], row["release"]): f"{row['title']} {row['release']}" for row in record["libraries"]}
    columns = [(k, number, metric) for k in cutoffs(record) for number, metric in enumerate(in_order(metrics))]
    groups = {
        "spread": [spread(record, known, titles, metric, k, f"spread-{k}-{number}") for k, number, metric in columns],
        "matrix": [user_matrix(record, known, metric, k, f"matrix-{k}-{number}") for k, number, metric in columns],
        "speed": [speed(record, titles, k) for k in cutoffs(record)],
    }
    drawn = {name: [chart for chart in group if chart is not None] for name, group in groups.items()}
    return {name: group for name, group in drawn.items() if group}


def named(titles: Titles, cell: Who) -> str:
    """Title and release of a cell's library."""
    pair = (cell["library"], cell["release"])
    return titles.get(pair, " ".join(pair))


def finite(value: Any) -> float | None:
    """A number of the record; None if it is not finite."""
    number = from_json_number(value)
    return number if number is not None and math.isfinite(number) else None


def spread(
    record: Record, known: dict[str, dict[str, Variant]], titles: Titles, metric: str, k: int, name: str
) -> Chart | None:
    """The values of one metric: a row for each definition, a dot for each function; None without two values."""
    variants, left_out, apart = list(known.get(metric, {}).values()), 0, apart_of(record)
    dots: list[Dot] = []
    for cell in record["cells"]:
        if cell["metric"] != metric or cell["k"] != k or key_of(cell) in apart:
            continue
        value = finite(number_of(cell))
        if value is None:
            left_out += cell["value"] is not None
            continue
        variant = known.get(metric, {}).get(cell["variant"] or "")
        row = variants.index(variant) if variant else len(variants)
        tooltip = f"{named(titles, cell)} {cell['function']}: {short(value)}"
        colour = f"e{variant.colour}" if variant else "muted"
        dots.append(Dot(row, value, colour, cell["status"] == "not_available", tooltip))
    if len(dots) < 2:
        return None
    rows = sorted({dot.row for dot in dots})
    names = [
        f"{variants[row].letter} {variants[row].label}" if row < len(variants) else "? not explained" for row in rows
    ]
    values = [dot.value for dot in dots]
    title, low, high = label(metric, k), min(values), max(values)
    caption = spread_caption(low, high, sum(row < len(variants) for row in rows))
    if left_out:
        caption += f" Left out: {count(left_out, 'value')} that {'is' if left_out == 1 else 'are'} NaN or infinite."
    drawing = dot_plot(
        [dot._replace(row=rows.index(dot.row)) for dot in dots],
        names,
        name,
        f"{title} of the same lists: {caption.rstrip('.').partition(';')[0]}",
        f"{count(len(dots), 'function')} in {count(len(rows), 'row')}, from {short(low)} to {short(high)}.",
    )
    return Chart(name, title, caption, drawing)


def times(ratio: float) -> str:
    """A ratio as text: ``1.2 times``."""
    return f"{ratio:,.1f} times" if ratio < 10 else f"{ratio:,.0f} times"


def spread_caption(low: float, high: float, definitions: int) -> str:
    """The number of definitions, and the smallest and the largest value."""
    if high - low <= FLOAT32 * max(abs(high), 1.0):
        return f"all at {short(low)}."
    text = f"{count(definitions, 'definition')}, {short(low)} to {short(high)}"
    return text + (f"; the largest is {times(high / low)} the smallest." if low > 0 and high / low >= 1.05 else ".")


def user_matrix(record: Record, known: dict[str, dict[str, Variant]], metric: str, k: int, name: str) -> Chart | None:
    """The share of users with equal values for each pair of definitions; None with fewer than three definitions."""
    pairs: dict[frozenset[str], UserPair] = {
        frozenset(pair["variants"]): pair
        for pair in record.get("user_pairs", [])
        if pair["metric"] == metric and pair["k"] == k and pair["users"]
    }
    variants = known.get(metric, {})
    printed = [text for text in variants if any(text in pair for pair in pairs)]
    if len(printed) < 3:
        return None

    def share(one: str, other: str) -> float | None:
        pair = pairs.get(frozenset((one, other)))
        return pair["equal"] / pair["users"] if pair else None

    order = nearest_first(printed, lambda one, other: share(one, other) or 0.0)
    names = [f"{variants[text].letter} {variants[text].label}" for text in order]
    title = f"{label(metric, k)}: users with equal values, %"
    description = (
        f"{count(len(order), 'definition')}; each field is the share of users whose value two of them agree on."
    )
    drawing = matrix(names, [[share(row, column) for column in order] for row in order], name, title, description)
    least = min(pairs.values(), key=lambda pair: pair["equal"] / pair["users"])
    caption = (
        f"Least alike: {listing(variants[text].name for text in least['variants'] if text in variants)}, "
        f"equal for {least['equal']:,} of {least['users']:,} users, by the reference's values."
    )
    return Chart(name, f"{label(metric, k)} user by user", caption, drawing)


def nearest_first(names: Sequence[str], similarity: Callable[[str, str], float]) -> list[str]:
    """The first name, then always the remaining name most similar to the last; the earlier one among equals."""
    order, remaining = [names[0]], list(names[1:])
    while remaining:
        nearest = max(remaining, key=lambda name: similarity(order[-1], name))
        order.append(nearest)
        remaining.remove(nearest)
    return order


def speed(record: Record, titles: Titles, k: int) -> Chart | None:
    """Seconds of each function on the same lists, a row for each release; None where nothing was timed."""
    timings: dict[str, list[tuple[float, str]]] = {}
    for cell in record["cells"]:
        seconds = finite(cell["seconds"])
        if cell["k"] == k and seconds is not None and seconds > 0:
            timings.setdefault(named(titles, cell), []).append((seconds, cell["function"]))
    if not timings:
        return None
    median = {name: statistics.median(seconds for seconds, _ in timed) for name, timed in timings.items()}
    order = sorted(timings, key=median.__getitem__)
    dots = [
        Dot(row, seconds, "e5", False, f"{name} {function}: {short(seconds, 3)} s")
        for row, name in enumerate(order)
        for seconds, function in timings[name]
    ]
    caption = f"A dot is a function at k = {k}, further left is faster."
    if len(order) > 1:
        caption += (
            f" The median function of {order[0]} took {short(median[order[0]], 2)} s, that of {order[-1]} "
            f"{short(median[order[-1]], 2)} s, {times(median[order[-1]] / median[order[0]])} as long."
        )
    rows = [(name, str(len(timings[name])), short(median[name], 3)) for name in order]
    drawing = dot_plot(dots, order, f"speed-{k}", "Seconds of each function", f"{count(len(order), 'release')}.")
    return Chart(f"speed-{k}", "Speed", caption, drawing, ("release", "functions", "median, seconds"), rows)
