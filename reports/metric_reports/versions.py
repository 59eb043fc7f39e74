"""The version of every record, and the steps that bring an older one up to date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

SCHEMA_VERSION: Final = 3
"""Of every record that this version writes. It rises when any of them changes so that its readers must change."""
OLDEST: Final = {"run": 1, "evaluation": 1, "odd inputs": 1, "sides": 1, "history": 2, "recording": 2}
"""The oldest version of each record that is still read."""


def up_to_date(record: dict[str, Any], kind: str) -> Any:
    """A record as this version writes it; the given one is left as it is. ValueError for one of no known
    version, KeyError or TypeError for none.

    kind : one of ``OLDEST``.
    """
    version = record["schema_version"]
    if type(version) is not int or not OLDEST[kind] <= version <= SCHEMA_VERSION:
        raise ValueError(f"schema_version {version!r}, expected {OLDEST[kind]} to {SCHEMA_VERSION}")
    for step in range(version, SCHEMA_VERSION):
        record = STEPS.get((kind, step), _same)(record)
    return {**record, "schema_version": SCHEMA_VERSION}


def _same(record: dict[str, Any]) -> dict[str, Any]:
    return record


def _run_with_candidates(record: dict[str, Any]) -> dict[str, Any]:
    """A case names the usual variant and its value among its candidates, as in an audit; each user has gains."""
    findings = [{**row, "case": row["case"] and _case_with_candidates(row["case"])} for row in record["findings"]]
    probes = [{**probe, "users": _users_with_gains(probe["users"])} for probe in record["probes"]]
    return {**record, "findings": findings, "probes": probes}


def _case_with_candidates(case: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in case.items() if name not in ("standard", "standard_value")}
    usual = {"variant": case["standard"], "value": case["standard_value"]}
    return {"error": None, "arithmetic": [], **rest, "users": _users_with_gains(case["users"]), "candidates": [usual]}


def _users_with_gains(users: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"gains": [1.0] * len(user["relevant"]), **user} for user in users]


STEPS: Final[dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]] = {("run", 2): _run_with_candidates}
"""By record and version: what makes the next version of it."""
