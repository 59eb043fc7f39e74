"""What a metric does not see: the numbers of each remark are the reference's, and a reader of the report meets it."""

import pytest

from metric_reference.case import case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from metric_reports.html.page import render_html
from metric_reports.view.remarks import REMARKS
from tests.support.page import Page
from tests.support.sample_record import sample_record

ALL = [(metric, remark) for metric, remarks in REMARKS.items() for remark in remarks]


@pytest.mark.parametrize(("metric", "remark"), ALL, ids=[remark.text[:30] for _, remark in ALL])
def test_the_numbers_of_a_remark(metric, remark):
    values, others = (
        [
            Variant.parse(printed).value(case_from_lists([user["list"]], [user["relevant"]], 9), STANDARD, remark.k)
            for user in remark.users
        ]
        for printed in (metric, remark.other)
    )
    assert values == [remark.value, remark.value]
    assert others == list(remark.others)
    for user in remark.users:
        assert user["hits"] == [item in user["relevant"] for item in user["list"]]


def test_an_ideal_of_the_hits_forgives_whatever_is_missing():
    variant = Variant.parse("ndcg(ideal=hits)")
    for missing in (0, 1, 20):
        case = case_from_lists([[0, 1]], [list(range(2 + missing))], 30)
        assert variant.value(case, STANDARD, 10) == 1


def test_a_reader_of_the_report_meets_the_two_weaknesses_of_ndcg():
    record = sample_record()
    page = Page(render_html(record))
    assert page.problems == []
    (section,) = page.all("section", id="definitions")
    for remark in REMARKS["ndcg"]:
        assert remark.text in section["text"]
    without = {**record, "subjects": [row for row in record["subjects"] if row["metric"] != "ndcg"]}
    text = render_html({**without, "cells": [cell for cell in record["cells"] if cell["metric"] != "ndcg"]})
    assert REMARKS["ndcg"][0].text not in text
