"""Whether the choice of a definition matters, on the first screen; and the command that makes a report again."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from metric_reports.html.page import render_html
from metric_reports.record import validate
from metric_reports.view.matters import matters
from metric_reports.view.reproduce import reproduce
from tests.support.page import Page
from tests.support.sample_record import sample_record


def ranked(variant: str, values: tuple[float, float], standard: bool = False) -> dict[str, Any]:
    first, second = ("ease", "popularity") if values[0] > values[1] else ("popularity", "ease")
    return {
        "variant": variant,
        "standard": standard,
        "subjects": [{"library": "recbole", "release": "1.2.1", "function": variant}],
        "values": [
            {"model": model, "value": value, "low": value * 0.9, "high": value * 1.1}
            for model, value in zip(("ease", "popularity"), values, strict=True)
        ],
        "order": [[first], [second]],
        "differences": [],
    }


def compared(share: float) -> dict[str, Any]:
    """The sample with two models; average precision over all relevant turns them round in a share of the resamples."""
    record = sample_record()
    usual, other = "average_precision", "average_precision(divide_by=relevant)"
    flip = {
        "kind": "beats",
        "models": ["ease", "popularity"],
        "under": usual,
        "not_under": other,
        "shares": [0.9, 0.2],
        "share": share,
    }
    pair = {
        "variants": [usual, other],
        "same_values": False,
        "same_order": False,
        "tau": -1.0,
        "low": -1.0,
        "high": 1.0,
        "share_of_other_order": share,
        "flips": [flip],
    }
    models = [
        {"key": key, "name": name, "parameters": {}, "tie_rule": "item id"}
        for key, name in (("ease", "EASE"), ("popularity", "Popularity"))
    ]
    still = copy.deepcopy(pair) | {"variants": ["ndcg", "ndcg(ideal=hits)"], "same_order": True, "flips": []}
    record["models"] = {
        "models": models,
        "asked_on": "EASE",
        "users": 943,
        "resamples": 1000,
        "seed": 0,
        "level": 0.95,
        "metrics": [
            {
                "metric": "average_precision",
                "k": 20,
                "pairs": [pair],
                "left_out": [],
                "variants": [ranked(usual, (0.04, 0.03), True), ranked(other, (0.02, 0.03))],
            },
            {
                "metric": "ndcg",
                "k": 20,
                "pairs": [still],
                "left_out": [],
                "variants": [ranked("ndcg", (0.09, 0.05), True), ranked("ndcg(ideal=hits)", (0.31, 0.2))],
            },
        ],
    }
    return validate(record)


@pytest.mark.parametrize(("share", "luck"), [(0.99, "beyond the luck of these users"), (0.4, "within the luck")])
def test_what_changes_is_said_beside_what_the_users_change(share: float, luck: str) -> None:
    found = matters(compared(share))
    assert found is not None
    assert found.answer == (
        "Yes: which of EASE and Popularity is ahead depends on the definition of MAP@20. For the other 1 metric no "
        "conclusion changes."
    )
    first, second = found.lines
    assert (first.label, first.definitions, first.interval) == ("MAP@20", "0.0200 to 0.0400 (2)", "0.0360 to 0.0440")
    assert "EASE and Popularity swap places" in first.changes
    assert luck in first.changes
    assert (second.changes, second.grave) == ("no conclusion changes", False)
    assert first.bars is not None
    assert first.bars[0].left == pytest.approx(100 * 0.02 / 0.044, abs=0.1)
    page = Page(render_html(compared(share)))
    (header,) = page.all("header")
    assert "Does it matter here?" in header["text"]
    assert luck in header["text"]


def test_where_nothing_changes_it_says_so() -> None:
    record = compared(0.4)
    record["models"]["metrics"] = record["models"]["metrics"][1:]
    found = matters(record)
    assert found is not None
    assert (
        found.answer == "No conclusion changes: EASE and Popularity rank alike under every definition of each metric."
    )


def test_a_function_that_does_not_claim_the_metric_changes_nothing() -> None:
    record = compared(0.99)
    for subject in record["subjects"]:
        if subject["library"] == "recbole" and subject["function"] == "MAP":
            subject.update(function="average_precision(divide_by=relevant)", apart="something else")
    found = matters(record)
    assert found is not None
    assert [line.label for line in found.lines] == ["NDCG@20"]


def test_the_command_has_releases_and_no_path_of_one_computer() -> None:
    record = sample_record()
    record["command"] = "metric-harness compare --ratings '/data/me/my ratings.csv' --k 5,20 --out /tmp/x --jobs 2 -q"
    lines = reproduce(record).splitlines()
    assert lines[0] == "# metric-harness 1.0.0, Python 3.11.7, numpy 2.4.6"
    assert "recbole 1.2.1, recommenders 1.2.1" in lines[1]
    assert lines[2] == "metric-harness compare --ratings 'my ratings.csv' --k 5,20"
    assert "/data/me" not in render_html(record)
    record["command"] = "metric-harness compare --ratings 'unclosed"
    assert reproduce(record).splitlines()[-1].startswith("metric-harness compare --ratings")
