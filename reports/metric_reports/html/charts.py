"""Pictures of a record: the spread of values, how definitions agree user by user, speed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from metric_reports.html.plots import Dot, dot_plot, matrix
from metric_reports.record import from_json_number
from metric_reports.types.common import Who
from metric_reports.types.run import Record, UserPair
from metric_reports.view.table import Variant, apart_of, cutoffs, key_of, number_of
from metric_reports.view.words import count, in_order, label, listing, short

Titles = Mapping[tuple[str, str], str]


class Chart(NamedTuple):
    """A picture with what it shows in words; head, rows : the table behind it, where the page has it nowhere else."""

    name: str
    title: str
    caption: str
    svg: Markup
    head: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()


def charts(record: Record, known: dict[str, dict[str, Variant]], metrics: Sequence[str]) -> dict[str, list[Chart]]:
    """The pictures of some metrics by group (``spread``, ``matrix``, ``speed``); a group without any is left out."""
    titles = {(one["name"], one["release"]): f"{one['title']} {one['release']}" for one in record["libraries"]}
    columns = [(k, number, metric) for k in cutoffs(record) for number, metric in enumerate(in_order(metrics))]
    groups = {
        "spread": [spread(record, known, titles, metric, k, f"spread-{k}-{number}") for k, number, metric in columns],
        "matrix": [user_matrix(record, known, metric, k, f"matrix-{k}-{number}") for k, number, metric in columns],
        "speed": [speed(record, titles, k) for k in cutoffs(record)],
    }
    found = {name: [one for one in those if one is not None] for name, those in groups.items()}
    return {name: those for name, those in found.items() if those}


def named(titles: Titles, thing: Who) -> str:
    """Title and release of what a cell belongs to."""
    pair = (thing["library"], thing["release"])
    return titles.get(pair, " ".join(pair))


def finite(value: Any) -> float | None:
    """A number of the record if it is a finite one."""
    number = from_json_number(value)
    return number if number is not None and math.isfinite(number) else None


def spread(
    record: Record, known: dict[str, dict[str, Variant]], titles: Titles, metric: str, k: int, name: str
) -> Chart | None:
    """The values of one metric: a row for each definition, a dot for each function; None without two values."""
    found, lost, apart = list(known.get(metric, {}).values()), 0, apart_of(record)
    dots: list[Dot] = []
    for cell in record["cells"]:
        if cell["metric"] != metric or cell["k"] != k or key_of(cell) in apart:
            continue
        value = finite(number_of(cell))
        if value is None:
            lost += cell["value"] is not None
            continue
        variant = known.get(metric, {}).get(cell["variant"] or "")
        row = found.index(variant) if variant else len(found)
        told = f"{named(titles, cell)} {cell['function']}: {short(value)}"
        colour = f"e{variant.colour}" if variant else "muted"
        dots.append(Dot(row, value, colour, cell["status"] == "not_available", told))
    if len(dots) < 2:
        return None
    rows = sorted({dot.row for dot in dots})
    names = [f"{found[row].letter} {found[row].label}" if row < len(found) else "? not explained" for row in rows]
    values = [dot.value for dot in dots]
    title, low, high = label(metric, k), min(values), max(values)
    words = spread_words(low, high, sum(row < len(found) for row in rows))
    if lost:
        words += f" Left out: {count(lost, 'value')} that {'is' if lost == 1 else 'are'} NaN or infinite."
    drawn = dot_plot(
        [dot._replace(row=rows.index(dot.row)) for dot in dots],
        names,
        name,
        f"{title} of the same lists: {words.rstrip('.').partition(';')[0]}",
        f"{count(len(dots), 'function')} in {count(len(rows), 'row')}, from {short(low)} to {short(high)}.",
    )
    return Chart(name, title, words, drawn)


def times(ratio: float) -> str:
    """How many times as large."""
    return f"{ratio:,.1f} times" if ratio < 10 else f"{ratio:,.0f} times"


def spread_words(low: float, high: float, definitions: int) -> str:
    """What a spread comes to."""
    if high - low <= 1e-6 * max(abs(high), 1.0):
        return f"all at {short(low)}."
    text = f"{count(definitions, 'definition')}, {short(low)} to {short(high)}"
    return text + (f"; the largest is {times(high / low)} the smallest." if low > 0 and high / low >= 1.05 else ".")


def user_matrix(record: Record, known: dict[str, dict[str, Variant]], metric: str, k: int, name: str) -> Chart | None:
    """For each pair of definitions the share of users with equal values, like beside like; None below three."""
    pairs: dict[frozenset[str], UserPair] = {
        frozenset(pair["variants"]): pair
        for pair in record.get("user_pairs", [])
        if pair["metric"] == metric and pair["k"] == k and pair["users"]
    }
    printed = [one for one in known.get(metric, {}) if any(one in pair for pair in pairs)]
    if len(printed) < 3:
        return None

    def share(one: str, other: str) -> float | None:
        pair = pairs.get(frozenset((one, other)))
        return pair["equal"] / pair["users"] if pair else None

    order = like_beside_like(printed, lambda one, other: share(one, other) or 0.0)
    names = [f"{known[metric][one].letter} {known[metric][one].label}" for one in order]
    title = f"{label(metric, k)}: users with equal values, %"
    about = f"{count(len(order), 'definition')}; each field is the share of users whose value two of them agree on."
    drawn = matrix(names, [[share(one, other) for other in order] for one in order], name, title, about)
    least = min(pairs.values(), key=lambda pair: pair["equal"] / pair["users"])
    caption = (
        f"Least alike: {listing(known[metric][one].name for one in least['variants'] if one in known[metric])}, "
        f"equal for {least['equal']:,} of {least['users']:,} users, by the reference's values."
    )
    return Chart(name, f"{label(metric, k)} user by user", caption, drawn)


def like_beside_like(things: Sequence[str], alike: Any) -> list[str]:
    """An order in which each thing stands beside one that is like it: the pair most alike first, then the nearest."""
    order, left = [things[0]], list(things[1:])
    while left:
        nearest = max(left, key=lambda one: (alike(order[-1], one), -left.index(one)))
        order.append(nearest)
        left.remove(nearest)
    return order


def speed(record: Record, titles: Titles, k: int) -> Chart | None:
    """Seconds of each function on the same lists, a row for each release; None where nothing was timed."""
    taken: dict[str, list[tuple[float, str]]] = {}
    for cell in record["cells"]:
        seconds = finite(cell["seconds"])
        if cell["k"] == k and seconds is not None and seconds > 0:
            taken.setdefault(named(titles, cell), []).append((seconds, cell["function"]))
    if not taken:
        return None
    middle = {name: statistics.median(seconds for seconds, _ in those) for name, those in taken.items()}
    order = sorted(taken, key=middle.__getitem__)
    dots = [
        Dot(row, seconds, "e5", False, f"{name} {function}: {short(seconds, 3)} s")
        for row, name in enumerate(order)
        for seconds, function in taken[name]
    ]
    caption = f"A dot is a function at k = {k}, further left is faster."
    if len(order) > 1:
        caption += (
            f" The median function of {order[0]} took {short(middle[order[0]], 2)} s, that of {order[-1]} "
            f"{short(middle[order[-1]], 2)} s, {times(middle[order[-1]] / middle[order[0]])} as long."
        )
    rows = [(name, str(len(taken[name])), short(middle[name], 3)) for name in order]
    drawn = dot_plot(dots, order, f"speed-{k}", "Seconds of each function", f"{count(len(order), 'release')}.")
    return Chart(f"speed-{k}", "Speed", caption, drawn, ("release", "functions", "median, seconds"), rows)
