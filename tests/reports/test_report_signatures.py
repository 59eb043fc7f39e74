"""The signature stands beside each number: CSV, LaTeX, terminal, and the detail of a cell in HTML."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from rich.console import Console

from metric_harness.bundles.own_lists import RANK_ORDER, SCORE_ORDER
from metric_harness.comparison.rows import signed
from metric_harness.naming.identify import Identification
from metric_reference.edges import Edges
from metric_reference.signatures.read import parse
from metric_reference.variant import Variant
from metric_reports.formats.csv import render_csv
from metric_reports.formats.latex import render_latex
from metric_reports.formats.terminal import print_table
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.support.sample_record import sample_record


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """The sample record with signatures; RecBole counts users without relevant items."""
    found = sample_record()
    for cell in found["cells"]:
        variant = Variant.parse(cell["variant"]) if cell["variant"] else None
        edges = Edges(no_relevant="zero" if cell["library"] == "recbole" else "skipped")
        signed(cell, Identification(variant, [], edges, []), {}, 4.0)
    return validate(found)


def signatures(record: dict[str, Any]) -> list[str]:
    return [cell["signature"] for cell in record["cells"] if cell["signature"]]


def test_a_cell_that_a_definition_explains_has_a_signature(record) -> None:
    for cell in record["cells"]:
        explained = cell["variant"] is not None and cell["status"] in ("explained", "not_available")
        assert (cell["signature"] is not None) == explained
        if explained:
            assert parse(cell["signature"]) == parse(cell["signature_short"])
            assert parse(cell["signature"]).threshold == 4.0
            assert parse(cell["signature"]).users == "truth"
            assert str(parse(cell["signature"]).variant) == str(Variant.parse(cell["variant"]).at(cell["k"]))


@pytest.mark.parametrize(("order", "ties"), [(RANK_ORDER, "input_order"), (SCORE_ORDER, "id_ascending")])
def test_a_function_that_keeps_the_order_has_the_order_of_the_lists(order, ties) -> None:
    cell = next(cell for cell in sample_record()["cells"] if cell["status"] == "explained")
    found = Identification(Variant.parse(cell["variant"]), [], Edges(), [])
    signed(cell, found, {"lists": {"order": order, "users": "both"}}, 4.0)
    assert parse(cell["signature"]).ties == ties
    assert parse(cell["signature"]).users == "both"


def test_csv_has_the_full_form(record) -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(record))))
    assert [row["signature"] for row in rows if row["signature"]] == signatures(record)


def test_latex_numbers_the_signatures_of_one_definition(record) -> None:
    text = render_latex(record)
    ndcg = [cell for cell in record["cells"] if cell["metric"] == "ndcg" and cell["variant"] == "ndcg"]
    shorts = {cell["signature_short"] for cell in ndcg if cell["signature"]}
    assert len(shorts) == 2
    for short in shorts:
        assert parse(short).digest() in text
    assert r"\textsuperscript{a1}" in text
    assert r"\textsuperscript{a2}" in text


def test_the_terminal_has_the_short_form_of_every_number(record) -> None:
    out = io.StringIO()
    print_table(record, Console(file=out, width=300))
    text = out.getvalue()
    assert all(parse(one).short() in text for one in signatures(record))


def test_the_detail_of_a_cell_has_it_in_html(record) -> None:
    page = render_html(record)
    assert page.count('<code class="signature">') > 20
    assert all(parse(one).digest() in page for one in signatures(record))


def test_a_record_without_signatures_is_still_read() -> None:
    old = validate(sample_record())
    assert ",signature\n" in render_csv(old)
    assert "signature" not in render_latex(old)
    assert '<code class="signature">' not in render_html(old)
