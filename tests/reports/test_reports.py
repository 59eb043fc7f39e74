"""The HTML report, made from a hand-written record."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from metric_reports.html.page import render_html
from metric_reports.html.strips import strip
from metric_reports.record import RecordError, read_record, validate
from metric_reports.view.subjects import fits
from metric_reports.view.table import grid
from metric_reports.view.words import short
from tests.support.page import Page, printed
from tests.support.sample_record import sample_record


def test_sample_fits_the_schema() -> None:
    record = validate(sample_record((5, 20)))
    assert {cell["status"] for cell in record["cells"]} == {"explained", "unexplained", "error", "not_available"}
    assert {finding["severity"] for finding in record["findings"]} == {"error", "warning", "note"}


@pytest.mark.parametrize("ks", [(20,), (5, 10, 20)])
def test_page_is_well_formed_and_its_links_lead_somewhere(ks: tuple[int, ...]) -> None:
    page = Page(render_html(sample_record(ks)))
    assert page.problems == []
    ids = [element["attrs"]["id"] for element in page.elements if "id" in element["attrs"]]
    assert [name for name, times in Counter(ids).items() if times > 1] == []
    inner = [a["attrs"]["href"][1:] for a in page.all("a") if a["attrs"]["href"].startswith("#")]
    assert len(inner) > 50
    assert {place.partition("?")[0] for place in inner} <= set(ids)
    labels = [name for e in page.elements for name in (e["attrs"].get("aria-labelledby") or "").split()]
    assert set(labels) <= set(ids)


def test_page_can_be_read_without_eyes() -> None:
    page = Page(render_html(sample_record()))
    assert page.all("html")[0]["attrs"]["lang"] == "en"
    assert [len(page.all(tag)) for tag in ("h1", "main", "header", "footer")] == [1, 1, 1, 1]
    assert page.all("a", class_="skip")[0]["attrs"]["href"] == "#results"
    named = [table for table in page.all("table") if {"aria-label", "aria-labelledby"} & table["attrs"].keys()]
    assert len(page.all("table")) == len(page.all("caption")) + len(named)
    assert all(th["attrs"].get("scope") in ("row", "col", "rowgroup") for th in page.all("th"))
    levels = [int(e["tag"][1]) for e in page.elements if re.fullmatch("h[1-6]", e["tag"])]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(box["attrs"]["tabindex"] == "0" for box in page.all("div", class_="scroll"))


def test_every_cell_is_in_the_table_of_its_cutoff() -> None:
    record = sample_record((10, 20))
    page = Page(render_html(record))
    entries = page.all("div", class_="entry")
    assert len(entries) == len(record["cells"])
    assert len(page.all("table", class_="results")) == 2
    shown = Counter(
        " ".join(e["text"].split()) for e in page.elements if "value" in (e["attrs"].get("class") or "").split()
    )
    wanted: Counter[str] = Counter()
    for cell in record["cells"]:
        number = cell["predicted"] if cell["status"] == "not_available" else cell["value"]
        word = cell["status"].replace("_", " ")
        wanted[word if number is None else short(number)] += 1
    assert shown == wanted


def test_head_rows_and_missing_metrics() -> None:
    page = Page(render_html(sample_record()))
    head = [th["text"] for th in page.all("th", scope="col") if "@" in th["text"] or th["text"] == "AUC"]
    assert head == ["HitRate@20", "Precision@20", "Recall@20", "MRR@20", "MAP@20", "NDCG@20", "AUC"]
    rows = [th for th in page.all("th", scope="row") if "tbody" in th["parents"]]
    assert [" ".join(th["text"].split()) for th in rows[:3]] == [
        "RecBole 1.2.1",
        "Recommenders 1.2.1",
        "rs_metrics 0.6.0",
    ]
    lacking = page.all("span", class_="none")
    table = grid(sample_record(), 20)
    absent = sum(column.metric not in row.entries for row in table.rows for column in table.columns)
    assert sum(span["text"] == "–" for span in lacking) == absent == 10


def test_why_a_cell_has_no_plain_value() -> None:
    page = Page(render_html(sample_record()))
    error = page.all("div", class_="error")[0]
    assert "IndexError: index 20 is out of bounds" in error["text"]
    titles = [div["attrs"].get("title", "") for div in page.all("div", class_="flag")]
    assert any("in recpack/metrics/reciprocal_rank.py" in title for title in titles)
    (unexplained,) = page.all("div", class_="unexplained")
    assert "unexplained: no variant fits" in unexplained["text"]
    assert "✕ error" in unexplained["text"]
    (predicted,) = page.all("div", class_="predicted")
    assert "predicted" in predicted["text"]
    assert "0.07299" in predicted["text"]
    assert "its requirements need Python 3.8" in page.all("table", class_="results")[0]["text"]


def test_library_without_cells_says_why_across_its_row() -> None:
    record = sample_record()
    record["cells"] = [cell for cell in record["cells"] if cell["library"] != "elliot"]
    (reason,) = Page(render_html(record)).all("td", class_="reason")
    assert "need Python 3.8" in reason["text"]
    assert reason["attrs"]["colspan"] == "7"


def test_subject_section_tells_everything() -> None:
    page = Page(render_html(sample_record()))
    (article,) = page.all("article", id="function-recbole-GAUC")
    for part in (
        "AUC, weighted by relevant items", "auc(scope=per_positive)", "claims AUC", "recbole/metrics.py:99",
        "0.6881719788628613", "943 of 943 users equal", "auc(scope=per_user)", "AUC001", "input order", "0.0137",
    ):  # fmt: skip
        assert part in article["text"], part
    (unknown,) = page.all("article", id="function-recpack-NDCGK")
    assert "Not identified" in unknown["text"]
    assert "NDCG, not cut at k ndcg(cut=none) fails on many_relevant, late_hit, short_list" in unknown["text"]
    (float32,) = page.all("article", id="function-recpack-RecallK")
    assert "off by -2.00e-09" in float32["text"]
    assert "same in float32" in float32["text"]
    assert len(page.all("article")) == len(sample_record()["subjects"])


def test_findings_are_grouped_and_a_shared_case_is_drawn_once() -> None:
    page = Page(render_html(sample_record()))
    headings = page.text("h3", id="AP002")
    assert headings == ["AP002 Average precision divides by all relevant items ▲ warning 2 functions"]
    codes = [e["attrs"]["id"] for e in page.all("h3") if re.fullmatch("[A-Z]+[0-9]{3}", e["attrs"].get("id", ""))]
    assert codes[:4] == ["HR001", "NAN001", "RNG001", "UNX001"]
    assert codes[-3:] == ["DOC001", "PRE001", "REC001"]
    section = next(e for e in page.all("section", class_="finding") if "AP002" in e["text"])
    assert section["text"].count("Smallest case") == 1
    assert "Recommenders map" in " ".join(section["text"].split())
    assert "0.238095" in section["text"]
    assert "0.555556" in section["text"]
    assert page.text("strong", id="AP002-rs_metrics-mapr") == ["rs_metrics mapr"]


def test_answers_held_against_different_standards_have_rows_of_their_own() -> None:
    record = sample_record()
    nan = [finding for finding in record["findings"] if finding["code"] == "NAN001"]
    nan[0]["case"]["candidates"] = [{"variant": "recall(divide_by=relevant)", "value": 0.25}]
    nan[1]["severity"] = "note"
    nan[2]["advice"] = "Ask again."
    section = next(e for e in Page(render_html(record)).all("section", class_="finding") if "NAN001" in e["text"])
    text = " ".join(section["text"].split())
    assert text.count("Smallest case") == 2
    assert "RecBole RecallNaN0.250000 recall over all relevant" in text
    assert "rs_metrics precisionNaN0.333333 recall" in text
    assert "rs_metrics precision ● note:" in text
    assert text.count("To compare anyway:") == 2


def test_a_cell_shows_its_gravest_severity_alone_and_its_codes_on_demand() -> None:
    record = sample_record()
    page = Page(render_html(record))
    signs = {" ".join(e["text"].split()): e["attrs"]["title"] for e in page.all("a", class_="sev")}
    assert set(signs) == {"✕ error", "▲ warning", "● note"}
    assert "NAN001, PRE001" in [e["attrs"]["title"] for e in page.all("a", class_="error")]
    entries = page.all("div", class_="entry")
    assert not any(re.search("[A-Z]+[0-9]{3}", entry["text"]) for entry in entries)
    (entry,) = [one for one in entries if one["attrs"]["data-codes"] == "NAN001 PRE001"]
    assert entry["attrs"]["data-severity"] == "error"
    carrying = sum(bool(cell["findings"]) for cell in record["cells"])
    assert len([e for e in page.elements if "sev" in (e["attrs"].get("class") or "").split()]) == carrying


def test_a_code_without_its_finding_is_no_link() -> None:
    record = sample_record()
    record["cells"][0]["findings"] = ["XYZ999"]
    page = Page(render_html(validate(record)))
    assert "XYZ999" in [span["attrs"]["title"] for span in page.all("span", class_="sev")]
    assert "XYZ999" not in [link["attrs"].get("title") for link in page.all("a")]


def test_strip_marks_hits_by_sign_and_the_cut() -> None:
    user = {"list": [4, 9, 2], "hits": [True, False, True], "relevant": [4, 2, 7], "gains": [3.0, 1.0, 2.0]}
    drawn = strip(user, 2)
    assert [(box.rank, box.item, box.hit, box.beyond) for box in drawn.boxes] == [
        (1, 4, True, False), (2, 9, False, False), (3, 2, True, True),
    ]  # fmt: skip
    assert drawn.relevant == ["4 (gain 3)", "2 (gain 1)", "7 (gain 2)"]
    assert strip({"list": [], "hits": [], "relevant": [1]}, 2).relevant == ["1"]
    assert strip({}, 2).boxes == []
    page = Page(render_html(sample_record()))
    assert "rank 2, item 3✓, hit" in page.text("li", class_="hit")
    assert "rank 6, item 1✓, hit, past the cut-off" in page.text("li", class_="beyond")
    assert "empty list" in page.text("p", class_="empty")


def test_own_lists_have_no_protocol_and_no_model() -> None:
    record = sample_record()
    record["bundle"].update(protocol=None, model=None)
    page = Page(render_html(validate(record)))
    assert page.problems == []
    assert "were given as they are" in page.all("section", id="method")[0]["text"]


def test_method_shows_the_split() -> None:
    page = Page(render_html(sample_record()))
    assert page.text("th", scope="col")[-5:]
    (steps,) = page.all("table", class_="steps")
    assert "users and items of training only" in steps["text"]
    assert "100,000" in steps["text"]
    method = " ".join(page.all("section", id="method")[0]["text"].split())
    for part in (
        "metric-harness compare --dataset ml-100k",
        "EASE",
        "item id, ascending",
        "cd" * 32,
        "106 × 100",
        "pandas 2.3.3",
    ):
        assert part in method, part
    assert "were given as they are" not in method


@pytest.mark.parametrize("text", ['"\\ud800"', '["\\udfff"]', '{"seconds": 1e999}', "1" * 400, "null"])
def test_json_that_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    """Half a character and a number past every float among them, which the quick check cannot read."""
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RecordError, match=r"run\.json: \$"):
        read_record(tmp_path / "run.json")


def test_only_what_the_schema_demands_is_enough() -> None:
    record = sample_record()
    del record["created"], record["seconds"]
    for subject in record["subjects"]:
        for name in ("claim", "address", "source", "formula", "alternatives", "answers"):
            del subject[name]
    for library in record["libraries"]:
        for name in ("note", "python", "packages", "stderr"):
            del library[name]
    for cell in record["cells"]:
        del cell["warnings"], cell["users"]
    assert Page(render_html(validate(record))).problems == []
    assert "MAP@20" in printed(record)


def test_a_cell_without_its_function_is_shown_and_one_without_its_library_is_refused() -> None:
    record = sample_record()
    record["subjects"] = record["subjects"][:1]
    page = Page(render_html(validate(record)))
    assert page.problems == []
    assert len(page.all("div", class_="entry")) == len(record["cells"])
    record["libraries"] = record["libraries"][:1]
    with pytest.raises(RecordError, match=r"cells\[\d+\]: no library"):
        validate(record)


def test_probe_answers_fit() -> None:
    def answer(value: Any, expected: Any) -> dict[str, Any]:
        return {"value": value, "expected": expected}

    assert fits(answer(0.41666668, 5 / 12)) is True
    assert fits(answer(0.4167, 5 / 12)) is False
    assert fits(answer("nan", "nan")) is True
    assert fits(answer("nan", 0.0)) is False
    assert fits(answer("inf", "inf")) is True
    assert fits(answer(None, 0.5)) is None
