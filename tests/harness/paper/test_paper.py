"""The page of published numbers, and the verdicts that hold a run against it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_harness.libraries.describe import find_libraries
from metric_harness.paper.tables import CONTRADICTED, EXPLAINED, OPEN, REPRODUCED, judge, libraries_of_paper, published

LIBRARIES = find_libraries()
TABLES = published()["tables"]
CELLS = [
    (table["name"], row["library"], column, row[column])
    for table in TABLES for row in table["rows"] for column in table["columns"] if column in row
]  # fmt: skip
NAMES = [f"{table} {library} {column}" for table, library, column, _ in CELLS]


def cell(published: float | None, value: float | None, why: str | None = None, digits: int | None = None) -> Any:
    how = "none" if value is None else "measured"
    return {
        "published": published,
        "value": value,
        "how": how,
        "why": why,
        "digits": digits,
        "variant": None,
        "reason": "",
    }


def column(table: str, name: str) -> dict[str, Any]:
    return {library: one for where, library, what, one in CELLS if (where, what) == (table, name)}


def test_the_page_names_the_eleven_libraries() -> None:
    assert len(libraries_of_paper()) == len(set(libraries_of_paper())) == 11
    assert set(libraries_of_paper()) <= set(LIBRARIES)
    for key in libraries_of_paper():
        assert LIBRARIES[key].of_paper() is not None, key


@pytest.mark.parametrize(("table", "key", "name", "about"), CELLS, ids=NAMES)
def test_a_cell_names_functions_that_there_are(table: str, key: str, name: str, about: dict[str, Any]) -> None:
    library = LIBRARIES[key]
    paper = library.of_paper()
    assert paper is not None
    assert about["function"] in library.subjects_of(paper)
    if paper is not library.newest() and about.get("newest", about["function"]):
        assert about.get("newest", about["function"]) in library.subjects_of(library.newest())
    assert set(about) <= {"published", "text", "digits", "function", "newest", "kind", "why"}
    assert ("kind" in about) == ("why" in about)
    if name in TABLES[0]["columns"]:
        assert library.subjects[about["function"]].metric == name


def test_the_numbers_keep_their_identities() -> None:
    """What must hold between numbers that come from the same lists: hits are whole, counts are k times precision."""
    users, k = published()["test_set"]["users"], published()["k"]
    precision = column("Table 1", "precision")["replay"]["published"]
    assert precision * users * k == pytest.approx(3144, abs=1e-9)
    assert column("Table 1", "hit_rate")["dl_rs_evaluation"]["published"] == pytest.approx(k * precision, abs=1e-12)
    assert column("Table 1", "hit_rate")["replay"]["published"] * users == pytest.approx(1297, abs=1e-9)
    assert len({round(one["published"], 6) for one in column("Table 1", "average_precision").values()}) == 5


@pytest.mark.parametrize("same", [True, False])
def test_the_published_numbers_reproduce_themselves(same: bool) -> None:
    for table in TABLES:
        for name in table["columns"]:
            cells = [cell(one.get("published"), one.get("published")) for one in column(table["name"], name).values()]
            judge(cells, same)
            assert {c["verdict"] for c in cells if c["published"] is not None} == {REPRODUCED}


def test_on_other_data_the_order_counts_and_nothing_else() -> None:
    told = [one["published"] for one in column("Table 1", "average_precision").values()]
    cells = [cell(number, 0.3 + number**2) for number in told]
    judge(cells, same_data=False)
    assert {c["verdict"] for c in cells} == {REPRODUCED}
    judge(cells, same_data=True)
    assert {c["verdict"] for c in cells} == {CONTRADICTED}
    assert cells[0]["difference"] == pytest.approx(cells[0]["value"] - told[0])


@given(st.data())
def test_one_cell_out_of_place_is_found_alone(data: st.DataObject) -> None:
    numbers = [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3]
    place = data.draw(st.integers(0, len(numbers) - 1))
    wrong = data.draw(st.sampled_from([0.05, 0.15, 0.25, 0.35]))
    cells = [cell(number, number) for number in numbers]
    cells[place]["value"] = wrong
    judge(cells, same_data=False)
    assert [c["verdict"] == CONTRADICTED for c in cells] == [other == place for other in range(len(numbers))]


def test_a_reason_on_the_page_explains_a_difference() -> None:
    cells = [cell(0.1, 0.1), cell(0.1, 0.1), cell(0.1, 0.2, why="fed otherwise"), cell(0.4, None)]
    judge(cells, same_data=False)
    assert [c["verdict"] for c in cells] == [REPRODUCED, REPRODUCED, EXPLAINED, OPEN]
    assert np.isnan([np.nan if c["difference"] is None else c["difference"] for c in cells][-1])


def test_four_published_digits_are_held_to_four_digits() -> None:
    cells = [cell(0.0933, 0.09326437, digits=4), cell(0.09326437, 0.09326437)]
    for same in (True, False):
        judge(cells, same)
        assert {c["verdict"] for c in cells} == {REPRODUCED}


def test_definitions_that_the_data_do_not_tell_apart_are_no_contradiction() -> None:
    cells = [cell(0.1, 0.3), cell(0.2, 0.3), cell(0.3, 0.4)]
    for one, variant in zip(cells, ("recall", "recall(divide_by=min_k_relevant)", "recall(weight=micro)"), strict=True):
        one["variant"] = variant
    judge(cells, same_data=False)
    assert [(c["verdict"], c.get("kind")) for c in cells] == [
        (EXPLAINED, "data"),
        (EXPLAINED, "data"),
        (REPRODUCED, None),
    ]
    cells = [{**cell(0.1, 0.3), "variant": "recall"}, {**cell(0.2, 0.3), "variant": "recall"}, cell(0.3, 0.4)]
    judge(cells, same_data=False)
    assert sum(c["verdict"] == CONTRADICTED for c in cells) == 1


def test_libraries_agree_within_the_published_groups() -> None:
    """The groups of equal numbers that the paper's text speaks of."""
    values = {library: one["published"] for library, one in column("Table 1", "average_precision").items()}
    groups = [
        sorted(g) for _, g in itertools.groupby(sorted(values, key=values.__getitem__), lambda n: round(values[n], 6))
    ]
    assert groups == [
        ["neurec"], ["daisyrec"], ["beta_rec", "recommenders", "rs_metrics"], ["dl_rs_evaluation", "recbole", "replay"],
        ["elliot"],
    ]  # fmt: skip
