"""The report of the paper's comparison in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metric_reports.html.page import render_html
from tests.browser.conftest import Noticed
from tests.support.paper_run import paper_run

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return render_html(paper_run(tmp_path_factory.mktemp("paper")))


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (390, "dark")])
def test_no_accessibility_violations(browser_page: Opens, html: str, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    results = axe.Axe().run(browser_page(html, width=width, scheme=scheme))
    broken = results.response["violations"]
    assert not [(one["id"], one["nodes"][0]["html"][:200]) for one in broken]


def test_the_switch_shows_the_releases_of_the_paper(browser_page: Opens, noticed: Noticed, html: str) -> None:
    page = browser_page(html)
    rows = page.locator("table.measured-values tr[data-kinds]")
    everything = rows.locator("visible=true").count()
    page.get_by_role("button", name="of the paper").or_(page.get_by_label("of the paper")).first.click()
    shown = rows.locator("visible=true").count()
    assert shown == 11
    assert everything > shown
    assert not noticed.errors


def test_the_page_fits_a_phone(browser_page: Opens, html: str) -> None:
    page = browser_page(html, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("#paper h2").is_visible()
