"""What is printed: all of it passes through here, so that no text of a file, a library or a function steers a terminal.

Escape sequences, other control characters and the marks that turn the direction of a line come out as U+FFFD.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable

import rich.console
from rich.segment import Segment
from rich.text import Text

from metric_reports.view.words import BIDI_CONTROLS, clean

STEERING = re.compile(f"[\x7f-\x9f{''.join(sorted(BIDI_CONTROLS))}]")
"""What JSON leaves as it is although it steers."""


class Console(rich.console.Console):
    """A console whose styles are its own: control characters inside of what is printed are replaced."""

    def render(
        self, renderable: rich.console.RenderableType, options: rich.console.ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of a renderable, their text without control characters."""
        if isinstance(renderable, Text) and (harmless := clean(renderable.plain)) != renderable.plain:
            renderable = renderable.copy()
            renderable.plain = harmless  # before it is laid out: what steers has no width
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else clean(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)


def echo(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a text."""
    stream = sys.stderr if err else sys.stdout
    stream.write(clean(text) + end)
    stream.flush()


def to_json(value: object) -> str:
    """JSON that holds a value to the last character: what would steer a terminal is written as ``\\uXXXX``."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
