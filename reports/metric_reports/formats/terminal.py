"""The table of a run for a terminal: values and letters, what the letters mean, what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from metric_reports.formats.lines import wrapped
from metric_reports.types.run import Library, Record
from metric_reports.view.table import (
    SEVERITIES,
    Column,
    Entry,
    Grid,
    Key,
    Variant,
    by_code,
    cutoffs,
    functions,
    grid,
    key_of,
    severity_rank,
    short_names,
    signature_of,
    variants,
)
from metric_reports.view.verdict import verdict
from metric_reports.view.words import clean, first_line, words

STYLES = ("cyan", "yellow", "green", "magenta", "bright_yellow", "blue", "bright_red", "bright_black")
"""By colour number of a variant; its letter says the same without colour."""
SEVERITY_STYLES = {"error": "bold red", "warning": "yellow", "note": "dim"}
MARKS = {"unexplained": "!", "predicted": "~"}
FINDING_MARK = "*"
GAP = 2
"""Characters between columns; in a boxed table one of them is the box's own."""
INDENT = 4
Item = tuple[Text, str]
"""An entry of a list: its first line, and the text below it, which may take several lines."""


def print_table(record: Record, console: Console) -> None:
    """Print the whole record; a table that is wider than the console is split between metrics.

    A console that is no terminal gets text without colour. No text of the record is read as markup, control characters
    are not printed, and no name, signature or path is broken over two lines.
    """
    known, result, names = variants(record), verdict(record), short_names(record)
    console.print(text(result.headline + ".", "bold"))
    grids = [grid(record, k, known) for k in cutoffs(record)]
    for table in grids:
        for columns in tables(table, console.width):
            console.print()
            console.print(columns)
    used = "".join(mark_of(entry) for table in grids for entry in entries_of(table))
    meanings = [
        (FINDING_MARK, "an error or a warning was found"),
        ("!", "unexplained"),
        ("~", "predicted from a recording, not run"),
    ]
    if shown := [f"{mark} {meaning}" for mark, meaning in meanings if mark in used]:
        console.print(text("   ".join(shown), "dim"))
    for title, section in (
        ("Functions that do not claim the metric", apart(grids)),
        ("Definitions", legend(known, names)),
        ("Signatures", signatures(grids, names)),
        ("Findings", findings(record, names)),
        ("No value", missing(grids)),
    ):
        print_list(console, title, list(section))
    console.print()
    for sentence in result.sentences:
        console.print(text(sentence))


def print_list(console: Console, title: str, items: list[Item]) -> None:
    """Print items with a title above them, or nothing where there are none."""
    if not items:
        return
    console.print()
    console.print(text(title, "bold"))
    for head, tail in items:
        for line in (head, Text(" " * INDENT).append_text(text(tail, "dim"))):
            for part in wrapped(line, console.width):
                console.print(part, soft_wrap=True, highlight=False)


def text(content: str, style: str = "") -> Text:
    """Text of a record on one line, safe to print."""
    return Text(" ".join(clean(content).split()), style=style)


def entries_of(table: Grid) -> Iterator[Entry]:
    """Every entry of a table, those outside the columns last."""
    yield from (entry for row in table.rows for entries in row.entries.values() for entry in entries)
    yield from (entry for _, entry in table.apart)


def mark_of(entry: Entry) -> str:
    """The marks after a value."""
    severe = any(severity in ("error", "warning") for _, severity in entry.codes)
    return MARKS.get(entry.flag, "") + (FINDING_MARK if severe else "")


def tables(table: Grid, width: int) -> Iterator[Table]:
    """The table at one cut-off as one or more tables that are at most ``width`` characters wide."""
    cells = {
        column.metric: [cell(row.entries.get(column.metric, [])) for row in table.rows] for column in table.columns
    }
    widths = {
        column.metric: max(len(column.label), *map(_width, cells[column.metric]), 0) + GAP for column in table.columns
    }
    names = [_name(row.library, " ") for row in table.rows]
    if _name_width(names) + sum(widths.values()) > width:
        names = [_name(row.library, "\n") for row in table.rows]
    for columns in chunks(table.columns, widths, width - _name_width(names)):
        output = Table(box=box.SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), show_edge=False, pad_edge=False)
        output.add_column(text(f"k = {table.k}"), no_wrap=True)
        for column in columns:
            output.add_column(text(column.label), no_wrap=True)
        for index, name in enumerate(names):
            output.add_row(name, *(cells[column.metric][index] for column in columns))
        yield output


def apart(grids: Iterable[Grid]) -> Iterator[Item]:
    """The functions outside the columns: what they say they are, and their value."""
    for table in grids:
        for library, entry in table.apart:
            name = text(f"{library['name']} {entry.cell['function']}, k = {table.k}")
            yield Text.assemble(name, "  ", cell([entry])), entry.apart


def chunks(columns: list[Column], widths: dict[str, int], width: int) -> Iterator[list[Column]]:
    """The columns in groups that fit; a column that is itself too wide has a group of its own."""
    group: list[Column] = []
    for column in columns:
        if group and sum(widths[member.metric] for member in [*group, column]) > width:
            yield group
            group = []
        group.append(column)
    yield group


def cell(entries: list[Entry]) -> Text:
    """The entries of one release for one metric, each on a line: letter, value, marks."""
    lines = []
    for entry in entries:
        if entry.flag in ("error", "not available"):
            lines.append(Text("  " + {"error": "error", "not available": "n/a"}[entry.flag], style="red"))
            continue
        letter, style = (entry.variant.letter, STYLES[entry.variant.colour]) if entry.variant else ("?", "bold red")
        lines.append(Text.assemble((letter, f"bold {style}"), " ", (entry.text, style), mark_of(entry)))
    return Text("\n").join(lines) if lines else Text("  –", style="dim")


def legend(known: dict[str, dict[str, Variant]], names: dict[tuple[str, str], str]) -> Iterator[Item]:
    """The variants by metric: letter, name, printed form and functions."""
    for metric, of_metric in known.items():
        for variant in of_metric.values():
            letter = text(variant.letter, f"bold {STYLES[variant.colour]}")
            head = Text.assemble(text(words(metric)), " ", letter, "  ", text(variant.name), "  ")
            yield head.append_text(text(variant.printed, "dim")), functions(variant.keys, names)


def signatures(grids: Iterable[Grid], names: dict[tuple[str, str], str]) -> Iterator[Item]:
    """The signatures in short form, and the functions that have each."""
    by_signature: dict[str, list[Key]] = {}
    for entry in (entry for table in grids for entry in entries_of(table)):
        if signature_of(entry.cell):
            by_signature.setdefault(signature_of(entry.cell), []).append(key_of(entry.cell))
    for signature, keys in by_signature.items():
        yield text(signature), functions(keys, names)


def findings(record: Record, names: dict[tuple[str, str], str]) -> Iterator[Item]:
    """Code, severity, number, title and functions of every kind of finding."""
    for code, group in by_code(record).items():
        severity = SEVERITIES[severity_rank(group)]
        head = Text.assemble(text(f"{code} {severity}", SEVERITY_STYLES[severity]), f", {len(group)}: ")
        yield head.append_text(text(group[0]["title"])), functions(map(key_of, group), names)


def missing(grids: Iterable[Grid]) -> Iterator[Item]:
    """Why cells have no value, once for all cut-offs."""
    reasons: dict[tuple[str, str], str] = {}
    for table in grids:
        for row in table.rows:
            if row.library.get("reason"):
                status = "predicted" if row.library.get("recorded") else "not available"
                reasons[row.library["title"], status] = first_line(row.library["reason"], 200)
        for entry in entries_of(table):
            if entry.flag == "error":
                reasons.setdefault((f"{entry.cell['library']} {entry.cell['function']}", "error"), entry.note)
    for (name, status), reason in reasons.items():
        yield Text.assemble(text(name), " ", text(status, "red")), reason


def _name(library: Library, separator: str) -> Text:
    """The name of a library and its release."""
    return Text.assemble(text(library["title"], "bold"), separator, text(library["release"], "dim"))


def _width(content: Text) -> int:
    """The width of the longest line."""
    return max((line.cell_len for line in content.split("\n")), default=0)


def _name_width(names: list[Text]) -> int:
    """The width of the first column."""
    return max(map(_width, names), default=0) + GAP
