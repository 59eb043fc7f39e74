"""A text on one line and not too long."""

from __future__ import annotations

from metric_reports.view.words import first_line


def brief(text: str, width: int) -> str:
    """A text on one line of at most ``width`` characters, cut at a space where there is one."""
    line = first_line(" ".join(text.split()), width)
    return line if len(line) <= width else line[: width - 1] + "…"
