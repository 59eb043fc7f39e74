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
"""One for each colour number of a variant; the letter says the same without colour."""
SEVERITY_STYLES = {"error": "bold red", "warning": "yellow", "note": "dim"}
MARKS = {"unexplained": "!", "predicted": "~"}
FINDING = "*"
GAP = 2
"""Characters between columns; in a boxed table one of them is the box's own."""
LONGEST_NAME = 28


def print_table(record: Record, console: Console, part: Record | None = None) -> None:
    """Print what a record says, as wide as the console: a table that does not fit is split between metrics.

    part : the libraries, metrics and findings that are listed, where that is not all; letters are those of the whole.

    Colour is rich's affair: a console that is no terminal gets plain text. Nothing in the record is read as markup, and
    control characters do not reach the terminal.
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
        (FINDING, "an error or a warning was found"),
        ("!", "unexplained"),
        ("~", "predicted from a recording, not run"),
    ]
    if shown := [f"{mark} {meaning}" for mark, meaning in meanings if mark in used]:
        console.print(text("   ".join(shown), "dim"))
    for title, section in (
        ("Functions that do not claim the metric", apart(grids)),
        ("Definitions", legend(known, names, {key_of(one) for one in part["subjects"]})),
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
    """Every entry of a table, those that stand apart last."""
    yield from (entry for row in table.rows for entries in row.entries.values() for entry in entries)
    yield from (entry for _, entry in table.apart)


def mark_of(entry: Entry) -> str:
    """The signs behind a value."""
    grave = any(severity in ("error", "warning") for _, severity in entry.codes)
    return MARKS.get(entry.flag, "") + (FINDING if grave else "")


def tables(table: Grid, width: int) -> Iterator[Table]:
    """The table at one cut-off as one or more tables that are at most ``width`` characters wide."""
    shown = {one.metric: [cell(row.entries.get(one.metric, [])) for row in table.rows] for one in table.columns}
    needs = {one.metric: max([len(one.label), *map(_widest, shown[one.metric])]) + GAP for one in table.columns}
    names = [_name(row.library, " ") for row in table.rows]
    if _widest_of(names) + sum(needs.values()) > width:
        names = [_name(row.library, "\n") for row in table.rows]
    for columns in chunks(table.columns, needs, width - _widest_of(names)):
        out = Table(box=box.SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), show_edge=False, pad_edge=False)
        out.add_column(text(f"k = {table.k}"), max_width=LONGEST_NAME, overflow="fold")
        for column in columns:
            out.add_column(text(column.label), no_wrap=True)
        for index, name in enumerate(names):
            out.add_row(name, *(shown[column.metric][index] for column in columns))
        yield out


def apart(grids: Iterable[Grid]) -> Table:
    """The functions that stand in no column: what they say they are, and their value."""
    out = _list_table(4)
    for table in grids:
        for home, one in table.apart:
            out.add_row(
                text(f"{home['name']} {one.cell['function']}"), text(one.apart), text(f"k = {table.k}"), cell([one])
            )
    return out


def chunks(columns: list[Column], needs: dict[str, int], width: int) -> Iterator[list[Column]]:
    """The columns in groups that fit; a column that is too wide alone has a group of its own."""
    group: list[Column] = []
    for column in columns:
        if group and sum(needs[one.metric] for one in [*group, column]) > width:
            yield group
            group = []
        group.append(column)
    yield group


def cell(entries: list[Entry]) -> Text:
    """The entries of one release for one metric, a line each: letter, value, marks."""
    lines = []
    for entry in entries:
        if entry.flag in ("error", "not available"):
            lines.append(Text("  " + {"error": "error", "not available": "n/a"}[entry.flag], style="red"))
            continue
        letter, style = (entry.variant.letter, STYLES[entry.variant.colour]) if entry.variant else ("?", "bold red")
        lines.append(Text.assemble((letter, f"bold {style}"), " ", (entry.text, style), mark_of(entry)))
    return Text("\n").join(lines) if lines else Text("  –", style="dim")


def legend(known: dict[str, dict[str, Variant]], names: dict[tuple[str, str], str], listed: Container[Key]) -> Table:
    """Letter, name with the printed form below it, and functions of every variant that a listed function computes."""
    out = _list_table(4)
    for metric, found in known.items():
        computed = {variant: [key for key in variant.keys if key in listed] for variant in found.values()}
        shown = [variant for variant in found.values() if computed[variant]]
        for index, variant in enumerate(shown):
            who = functions(computed[variant], names)
            style = f"bold {STYLES[variant.colour]}"
            name = text("" if index else words(metric))
            what = Text("\n").join([text(variant.name), text(variant.printed, "dim")])
            out.add_row(name, text(variant.letter, style), what, text(who))
    return out


def signatures(grids: Iterable[Grid], names: dict[tuple[str, str], str]) -> Table:
    """The signature of every number, in its short form, and the functions whose it is."""
    out = _list_table(2)
    who: dict[str, list[Key]] = {}
    for entry in (entry for table in grids for entry in entries_of(table)):
        if signature_of(entry.cell):
            who.setdefault(signature_of(entry.cell), []).append(key_of(entry.cell))
    for signature, keys in who.items():
        out.add_row(text(signature), text(functions(keys, names), "dim"))
    return out


def findings(record: Record, names: dict[tuple[str, str], str]) -> Table:
    """Code, severity, number, title and functions of every kind of finding."""
    out = _list_table(5)
    for code, group in by_code(record).items():
        severity = SEVERITIES[severity_rank(group)]
        who = functions(map(key_of, group), names)
        style = SEVERITY_STYLES[severity]
        number = text(str(len(group)))
        out.add_row(text(code, style), text(severity, style), number, text(group[0]["title"]), text(who, "dim"))
    return out


def missing(grids: Iterable[Grid]) -> Table:
    """Why a cell has no value, once for all cut-offs."""
    out = _list_table(3)
    reasons: dict[tuple[str, str], str] = {}
    for table in grids:
        for row in table.rows:
            if row.library.get("reason"):
                what = "predicted" if row.library.get("recorded") else "not available"
                reasons[row.library["title"], what] = first_line(row.library["reason"], 200)
        for entry in entries_of(table):
            if entry.flag == "error":
                reasons.setdefault((f"{entry.cell['library']} {entry.cell['function']}", "error"), entry.note)
    for (who, what), why in reasons.items():
        out.add_row(text(who), text(what, "red"), text(why))
    return out


def _list_table(columns: int) -> Table:
    out = Table(box=None, show_header=False, padding=(0, GAP, 0, 0), pad_edge=False)
    for _ in range(columns):
        out.add_column(overflow="fold")
    return out


def _name(library: Library, separator: str) -> Text:
    return Text.assemble(text(library["title"], "bold"), separator, text(library["release"], "dim"))


def _widest(content: Text) -> int:
    return max((line.cell_len for line in content.split("\n")), default=0)


def _widest_of(contents: list[Text]) -> int:
    """Width of the first column."""
    return min(max(map(_widest, contents), default=0), LONGEST_NAME) + GAP
