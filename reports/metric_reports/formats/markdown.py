"""A record as Markdown short enough for a comment on a pull request: verdict, table, findings, definitions."""

from __future__ import annotations

from collections.abc import Iterable

from metric_reports.audit.audit_page import LONGEST_PAGE, SIGNS, code, escaped, within
from metric_reports.formats.markdown_more import models_part, paper_part, signatures_part
from metric_reports.formats.markdown_table import LONGEST_LIST, cells, folded, functions_cell, head
from metric_reports.formats.terminal import entries_of
from metric_reports.types.run import Record
from metric_reports.view.brief import brief
from metric_reports.view.table import (
    SEVERITIES,
    Column,
    Entry,
    Grid,
    Row,
    by_code,
    cutoffs,
    grid,
    key_of,
    severity_rank,
    variants,
)
from metric_reports.view.table import short_names as short_names_of
from metric_reports.view.verdict import verdict
from metric_reports.view.words import words

LONGEST_SENTENCE, LONGEST_NAME = 600, 60
"""Longest sentence and name of a library, in characters."""
APART_HEADS = ["function", "it says it is", "", "value"]
NO_VALUE = {"error": "error", "not available": "n/a"}
LEGEND = {
    "?": "no definition known",
    "~": "predicted from a recording, not run here",
    "!": "not what the definition predicts",
}


def render_markdown(record: Record) -> str:
    """The record as GitHub's Markdown, at most about 60,000 characters; what does not fit is counted instead.

    Every text of the record is escaped or shown as code.
    """
    known, result, names = variants(record), verdict(record), short_names_of(record)
    tables = [grid(record, k, known) for k in cutoffs(record)]
    parts = [f"### {escaped(brief(result.headline, LONGEST_SENTENCE))}", ""]
    for table in tables:
        rows = [row_of(row, table.columns) for row in table.rows]
        parts += [head(["library", *(column.label for column in table.columns)])]
        parts += [*within(rows, LONGEST_PAGE // 2 // len(tables), "libraries"), ""]
    parts += folded("Functions that do not claim the metric", APART_HEADS, apart_rows(tables), LONGEST_PAGE // 12)
    parts += [legend(entry for table in tables for entry in entries_of(table))]
    parts += [escaped(brief(sentence, LONGEST_SENTENCE)) + "\n" for sentence in result.sentences]
    parts += models_part(record)
    parts += folded("Findings", ["", "code", "finding", "functions"], finding_rows(record, names), LONGEST_PAGE // 6)
    definitions = [
        cells([words(metric), variant.letter, variant.name, printed, functions_cell(variant.keys, names)], raw=(3, 4))
        for metric, of_metric in known.items()
        for variant in of_metric.values()
        for printed in [code(brief(variant.printed, LONGEST_LIST))]
    ]
    parts += folded("Definitions", ["metric", "", "definition", "as code", "functions"], definitions, LONGEST_PAGE // 6)
    parts += [*paper_part(record), *signatures_part(record, names)]
    return "\n".join(
        [*parts, f"<sub>metric-harness {escaped(brief(record['harness']['version'], LONGEST_NAME))}</sub>", ""]
    )


def row_of(row: Row, columns: list[Column]) -> str:
    """The row of a release: its name and its entries."""
    name = brief(f"{row.library['title']} {row.library['release']}", LONGEST_NAME)
    shown = ["<br>".join(map(entry_text, row.entries.get(column.metric, []))) or "–" for column in columns]
    return cells([name, *shown], raw=range(1, len(shown) + 1))


def entry_text(entry: Entry) -> str:
    """The letter of a definition, a value and its marks."""
    if entry.flag in NO_VALUE:
        return NO_VALUE[entry.flag]
    letter = entry.variant.letter if entry.variant else "?"
    mark = {"predicted": "~", "unexplained": "!" if entry.variant else ""}.get(entry.flag, "")
    severity_sign = next((SIGNS[severity] for _, severity in entry.codes if severity != "note"), "")
    return " ".join(filter(None, [letter, escaped(mark + entry.text), severity_sign]))


def apart_rows(tables: Iterable[Grid]) -> list[str]:
    """A row for each function that does not claim its metric."""
    return [
        cells([function, entry.apart, f"k = {table.k}", entry_text(entry)], raw=(0, 3))
        for table in tables
        for library, entry in table.apart
        for function in [code(brief(f"{library['name']} {entry.cell['function']}", LONGEST_NAME))]
    ]


def legend(entries: Iterable[Entry]) -> str:
    """The meaning of the letters and marks that occur in the table."""
    shown = " ".join(entry_text(entry) for entry in entries)
    meanings = [f"{mark} {meaning}" for mark, meaning in LEGEND.items() if mark in shown]
    meanings += [f"{SIGNS[severity]} {severity} found" for severity in SEVERITIES if SIGNS[severity] in shown]
    return f"<sub>A letter names a definition, metric by metric. {'; '.join(map(escaped, meanings))}</sub>\n"


def finding_rows(record: Record, names: dict[tuple[str, str], str]) -> list[str]:
    """A row for each code, the most severe first."""
    rows = []
    for rule, group in by_code(record).items():
        severity = SEVERITIES[severity_rank(group)]
        title, functions = brief(group[0]["title"], LONGEST_LIST), functions_cell(map(key_of, group), names)
        rows.append(cells([f"{SIGNS[severity]} {severity}", rule, title, functions], raw=(0, 3)))
    return rows
