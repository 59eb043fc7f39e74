"""The paper's comparison where nothing can run: every row is predicted, and the pattern is the published one."""

from __future__ import annotations

from typing import Any

import pytest

from metric_harness.paper.claims import CONFIRMED, REFUTED, UNCHECKED
from metric_harness.paper.tables import CONTRADICTED, REPRODUCED, libraries_of_paper
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.support.page import Page
from tests.support.paper_run import paper_run


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return validate(paper_run(tmp_path_factory.mktemp("paper")))


def test_every_library_has_its_rows(record: dict[str, Any]) -> None:
    assert {library["name"] for library in record["libraries"]} == set(libraries_of_paper())
    assert all(library["recorded"] and library["reason"] == "no network here" for library in record["libraries"])
    assert all(cell["value"] is None for cell in record["cells"])
    unknown = {(c["library"], c["function"]) for c in record["cells"] if c["predicted"] is None}
    named = {(s["library"], s["function"]) for s in record["subjects"] if s["identified"]}
    assert unknown & named == {
        ("recsys_pytorch", f"{backend}{metric}[leave_one_out]")
        for backend in ("", "cython:")
        for metric in ("HR", "NDCG")
    } | {("neurec", "python:hit")}


def test_the_pattern_is_that_of_the_paper(record: dict[str, Any]) -> None:
    cells = [cell for table in record["paper"]["tables"] for row in table["rows"] for cell in row["cells"].values()]
    assert not [cell for cell in cells if cell["verdict"] == CONTRADICTED]
    assert sum(cell["verdict"] == REPRODUCED for cell in cells) >= 70
    first = {row["library"]: row["cells"] for row in record["paper"]["tables"][0]["rows"]}
    maps = {key: float(row["average_precision"]["value"]) for key, row in first.items() if "average_precision" in row}
    assert len({round(value, 9) for value in maps.values()}) == 5
    assert maps["neurec"] < maps["daisyrec"] < maps["rs_metrics"] < maps["replay"] < maps["elliot"]
    counted, any_hit = (float(first[key]["hit_rate"]["value"]) for key in ("dl_rs_evaluation", "replay"))
    assert counted > any_hit


def test_what_recordings_can_tell_of_the_claims(record: dict[str, Any]) -> None:
    verdicts = [claim["verdict"] for claim in record["paper"]["claims"]]
    assert verdicts == [UNCHECKED, CONFIRMED, CONFIRMED, CONFIRMED, REFUTED, CONFIRMED, CONFIRMED]


def test_the_page_holds_the_tables(record: dict[str, Any]) -> None:
    page = Page(render_html(record))
    assert page.problems == []
    assert len(page.all("table", class_="paper")) == 2
    text = render_html(record)
    for claim in record["paper"]["claims"]:
        assert claim["verdict"] in text
