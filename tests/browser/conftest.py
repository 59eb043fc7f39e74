"""A real browser for the tests of pages (skipped, saying so, where there is none), and a reader of the site."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass
class Noticed:
    """What the pages of a test did beside showing themselves.

    errors : messages of the console and exceptions of scripts; requests : addresses asked for, the page's own left
    out; dialogs : texts of alerts and the like.
    """

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window. Of a module, not of the session: while it runs, asyncio is taken."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on the path")
    with driver.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture
def noticed() -> Noticed:
    """What the pages that ``browser_page`` opens in this test do; empty at first."""
    return Noticed()


@pytest.fixture
def browser_page(browser: Any, noticed: Noticed, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """A function that opens an HTML text from a file, as a reader would, and gives Playwright's page.

    width, height : of the window in CSS pixels; scheme : light or dark; scripts : whether the browser runs any.
    """
    contexts = []

    def opened(html: str, width: int = 1300, height: int = 900, scheme: str = "light", scripts: bool = True) -> Any:
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: noticed.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: noticed.errors.append(str(error)))
        page.on("request", lambda asked: noticed.requests.append(asked.url) if asked.url != file.as_uri() else None)
        page.on("dialog", lambda dialog: (noticed.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri(), wait_until="load")
        return page

    yield opened
    for context in contexts:
        context.close()


class Visit:
    """A reader's way through the site: what was clicked, what went wrong, what was asked of a network."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.page, self.folder, self.clicks = page, folder, 0
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "request", lambda asked: self.elsewhere.append(asked.url) if not asked.url.startswith("file:") else None
        )

    def open(self, path: str = "index.html") -> Any:
        file, _, place = path.partition("#")
        self.page.goto((self.folder / file).as_uri() + (f"#{place}" if place else ""), wait_until="load")
        return self.page

    def click(self, text: str) -> Any:
        """Follow the link with this text; a reader sees it without opening anything first."""
        self.clicks += 1
        link = self.page.locator("main").get_by_role("link", name=text, exact=True).first
        assert link.is_visible()
        link.click()
        self.page.wait_for_load_state("load")
        return self.page


@pytest.fixture
def visit(browser: Any, folder: Path) -> Iterator[Visit]:
    """A reader of the site in ``folder``, a fixture of its module: two clicks at most, and nothing goes wrong."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    visit = Visit(context.new_page(), folder)
    yield visit
    context.close()
    assert (visit.errors, visit.elsewhere) == ([], [])
    assert visit.clicks <= 2
