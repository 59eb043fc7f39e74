"""Tables in GitHub's Markdown: rows, folds, functions by library."""

from __future__ import annotations

from collections.abc import Container, Iterable

from metric_reports.audit.audit_page import MOST_NAMED, code, escaped, within
from metric_reports.view.brief import brief
from metric_reports.view.table import functions

LONGEST_LIST = 300
"""Longest list of functions, in characters."""


def functions_cell(keys: Iterable[tuple[str, str, str, str]], names: dict[tuple[str, str], str]) -> str:
    """Functions by library as code; those after the first few are counted."""
    distinct = list(dict.fromkeys(keys))
    more = f" and {len(distinct) - MOST_NAMED} more" if len(distinct) > MOST_NAMED else ""
    return code(brief(functions(distinct[:MOST_NAMED], names), LONGEST_LIST)) + more


def head(names: list[str]) -> str:
    """The head of a table: the names of its columns and a rule."""
    return f"{cells(names)}\n|{' --- |' * len(names)}"


def cells(texts: list[str], raw: Container[int] = ()) -> str:
    """A row of a table; the cells with an index in ``raw`` are Markdown already."""
    return f"| {' | '.join(text if index in raw else escaped(text) for index, text in enumerate(texts))} |"


def folded(title: str, names: list[str], rows: list[str], room: int) -> list[str]:
    """A table that unfolds on a click; nothing if it has no rows."""
    if not rows:
        return []
    start = f"<details><summary>{title} ({len(rows)})</summary>\n"
    return [start, head(names), *within(rows, room, title.lower()), "\n</details>\n"]
