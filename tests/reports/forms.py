"""Every form of a record, records that are hard on them, and Markdown as a reader sees it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt

from metric_harness.naming.findings.rules import rules
from metric_reports.formats.csv import render_csv
from metric_reports.formats.latex import render_latex
from metric_reports.formats.markdown import render_markdown
from metric_reports.formats.sarif import render_sarif
from tests.reports.test_reports_hostile import HOSTILE, hostile_record
from tests.support.sample_record import sample_record

RULES = {code: asdict(rule) for code, rule in rules().items()}
NASTY = (
    "=cmd|' /C calc'!A0 | a | [x](javascript:alert(1)) `b` ``c @someone <img src=x onerror=alert(1)> "
    r"\input{/etc/passwd} \end{tabular} $x$ % & # _ ^ ~ { } ]] -- é 中 \\[9cm] " + "\x1b[2J\u202e\ud800\n| --- |"
)
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def nasty_record() -> dict[str, Any]:
    """The hostile record of the page's test, with texts that are hostile to the other forms too."""
    text = json.dumps(hostile_record()).replace(json.dumps(HOSTILE)[1:-1], json.dumps(NASTY)[1:-1])
    record: dict[str, Any] = json.loads(text)
    for library in record["libraries"]:
        library["title"] = NASTY
    for thing in [*record["subjects"], *record["cells"]]:
        thing["variant"] = thing["variant"] and f"{NASTY}{thing['variant']}"
    return record


def sarif_of(record: dict[str, Any]) -> str:
    return render_sarif(record, RULES)


FORMS = {"markdown": render_markdown, "latex": render_latex, "csv": render_csv, "sarif": sarif_of}
MAKERS = [sample_record, lambda: sample_record((5, 10, 20)), hostile_record, nasty_record]


class Seen(HTMLParser):
    """Tables, links, images and the tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.tags: list[str] = []
        self.open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.open = True
        elif tag == "br" and self.open:
            self.tables[-1][-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.tables[-1][-1][-1] += data


def shown(markdown: str) -> Seen:
    return Seen(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))
