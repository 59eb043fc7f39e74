"""A page's table in parts: families of libraries, and the metrics that are not among the usual ones."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from metric_reports.types.run import Library
from metric_reports.view.table import Entry, Grid, Row, Variant, extremes, letter_rank, span
from metric_reports.view.words import FAMILIES, USUAL, count, label, listing


class Family(NamedTuple):
    """Libraries of one kind; title and summary are empty if the table has only one family."""

    key: str
    title: str
    summary: str
    rows: list[Row]


class Line(NamedTuple):
    """A definition of a less usual metric: its values from smallest to largest, and its functions."""

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
    keys = [key for key in order if key in groups]
    if len(keys) < 2:
        return [Family(key, "", "", groups[key]) for key in keys]
    return [Family(key, FAMILIES.get(key, key or "Others"), summary(groups[key]), groups[key]) for key in keys]


def summary(rows: list[Row]) -> str:
    """``9 libraries; definitions: 4 of NDCG and 3 of MAP; 12 functions with an error or a warning``."""
    libraries = len({row.library["name"] for row in rows})
    several = []
    for metric in USUAL:
        entries = [entry for row in rows for entry in row.entries.get(metric, [])]
        number = len({entry.variant.printed for entry in entries if entry.variant})
        if number > 1:
            several.append((-number, f"{number} of {label(metric, 0).removesuffix('@0')}"))
    most = [text for _, text in sorted(several)[:3]]
    grave = sum(
        entry.severity in ("error", "warning") for row in rows for entries in row.entries.values() for entry in entries
    )
    parts = [count(libraries, "library", "libraries")]
    parts += [f"definitions: {listing(most)}"] if most else ["no two definitions of a metric"]
    parts += [f"{count(grave, 'function')} with an error or a warning"] if grave else []
    return "; ".join(parts)


def usual_of(tables: Iterable[Grid]) -> list[str]:
    """The metrics of the main table: the usual ones that occur, or all metrics if none does."""
    metrics = list(dict.fromkeys(column.metric for table in tables for column in table.columns))
    return [metric for metric in metrics if metric in USUAL] or metrics


def others(table: Grid, usual: Container[str]) -> list[Other]:
    """The other metrics of a table, a line for each definition."""
    metrics = []
    for column in table.columns:
        if column.metric in usual:
            continue
        groups: dict[str, list[tuple[Library, Entry]]] = {}
        for row in table.rows:
            for entry in row.entries.get(column.metric, []):
                groups.setdefault(entry.variant.printed if entry.variant else "", []).append((row.library, entry))
        lines = [
            Line(group[0][1].variant, span(*extremes(entry for _, entry in group), 4), group)
            for group in groups.values()
        ]
        if lines:
            metrics.append(Other(column.label, sorted(lines, key=lambda line: letter_rank(line.variant))))
    return metrics
