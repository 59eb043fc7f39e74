"""The pages of the site: every link leads somewhere, every page can be quoted, nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from metric_harness.site.index import gather
from metric_reports.errors import HarnessError
from metric_reports.site.environment import letter, style
from metric_reports.site.pages import SENTENCE, site
from metric_reports.site.write import LISTED, write_site
from tests.support.page import Page
from tests.support.site import broken_links, small_index

SHORTEST = 25


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return dict(site(small_index()))


@pytest.fixture(scope="module")
def pages(files: dict[str, str]) -> dict[str, Page]:
    return {path: Page(text) for path, text in files.items() if path.endswith(".html")}


@pytest.mark.thorough
def test_every_link_leads_to_a_file_and_a_place(files: dict[str, str]) -> None:
    assert list(broken_links(files)) == []


def test_a_broken_link_is_seen(files: dict[str, str]) -> None:
    torn = {**files, "census.html": '<a href="nowhere.html">a</a><a href="index.html#nowhere">b</a>'}
    assert list(broken_links(torn)) == ["census.html: nowhere.html", "census.html: index.html#nowhere"]


def test_every_page_is_whole_and_can_be_quoted(pages: dict[str, Page]) -> None:
    titles, descriptions = set(), set()
    for path, page in pages.items():
        assert page.problems == [], path
        (title,) = (one["text"] for one in page.elements if one["tag"] == "title")
        (said,) = (one["attrs"]["content"] for one in page.elements if one["attrs"].get("name") == "description")
        assert SHORTEST <= len(said) <= SENTENCE, path
        assert sum(one["tag"] == "h1" for one in page.elements) == 1
        ids = [one["attrs"]["id"] for one in page.elements if "id" in one["attrs"]]
        assert len(ids) == len(set(ids)), path
        titles.add(title)
        descriptions.add((path, said))
    assert len(titles) == len(descriptions) == len(pages)


def test_nothing_is_loaded_from_elsewhere(files: dict[str, str], pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        loaded = [
            one["attrs"].get("src") or one["attrs"].get("href")
            for one in page.elements
            if one["tag"] in ("script", "img") or (one["tag"] == "link" and one["attrs"]["rel"] == "stylesheet")
        ]
        assert loaded
        assert not [address for address in loaded if "://" in address], path
    assert not re.search(r"https?://|@import|url\(", files["style.css"])
    scripts = "".join(text for name, text in files.items() if name.endswith(".js") and "/" not in name)
    scripts = scripts.replace(files["minisearch.js"], "")  # whose index has a method `fetch`
    assert not re.search(r"XMLHttpRequest|https?://|import\(", files["minisearch.js"])
    assert not re.search(r"fetch\(|XMLHttpRequest|https?://", scripts)


def test_the_index_is_what_the_pages_are_made_of(files: dict[str, str]) -> None:
    index = json.loads(files["index.json"])
    assert index == small_index()
    for part in ("metrics", "libraries", "definitions", "rules"):
        assert {one["page"] for one in index[part]} <= files.keys()


def test_a_rule_page_says_what_explain_says(pages: dict[str, Page]) -> None:
    from metric_harness.naming.findings.rules import rules
    from tests.support.command import run

    for code in ("HR001", "AUC002"):
        text = " ".join("".join(one["text"] for one in pages[f"rules/{code}.html"].elements).split())
        printed = run("explain", code).stdout
        for part in (rules()[code].why, rules()[code].advice, rules()[code].say):
            assert part in printed
            assert part in text


def test_data_cannot_end_a_script(files: dict[str, str]) -> None:
    for name in ("data/search.js", "data/pair.js", "data/choose.js"):
        assert "<" not in files[name]


def test_no_text_of_the_index_acts() -> None:
    planted = "<script>window.pwned=1</script>"
    index = json.loads(json.dumps(small_index()).replace("A unified library", planted))
    (page,) = (text for path, text in site(index) if path == "libraries/recbole.html")
    assert planted not in page
    assert "&lt;script&gt;window.pwned" in page


def test_an_address_makes_canonical_links_and_a_list_of_pages() -> None:
    files = dict(site(small_index(), "https://metrics.example.org/"))
    assert '<link rel="canonical" href="https://metrics.example.org/rules/HR001.html">' in files["rules/HR001.html"]
    assert "https://metrics.example.org/badges/recbole.svg" in files["libraries/recbole.html"]
    assert "https://metrics.example.org/metrics/ndcg.html\n" in files["sitemap.txt"]


def test_the_colours_are_those_of_the_report() -> None:
    assert "--v0: #d3ecf9" in style()
    assert "prefers-color-scheme: dark" in style()
    assert "forced-colors" in style()


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (0, 25, 26, 27)] == ["A", "Z", "AA", "AB"]


def test_a_site_replaces_an_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    assert write_site([("index.html", "one"), ("rules/OLD.html", "old")], tmp_path) == 2
    (tmp_path / "CNAME").write_text("metrics.example.org")
    write_site([("index.html", "two")], tmp_path)
    assert (tmp_path / "index.html").read_text() == "two"
    assert not (tmp_path / "rules" / "OLD.html").exists()
    assert (tmp_path / "CNAME").exists()
    assert (tmp_path / LISTED).read_text() == "index.html\n"


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(HarnessError, match="holds files and is no site"):
        write_site([("index.html", "one")], tmp_path)
    assert not (tmp_path / "index.html").exists()


def test_a_list_cannot_name_files_outside(tmp_path: Path) -> None:
    folder, other = tmp_path / "site", tmp_path / "kept.txt"
    folder.mkdir()
    other.write_text("x")
    (folder / LISTED).write_text("../kept.txt\n")
    write_site([("index.html", "one")], folder)
    assert other.exists()


@pytest.mark.slow
def test_every_link_of_the_whole_site_leads_somewhere() -> None:
    files = dict(site(gather()))
    assert len(files) > 300
    assert list(broken_links(files)) == []
