"""Records of older versions are read as if this version had written them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_reports.html.page import render_html
from metric_reports.record import RecordError, read_record, validate
from metric_reports.types.common import SchemaVersion
from metric_reports.types.run import Library, Record
from metric_reports.versions import OLDEST, SCHEMA_VERSION, STEPS, up_to_date
from tests.reports.made_values import a_value
from tests.support.page import Page
from tests.support.sample_record import sample_record

CASE = {
    "probe": "late_hit",
    "k": 3,
    "users": [{"list": [2, 6, 4], "hits": [False, False, True], "relevant": [4, 8]}],
    "value": "nan",
    "standard": "ndcg",
    "standard_value": 0.25,
}


def first_version(record: Any) -> Any:
    """A record as version 1 wrote it; gains of 1 and an empty arithmetic were left out."""

    def plain_users(users: list[Any]) -> list[Any]:
        return [{name: value for name, value in user.items() if name != "gains"} for user in users]

    def plain_case(case: Any) -> Any:
        (usual,) = case["candidates"]
        return {
            **{name: case[name] for name in ("probe", "k", "value")},
            "users": plain_users(case["users"]),
            "standard": usual["variant"],
            "standard_value": usual["value"],
        }

    findings = [{**row, "case": row["case"] and plain_case(row["case"])} for row in record["findings"]]
    probes = [{**probe, "users": plain_users(probe["users"])} for probe in record["probes"]]
    return {**record, "schema_version": 1, "findings": findings, "probes": probes}


def test_the_version_in_the_types_is_the_version() -> None:
    assert get_args(SchemaVersion) == (SCHEMA_VERSION,)
    assert all(kind in OLDEST and OLDEST[kind] <= version < SCHEMA_VERSION for kind, version in STEPS)


def test_a_case_of_the_first_version() -> None:
    old = {**sample_record(), "schema_version": 1}
    old["findings"] = [{**sample_record()["findings"][0], "case": CASE}]
    record = validate(up_to_date(old, "run"))
    assert record["findings"][0]["case"] == {
        "probe": "late_hit",
        "k": 3,
        "users": [{"list": [2, 6, 4], "hits": [False, False, True], "relevant": [4, 8], "gains": [1.0, 1.0]}],
        "value": "nan",
        "error": None,
        "candidates": [{"variant": "ndcg", "value": 0.25}],
        "arithmetic": [],
    }
    assert old["findings"][0]["case"] == CASE


def test_an_older_record_is_shown_as_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(first_version(sample_record())))
    assert read_record(path) == sample_record()
    assert Page(render_html(read_record(path))).problems == []


def users_in(value: Any) -> Iterator[dict[str, Any]]:
    """The users of every case in a record."""
    if isinstance(value, dict) and "hits" in value and "relevant" in value:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from users_in(inner)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_record_comes_back_from_the_first_version(seed: int) -> None:
    record = a_value(Record, Random(seed))
    for row in [*record["subjects"], *record["cells"], *record["findings"]]:
        record["libraries"].append(
            {**a_value(Library, Random(seed)), "name": row["library"], "release": row["release"]}
        )
    cases = [finding["case"] for finding in record["findings"] if finding["case"]]
    for case in cases:
        case.update(probe="p", error=None, arithmetic=[], candidates=[{"variant": "ndcg", "value": 0.5}])
        for name in ("other", "call"):
            case.pop(name, None)
    for user in users_in(record):
        user["gains"] = [1.0] * len(user["relevant"])
        user["hits"] = [False] * len(user["list"])
    assert validate(up_to_date(first_version(record), "run")) == record


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1, "1", True, None, 1.0])
def test_other_versions_are_refused(version: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**sample_record(), "schema_version": version}))
    with pytest.raises(RecordError, match=r"\$\.schema_version: .*expected 1 to 3; give a record of this version"):
        read_record(path)


@pytest.mark.parametrize("key", ["standard", "users", "relevant"])
def test_a_damaged_older_record_is_no_record(key: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(first_version(sample_record())).replace(f'"{key}"', '"gone"'))
    with pytest.raises(RecordError, match=f"no record of version 1 .*{key}"):
        read_record(path)
