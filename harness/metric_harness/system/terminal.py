"""All output passes through here, so that no text of a file, a library or a function controls the terminal.

Escape sequences, other control characters and marks that change the direction of a line are printed as U+FFFD.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

import rich.console
from rich.segment import Segment
from rich.text import Text

from metric_harness.system.errors import HarnessError
from metric_reports.formats.lines import wrapped
from metric_reports.view.words import BIDI_CONTROLS, WIDTH, clean

CONTROL_CHARACTERS = re.compile(f"[\x7f-\x9f{''.join(sorted(BIDI_CONTROLS))}]")
"""Control characters that JSON does not escape."""


class Console(rich.console.Console):
    """A console that replaces the control characters in what it prints; its own styles stay.

    What is no terminal is ``WIDTH`` columns wide, wherever it runs.
    """

    def __init__(self, **options: Any) -> None:
        if not options.get("stderr") and options.get("file") is None:
            _require_open(sys.stdout, "output")
        super().__init__(**options)
        if not self.is_terminal and options.get("width") is None:
            self.width = WIDTH

    def print(self, *objects: Any, soft_wrap: bool | None = None, **options: Any) -> None:
        """Print objects. With ``soft_wrap`` a text on a terminal is broken between words, never inside a definition."""
        if not (soft_wrap and self.is_terminal and len(objects) == 1 and isinstance(objects[0], str | Text)):
            super().print(*objects, soft_wrap=soft_wrap, **options)
            return
        content = objects[0] if isinstance(objects[0], Text) else Text(objects[0])
        for line in content.split("\n", allow_blank=True):
            for part in wrapped(line, self.width):
                super().print(part, soft_wrap=True, **options)

    def render(
        self, renderable: rich.console.RenderableType, options: rich.console.ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of a renderable, their text without control characters."""
        if isinstance(renderable, Text) and (cleaned := clean(renderable.plain)) != renderable.plain:
            renderable = renderable.copy()
            renderable.plain = cleaned  # before layout: control characters have no width
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else clean(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)


def echo(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a text."""
    stream = _require_open(sys.stderr if err else sys.stdout, "error" if err else "output")
    stream.write(clean(text) + end)
    stream.flush()


def say(text: str, *, err: bool = False) -> None:
    """Print sentences: on a terminal they are broken between words."""
    Console(stderr=err).print(text, soft_wrap=True, highlight=False, markup=False)


def _require_open(stream: TextIO | None, name: str) -> TextIO:
    """A standard stream; HarnessError if it was closed before Python started."""
    if stream is None:
        raise HarnessError(f"standard {name} is closed; let it lead to a file or a terminal")
    return stream


def to_json(value: object) -> str:
    """A value as JSON without loss: control characters are written as ``\\uXXXX``."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    return CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
