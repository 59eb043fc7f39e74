"""The types of the JSON contracts say what the JSON Schemas say."""

from __future__ import annotations

import inspect
import json
import typing
from pathlib import Path
from typing import Any, TypedDict

import pytest

from metric_harness.libraries import page_types
from metric_harness.libraries.schema import library_schema
from metric_reports.record import SCHEMAS
from metric_reports.types import audit, common, manifest, models, paper, run, scan
from tests.support.contracts import Walk

LOADED = {
    name: json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    for name in ("run", "audit", "scan", "manifest")
} | {"library": library_schema()}
CONTRACTS = {
    "run": run.Record,
    "audit": audit.Audit,
    "scan": scan.Scan,
    "manifest": manifest.Manifest,
    "library": page_types.LibraryPage,
}
BASES = {"BaseEvidence", "SizeEvidence", "Who", "ProtocolFields", "Interval", "About", "Files", "Outcome"}
"""Types that others extend; the schemas hold those others."""


@pytest.mark.parametrize("name", CONTRACTS)
def test_type_and_schema_agree(name: str) -> None:
    assert list(Walk(LOADED, name).gaps(CONTRACTS[name], LOADED[name], name)) == []


def test_every_type_of_a_contract_is_compared() -> None:
    walks = {name: Walk(LOADED, name) for name in CONTRACTS}
    for name, walk in walks.items():
        assert list(walk.gaps(CONTRACTS[name], LOADED[name], name)) == []
    met = set().union(*(walk.met for walk in walks.values()))
    declared = {
        f"{module.__name__}.{name}"
        for module in (audit, common, manifest, models, run, scan, page_types)
        for name, thing in inspect.getmembers(module, typing.is_typeddict)
        if thing.__module__ == module.__name__ and name not in BASES
    }
    assert declared - met == set()
    assert paper.Paper.__module__ + ".Paper" in met


def test_every_schema_has_a_type() -> None:
    assert {path.name.partition(".")[0] for path in Path(SCHEMAS).glob("*.json")} == set(CONTRACTS) - {"library"}


class Right(TypedDict):
    a: int


class Null(TypedDict):
    a: int | None


class Other(TypedDict):
    b: int


class Optional(TypedDict, total=False):
    a: int


@pytest.mark.parametrize("wrong", [Null, Other, Optional])
def test_a_type_that_departs_from_its_schema_is_seen(wrong: Any) -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    walk = Walk({"x": schema}, "x")
    assert list(walk.gaps(Right, schema, "x")) == []
    assert list(walk.gaps(wrong, schema, "x"))
