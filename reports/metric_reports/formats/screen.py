"""The result of a comparison on one screen: at most 40 lines. ``terminal`` prints the whole record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from metric_reports.formats.lines import print_line
from metric_reports.formats.terminal import STYLES, text
from metric_reports.types.run import Library, Record
from metric_reports.view.main_part import left_out, main_part
from metric_reports.view.matters import matters
from metric_reports.view.model_claims import line_of
from metric_reports.view.models import models_view
from metric_reports.view.sampled_view import short_answer
from metric_reports.view.table import (
    Column,
    Entry,
    Row,
    Variant,
    by_code,
    cutoffs,
    extremes,
    functions_by_library,
    grid,
    key_of,
    letter_rank,
    short_names,
    span,
    variants,
)
from metric_reports.view.verdict import Verdict, verdict
from metric_reports.view.words import count, fitted, listing, metric_name

ROWS, CLAIMS, ERRORS = 14, 2, 4
"""The largest numbers of rows, of conclusions about models and of kinds of error. With 10 metrics: 40 lines."""
GAP = 2
NONE = "–"
MEANINGS = {"*": "an error or a warning", "!": "unexplained", "~": "predicted from a recording, not run"}
Line = tuple[str, list[Text]]
"""A row of the table: the name of a library, and a cell for each column."""


def print_screen(record: Record, console: Console) -> None:
    """Print the headline, a letter for each variant and its name, which conclusions depend on it, and the errors.

    Each line is at most as wide as the console. What does not fit is counted; the report has it.
    """
    part, known, result, width = main_part(record), variants(record), verdict(record), console.width
    grids = [grid(part, k, known) for k in cutoffs(part)]
    columns = {column.metric: column for table in grids for column in table.columns}
    rows = merged([row for table in grids for row in table.rows])
    table, shown = fitting(rows, list(columns.values()), [table.k for table in grids], console)
    print_line(console, result.headline + ".", "bold")
    if shown:
        console.print()
        console.print(table)
        print_line(console, "   ".join(["A letter is a definition.", *meanings_of_marks(rows)]), "dim")
        for line in meanings(shown, rows, width):
            print_line(console, line)
    if left := [metric_name(column.metric) for column in columns.values() if column not in shown]:
        print_line(console, f"Too wide for this screen: {listing(left)}", "dim")
    answer, view = matters(record), models_view(record, known)
    if answer is not None and view is not None:
        console.print()
        console.print(text(answer.answer, "bold"))
        for claim in sorted(view.claims, key=lambda claim: claim.kind != "beats")[:CLAIMS]:
            print_line(console, line_of(claim))
    if drawn := short_answer(record):
        print_line(console, drawn)
    print_errors(console, record, part, result)


def merged(rows: Iterable[Row]) -> list[Row]:
    """One row for each release, with its entries at every cut-off."""
    by_release: dict[tuple[str, str], Row] = {}
    for row in rows:
        into = by_release.setdefault((row.library["name"], row.library["release"]), Row(row.library, {}))
        for metric, entries in row.entries.items():
            into.entries.setdefault(metric, []).extend(entries)
    return list(by_release.values())


def fitting(rows: Sequence[Row], columns: list[Column], ks: list[int], console: Console) -> tuple[Table, list[Column]]:
    """The table and its columns: names are shortened first, then the rarest columns left out."""
    columns = [column for column in columns if any(column.metric in row.entries for row in rows)]
    while True:
        cells = [[cell_of(row.entries.get(column.metric, [])) for column in columns] for row in rows]
        for shorten in (released, released_publicly, titled):
            names = [shorten(row.library) for row in rows]
            table = table_of(folded(list(zip(names, cells, strict=True))), columns, ks)
            wide = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
            if wide <= console.width or not columns:
                return table, columns
        rarest = min(columns, key=lambda column: column.functions)
        columns = [column for column in columns if column is not rarest]


def table_of(lines: list[Line], columns: list[Column], ks: list[int]) -> Table:
    """The table of letters."""
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(f"k = {', '.join(map(str, ks))}", no_wrap=True)
    for column in columns:
        table.add_column(text(metric_name(column.metric)), no_wrap=True)
    for name, cells in lines:
        table.add_row(text(name), *cells)
    return table


def released(library: Library) -> str:
    """The name and the release of a library."""
    return f"{library['title']} {library['release']}"


def released_publicly(library: Library) -> str:
    """The name and the release without the commit behind its plus sign."""
    return released(library).partition("+")[0]


def titled(library: Library) -> str:
    """Only the name."""
    return library["title"]


def folded(lines: list[Line]) -> list[Line]:
    """All lines if they fit; else one for all libraries with equal cells, and the number of the rest in the last."""
    if len(lines) <= ROWS:
        return lines
    same: dict[str, list[Line]] = {}
    for line in lines:
        same.setdefault("\t".join(cell.plain for cell in line[1]), []).append(line)
    groups = list(same.values())
    merged_lines = [
        (group[0][0] + (f" and {len(group) - 1} more" if len(group) > 1 else ""), group[0][1]) for group in groups
    ]
    if len(groups) <= ROWS:
        return merged_lines
    hidden = sum(map(len, groups[ROWS - 1 :]))
    return [*merged_lines[: ROWS - 1], (f"and {count(hidden, 'library', 'libraries')} more", [])]


def variants_of(entries: Iterable[Entry]) -> list[Variant]:
    """The different variants of some functions, in the order of their letters."""
    by_letter = {entry.variant.letter: entry.variant for entry in entries if entry.variant is not None}
    return sorted(by_letter.values(), key=letter_rank)


def marks_of(entries: Sequence[Entry]) -> str:
    """The marks of a cell, those of ``MEANINGS``."""
    flags = {entry.flag for entry in entries}
    marks = "!" if "unexplained" in flags else ""
    marks += "~" if flags == {"predicted"} else ""
    return marks + ("*" if any(entry.severity in ("error", "warning") for entry in entries) else "")


def cell_of(entries: Sequence[Entry]) -> Text:
    """The letters of some functions in the colours of their variants, and the marks; or why there is no letter."""
    letters = [Text(variant.letter, f"bold {STYLES[variant.colour]}") for variant in variants_of(entries)]
    marks, flags = marks_of(entries), {entry.flag for entry in entries}
    if letters or marks:
        return Text.assemble(Text(" ").join(letters), marks)
    return Text("error" if "error" in flags else "n/a" if "not available" in flags else NONE, "dim")


def meanings_of_marks(rows: Iterable[Row]) -> list[str]:
    """What the marks in the table mean."""
    used = "".join(marks_of(entries) for row in rows for entries in row.entries.values())
    return [f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in used]


def meanings(columns: Iterable[Column], rows: Iterable[Row], width: int) -> list[str]:
    """``MAP: 2 definitions, 0.03 to 0.07: A over min(k, relevant); ...``; metrics with one variant share a line."""
    lines, single = [], []
    for column in columns:
        entries = [entry for row in rows for entry in row.entries.get(column.metric, [])]
        computed, ends, name = variants_of(entries), span(*extremes(entries)), metric_name(column.metric)
        if len(computed) == 1:
            single.append(f"{name}{' ' + ends if ends else ''}")
            continue
        start = f"{name}: {len(computed) or 'no'} definitions{', ' + ends if ends else ''}"
        labels = [f"{variant.letter} {variant.label}" for variant in computed]
        lines.append(fitted(f"{start}: ", labels, width) if labels else start)
    return [*lines, *([fitted("One definition: ", single, width, ", ")] if single else [])]


def print_errors(console: Console, record: Record, part: Record, result: Verdict) -> None:
    """Print the errors by code, and the counts of everything else."""
    errors = [finding for finding in part["findings"] if finding["severity"] == "error"]
    groups, names, width = by_code({**part, "findings": errors}), short_names(record), console.width
    console.print()
    for code, group in list(groups.items())[:ERRORS]:
        listed = functions_by_library(map(key_of, group), names)
        print_line(console, fitted(f"{code} {group[0]['title']}: ", listed, width), "red")
    tally = result.tally
    warnings = sum(finding["severity"] == "warning" for finding in record["findings"])
    counts = (
        (len(groups) > ERRORS, f"{count(len(groups) - ERRORS, 'further kind')} of error"),
        (tally["unexplained"], f"{count(tally['unexplained'], 'cell')} unexplained"),
        (tally["error"], f"{count(tally['error'], 'cell')} ended in an error"),
        (warnings, count(warnings, "warning")),
    )
    rest = [*(words for number, words in counts if number), *reversed(left_out(record, part))]
    print_line(console, fitted("Not listed: ", rest, width, ", ") if rest else "No finding.", "dim")
