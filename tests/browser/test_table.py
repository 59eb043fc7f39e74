"""The table of results in a browser: sort, filter, switch releases, open cells; and all of it read without scripts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.browser.conftest import Noticed
from tests.support.sample_record import sample_record

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]
ROWS = "table.measured-values tbody tr"


def record_of_releases() -> dict[str, Any]:
    """The sample with an older release of RecBole, which the paper used and whose hit rate is another."""
    record = sample_record()
    for library in record["libraries"]:
        library.update(newest=True, paper=library["name"] == "rs_metrics")
    older = {**record["libraries"][0], "release": "0.2.1", "newest": False, "paper": True, "date": "2021-01-01",
             "commit": "abc", "repository": "https://github.com/a/b"}  # fmt: skip
    record["libraries"].insert(0, older)
    for part in ("subjects", "cells"):
        thing = copy.deepcopy(next(one for one in record[part] if one["function"] == "Hit"))
        thing.update(release="0.2.1", variant="hit_rate(value=hits)")
        record[part].insert(0, {**thing, **({"value": 1.2, "predicted": 1.2} if part == "cells" else {})})
    return validate(record)


@pytest.fixture(scope="module")
def html() -> str:
    return render_html(record_of_releases())


@pytest.fixture
def page(browser_page: Opens, html: str, noticed: Noticed) -> Any:
    yield (opened := browser_page(html))
    assert noticed.errors == []
    assert noticed.requests == []
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def rows(page: Any) -> list[str]:
    """Library and release of the rows that are seen, from top to bottom."""
    seen = page.locator(f"{ROWS}:visible > th")
    return [" ".join(text.split()[:2]) for text in seen.all_inner_texts()]


def controls(page: Any) -> Any:
    return page.locator("#controls")


def asked(page: Any, what: str) -> Any:
    return controls(page).locator(f"[data-filter={what}]")


def values(page: Any, metric: str) -> list[str]:
    return page.locator(f"{ROWS}:visible td[data-metric={metric}] .entry:visible .value").all_inner_texts()


def head(page: Any, label: str) -> Any:
    return page.get_by_role("columnheader", name=label)


ALL = ["RecBole 0.2.1", "RecBole 1.2.1", "Recommenders 1.2.1", "rs_metrics 0.6.0", "DaisyRec 2.3.0", "RecPack 0.3.6",
       "Elliot git"]  # fmt: skip


def test_every_row_is_there_at_first(page: Any) -> None:
    assert rows(page) == ALL
    assert page.locator("#controls [role=status]").inner_text() == "7 of 7 rows, 36 cells"


def test_sorting_by_a_column_and_back(page: Any) -> None:
    button = head(page, "MAP@20").get_by_role("button")
    button.click()
    assert head(page, "MAP@20").get_attribute("aria-sort") == "ascending"
    upwards = values(page, "average_precision")
    # Recommenders has two values and stands by its smaller one, 0.0317, upwards and by its larger, 0.0393, downwards.
    assert rows(page)[:2] == ["Recommenders 1.2.1", "rs_metrics 0.6.0"]
    assert upwards[-2:] == ["0.07299", "0.2214"]
    button.click()
    assert head(page, "MAP@20").get_attribute("aria-sort") == "descending"
    assert rows(page)[:3] == ["DaisyRec 2.3.0", "Elliot git", "RecBole 1.2.1"]
    assert rows(page)[-2:] == ["RecBole 0.2.1", "RecPack 0.3.6"]  # without a value: last both ways
    head(page, "Library").get_by_role("button").click()
    assert head(page, "MAP@20").get_attribute("aria-sort") == "none"
    assert rows(page)[0] == "DaisyRec 2.3.0"
    for _ in range(2):
        head(page, "Library").get_by_role("button").click()
    assert rows(page) == ALL


def test_sorting_from_the_keyboard(page: Any) -> None:
    head(page, "HitRate@20").get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert rows(page)[:2] == ["RecBole 0.2.1", "RecPack 0.3.6"]


def test_switching_releases(page: Any) -> None:
    page.get_by_text("of the paper", exact=True).first.click()
    assert rows(page) == ["RecBole 0.2.1", "rs_metrics 0.6.0"]
    page.get_by_role("radio", name="newest").check(force=True)
    assert rows(page) == ALL[1:]
    controls(page).get_by_role("button", name="Show all").click()
    assert rows(page) == ALL


def test_filtering_by_library_metric_and_code(page: Any) -> None:
    asked(page, "library").select_option("recbole")
    assert rows(page) == ALL[:2]
    asked(page, "library").select_option("")
    asked(page, "metric").select_option("average_precision")
    assert page.locator("table.measured-values thead th:visible").count() == 2
    assert rows(page) == ["RecBole 1.2.1", "Recommenders 1.2.1", "rs_metrics 0.6.0", "DaisyRec 2.3.0", "Elliot git"]
    assert page.locator(".legend dt:visible").all_inner_texts() == ["average precision"]
    asked(page, "code").select_option("AP002")
    assert rows(page) == ["Recommenders 1.2.1", "rs_metrics 0.6.0"]
    assert values(page, "average_precision") == ["0.03169", "0.03169"]
    foot = page.locator("table.measured-values tfoot td[data-metric=average_precision]").all_inner_texts()
    assert foot == ["1", "0.03169"]
    controls(page).get_by_role("button", name="Show all").click()
    asked(page, "severity").select_option("error")
    assert rows(page) == ["RecBole 1.2.1", "rs_metrics 0.6.0", "DaisyRec 2.3.0", "RecPack 0.3.6"]
    assert page.locator(f"{ROWS}:visible .entry:visible .sev:visible").all_inner_texts() == ["✕ error"] * 5
    asked(page, "severity").select_option("")
    assert page.locator(f"{ROWS} .sev.note:visible").count() == 0
    asked(page, "severity").select_option("note")
    assert page.locator(f"{ROWS} .sev.note:visible").count() == 3
    asked(page, "severity").select_option("error")
    asked(page, "metric").select_option("average_precision")
    assert rows(page) == []
    assert "Nothing fits" in page.locator("#controls [role=status]").inner_text()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("daisy", ["0.4746", "0.05752", "0.09632", "0.1863", "0.2214", "0.3103", "NaN"]),
        ("DIVIDE_BY=HITS", ["0.2214"]),  # a definition as code
        ("OVER THE hits", ["0.2214"]),  # and in plain words
        ("recbole auc001", ["0.6882"]),  # a library and a code together
        ("0.1017", ["0.1017"]),
        ("CalibratedRecallK", ["0.1017"]),
    ],
)
def test_searching(page: Any, text: str, found: list[str]) -> None:
    asked(page, "text").fill(text)
    assert page.locator(f"{ROWS}:visible .entry:visible .value").all_inner_texts() == found


def test_a_value_opens_the_section_of_its_function(page: Any) -> None:
    page.locator(f"{ROWS} a.value[title=mapr]").click()
    section = page.locator("article:focus")
    assert section.get_attribute("id") == "function-rs_metrics-mapr"
    assert section.is_visible()
    assert section.evaluate("it => Math.abs(it.getBoundingClientRect().top) < innerHeight / 2")
    told = section.inner_text()
    for part in (
        "AP over all relevant",
        "average_precision(divide_by=relevant)",
        "rs_metrics/metrics.py:99",
        "0.031690245847362415",
        "AP002",
        "input order",
        "Smallest case",
    ):
        assert part in told, part


def test_a_letter_opens_its_definition_and_a_code_its_finding(page: Any) -> None:
    page.locator(f"{ROWS} .entry a.letter[title$='ndcg(ideal=hits)']").click()
    assert page.locator("li:focus").get_attribute("id") == "variant-ndcg-B"
    page.locator(f"{ROWS} [data-codes~=HR001] a.sev").click()
    assert page.locator(":focus").get_attribute("id") == "HR001-recpack-HitK"


def test_the_environment_of_a_release_opens(page: Any) -> None:
    library = page.locator("details.library", has_text="DaisyRec")
    library.locator("summary").first.click()
    library.get_by_role("link", name="package").first.click()
    opened = page.locator("details[id^=environment-daisyrec][open]")
    opened.wait_for()
    assert "pandas 2.3.3" in opened.inner_text()


def test_without_scripts_everything_is_there_and_no_control_is(browser_page: Opens, html: str) -> None:
    page = browser_page(html, scripts=False)
    assert rows(page) == ALL
    assert not page.locator("#controls").is_visible()
    assert page.locator("table.measured-values button").count() == 0
    assert page.locator("figure.chart svg").count() == 8
    page.locator(f"{ROWS} a.value[title=mapr]").click()
    assert page.url.endswith("#function-rs_metrics-mapr")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_dots_of_a_picture_are_seen_against_the_page(browser_page: Opens, html: str, scheme: str) -> None:
    page = browser_page(html, scheme=scheme)
    ground, ink, dot = page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                 getComputedStyle(document.querySelector(".chart text")).fill,
                 getComputedStyle(document.querySelector(".chart circle")).fill]"""
    )
    levels = [sum(map(int, colour[4:-1].split(","))) for colour in (ground, ink, dot)]
    assert abs(levels[0] - levels[1]) > 200
    assert abs(levels[0] - levels[2]) > 100
    assert (levels[0] > 600) == (scheme == "light")
