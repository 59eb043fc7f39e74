"""The results table as CSV for spreadsheets: a row for each cell of the record, numbers at full precision."""

from __future__ import annotations

import csv
import io
from typing import Any

from metric_reports.types.run import Record
from metric_reports.view.words import clean

COLUMNS = (
    "library",
    "release",
    "function",
    "metric",
    "k",
    "value",
    "variant",
    "predicted",
    "difference",
    "agreement",
    "status",
    "seconds",
    "findings",
    "error",
    "signature",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of texts that a spreadsheet computes; the last four are the wide forms of the others."""
NUMBER_COLUMNS = frozenset(("k", "value", "predicted", "difference", "seconds"))
"""Columns of numbers, where a minus sign or ``-inf`` is no formula."""


def render_csv(record: Record) -> str:
    """The cells of a record as CSV; a text that a spreadsheet would compute gets an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for cell in map(dict, record["cells"]):
        writer.writerow(written(name, cell.get(name)) for name in COLUMNS)
    return text.getvalue()


def written(column: str, value: Any) -> Any:
    """The text of a column for a value of the record."""
    if value is None:
        return ""
    if column in NUMBER_COLUMNS:
        return value
    text = clean(" ".join(value) if isinstance(value, list) else value)
    return f"'{text}" if text.lstrip().startswith(FORMULA_STARTS) else text
