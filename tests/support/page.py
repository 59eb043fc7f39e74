"""An HTML page taken apart with the standard library, and what a terminal shows, for the tests of the reports."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from typing import Any

from rich.console import Console

from metric_reports.formats.screen import print_screen
from metric_reports.formats.terminal import print_table

VOID = {"meta", "link", "br", "hr", "img", "input", "source", "wbr"}


class Page(HTMLParser):
    """An HTML document taken apart: its elements with their text, and whether tags nest as they should."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[dict[str, Any]] = []
        self.open: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.feed(html)
        self.close()
        self.problems += [f"{element['tag']} left open" for element in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parents = [element["tag"] for element in self.open]
        element = {"tag": tag, "attrs": dict(attrs), "text": "", "parents": parents}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1]["tag"] != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def all(self, tag: str, **attrs: str) -> list[dict[str, Any]]:
        """Elements by tag and attributes; ``class_`` asks for one class among several."""
        wanted = {name.rstrip("_"): value for name, value in attrs.items()}

        def has(element: dict[str, Any], name: str, value: str) -> bool:
            given = element["attrs"].get(name) or ""
            return value in given.split() if name == "class" else value == given

        return [e for e in self.elements if e["tag"] == tag and all(has(e, n, v) for n, v in wanted.items())]

    def text(self, tag: str, **attrs: str) -> list[str]:
        return [" ".join(element["text"].split()) for element in self.all(tag, **attrs)]


def printed(record: dict[str, Any], width: int = 100, screen: bool = False, **options: Any) -> str:
    stream = io.StringIO()
    (print_screen if screen else print_table)(record, Console(file=stream, width=width, **options))
    return stream.getvalue()
