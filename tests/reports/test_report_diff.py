"""What changed between two records: each kind of change planted alone."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from metric_reports.formats.diff_text import render_markdown, render_text
from metric_reports.record import validate
from metric_reports.view.diff import diff_records, moved
from tests.reports.forms import MAKERS
from tests.support.sample_record import sample_record

PARTS = ("cutoffs", "libraries", "subjects", "variants", "edges", "values", "findings")
RECBOLE_MAP = {"library": "recbole", "release": "1.2.1", "function": "MAP", "metric": "average_precision"}


def of(rows: list[dict[str, Any]], function: str, library: str = "recbole") -> dict[str, Any]:
    """The row of a function."""
    return next(row for row in rows if row["function"] == function and row["library"] == library)


def changed_parts(diff: dict[str, Any]) -> set[str]:
    """The kinds of change that occur, ``subjects.added`` and so on."""
    out = set()
    for name in PARTS:
        part = diff[name]
        groups = {f"{name}.{key}": rows for key, rows in part.items()} if isinstance(part, dict) else {name: part}
        out |= {key for key, rows in groups.items() if rows}
    return out


def after(change: Any, ks: tuple[int, ...] = (20,)) -> dict[str, Any]:
    """The differences between the sample record and one in which something was changed."""
    new = sample_record(ks)
    change(new)
    before = sample_record(ks)
    kept = copy.deepcopy((before, new))
    found = diff_records(before, validate(new))
    assert (before, new) == kept
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


@pytest.mark.parametrize("make", MAKERS)
def test_a_record_is_as_itself(make: Any) -> None:
    found = diff_records(make(), make())
    assert not found["changed"]
    assert changed_parts(found) == set()
    assert render_text(found).startswith("Nothing changed\n")


def test_who_made_it_and_when_is_no_change() -> None:
    def change(record: dict[str, Any]) -> None:
        record.update(created="2027-01-01T00:00:00Z", seconds=1.0, command="x")
        record["harness"]["version"] = "9.9"
        record["bundle"]["versions"]["numpy"] = "3"
        record["cells"][0]["seconds"] = 99.0

    found = after(change)
    assert not found["changed"]
    assert (found["new"]["harness"], found["bundle"]) == ("9.9", {"same": True, "parts": ["versions"]})


def test_functions_added_and_removed() -> None:
    def change(record: dict[str, Any]) -> None:
        of(record["subjects"], "MAP")["function"] = "MAP2"
        of(record["cells"], "MAP")["function"] = "MAP2"
        of(record["findings"], "MAP")["function"] = "MAP2"

    found = after(change)
    assert found["subjects"] == {"added": [{**RECBOLE_MAP, "function": "MAP2"}], "removed": [RECBOLE_MAP]}
    assert changed_parts(found) == {"subjects.added", "subjects.removed", "findings.new", "findings.gone"}
    assert "recbole==1.2.1:MAP2: average precision" in render_text(found)


def test_a_definition_changed() -> None:
    found = after(lambda record: of(record["subjects"], "MAP").update(variant="average_precision(divide_by=k)"))
    assert found["variants"] == [
        {**RECBOLE_MAP, "old": "average_precision", "new": "average_precision(divide_by=k)"}
    ]  # fmt: skip
    assert changed_parts(found) == {"variants"}
    text = render_text(found)
    assert text.startswith("Changed: 1 definition\n")
    assert "recbole==1.2.1:MAP: AP -> AP over k (average_precision -> average_precision(divide_by=k))" in text
    lost = after(lambda record: of(record["subjects"], "MAP").update(variant=None, identified=False, edges={}))
    assert changed_parts(lost) == {"variants"}, "how an unknown function behaves at the edges is no news"
    assert "average_precision -> unknown" in render_text(lost)


def test_an_edge_changed() -> None:
    def change(record: dict[str, Any]) -> None:
        subject = of(record["subjects"], "MAP")
        subject["edges"] = {**subject["edges"], "no_list": "nan"}

    found = after(change)
    assert found["edges"] == [{**RECBOLE_MAP, "edge": "no_list", "old": "zero", "new": "nan"}]
    assert changed_parts(found) == {"edges"}


@pytest.mark.parametrize(
    ("gap", "seen"), [(0.0, False), (9e-7, False), (-9e-7, False), (2e-6, True), (-2e-6, True), (0.1, True)]
)
def test_a_value_changed_beyond_a_millionth(gap: float, seen: bool) -> None:
    def change(record: dict[str, Any]) -> None:
        of(record["cells"], "MAP")["value"] += gap

    found = after(change)
    assert found["changed"] is seen
    assert changed_parts(found) == ({"values"} if seen else set())
    if seen:
        (row,) = found["values"]
        assert row["difference"] == pytest.approx(gap, rel=1e-6)
        assert (row["function"], row["k"], row["old"]["status"]) == ("MAP", 20, "explained")


def test_close_values_are_written_out() -> None:
    def change(record: dict[str, Any]) -> None:
        of(record["cells"], "MAP")["value"] += 2e-6

    assert "MAP k=20: 0.03927176078866248 -> 0.03927376078866248 (difference 2.00e-06)" in render_text(after(change))


@given(st.floats(), st.floats())
def test_moved_is_symmetric_and_knows_nan(one: float, two: float) -> None:
    assert moved(one, two) == moved(two, one)
    assert not moved(one, one)
    assert moved(one, None)
    assert not moved(None, None)


@pytest.mark.parametrize(("value", "seen"), [("nan", True), ("inf", True), (None, True)])
def test_values_that_are_no_number(value: Any, seen: bool) -> None:
    def change(record: dict[str, Any]) -> None:
        status = "error" if value is None else "unexplained"
        of(record["cells"], "MAP").update(value=value, predicted=None, status=status)

    (row,) = after(change)["values"]
    assert (row["new"]["value"], row["difference"] is None) == (value, value is None)
    assert of(sample_record()["cells"], "AUC", "daisyrec")["value"] == "nan", "the sample holds a NaN that stays"


def test_a_status_changed_with_the_same_value() -> None:
    def change(record: dict[str, Any]) -> None:
        of(record["cells"], "MAP").update(value=None, status="not_available")  # its prediction is what was measured

    (row,) = after(change)["values"]
    assert (row["old"]["status"], row["new"]["status"], row["difference"]) == ("explained", "not_available", 0.0)


def test_findings_new_and_gone() -> None:
    def change(record: dict[str, Any]) -> None:
        gone = of(record["findings"], "MAP")
        record["findings"].remove(gone)
        record["findings"].append({**gone, "code": "AP001", "title": "divides by k"})
        of(record["findings"], "GAUC")["severity"] = "error"

    found = after(change)
    assert [(row["code"], row["severity"]) for row in found["findings"]["new"]] == [
        ("AUC001", "error"),
        ("AP001", "note"),
    ]
    assert [(row["code"], row["severity"]) for row in found["findings"]["gone"]] == [
        ("DOC001", "note"), ("AUC001", "warning"),
    ]  # fmt: skip
    assert "recbole==1.2.1:MAP: AP001 note: divides by k" in render_text(found)


def release(record: dict[str, Any], library: str, name: str) -> None:
    for thing in [*record["subjects"], *record["cells"], *record["findings"]]:
        if thing["library"] == library:
            thing["release"] = name
    next(one for one in record["libraries"] if one["name"] == library)["release"] = name


def test_a_newer_release_is_held_against_the_older_one() -> None:
    def change(record: dict[str, Any]) -> None:
        release(record, "recbole", "2.0")
        of(record["cells"], "MAP")["value"] = 0.5

    found = after(change)
    assert changed_parts(found) == {"libraries", "values"}
    assert found["libraries"] == [{"library": "recbole", "old": {"1.2.1": "ran"}, "new": {"2.0": "ran"}}]
    assert [row["release"] for row in found["values"]] == ["2.0"]
    assert "recbole: 1.2.1 -> 2.0" in render_text(found)


def test_of_several_releases_only_the_same_are_compared() -> None:
    def two(record: dict[str, Any], names: tuple[str, str]) -> dict[str, Any]:
        twin = sample_record()
        release(record, "recbole", names[0])
        release(twin, "recbole", names[1])
        for part in ("subjects", "cells", "findings"):
            record[part] += [row for row in twin[part] if row["library"] == "recbole"]
        record["libraries"].append(twin["libraries"][0])
        return record

    found = diff_records(two(sample_record(), ("1", "2")), two(sample_record(), ("3", "4")))
    assert {row["release"] for row in found["subjects"]["removed"]} == {"1", "2"}, "which is which cannot be told"
    found = diff_records(two(sample_record(), ("1", "2")), two(sample_record(), ("2", "3")))
    assert changed_parts(found) == {"libraries"}, "2 is 2, so 1 became 3"


def test_a_library_that_no_longer_runs() -> None:
    found = after(lambda record: record["libraries"][0].update(status="not_available", reason="it is gone"))
    assert changed_parts(found) == {"libraries"}
    assert "recbole: 1.2.1 -> 1.2.1 (not available)" in render_text(found)


def test_other_cutoffs() -> None:
    found = diff_records(sample_record((5, 20)), sample_record((10, 20)))
    assert found["cutoffs"] == {"added": [10], "removed": [5]}
    assert changed_parts(found) == {"cutoffs.added", "cutoffs.removed"}


def another_bundle(record: dict[str, Any]) -> None:
    record["bundle"]["arrays"]["recommended"]["sha256"] = "00" * 32
    record["bundle"]["dataset"]["name"] = "ml-1m"
    for cell in record["cells"]:
        cell["value"] = 0.123


def test_on_another_bundle_values_are_not_compared() -> None:
    found = after(another_bundle)
    assert found["bundle"] == {"same": False, "parts": ["dataset", "arrays"]}
    assert (found["values"], found["changed"]) == (None, True)
    for text in (render_text(found), shown_text(render_markdown(found))):
        assert "The bundle changed (dataset and arrays): values cannot be compared" in text
    assert render_text(found).startswith("Changed: the bundle\n")


def shown_text(markdown: str) -> str:
    html = MarkdownIt("commonmark", {"html": True}).render(markdown)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())
