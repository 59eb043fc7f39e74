"""Tables in GitHub's Markdown: rows, folds, functions by library."""

from __future__ import annotations

from collections.abc import Iterable

from metric_reports.formats.audit_page import NAMED, code, escaped, within
from metric_reports.view.brief import brief
from metric_reports.view.table import functions as listed

WHO = 300
"""Longest list of functions, in characters."""


def who(keys: Iterable[tuple[str, str, str, str]], names: dict[tuple[str, str], str]) -> str:
    """Functions by library as code; those past the first few are counted."""
    those = list(dict.fromkeys(keys))
    more = f" and {len(those) - NAMED} more" if len(those) > NAMED else ""
    return code(brief(listed(those[:NAMED], names), WHO)) + more


def head(names: list[str]) -> str:
    """The two lines that begin a table."""
    return f"{cells(names)}\n|{' --- |' * len(names)}"


def cells(texts: list[str], raw: Iterable[int] = ()) -> str:
    """A line of a table; those numbered in ``raw`` are Markdown already."""
    kept = set(raw)
    return f"| {' | '.join(text if index in kept else escaped(text) for index, text in enumerate(texts))} |"


def folded(title: str, names: list[str], rows: list[str], room: int) -> list[str]:
    """A table that unfolds on a click; nothing if it has no rows."""
    if not rows:
        return []
    start = f"<details><summary>{title} ({len(rows)})</summary>\n"
    return [start, head(names), *within(rows, room, title.lower()), "\n</details>\n"]
