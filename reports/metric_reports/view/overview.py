"""The table of a page in parts: families of libraries, and the metrics that are not among the usual ones."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from typing import NamedTuple

from metric_reports.types.run import Library
from metric_reports.view.table import Entry, Grid, Row, Variant, number_of, span
from metric_reports.view.words import FAMILIES, USUAL, count, label, listing


class Family(NamedTuple):
    """Libraries of one kind; title and summary are empty where a table has one family alone."""

    key: str
    title: str
    summary: str
    rows: list[Row]


class Line(NamedTuple):
    """A definition of another metric: its values from least to most, and its functions."""

    variant: Variant | None
    values: str
    entries: list[tuple[Library, Entry]]


class Other(NamedTuple):
    """A metric that is not among the usual ones."""

    label: str
    lines: list[Line]


def families(table: Grid) -> list[Family]:
    """The rows of a table by family, each with a line that sums it up."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(row.library.get("family", ""), []).append(row)
    order = [*FAMILIES, *(key for key in groups if key not in FAMILIES)]
    found = [key for key in order if key in groups]
    if len(found) < 2:
        return [Family(key, "", "", groups[key]) for key in found]
    return [Family(key, FAMILIES.get(key, key or "Others"), summary(groups[key]), groups[key]) for key in found]


def summary(rows: list[Row]) -> str:
    """``9 libraries; 4 definitions of NDCG, 3 of average precision; 12 errors and warnings``."""
    libraries = len({row.library["name"] for row in rows})
    several = []
    for metric in USUAL:
        entries = [entry for row in rows for entry in row.entries.get(metric, [])]
        number = len({entry.variant.printed for entry in entries if entry.variant})
        if number > 1:
            several.append((-number, f"{number} of {label(metric, 0).removesuffix('@0')}"))
    those = [text for _, text in sorted(several)[:3]]
    grave = sum(
        entry.severity in ("error", "warning") for row in rows for them in row.entries.values() for entry in them
    )
    parts = [count(libraries, "library", "libraries")]
    parts += [f"definitions: {listing(those)}"] if those else ["no two definitions of a metric"]
    parts += [f"{count(grave, 'function')} with an error or a warning"] if grave else []
    return "; ".join(parts)


def usual_of(tables: Iterable[Grid]) -> list[str]:
    """The metrics of the main table: the usual ones that occur, or all where none of them does."""
    metrics = list(dict.fromkeys(column.metric for table in tables for column in table.columns))
    return [metric for metric in metrics if metric in USUAL] or metrics


def others(table: Grid, usual: Container[str]) -> list[Other]:
    """The other metrics of a table, a line for each definition."""
    out = []
    for column in table.columns:
        if column.metric in usual:
            continue
        groups: dict[str, list[tuple[Library, Entry]]] = {}
        for row in table.rows:
            for entry in row.entries.get(column.metric, []):
                groups.setdefault(entry.variant.printed if entry.variant else "", []).append((row.library, entry))
        ranked = sorted(groups.values(), key=_place)
        lines = [Line(those[0][1].variant, reach(entry for _, entry in those), those) for those in ranked]
        if lines:
            out.append(Other(column.label, lines))
    return out


def _place(those: list[tuple[Library, Entry]]) -> tuple[int, str]:
    variant = those[0][1].variant
    return (len(variant.letter), variant.letter) if variant else (9, "")


def reach(entries: Iterable[Entry]) -> str:
    """The smallest and the largest finite value."""
    numbers = [number_of(entry.cell) for entry in entries]
    finite = [number for number in numbers if number is not None and math.isfinite(number)]
    return span(min(finite, default=None), max(finite, default=None), 4)
