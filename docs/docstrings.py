"""How docstrings appear in the API page: parameters as lists, examples as code, without roles of another tool."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:func|class|meth|attr|mod|data):(`[^`]+`)")
PARAMETER = re.compile(r"(?:^|(?<=[.;:] ))(`?\w+`?(?:, `?\w+`?)*) : ", re.MULTILINE)
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
    paragraphs = text[:end].split("\n\n")
    return "\n\n".join(map(_paragraph, paragraphs)) + text[end:]


def _paragraph(text: str) -> str:
    if text.lstrip().startswith(">>>"):
        return "```python\n" + re.sub(r"\s+# doctest: .*", "", text) + "\n```"
    if text.startswith("    "):  # code
        return text
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
