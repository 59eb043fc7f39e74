"""How docstrings appear in the API page: parameters as lists, examples as code, without roles of another tool."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import griffe

ROLE = re.compile(r":(?:func|class|meth|attr|mod|data):(`[^`]+`)")
PARAMETER = re.compile(r"(?:^|(?<=[.;:] ))(`?\w+`?(?:, `?\w+`?)*) : ", re.MULTILINE)
CODE = re.compile(r"\n\n((?: {4}.*(?:\n+|$))+)")
"""Paragraphs that are indented as a whole."""
SECTION = re.compile(r"(?m)^\w+\n-{3,}$")


class Readable(griffe.Extension):
    """Rewrites each docstring before it is parsed; sections with underlined titles stay as they are."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = readable(obj.docstring.value)


def readable(text: str) -> str:
    """A docstring as Markdown."""
    text = ROLE.sub(r"\1", text)
    section = SECTION.search(text)
    end = len(text) if section is None else section.start()
    paragraphs = CODE.sub(_fenced, text[:end]).split("\n\n")
    inside, lines = False, []
    for paragraph in paragraphs:
        fences = paragraph.count("```")
        lines.append(paragraph if inside or fences else _paragraph(paragraph))
        inside ^= bool(fences % 2)
    return "\n\n".join(lines) + text[end:]


def _fenced(block: re.Match[str]) -> str:
    return "\n\n```python\n" + textwrap.dedent(block[1]).strip() + "\n```\n"


def _paragraph(text: str) -> str:
    if text.lstrip().startswith(">>>"):
        return "```python\n" + re.sub(r"\s+# doctest: .*", "", text) + "\n```"
    names = list(PARAMETER.finditer(text))
    if not names:
        return text
    ends = [*(name.start() for name in names[1:]), len(text)]
    rows = [
        f"* `{name[1].replace('`', '')}`: {_line(text[name.end() : end])}"
        for name, end in zip(names, ends, strict=True)
    ]
    before = text[: names[0].start()].rstrip()
    return "\n".join([*([before, ""] if before else []), *rows])


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(";")
