"""One line for a terminal, cut where the console ends."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from metric_reports.view.words import clean


def print_line(console: Console, content: str, style: str = "") -> None:
    """Print a text as one line, cut at the console's width; no text is read as markup."""
    line = Text(" ".join(clean(content).split("\n")), style)
    line.truncate(console.width, overflow="ellipsis")
    console.print(line, soft_wrap=True, highlight=False)
