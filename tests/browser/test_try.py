"""A list to try on the page of a variant: what a reader presses and types, and the value of the reference beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from metric_reference.case import case_from_lists
from metric_reference.variant import Variant
from metric_reports.site.pages import site
from metric_reports.site.write import write_site
from tests.support.site import small_index

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    write_site(site(small_index()), out)
    return out


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Callable[[str], Any]]:
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def variant(name: str) -> Any:
        page.goto((folder / "variants" / f"{name}.html").as_uri(), wait_until="load")
        return page

    yield variant
    context.close()
    assert not errors


def shown(page: Any) -> list[float]:
    """The value of the variant, and that of the usual one where it is shown."""
    return [
        float(text)
        for text in re.findall(r"(?:here: |gives )([\d.]+)\b", page.locator("#try [role=status]").inner_text())
    ]


def expected(printed: str, hits: list[int], missed: int, k: int, length: int) -> float:
    relevant = [*(rank - 1 for rank in hits), *range(length, length + missed)]
    return Variant.parse(printed).value(case_from_lists([list(range(length))], [relevant], 20), k=k)


def test_pressing_and_typing_change_the_value(opened: Callable[[str], Any]) -> None:
    page, printed = opened("average_precision-divide_by-hits"), "average_precision(divide_by=hits)"
    usual = "average_precision(divide_by=min_k_relevant)"

    def agrees(hits: list[int], missed: int, k: int, length: int) -> None:
        both = [expected(text, hits, missed, k, length) for text in (printed, usual)]
        assert shown(page) == [pytest.approx(value, abs=1e-6) for value in both]

    agrees([1, 3], 1, 5, 8)
    page.get_by_role("button", name="Rank 2, relevant", exact=True).click()
    agrees([1, 2, 3], 1, 5, 8)
    page.get_by_role("button", name="Rank 1, relevant", exact=True).press("Enter")
    agrees([2, 3], 1, 5, 8)
    page.get_by_role("button", name="Rank 7, relevant, past k", exact=True).click()
    agrees([2, 3, 7], 1, 5, 8)
    page.locator("#try [name=k]").fill("7")
    page.locator("#try [name=missed]").fill("3")
    agrees([2, 3, 7], 3, 7, 8)
    page.locator("#try [name=length]").fill("2")
    assert page.locator("#try .ranks button").count() == 2
    agrees([2], 3, 7, 2)


def test_gains_are_those_typed_the_last_for_all_further_items(opened: Callable[[str], Any]) -> None:
    page, printed = opened("ndcg-gain-linear"), "ndcg(gain=linear)"
    for typed, gains in (("", [5, 3, 1]), ("2 4.5", [2, 4.5, 4.5]), ("0.5, x, -1", [0.5, 0.5, 0.5])):
        if typed:
            page.locator("#try [name=gains]").fill(typed)
        case = case_from_lists([list(range(8))], [[0, 2, 8]], 20, gains=[gains], threshold=min(1, *gains))
        assert shown(page)[0] == pytest.approx(Variant.parse(printed).value(case, k=5), abs=1e-6)


def test_the_usual_definition_is_not_shown_beside_itself(opened: Callable[[str], Any]) -> None:
    page = opened("ndcg-gain-binary")
    assert shown(page) == [pytest.approx(expected("ndcg(gain=binary)", [1, 3], 1, 5, 8), abs=1e-6)]
    page.locator("#try [name=missed]").fill("0")
    for rank in (1, 3):
        page.get_by_role("button", name=f"Rank {rank}, relevant", exact=True).click()
    assert "Its value here: undefined." in page.locator("#try").inner_text()


def test_what_a_list_alone_does_not_give_is_not_offered(opened: Callable[[str], Any]) -> None:
    page = opened("coverage-of-items")
    assert page.locator("#try").is_hidden()
    assert page.locator("#to-try").is_hidden()
    assert opened("recall-divide_by-relevant").locator("#to-try").is_visible()
