"""The table of a run for a terminal: values and letters, what the letters mean, what was found."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from metric_reports.types.run import Library, Record
from metric_reports.view.main_part import left_out
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
LONGEST_NAME = 28


def print_table(record: Record, console: Console, part: Record | None = None) -> None:
    """Print a record; a table that is wider than the console is split between metrics.

    part : the libraries, metrics and findings to list, if not all; the letters are those of the whole record.

    A console that is no terminal gets text without colour. No text of the record is read as markup, and control
    characters are not printed.
    """
    part = record if part is None else part
    known, result, names = variants(record), verdict(record), short_names(record)
    console.print(text(result.headline + ".", "bold"))
    grids = [grid(part, k, known) for k in cutoffs(part)]
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
        ("Definitions", legend(known, names, {key_of(subject) for subject in part["subjects"]})),
        ("Signatures", signatures(grids, names)),
        ("Findings", findings(part, names)),
        ("No value", missing(grids)),
    ):
        if section.row_count:
            console.print()
            console.print(text(title, "bold"))
            console.print(section)
    console.print()
    for sentence in result.sentences:
        console.print(text(sentence))
    if rest := left_out(record, part):
        console.print(text(f"Not listed here, but in the report and with --verbose: {rest}.", "dim"))


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
        output.add_column(text(f"k = {table.k}"), max_width=LONGEST_NAME, overflow="fold")
        for column in columns:
            output.add_column(text(column.label), no_wrap=True)
        for index, name in enumerate(names):
            output.add_row(name, *(cells[column.metric][index] for column in columns))
        yield output


def apart(grids: Iterable[Grid]) -> Table:
    """The functions outside the columns: what they say they are, and their value."""
    output = _list_table(4)
    for table in grids:
        for library, entry in table.apart:
            name = text(f"{library['name']} {entry.cell['function']}")
            output.add_row(name, text(entry.apart), text(f"k = {table.k}"), cell([entry]))
    return output


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


def legend(known: dict[str, dict[str, Variant]], names: dict[tuple[str, str], str], listed: Container[Key]) -> Table:
    """The variants that listed functions compute: metric, letter, name with the printed form below it, functions."""
    output = _list_table(4)
    for metric, of_metric in known.items():
        computed = {variant: [key for key in variant.keys if key in listed] for variant in of_metric.values()}
        shown = [variant for variant in of_metric.values() if computed[variant]]
        for index, variant in enumerate(shown):
            style = f"bold {STYLES[variant.colour]}"
            name = Text("\n").join([text(variant.name), text(variant.printed, "dim")])
            column = text("" if index else words(metric))
            output.add_row(column, text(variant.letter, style), name, text(functions(computed[variant], names)))
    return output


def signatures(grids: Iterable[Grid], names: dict[tuple[str, str], str]) -> Table:
    """The signatures in short form, and the functions that have each."""
    output = _list_table(2)
    by_signature: dict[str, list[Key]] = {}
    for entry in (entry for table in grids for entry in entries_of(table)):
        if signature_of(entry.cell):
            by_signature.setdefault(signature_of(entry.cell), []).append(key_of(entry.cell))
    for signature, keys in by_signature.items():
        output.add_row(text(signature), text(functions(keys, names), "dim"))
    return output


def findings(record: Record, names: dict[tuple[str, str], str]) -> Table:
    """Code, severity, number, title and functions of every kind of finding."""
    output = _list_table(5)
    for code, group in by_code(record).items():
        severity = SEVERITIES[severity_rank(group)]
        style = SEVERITY_STYLES[severity]
        number, title = text(str(len(group))), text(group[0]["title"])
        listed = text(functions(map(key_of, group), names), "dim")
        output.add_row(text(code, style), text(severity, style), number, title, listed)
    return output


def missing(grids: Iterable[Grid]) -> Table:
    """Why cells have no value, once for all cut-offs."""
    output = _list_table(3)
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
        output.add_row(text(name), text(status, "red"), text(reason))
    return output


def _list_table(columns: int) -> Table:
    """An empty table without lines and heads."""
    output = Table(box=None, show_header=False, padding=(0, GAP, 0, 0), pad_edge=False)
    for _ in range(columns):
        output.add_column(overflow="fold")
    return output


def _name(library: Library, separator: str) -> Text:
    """The name of a library and its release."""
    return Text.assemble(text(library["title"], "bold"), separator, text(library["release"], "dim"))


def _width(content: Text) -> int:
    """The width of the longest line."""
    return max((line.cell_len for line in content.split("\n")), default=0)


def _name_width(names: list[Text]) -> int:
    """The width of the first column."""
    return min(max(map(_width, names), default=0), LONGEST_NAME) + GAP
