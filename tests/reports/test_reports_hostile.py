"""A record may hold anything: texts that would act in a page or a terminal, addresses that are none."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from metric_reports.html.page import render_html
from metric_reports.html.scripts import scripts
from metric_reports.record import validate
from metric_reports.view.words import web_address
from tests.support.page import Page, printed
from tests.support.sample_record import sample_record

HOSTILE = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{7*7}}[bold]\x1b[2J\u202e\ud800"


KEPT = {"status", "agreement", "severity", "code", "metric", "findings", "name", "library", "release"}
KEPT |= {"sha256", "part", "method", "kind", "arrays"}  # a manifest has certain words there


def hostile_record() -> dict[str, Any]:
    """A record in which every free text is hostile and every address is no web address."""
    record = sample_record()

    def spoil(value: Any, name: str = "") -> Any:
        if name in KEPT:
            return value
        if isinstance(value, dict):
            return {key: spoil(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [spoil(inner) for inner in value]
        if name in ("address", "homepage", "source"):
            return "javascript:alert(1)//https://example.org"
        return f"{value} {HOSTILE}" if isinstance(value, str) and value not in ("nan", "inf", "-inf") else value

    # Names tie cells, subjects and findings together, so they are spoiled alike everywhere.
    settings = record["bundle"]["settings"]
    record = spoil(record)
    record["bundle"]["settings"] = settings
    for thing in [*record["subjects"], *record["cells"], *record["findings"]]:
        thing["library"] += HOSTILE
        thing["metric"] = thing["metric"] if thing["metric"] != "recall" else HOSTILE
    for library in record["libraries"]:
        library["name"] += HOSTILE
    return validate(record)


@pytest.mark.parametrize("make", [sample_record, hostile_record])
def test_page_loads_nothing_and_runs_its_own_scripts_alone(make: Any) -> None:
    html = render_html(make())
    page = Page(html)
    (data,) = [script for script in page.all("script") if script["attrs"]]
    assert data["attrs"] == {"type": "application/json", "id": "data"}
    assert not set("<>&") & set(data["text"])
    assert json.loads(data["text"])["functions"]
    assert [script["text"] for script in page.all("script") if script is not data] == scripts()
    assert {"link", "img", "iframe", "object", "base", "form"}.isdisjoint(e["tag"] for e in page.elements)
    names = [(e["tag"], name) for e in page.elements for name in e["attrs"]]
    assert [pair for pair in names if pair[1].startswith("on") or pair[1] in ("src", "srcset", "style")] == []
    assert {tag for tag, name in names if name == "href"} == {"a"}
    assert all(re.match("#|https?://", a["attrs"]["href"]) for a in page.all("a"))
    assert not re.search(r"url\(|@import", page.all("style")[0]["text"])
    policy = page.all("meta", **{"http-equiv": "Content-Security-Policy"})[0]["attrs"]["content"]
    assert "default-src 'none'" in policy
    digests = [hashlib.sha256(text.encode()).digest() for text in scripts()]
    allowed = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    assert re.findall(r"script-src ([^;]*);", policy) == [" ".join(allowed)]


def test_hostile_texts_are_shown_and_do_not_act() -> None:
    html = render_html(hostile_record())
    page = Page(html)
    assert page.problems == []
    assert html.count("<script") == len(scripts()) + 1
    assert "<img" not in html
    assert "{{7*7}}" in html
    assert "49" not in page.text("h1")[0]
    assert "javascript:alert(1)" in page.all("main")[0]["text"]
    assert "\x1b" not in html
    assert "\u202e" not in html
    html.encode("utf-8")
    screen = printed(hostile_record(), screen=True, force_terminal=True, color_system=None)
    assert not set("\x1b\u202e") & set(screen)
    text = printed(hostile_record(), force_terminal=True, color_system=None)
    assert "\x1b[2J" not in text
    assert "[bold]" in text
    text.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", " https://a.b", "data:text/html,x", "//a.b",
     "https://", "https://a.b/\u202etxt", "http://[", "file:///etc/passwd", "", None, 3],
)  # fmt: skip
def test_only_web_addresses_are_links(text: Any) -> None:
    assert web_address(text) is None
    assert web_address("https://example.org/a?b=c#d") == "https://example.org/a?b=c#d"
