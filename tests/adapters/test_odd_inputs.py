"""Odd inputs: what the libraries do is what is recorded, and it is put into words rightly."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from metric_adapters.odd_inputs import KINDS, OddInput, answered, each, query_is_document
from metric_harness.recordings.odd_inputs import asks, code_of, lines_of, outcome_of, read_odd_inputs
from metric_harness.system.errors import HarnessError
from tests.support.live import LIBRARIES, Live

ASKED = [key for key, library in LIBRARIES.items() if asks(library)]


@pytest.mark.parametrize("key", ASKED)
def test_what_is_recorded_is_of_the_newest_release_and_of_this_code(key: str) -> None:
    library, page = LIBRARIES[key], read_odd_inputs(LIBRARIES[key])
    assert page is not None, "metric-harness library record NAME --odd-inputs"
    assert (page["library"], page["release"], page["code"]) == (key, library.newest().version, code_of(library))
    assert {row["function"] for row in page["answers"]} <= set(library.subjects)
    assert {row["kind"] for row in page["answers"]} <= set(KINDS)
    usual = {str(row["usual"]) for row in page["answers"]}
    assert not any("error" in one for one in usual), "the usual form is one that the library takes"


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize("key", ASKED)
def test_a_library_does_what_is_recorded(live: Live, key: str) -> None:
    page = read_odd_inputs(LIBRARIES[key])
    assert page is not None
    now = live.worker(key).odd_inputs(timeout=300)
    assert [(row["kind"], row["function"], outcome_of(row)[0]) for row in now] == [
        (row["kind"], row["function"], outcome_of(row)[0]) for row in page["answers"]
    ]
    for row, before in zip(now, page["answers"], strict=True):
        for form in ("usual", "odd"):
            if not isinstance(before[form], dict):
                assert float(row[form]) == pytest.approx(float(before[form]), abs=1e-6, nan_ok=True)


def test_every_kind_is_asked_of_a_library() -> None:
    kinds = {row["kind"] for key in ASKED for row in (read_odd_inputs(LIBRARIES[key]) or {"answers": []})["answers"]}
    assert kinds == set(KINDS)


def test_beir_drops_the_document_that_has_the_id_of_its_query() -> None:
    """https://github.com/beir-cellar/beir/issues/187"""
    page = read_odd_inputs(LIBRARIES["beir"])
    assert page is not None
    dropped = next(row for row in page["answers"] if row["function"] == "evaluate:P@k")
    assert (dropped["kind"], outcome_of(dropped)[0]) == ("query_is_document", "other")


def test_an_empty_group_scores_1_in_gradient_boosting() -> None:
    for key in ("lightgbm", "xgboost"):
        page = read_odd_inputs(LIBRARIES[key])
        assert page is not None
        row = next(row for row in page["answers"] if row["function"] == "ndcg")
        assert float(row["odd"]) == pytest.approx((2 * float(row["usual"]) + 1) / 3)  # type: ignore[arg-type]


def test_answers_are_put_into_words_by_what_comes_of_them() -> None:
    def broken() -> float:
        raise ValueError("[12:00:00] no text, please\nand more")

    module = SimpleNamespace(
        ODD_INPUTS=[
            *each("mixed_ids", ["a", "b"], lambda name: 0.5, lambda name: {"a": 0.5, "b": 0.25}[name]),
            OddInput("mixed_ids", "c", lambda: 0.5, broken),
            OddInput("mixed_ids", "d", lambda: 0.5, lambda: float("nan")),
            OddInput("set_for_list", "a", lambda: 0.5, lambda: 0.5 + 1e-9),
        ]
    )
    lines = lines_of(json.loads(json.dumps(answered(module))))
    assert [(line["kind"], line["functions"], line["said"]) for line in lines] == [
        ("mixed_ids", ["a"], "the same number"),
        ("mixed_ids", ["b", "d"], "another number (b: 0.25, not 0.5)"),
        ("mixed_ids", ["c"], "raises ValueError: no text, please"),
        ("set_for_list", ["a"], "the same number"),
    ]


def test_an_unknown_kind_is_named() -> None:
    module = SimpleNamespace(ODD_INPUTS=[OddInput("odd", "a", lambda: 0.0, lambda: 0.0)])
    with pytest.raises(ValueError, match="'odd' is no kind of odd input: query_is_document"):
        answered(module)


def test_a_query_is_renamed_in_both_tables() -> None:
    (question,) = query_is_document(["a"], lambda name, judged, run: float("d3" in judged and "d3" in run))
    assert (question.usual(), question.odd()) == (0.0, 1.0)


def test_a_damaged_file_is_named(tmp_path) -> None:
    (tmp_path / "odd_inputs.json").write_text("{", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"odd_inputs\.json: no answers to odd inputs"):
        read_odd_inputs(SimpleNamespace(folder=tmp_path))  # type: ignore[arg-type]
