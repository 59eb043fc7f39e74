"""An audit as Markdown, as HTML and in Jupyter."""

import copy
import io
import re

import pytest
from rich.console import Console

from metric_reports.audit.audit_page import render_audit_html, render_markdown
from metric_reports.audit.text import html, plain
from tests.reports.rendering import SAMPLES
from tests.support.page import Page
from tests.support.sample_audit import HOSTILE, KNOWN, VERIFIED, a_comparison, an_audit

# Markdown


def test_markdown():
    text = render_markdown(an_audit())
    lines = text.splitlines()
    assert lines[0] == "### 2 functions, 1 verified, 1 refused"
    assert (
        "| `src/my metrics.py:recall` | `recall(divide_by=min_k_relevant)` | `divide_by=min_k_relevant` | yes | "
        "EXP001 not the definition expected |" in lines
    )
    for line in (line for line in lines if line.startswith("|")):
        assert len(re.findall(r"(?<!\\)\|", line)) in (5, 6), line
    assert text.count("<details>") == text.count("</details>") == 3
    assert len(text) < 65536


def test_markdown_of_one_function_says_what_its_name_rests_on():
    lines = render_markdown({**an_audit(), "subjects": [KNOWN]}).splitlines()
    assert lines[0].startswith("### src/my metrics.py:recall computes recall")
    assert lines[2].startswith("verified: 16 of 16 probes answered; 30 questions at size")


def test_markdown_shows_hostile_text_as_text():
    """Text outside code and fences is escaped."""
    text = render_markdown(an_audit())
    outside = re.sub(r"<summary><code>[^<>]*</code></summary>", "", text)  # where HTML is escaped and nothing else
    outside = re.sub(r"(?s)(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert "alert" in outside
    for part in ("<script", "](b)", "[a]", "@someone"):
        assert not re.search(r"(?<!\\)" + re.escape(part), outside), part


def test_markdown_says_a_finding_once_for_all_functions():
    record = {**an_audit(), "subjects": [{**KNOWN, "target": f"lib:f{number}"} for number in range(9)]}
    text = render_markdown(record)
    assert text.count("100% of it") == 1
    assert text.count("<details>") == 2
    assert all(f"`lib:f{number}`" in text for number in range(9))
    assert "and 1 more" in text


def test_markdown_stays_short_enough_for_a_comment():
    subjects = [copy.deepcopy(KNOWN) for _ in range(300)]
    for number, subject in enumerate(subjects):
        subject["findings"][0]["message"] = f"number {number}"
        subject["findings"][0]["case"]["arithmetic"] *= 20
    text = render_markdown({**an_audit(), "subjects": subjects})
    assert len(text) < 65536
    assert all(f"more {what} are left out" in text for what in ("functions", "findings", "cases"))


def test_markdown_of_a_comparison():
    text = render_markdown(a_comparison(same=True))
    assert "follow the same definition" in text.splitlines()[0]
    assert "The smallest list on which they differ" in render_markdown(a_comparison())


# HTML


@pytest.mark.parametrize("sample", SAMPLES)
def test_html_is_one_sound_page(sample):
    text = render_audit_html(sample())
    page = Page(text)
    assert not page.problems
    assert not page.all("script")
    assert not [e for e in page.elements if e["attrs"].get("src") or e["attrs"].get("href", "#")[0] != "#"]
    ids = [e["attrs"]["id"] for e in page.elements if "id" in e["attrs"]]
    assert len(ids) == len(set(ids))
    links = {e["attrs"]["href"][1:] for e in page.all("a")}
    assert links <= set(ids)
    labels = {e["attrs"]["aria-labelledby"] for e in page.elements if "aria-labelledby" in e["attrs"]}
    assert labels <= set(ids)
    assert "default-src 'none'" in text


def test_html_says_everything():
    page = Page(render_audit_html(an_audit()))
    assert page.text("h1") == ["2 functions, 1 verified, 1 refused."]
    assert any(VERIFIED["summary"] in text for text in page.text("p"))
    assert page.text("span", class_="verified") == ["yes", "verified"]
    assert page.text("span", class_="refused") == ["refused", "refused"]
    assert [text for text in page.text("summary") if "DUP001" in text] == ["1 more: DUP001 twice"]
    assert "recall(actual={relevant}, predicted={recommended}, k={k})" in page.text("code")
    assert "100% of it, it computes: that" in page.text("p")
    assert any("recall(divide_by=relevant)@1" in text for text in page.text("pre"))
    assert any("alert(1)" in text for text in page.text("h4")), "hostile text is shown, as text"
    assert len(page.all("figure")) == 4
    assert "user 2" in page.text("p", class_="who")


def test_html_of_a_comparison():
    page = Page(render_audit_html(a_comparison()))
    cells = [text for text in page.text("th") if "my metrics" in text]
    assert len(cells) == 2, "in the table of functions and in the case"
    assert page.text("li", class_="error") == ["3 errors"], "that they differ is one"
    assert any("a user with an empty list: zero / skipped" in text for text in page.text("li"))


def test_jupyter_shows_one_escaped_element():
    text = html(an_audit())
    page = Page(text)
    assert not page.problems
    assert not page.all("script")
    assert text.startswith("<pre")
    assert "font-weight: bold" in text
    assert HOSTILE[:8] not in text
    console = Console(file=io.StringIO(), width=100)
    console.print(plain(an_audit()), markup=False)
    assert page.text("pre")[0] == " ".join(plain(an_audit()).split())
