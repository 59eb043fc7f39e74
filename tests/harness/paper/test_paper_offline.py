"""The paper's comparison where nothing can run: every row is predicted, and the pattern is the published one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from metric_harness.bundles.build import load_bundle
from metric_harness.paper.seen import CONFIRMED, REFUTED, UNCHECKED, Seen
from metric_harness.paper.statements import STATEMENTS, About
from metric_harness.paper.tables import CONTRADICTED, REPRODUCED, libraries_of_paper, published
from metric_reference.variant import BEYOND
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.support.page import Page
from tests.support.paper_run import paper_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("paper")


@pytest.fixture(scope="module")
def record(folder: Path) -> dict[str, Any]:
    return validate(paper_run(folder))


def test_every_library_has_its_rows(record: dict[str, Any]) -> None:
    assert {library["name"] for library in record["libraries"]} == set(libraries_of_paper())
    assert all(library["recorded"] and library["reason"] == "no network here" for library in record["libraries"])
    assert all(cell["value"] is None for cell in record["cells"])
    unknown = {(c["library"], c["function"]) for c in record["cells"] if c["predicted"] is None}
    ranking = [subject for subject in record["subjects"] if subject["metric"] not in BEYOND]
    named = {(s["library"], s["function"]) for s in ranking if s["identified"]}
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
    assert verdicts[:7] == [UNCHECKED, CONFIRMED, CONFIRMED, CONFIRMED, REFUTED, CONFIRMED, CONFIRMED]
    assert verdicts[7:] == [REFUTED, CONFIRMED, CONFIRMED, CONFIRMED, CONFIRMED, CONFIRMED]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (
            "Precision and recall",
            "replay, dl_rs_evaluation, rs_metrics give 0.6667; daisyrec, beta_rec, recbole",
        ),
        ("Precision and recall", "recall has 1 definition (recall(divide_by=relevant))"),
        ("MAP takes", "5 values from 6 definitions"),
        ("OpenRec's NDCG", "ndcg(gain=binary, ideal=none)"),
        (
            "Average precision over r",
            "40 relevant items, replay, dl_rs_evaluation, daisyrec, recbole, elliot give 1",
        ),
        ("Average precision over r", "beta_rec, recommenders, rs_metrics give 0.5"),
    ],
)
def test_the_evidence_of_a_statement(record: dict[str, Any], start: str, said: str) -> None:
    (evidence,) = [one["evidence"] for one in record["paper"]["claims"] if one["claim"].startswith(start)]
    assert said in evidence


def test_random_scores_get_one_half_where_no_list_is_cut(record: dict[str, Any]) -> None:
    (evidence,) = [one["evidence"] for one in record["paper"]["claims"] if one["claim"].startswith("A random")]
    found = re.findall(r"([a-z_, ]+) gets? ([0-9.]+[0-9])", evidence.partition(" users, ")[2])
    got = {name.strip(): float(value) for names, value in found for name in names.split(",")}
    assert {name for name, value in got.items() if abs(value - 0.5) < 0.02} == {
        *("openrec", "beta_rec", "recbole", "recommenders", "elliot")
    }
    assert got["replay"] == got["dl_rs_evaluation"] < 0.4


@pytest.mark.parametrize("without", [{"openrec", "replay", "dl_rs_evaluation"}, set(libraries_of_paper())])
def test_what_did_not_run_leaves_a_statement_unchecked(record: dict[str, Any], folder: Path, without: set[str]) -> None:
    left = {part: [row for row in record[part] if row["library"] not in without] for part in ("subjects", "cells")}
    releases = [(row["name"], row["release"]) for row in record["libraries"] if row["paper"]]
    about = About(Seen({**record, **left}, 20, releases), load_bundle(folder / "bundle"), 20, published())
    verdicts = [holds(about)[0] for _, holds in STATEMENTS]
    some = [REFUTED, UNCHECKED, UNCHECKED, REFUTED, CONFIRMED, UNCHECKED]
    assert verdicts == (some if "recbole" not in without else [UNCHECKED] * 6)


def test_releases_that_the_paper_did_not_use_do_not_count(record: dict[str, Any]) -> None:
    releases = {(row["name"], row["release"]) for row in record["libraries"] if row["paper"]}
    then, now = Seen(record, 20, releases), Seen(record, 20)
    assert str(then.variant("recommenders", "map_at_k")) == "average_precision(divide_by=relevant)"
    assert str(now.variant("recommenders", "map_at_k")) == "average_precision(divide_by=min_k_relevant)"


def test_the_page_holds_the_tables(record: dict[str, Any]) -> None:
    page = Page(render_html(record))
    assert page.problems == []
    assert len(page.all("table", class_="paper")) == 2
    text = render_html(record)
    for claim in record["paper"]["claims"]:
        assert claim["verdict"] in text
