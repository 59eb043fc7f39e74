"""A record as Markdown short enough for a comment on a pull request: verdict, table, findings, definitions."""

from __future__ import annotations

from collections.abc import Iterable

from metric_reports.formats.audit_page import LONGEST_PAGE, SIGNS, code, escaped, within
from metric_reports.formats.markdown_more import models_part, paper_part, signatures_part
from metric_reports.formats.markdown_table import WHO, cells, folded, head, who
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

SENTENCE, NAME = 600, 60
"""Longest sentence and name of a library, in characters."""
APART = ["function", "it says it is", "", "value"]
LACKING = {"error": "error", "not available": "n/a"}
LEGEND = {
    "?": "no definition known",
    "~": "predicted from a recording, not run here",
    "!": "not what the definition predicts",
}


def render_markdown(record: Record) -> str:
    """The record as GitHub's Markdown, at most about 60,000 characters; what does not fit is counted instead.

    Nothing in the record acts: it is escaped, or stands in code.
    """
    known, result, names = variants(record), verdict(record), short_names_of(record)
    tables = [grid(record, k, known) for k in cutoffs(record)]
    parts = [f"### {escaped(brief(result.headline, SENTENCE))}", ""]
    for table in tables:
        rows = [row_of(row, table.columns) for row in table.rows]
        parts += [head(["library", *(column.label for column in table.columns)])]
        parts += [*within(rows, LONGEST_PAGE // 2 // len(tables), "libraries"), ""]
    parts += folded("Functions that do not claim the metric", APART, apart_rows(tables), LONGEST_PAGE // 12)
    parts += [legend(entry for table in tables for entry in entries_of(table))]
    parts += [escaped(brief(sentence, SENTENCE)) + "\n" for sentence in result.sentences]
    parts += models_part(record)
    parts += folded("Findings", ["", "code", "finding", "functions"], finding_rows(record, names), LONGEST_PAGE // 6)
    definitions = [
        cells(
            [words(metric), variant.letter, variant.name, code(brief(variant.printed, WHO)), who(variant.keys, names)],
            raw=(3, 4),
        )
        for metric, found in known.items()
        for variant in found.values()
    ]
    parts += folded("Definitions", ["metric", "", "definition", "as code", "functions"], definitions, LONGEST_PAGE // 6)
    parts += [*paper_part(record), *signatures_part(record, names)]
    return "\n".join([*parts, f"<sub>metric-harness {escaped(brief(record['harness']['version'], NAME))}</sub>", ""])


def row_of(row: Row, columns: list[Column]) -> str:
    """A release and its entries."""
    name = brief(f"{row.library['title']} {row.library['release']}", NAME)
    shown = ["<br>".join(map(entry_text, row.entries.get(column.metric, []))) or "–" for column in columns]
    return cells([name, *shown], raw=range(1, len(shown) + 1))


def entry_text(entry: Entry) -> str:
    """A letter, a value, its marks."""
    if entry.flag in LACKING:
        return LACKING[entry.flag]
    letter = entry.variant.letter if entry.variant else "?"
    mark = {"predicted": "~", "unexplained": "!" if entry.variant else ""}.get(entry.flag, "")
    grave = next((SIGNS[severity] for _, severity in entry.codes if severity != "note"), "")
    return " ".join(filter(None, [letter, escaped(mark + entry.text), grave]))


def apart_rows(tables: Iterable[Grid]) -> list[str]:
    """A row for each function that does not claim its metric."""
    return [
        cells(
            [code(brief(f"{home['name']} {one.cell['function']}", NAME)), one.apart, f"k = {table.k}", entry_text(one)],
            raw=(0, 3),
        )
        for table in tables
        for home, one in table.apart
    ]


def legend(entries: Iterable[Entry]) -> str:
    """What the letters and marks in the table mean, of those that occur."""
    shown = " ".join(entry_text(entry) for entry in entries)
    text = [f"{mark} {meaning}" for mark, meaning in LEGEND.items() if mark in shown]
    text += [f"{SIGNS[grade]} {grade} found" for grade in SEVERITIES if SIGNS[grade] in shown]
    return f"<sub>A letter names a definition, metric by metric. {'; '.join(map(escaped, text))}</sub>\n"


def finding_rows(record: Record, names: dict[tuple[str, str], str]) -> list[str]:
    """A row for each code, the gravest first."""
    rows = []
    for rule, group in by_code(record).items():
        grade = SEVERITIES[severity_rank(group)]
        text = [f"{SIGNS[grade]} {grade}", rule, brief(group[0]["title"], WHO), who(map(key_of, group), names)]
        rows.append(cells(text, raw=(0, 3)))
    return rows
