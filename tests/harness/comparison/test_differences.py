"""How far users lie from the standard variant, findings worked out, and calls in words: by hand and by properties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_adapters import description
from metric_harness.comparison.asked_cases import AskedCase
from metric_harness.comparison.predicted import predict
from metric_harness.comparison.rows import Who, empty_cell
from metric_harness.comparison.user_gaps import difference_to_standard, histogram
from metric_harness.naming.findings.worked_case import work_out
from metric_harness.naming.identify import Identification
from metric_harness.worker.reply import Reply
from metric_reference.case import Case, case_from_lists
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import Variant, prepare

RELEVANT = Variant.parse("average_precision(divide_by=relevant)")


def three_users() -> Case:
    """k = 3. Hits at 1 and 3 of 4 relevant: 5/12 and, divided by 3, 5/9. One of one: 1 and 1. No list: 0 and 0."""
    return case_from_lists([[1, 2, 3], [4, 5, 6], []], [[1, 3, 7, 8], [4], [9]], n_items=12)


def told(found: Variant | None, reply: Reply | None, metric: str = "average_precision", k: int = 3) -> dict | None:
    case = three_users()

    def matched(edges: Edges) -> object:
        return prepare(case, edges)

    return difference_to_standard(metric, k, found, STANDARD, reply, matched)


def reply(users: list[int], values: list[float]) -> Reply:
    return Reply(value=0.5, users=np.array(users), values=np.array(values))


def test_values_of_the_reference_stand_in_where_a_library_gives_none() -> None:
    gaps = told(RELEVANT, None)
    assert gaps is not None
    assert (gaps["source"], gaps["standard"]) == ("reference", "average_precision(divide_by=min_k_relevant)")
    assert (gaps["users"], gaps["lower"], gaps["equal"], gaps["higher"]) == (3, 1, 2, 0)
    assert gaps["edges"][-1] == 0.0
    assert gaps["edges"][0] <= 5 / 12 - 5 / 9 < gaps["edges"][1]
    assert gaps["counts"][0] == sum(gaps["counts"]) == 1


def test_per_cent_is_per_cent_for_each_user_too() -> None:
    percent = Variant.parse("average_precision(divide_by=relevant, times=100)")
    gaps = told(percent, None)
    assert gaps is not None
    assert (gaps["users"], gaps["lower"], gaps["equal"], gaps["higher"]) == (3, 0, 1, 2), "5/9 below 41.7, 1 below 100"


@pytest.mark.parametrize(
    ("text", "values", "equal"),
    [
        ("average_precision(divide_by=relevant, times=100)", [500 / 12, 100.0, 0.0], 3),
        ("average_precision(divide_by=relevant, times=100)", [5 / 12, 1.0, 0.0], 1),
        ("average_precision(divide_by=relevant, rounded=2)", [0.42, 1.0, 0.0], 3),
        ("average_precision(divide_by=relevant, rounded=2)", [0.43, 1.0, 0.0], 2),
    ],
)
def test_users_of_a_cell_are_compared_in_per_cent_and_rounded(text: str, values: list[float], equal: int) -> None:
    variant, asked_case = Variant.parse(text), AskedCase(three_users(), Path(), "")
    subject: Who = {"library": "a", "release": "1", "function": "f", "metric": "average_precision"}
    cell = empty_cell(subject, 3, "explained", None)
    answer = reply([0, 1, 2], values)
    predict(cell, variant.value(asked_case.case, k=3), variant, STANDARD, answer, asked_case)
    assert cell["agreement"] == "same"
    assert cell["users"] is not None
    assert (cell["users"]["answered"], cell["users"]["equal"]) == (3, equal)


def test_the_library_s_own_values_go_first_and_what_is_missing_or_nan_is_passed_over() -> None:
    gaps = told(RELEVANT, reply([0, 1, 2], [0.9, float("nan"), 0.0]))
    assert gaps is not None
    assert gaps["source"] == "library"
    assert (gaps["users"], gaps["lower"], gaps["equal"], gaps["higher"]) == (2, 0, 1, 1)
    assert gaps["edges"][0] == 0.0
    assert gaps["edges"][-2] <= 0.9 - 5 / 9 <= gaps["edges"][-1]
    alone = told(None, reply([1], [1.0]))
    assert alone is not None
    assert (alone["users"], alone["equal"], alone["counts"]) == (1, 1, [])


def test_nothing_is_said_where_users_have_no_values() -> None:
    assert told(None, None) is None
    assert told(Variant.parse("auc(scope=stacked)"), None, "auc") is None
    assert told(RELEVANT, None, "no_such_metric") is None
    assert (
        told(Variant.parse("rmse"), reply([0], [1.0]), "rmse") is None
    )  # its standard is one number for the whole case


@given(st.lists(st.floats(-4, 4).filter(lambda gap: abs(gap) > 1e-6), min_size=1, max_size=60))
def test_a_histogram_counts_every_gap_once_in_bins_around_zero(gaps: list[float]) -> None:
    lines, counts = histogram(np.array(gaps))
    assert len(lines) == len(counts) + 1 <= 22
    assert 0.0 in lines
    assert lines == sorted(set(lines))
    for bar, count in enumerate(counts):
        last = bar == len(counts) - 1
        assert count == sum(lines[bar] <= gap < lines[bar + 1] or (last and gap == lines[-1]) for gap in gaps)
    assert sum(counts) == len(gaps)
    mantissa = float(f"{lines[-1] - lines[-2]:e}".split("e")[0])
    assert min(abs(mantissa - round_one) for round_one in (1, 2, 5, 10)) < 1e-3


def test_no_gap_no_histogram() -> None:
    assert histogram(np.array([])) == ([], [])


def finding(value: float | str, standard: str, standard_value: float) -> dict:
    case = {"probe": "short_list", "k": 5, "users": [], "value": value,
            "candidates": [{"variant": standard, "value": standard_value}], "arithmetic": []}  # fmt: skip
    return {"code": "AP002", "case": case}


def test_a_case_is_worked_out_for_both_sides() -> None:
    """Probe short_list: hits at ranks 1 and 3 of a list of 3 items, 4 relevant; k is 5."""
    found = Identification(Variant.parse("precision(divide_by=list)"), [], Edges(), [])
    case = work_out(finding(2 / 3, "precision(divide_by=k)", 0.4), found)["case"]
    assert case["arithmetic"] == [
        "precision(divide_by=list)@5: 2, divided by 3 = 0.666667",
        "precision(divide_by=k)@5: 2, divided by 5 = 0.4",
    ]


def test_a_value_that_the_formula_does_not_give_has_no_lines() -> None:
    unknown = Identification(None, [], Edges(), [])
    case = work_out(finding("nan", "precision(divide_by=k)", 0.4), unknown)["case"]
    assert case["arithmetic"] == ["precision(divide_by=k)@5: 2, divided by 5 = 0.4"]
    precise = Identification(Variant.parse("precision(divide_by=list)"), [], Edges(), [])
    assert work_out(finding("nan", "precision(divide_by=k)", 0.39), precise)["case"]["arithmetic"] == []
    assert work_out({"code": "X", "case": None}, unknown) == {"code": "X", "case": None}


def maker():
    """Ask it
    twice.

    And more that is not told.
    """

    def ask(case, k):
        return None

    return ask


def spoken(case, k):
    """By itself."""


@pytest.mark.parametrize(
    ("function", "said"), [(maker(), "by properties. Ask it twice."), (spoken, "by properties. By itself.")]
)
def test_a_call_is_told_in_the_words_of_its_adapter(function, said) -> None:
    text = description.describe_call(function)
    assert text.startswith("How far users lie from the standard variant")
    assert text.endswith(said)
