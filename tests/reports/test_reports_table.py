"""What both reports share: letters, verdict, words; and the table for a terminal."""

from __future__ import annotations

import pytest

from metric_reports.formats.lines import WORD
from metric_reports.html.page import render_html
from metric_reports.record import validate
from metric_reports.types.run import NOT_ASKED
from metric_reports.view.main_part import main_part
from metric_reports.view.table import grid, variants
from metric_reports.view.verdict import verdict
from metric_reports.view.words import clean, full, label, listing, short
from tests.support.page import Page, printed
from tests.support.sample_record import sample_record


def test_letters_name_one_variant_each_and_a_is_the_most_common() -> None:
    record = sample_record((10, 20))
    known = variants(record)
    assert {p: v.letter for p, v in known["average_precision"].items()} == {
        "average_precision": "A",
        "average_precision(divide_by=relevant)": "B",
        "average_precision(divide_by=hits)": "C",
        "average_precision(sum_over=all_ranks, divide_by=k)": "D",
    }
    page = Page(render_html(record))
    links = page.all("a", class_="letter")
    for link in links:
        metric, letter = link["attrs"]["href"].removeprefix("#variant-").rsplit("-", 1)
        name, _, printed_form = link["attrs"]["title"].rpartition(": ")
        variant = known[metric][printed_form]
        assert (variant.name, variant.letter) == (name, letter)
        assert link["text"] == letter
    for metric, found in known.items():
        sizes = [len({library for library, *_ in variant.keys}) for variant in found.values()]
        assert sizes == sorted(sizes, reverse=True), metric
        for variant in found.values():
            described = page.all("li", id=f"variant-{metric}-{variant.letter}")
            assert len(described) == 1
            assert variant.printed in described[0]["text"]
            assert (variant.formula or "?") in described[0]["text"]


def test_twenty_seven_variants_have_letters_of_their_own() -> None:
    record = sample_record()
    first = record["subjects"][0]
    record["subjects"] = [{**first, "function": f"f{n}", "variant": f"hit_rate(value={n})"} for n in range(30)]
    record["cells"] = []
    letters = [variant.letter for variant in variants(record)["hit_rate"].values()]
    assert len(set(letters)) == 30
    assert letters[25:28] == ["Z", "AA", "AB"]
    assert Page(render_html(record)).problems == []


def test_verdict_counts_and_compares() -> None:
    result = verdict(sample_record())
    assert result.headline == "5 libraries, 4 definitions of average precision; the same lists score 0.0317 to 0.221"
    kinds = {"explained": 31, "unexplained": 1, "error": 1, "predicted": 1, "not_available": 1}
    assert result.tally == {**kinds, "with_findings": 14}
    text = " ".join(result.sentences)
    assert "2 of NDCG (0.0912 to 0.310)" in text
    assert "All agree on reciprocal rank." in text
    assert "14 cells carry a finding, 11 of them an error or a warning." in text
    assert "31 of 35 cells are explained" in text
    assert "27 to 1e-12 and 4 in float32" in text
    assert "Not identified: recpack ReciprocalRankK, NDCGK." in text
    assert "(k = 20)" in verdict(sample_record((5, 20))).headline


def test_verdict_of_agreement_and_of_nothing() -> None:
    record = sample_record()
    keep = ("hit_rate", "reciprocal_rank")
    for name in ("subjects", "cells"):
        record[name] = [one for one in record[name] if one["library"] == "recbole" and one["metric"] in keep]
    record["libraries"] = record["libraries"][:1]
    assert verdict(record).headline == "1 library, one definition of each of 2 metrics"
    empty = {**record, "subjects": [], "cells": [], "findings": [], "probes": []}
    assert verdict(empty).headline == "1 library, no definition identified"
    page = Page(render_html(validate(empty)))
    assert page.problems == []
    assert "No finding" in page.all("section", id="findings")[0]["text"]
    assert "No function was asked." in printed(empty)
    assert "no definition identified" in printed(empty, screen=True)


def test_one_definition_with_several_values_is_told() -> None:
    record = sample_record()
    cell = next(one for one in record["cells"] if one["library"] == "rs_metrics" and one["metric"] == "reciprocal_rank")
    cell["value"] = 0.21
    assert "One definition but several values" in " ".join(verdict(record).sentences)


def test_nan_and_infinity() -> None:
    record = sample_record()
    cell = record["cells"][0]
    cell.update(value="inf", predicted="-inf", difference="nan", agreement="different", status="unexplained")
    page = Page(render_html(validate(record)))
    assert "∞" in page.text("a", class_="value")
    assert "NaN" in page.text("a", class_="value")
    assert verdict(record).tally["unexplained"] == 2
    assert "NaN*" in printed(record)
    assert grid(record, 20).columns[0].high == pytest.approx(1.150384193194292)


def test_releases_of_one_library_are_told_apart() -> None:
    record = sample_record()
    older = {**record["libraries"][0], "release": "1.1.1"}
    record["libraries"].append(older)
    record["subjects"].append({**record["subjects"][0], "release": "1.1.1", "variant": "hit_rate(value=hits)"})
    record["cells"].append({**record["cells"][0], "release": "1.1.1", "variant": "hit_rate(value=hits)", "value": 1.25})
    text = " ".join(printed(validate(record)).split())
    assert "recbole 1.2.1 Hit" in text
    assert "hit rate, hits are counted hit_rate(value=hits) recbole 1.1.1 Hit; recpack HitK" in text
    page = Page(render_html(record))
    assert page.problems == []
    assert {"RecBole 1.2.1", "RecBole 1.1.1"} <= set(page.text("th", scope="row"))
    assert "function-recbole-Hit-2" in [article["attrs"]["id"] for article in page.all("article")]


def test_terminal_table_fits_and_holds_every_value() -> None:
    record = sample_record()
    text = printed(record)
    assert all(len(line) <= 100 or " " not in line.strip() for line in text.splitlines())
    (line,) = [line for line in text.splitlines() if line.startswith("k = ")]
    assert line.split()[3:] == ["HitRate@20", "Precision@20", "Recall@20", "MRR@20", "MAP@20", "NDCG@20", "AUC"]
    for cell in record["cells"]:
        if cell["status"] == "explained":
            letter = variants(record)[cell["metric"]][cell["variant"]].letter
            assert f"{letter} {short(cell['value'])}" in text
    assert "? 0.09121!*" in text
    assert "D 0.07299~*" in text
    assert "AP002 warning, 2: Average precision divides" in text
    assert (
        "B  AP over all relevant  average_precision(divide_by=relevant)\n    recommenders map; rs_metrics mapr" in text
    )


@pytest.mark.parametrize("width", [80, 100, 140])
def test_a_screen_has_at_most_40_lines_and_folds_nothing(width: int) -> None:
    record = sample_record((5, 20))
    text = printed(record, width, screen=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert lines[2].startswith("k = 5, 20")
    (recbole,) = [line.split() for line in lines if line.startswith("RecBole")]
    assert [cell.rstrip("*") for cell in recbole[-8:]] == ["A", "A", "A", "A", "A", "A", "A", "C"]
    assert any(line.startswith("MAP: 4 definitions, ") for line in lines)
    libraries = record["libraries"]
    for number in range(60):  # each computes another selection of the metrics
        name = f"library{number}"
        libraries.append({**libraries[0], "name": name, "title": f"A library with quite a long name, {number}"})
        own = [cell for cell in record["cells"] if cell["library"] == "recbole"]
        record["cells"] += [{**cell, "library": name} for cell in own[: number % 14 + 1]]
    for code in range(20):
        record["findings"].append({**record["findings"][0], "severity": "error", "code": f"ABC{code:03}"})
    many = printed(record, width, screen=True).splitlines()
    assert len(many) < 40
    assert max(map(len, many)) <= width
    assert any("further kinds of error" in line for line in many)


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_terminal_table_is_split_between_metrics(width: int) -> None:
    record = sample_record((5, 20))
    text = printed(record, width)
    table = text.split("Definitions")[0]
    heads = [line for line in table.splitlines() if line.startswith("k = ")]
    assert "".join(heads).count("@") == 12
    assert "…" not in table
    longer = [line.strip() for line in text.splitlines() if len(line) > width]
    assert all(WORD.fullmatch(line) for line in longer), "only a word or a definition is longer than a line"
    assert len(heads) == {40: 8, 60: 5, 80: 4, 200: 2}[width]


def test_terminal_is_coloured_only_where_it_is_one() -> None:
    assert "\x1b[" not in printed(sample_record())
    assert "\x1b[" in printed(sample_record(), force_terminal=True, color_system="standard")


def test_words() -> None:
    assert [short(v) for v in (0.475, 1.150384, 0.0028783712, 0, 1, "nan", "inf", "-inf", None, 2.5e-9)] == [
        "0.4750", "1.150", "0.002878", "0", "1.000", "NaN", "∞", "−∞", "–", "2.500e-09",
    ]  # fmt: skip
    assert short(12345.0) == "1.234e+04"
    assert short(1000) == "1000"
    assert full(0.1 + 0.2) == "0.30000000000000004"
    assert label("ndcg", 7) == "NDCG@7"
    assert label("rating_error", 7) == "Rating error@7"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert listing([]) == ""
    assert clean("a\x00b\nc\ud800") == "a\ufffdb\nc\ufffd"


def test_the_part_for_a_terminal_leaves_out_what_was_not_asked() -> None:
    record = sample_record()
    first = record["libraries"][0]
    shown = {**first, "name": "shown", "title": "Shown", "status": "not_available", "reason": NOT_ASKED}
    record["libraries"].append(shown)
    record["subjects"].append({**record["subjects"][0], "library": "shown"})
    record["cells"].append({**record["cells"][0], "library": "shown"})
    novelty = {**record["subjects"][0], "function": "Novelty", "metric": "novelty"}
    record["subjects"].append(novelty)
    record["cells"].append({**record["cells"][0], "function": "Novelty", "metric": "novelty"})
    notes = sum(finding["severity"] == "note" for finding in record["findings"])
    part = main_part(validate(record))
    text = printed(record, screen=True)
    assert "Shown" not in text
    assert "Novelty" not in text
    text = printed(record, 200, screen=True)
    assert f"{notes} notes, 1 less usual metric, 1 release predicted from recordings" in text
    assert "Shown" in printed(record).partition("Not available here")[0]
    assert not {finding["severity"] for finding in part["findings"]} & {"note"}
    alone = main_part({**record, "libraries": [shown]})
    assert [library["name"] for library in alone["libraries"]] == ["shown"]
