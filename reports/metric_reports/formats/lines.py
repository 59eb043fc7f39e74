"""Lines for a terminal: one that is cut where the console ends, and several that break between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from metric_reports.view.words import clean

WORD = re.compile(r"[\w.]+\([^()=]*=[^()]*\)\S*|\S+")
"""What is not broken; a definition such as ``ndcg(gain=binary, ideal=hits)@10`` is one word."""


def print_line(console: Console, content: str, style: str = "") -> None:
    """Print a text as one line, cut at the console's width; no text is read as markup."""
    line = Text(" ".join(clean(content).split("\n")), style)
    line.truncate(console.width, overflow="ellipsis")
    console.print(line, soft_wrap=True, highlight=False)


def folded(paragraph: str, width: int, hanging: int = 0) -> list[str]:
    """A paragraph as lines of at most ``width`` characters, at least one; longer words are not broken.

    hanging : spaces before every line but the first.
    """
    return [line.plain for line in wrapped(Text(re.sub(r"\s", " ", paragraph)), width, hanging)]


def wrapped(content: Text, width: int, hanging: int = 0) -> Iterator[Text]:
    """One line as several of at most ``width`` characters, indented as it is; longer words are not broken."""
    own = len(content.plain) - len(content.plain.lstrip())
    indent = own + hanging
    start = 0
    breaks: list[int] = []
    for word in WORD.finditer(content.plain):
        room = width - (indent if breaks else 0)
        if word.end() - start > room and word.start() > max(start, own):
            start = word.start()
            breaks.append(start)
    for number, line in enumerate(content.divide(breaks)):
        line.rstrip()
        yield line if number == 0 else Text(" " * indent).append_text(line)
