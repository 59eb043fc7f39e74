"""The questions of a reader, each answered from the first screen in at most two clicks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from metric_harness.comparison.citations import citations, publications, signatures_of
from metric_reference.edges import Edges
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import Variant
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.browser.conftest import Noticed
from tests.support.sample_record import sample_record

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


def signed_record() -> dict[str, Any]:
    """The sample with trec_eval's NDCG in it, signatures, their citations, and one pair of definitions by user."""
    record = sample_record()
    own = next(one for one in record["libraries"] if one["name"] == "rs_metrics")
    record["libraries"].append({**own, "name": "pytrec_eval", "title": "pytrec_eval", "family": "ir"})
    for part in ("subjects", "cells"):
        thing = next(one for one in record[part] if one["library"] == "rs_metrics" and one["metric"] == "ndcg")
        record[part].append({**thing, "library": "pytrec_eval", "function": "ndcg_cut"})
    for cell in record["cells"]:
        if cell["variant"]:
            edges = Edges(no_relevant="skipped" if cell["library"] == "pytrec_eval" else "zero")
            signature = signature_of(Variant.parse(cell["variant"]).at(20), edges, users="truth", threshold=4.0)
            cell["signature"], cell["signature_short"] = str(signature), signature.short()
    record["citations"] = citations(signatures_of(record["cells"]))
    record["publications"] = publications(record["subjects"])
    record["user_pairs"] = [
        {
            "metric": "average_precision",
            "k": 20,
            "variants": ["average_precision", "average_precision(divide_by=relevant)"],
            "users": 943,
            "equal": 700,
            "higher": 0,
            "lower": 243,
            "mean": -0.00758,
            "largest": -0.4,
        }
    ]
    for number, subject in enumerate(record["subjects"]):
        if subject["function"] == "map_at_k":
            subject["answers"] = [{"probe": "plain", "value": 0.1 + number, "expected": 0.1, "error": None}]
    return validate(record)


@pytest.fixture(scope="module")
def html() -> str:
    return render_html(signed_record())


@pytest.fixture
def page(browser_page: Opens, html: str, noticed: Noticed) -> Any:
    yield browser_page(html)
    assert noticed.errors == []
    assert noticed.requests == []


def ask(page: Any, words: str) -> None:
    link = page.get_by_role("navigation", name="Questions").get_by_role("link", name=words)
    assert link.evaluate("it => it.getBoundingClientRect().bottom < innerHeight"), "it is not on the first screen"
    link.click()


def answer(page: Any, section: str) -> str:
    box = page.locator(f"#{section} .answer")
    assert box.is_visible()
    return " ".join(box.inner_text().split())


def test_which_library_computes_trec_evals_ndcg(page: Any) -> None:
    ask(page, "trec_eval")
    told = answer(page, "mine")
    assert "The same, edges included (1) pytrec_eval ndcg_cut" in told
    assert "The same definition, other edges (3)" in told
    assert "norel: 0 (here skip)" in told
    assert "NDCG, ideal made of the list's own hits: 0.217 away, 1 function" in told


def test_who_computes_what_a_paper_states(page: Any) -> None:
    ask(page, "trec_eval")
    page.locator("#mine select").first.select_option("average_precision")
    chosen = page.locator("#mine select").nth(1)
    papers = chosen.locator("optgroup[label='as a paper or text states it'] option").all_inner_texts()
    tamm = next(one for one in papers if one.startswith("Tamm, Damdinov & Vasilev 2021: AP over "))
    assert len(set(papers)) == len(papers)
    chosen.select_option(label=tamm)
    told = answer(page, "mine")
    definition = page.locator(f"#{chosen.input_value()}")
    assert definition.locator("strong").first.text_content() in told
    stated = definition.locator("a", has_text="Tamm, Damdinov & Vasilev 2021")
    assert stated.get_attribute("href") == "https://doi.org/10.1145/3460231.3478848"
    assert "The same" in told


def test_what_a_paper_says_and_copies(page: Any) -> None:
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    ask(page, "in my paper for NDCG@20")
    box = page.locator("#mine .cite")
    told = box.inner_text()
    for part in ("ndcg@20|", "We report NDCG", r"\footnote{\texttt{ndcg@20", "@software{metric_harness"):
        assert part in told, part
    box.get_by_role("button", name="Copy sentence").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("window.copied").startswith("We report NDCG")
    assert "⟨" not in told


def test_copying_works_where_the_clipboard_is_closed(page: Any) -> None:
    page.evaluate("""() => {
        navigator.clipboard.writeText = async () => { throw new Error("closed"); };
        document.addEventListener("copy", () => { window.copied = document.activeElement.value; });
    }""")
    ask(page, "in my paper")
    button = page.locator("#mine .cite .copy").first
    button.focus()
    page.keyboard.press("Space")
    page.wait_for_function("window.copied")
    assert page.evaluate("window.copied").startswith("ndcg@20|")
    assert button.evaluate("it => it === document.activeElement")


def test_how_two_libraries_differ_user_by_user_and_convert(page: Any) -> None:
    ask(page, "How do I turn Recommenders’s MAP into rs_metrics’s?")
    told = answer(page, "pair")
    assert "Recommenders map_at_k" in told
    assert "AP over all relevant" in told
    assert "Of 943 users 700 have the same value" in told
    assert "on average -0.00758, at most -0.4" in told
    assert 'metric-harness signature convert 0.03927 --from "average_precision@20|' in told
    assert "The smallest case where they part plain, k = 5" in told
    assert page.locator("#pair .strip li").count() == 8


def test_the_other_questions_lead_to_their_answers(page: Any) -> None:
    ask(page, "How do two libraries differ")
    assert "away" in answer(page, "pair")
    page.evaluate("scrollTo(0, 0)")
    ask(page, "Why is a hit rate above 1?")
    assert "Hits are counted" in page.locator("#HR001").inner_text()
    page.evaluate("scrollTo(0, 0)")
    ask(page, "Who computes MAP as Recommenders does?")
    assert "RecBole MAP" in answer(page, "mine")


def test_what_becomes_of_a_user_without_relevant_items(page: Any) -> None:
    ask(page, "user without relevant items")
    edges = page.locator("#edges tbody tr")
    row = edges.filter(has_text="RecBole").filter(has_text="NDCG")
    assert row.locator("td").nth(1).inner_text() == "zero"
    before = edges.first.inner_text()
    page.locator("#edges thead button").first.click()
    assert edges.first.inner_text() != before
    assert page.url.endswith("#edges?down=1")


@pytest.mark.parametrize(
    ("fragment", "seen"),
    [
        (
            "results?metric=average_precision&severity=warning",
            "#controls [role=status]:has-text('4 of 7 rows, 4 cells')",
        ),
        ("mine?is=variant-ndcg-B", "#mine .answer:has-text('DaisyRec NDCG')"),
        ("pair?one=function-daisyrec-MAP&other=function-recbole-MAP", "#pair .answer:has-text('AP over the hits')"),
        ("edges?library=daisyrec", "#edges [role=status]:has-text('7 functions')"),
        ("function-daisyrec-MAP", "article:focus:has-text('AP over the hits')"),
    ],
)
def test_a_link_shows_what_its_sender_saw(browser_page: Opens, html: str, fragment: str, seen: str) -> None:
    page = browser_page(html)
    page.goto(page.url + "#" + fragment)
    assert page.locator(seen).is_visible()
    page.reload()
    assert page.locator(seen).is_visible()


def test_the_address_follows_the_controls(page: Any) -> None:
    page.locator("#controls [data-filter=metric]").select_option("ndcg")
    page.locator("#controls [data-filter=severity]").select_option("error")
    assert page.url.endswith("#results?metric=ndcg&severity=error")
    page.get_by_role("columnheader", name="NDCG@20").get_by_role("button").click()
    assert "sort=6&way=ascending" in page.url
    page.get_by_role("button", name="Show all", exact=True).click()
    page.locator("#mine select").nth(1).select_option("variant-ndcg-B")
    assert page.url.endswith("#mine?is=variant-ndcg-B")


def test_numbers_and_pictures_are_taken_along(page: Any) -> None:
    def taken(button: Any) -> bytes:
        with page.expect_download() as waiting:
            button.click()
        path = waiting.value.path()
        return path.read_bytes()

    record = signed_record()
    rows = list(csv.DictReader(io.StringIO(taken(page.get_by_role("button", name="CSV")).decode())))
    assert len(rows) == len(record["cells"])
    assert {row["definition"] for row in rows} >= {"AP over the hits", "NDCG, ideal made of the list's own hits"}
    held = json.loads(taken(page.get_by_role("button", name="JSON")))
    assert len(held) == len(rows)
    assert held[0]["edges"]["a user with nothing relevant"] == "zero"
    figure = page.locator("figure.chart").first
    svg = taken(figure.get_by_role("button", name="SVG")).decode()
    assert svg.startswith("<svg ")
    assert "var(" not in svg
    assert taken(figure.get_by_role("button", name="PNG")).startswith(b"\x89PNG")


def test_a_phone_shows_one_library_at_a_time_and_cuts_nothing_off(browser_page: Opens) -> None:
    record = sample_record()
    for number in range(8):
        library = {**record["libraries"][0], "name": f"more_{number}", "title": f"More {number}"}
        record["libraries"].append(library)
        record["cells"].append({**record["cells"][0], "library": library["name"]})
        record["subjects"].append({**record["subjects"][0], "library": library["name"]})
    page = browser_page(render_html(validate(record)), width=390)
    rows = page.locator(".measured-values tr[data-library]:visible")
    assert [row.get_attribute("data-library") for row in rows.all()] == ["recbole"]
    page.get_by_role("button", name="Next library").click()
    assert [row.get_attribute("data-library") for row in rows.all()] == ["recommenders"]
    assert page.url.endswith("#results?library=recommenders")
    for entry in rows.locator(".entry").all():
        box = entry.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    page.locator("#controls [data-filter=library]").select_option("")
    assert rows.count() == 14


def test_paper_shows_every_section_and_no_control(browser_page: Opens, html: str) -> None:
    page = browser_page(html)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator(".controls:visible, .copy:visible, .take:visible, nav:visible").count() == 0
    for section in ("results", "definitions", "findings", "functions", "method"):
        assert page.locator(f"#{section}").is_visible()
    assert page.locator(".measured-values tr[data-library]:visible").count() == 7
    assert page.locator("#edges tbody tr").count() > 20
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0


def test_forced_colours_keep_text_and_choice(browser_page: Opens, html: str) -> None:
    page = browser_page(html)
    page.emulate_media(forced_colors="active")
    ground, ink = page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                 getComputedStyle(document.querySelector(".chart text")).fill]"""
    )
    assert ground != ink
    assert page.locator(".measured-values .sev:visible").first.inner_text() in ("✕ error", "▲ warning")
