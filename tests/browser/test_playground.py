"""The playground as a person uses it: typing, clicking, dragging and keys change the list and the values beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from metric_reference.case import case_from_lists
from metric_reference.variant import Variant
from metric_reports.html.page import render_html
from metric_reports.html.scripts import scripts
from tests.support.sample_record import sample_record

pytestmark = pytest.mark.slow

AP = "average_precision(divide_by=relevant)"


@pytest.fixture
def page(browser_page: Callable[..., Any]) -> Any:
    opened = browser_page(render_html(sample_record()))
    fill(opened, ranking="8 3 0 6 9", relevant="3, 9, 11", k="5", items="12")
    return opened


def fill(page: Any, **fields: str) -> None:
    for name, text in fields.items():
        page.fill(f"#pg-{name}", text)


def strip(page: Any) -> str:
    """The items rank by rank, hits in brackets."""
    buttons = page.locator("#pg-strip button")
    items = buttons.locator(".pg-item").all_text_contents()
    pressed = buttons.evaluate_all("all => all.map(one => one.ariaPressed)")
    return " ".join(f"[{item}]" if on == "true" else item for item, on in zip(items, pressed, strict=True))


def row_of(page: Any, printed: str) -> tuple[float, list[str]]:
    """The value beside a variant in the table, and the variants of the same row."""
    for row in page.locator("#pg-table tbody tr").filter(has=page.locator("code")).all():
        forms = row.locator("code").all_text_contents()
        if printed in forms:
            return float(row.locator(".pg-value").inner_text()), forms
    raise AssertionError(f"{printed} is not in the table")


def expected(ranking: list[int], relevant: list[int], k: int = 5, printed: str = AP) -> float:
    return Variant.parse(printed).value(case_from_lists([ranking], [relevant], 20), k=k)


def test_typing_changes_strip_and_values(page: Any) -> None:
    assert strip(page) == "8 [3] 0 6 [9]"
    assert row_of(page, AP)[0] == pytest.approx(expected([8, 3, 0, 6, 9], [3, 9, 11]), abs=1e-6)
    fill(page, ranking="3,8 , 9", k="2")
    assert strip(page) == "[3] 8 [9]"
    assert row_of(page, AP)[0] == pytest.approx(expected([3, 8, 9], [3, 9, 11], 2), abs=1e-6)
    assert "not in the list: 11." in page.locator("#pg-missed").inner_text()


def test_variants_of_equal_value_share_a_row_and_others_do_not(page: Any) -> None:
    value, forms = row_of(page, AP)
    assert forms[0] == "average_precision(divide_by=min_k_relevant)"
    assert "average_precision(divide_by=hits)" not in forms
    assert row_of(page, "average_precision(divide_by=hits)")[0] > value
    fill(page, relevant="3 9")
    assert "average_precision(divide_by=hits)" in row_of(page, AP)[1]


def test_every_variant_is_in_the_table_when_all_are_asked_for(page: Any) -> None:
    table = page.locator("#pg-table code")
    before = table.count()
    page.get_by_role("button", name=re.compile(r"Show all \d+ of NDCG")).click()
    assert table.count() > before
    assert page.evaluate("document.activeElement.textContent") == "Show the plain ones"
    page.check("#pg-micro")
    more = page.get_by_role("button", name=re.compile(r"Show all \d+ of"))
    while more.count():
        more.first.click()
    shown = table.all_text_contents()
    assert sorted(shown) == sorted(page.evaluate("metricHarness.variants.map(one => one.printed)"))


def test_click_and_space_toggle_a_rank(page: Any) -> None:
    ranks = page.locator("#pg-strip button")
    ranks.nth(0).click()
    assert strip(page) == "[8] [3] 0 6 [9]"
    assert page.input_value("#pg-relevant").split() == ["3", "9", "11", "8"]
    ranks.nth(1).focus()
    page.keyboard.press("Space")
    assert strip(page) == "[8] 3 0 6 [9]"
    assert row_of(page, AP)[0] == pytest.approx(expected([8, 3, 0, 6, 9], [8, 9, 11]), abs=1e-6)


def test_a_gain_comes_back_with_its_item(page: Any) -> None:
    fill(page, relevant="3:2 9:4.5", threshold="3")
    assert strip(page) == "8 3 0 6 [9]"
    ranks = page.locator("#pg-strip button")
    for _ in range(2):
        ranks.nth(4).click()
    assert page.input_value("#pg-relevant") == "3:2 9:4.5"
    ranks.nth(1).click()
    assert page.input_value("#pg-relevant") == "9:4.5 3:3"


def test_arrow_keys_move_a_hit_and_keep_the_focus_on_it(page: Any) -> None:
    page.locator("#pg-strip button").nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert strip(page) == "8 0 6 [3] [9]"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert strip(page) == "[3] 8 0 6 [9]"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Rank 1, item 3, relevant"
    assert page.input_value("#pg-ranking") == "3 8 0 6 9"
    assert row_of(page, AP)[0] == pytest.approx(expected([3, 8, 0, 6, 9], [3, 9, 11]), abs=1e-6)


def test_dragging_moves_a_hit_and_toggles_nothing(page: Any) -> None:
    ranks = page.locator("#pg-strip button")
    ranks.nth(4).scroll_into_view_if_needed()
    start, end = ranks.nth(4).bounding_box(), ranks.nth(0).bounding_box()
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=8)
    assert strip(page) == "[9] 8 [3] 0 6"
    page.mouse.up()
    assert strip(page) == "[9] 8 [3] 0 6"
    assert page.locator("#pg-strip button:focus").get_attribute("aria-label") == "Rank 1, item 9, relevant"
    ranks.nth(1).click()
    assert strip(page) == "[9] [8] [3] 0 6"


WRONG = (
    ("k", "0", "k must be a whole number from 1"),
    ("k", "", "k must be a whole number from 1"),
    ("items", "3", "at least 6 items"),
    ("relevant", "3:much", "gain of item 3 must be a number"),
    ("relevant", "3 9 3", "Item 3 stands among the relevant items twice"),
    ("threshold", "", "threshold must be a number"),
    ("ranking", " ".join(map(str, range(101))), "At most 100 ranks"),
)


def test_what_is_wrong_is_said_beside_the_field(page: Any) -> None:
    for field, text, said in WRONG:
        right = page.input_value(f"#pg-{field}")
        fill(page, **{field: text})
        assert said in page.locator("#pg-problem").inner_text()
        assert page.locator("[aria-invalid=true]").get_attribute("id") == f"pg-{field}"
        assert not page.locator("#pg-table").is_visible()
        fill(page, **{field: right})
        assert page.locator("#pg-problem").inner_text() == ""
        assert page.locator("#pg-table").is_visible()


def test_while_something_is_wrong_nothing_else_moves(page: Any) -> None:
    height = "document.documentElement.scrollHeight"
    before = page.evaluate(height)
    fill(page, k="")
    assert abs(page.evaluate(height) - before) < 60  # a line that says what is wrong


def test_undefined_is_a_dash_and_is_said(page: Any) -> None:
    fill(page, relevant="")
    assert set(page.locator("#pg-table .pg-value").all_text_contents()) == {"– undefined"}
    assert "Nothing is relevant" in page.locator("#pg-summary").inner_text()


def test_a_screen_reader_is_told_once_after_a_pause(page: Any) -> None:
    status = page.locator("#pg-status")
    assert status.text_content() == ""
    status.filter(has_text="At k = 5").wait_for(state="attached")
    page.evaluate("""() => { window.told = []; new MutationObserver(() => told.push(
        document.querySelector('#pg-status').textContent)).observe(
        document.querySelector('#pg-status'), {childList: true, characterData: true, subtree: true}); }""")
    for k in ("1", "2", "3"):
        fill(page, k=k)
    status.filter(has_text="At k = 3").wait_for(state="attached")
    page.wait_for_timeout(900)
    assert page.evaluate("told.length") == 1
    assert page.evaluate("told[0]").startswith("At k = 3, by variant: ")
    assert page.locator("#pg-status").get_attribute("aria-live") == "polite"


def test_every_example_can_be_computed(page: Any) -> None:
    options = page.locator("#pg-example option").all_text_contents()
    assert len(options) >= 6
    seen = set()
    for option in options:
        page.select_option("#pg-example", label=option)
        assert page.locator("#pg-problem").inner_text() == ""
        seen.add(page.locator("#pg-table").inner_text())
    assert len(seen) == len(options)


def test_items_may_be_any_words_and_act_as_none(page: Any, noticed: Any) -> None:
    hostile = "<img/src=x/onerror=alert(1)>"
    fill(page, ranking=f"{hostile} __proto__ a:b", relevant=f"{hostile}:2 constructor", items="9")
    assert strip(page) == f"[{hostile}] __proto__ a:b"
    assert "constructor" in page.locator("#pg-missed").inner_text()
    assert not noticed.dialogs
    assert not noticed.errors


def test_without_scripts_the_section_says_so_and_the_rest_reads(browser_page: Callable[..., Any]) -> None:
    from playwright.sync_api import expect  # where it is not installed, the fixture has skipped the test

    page = browser_page(render_html(sample_record()), scripts=False)
    section = page.locator("#playground")
    assert "needs JavaScript" in section.inner_text()
    assert not section.locator("textarea").first.is_visible()
    assert page.locator("#results table").first.is_visible()
    # Parts below the window are laid out some frames after they are scrolled to; before, they have no inner text.
    named = page.locator("code.printed", has_text="average_precision(divide_by=hits)").first
    named.scroll_into_view_if_needed()
    expect(named).to_have_text("average_precision(divide_by=hits)", use_inner_text=True)


def test_scripts_are_small_and_cannot_end_early() -> None:
    texts = scripts()
    assert len(texts) >= 2
    assert sum(len(text.encode()) for text in texts[:2]) < 40_000
    assert not [text for text in texts if "</script" in text.lower() or "<!--" in text or "\r" in text]
