"""The small case of a finding, worked out by hand."""

from __future__ import annotations

from functools import cache

from metric_harness.naming.agreement import agrees
from metric_harness.naming.findings.hand_calculation import arithmetic
from metric_harness.naming.identify import Identification
from metric_harness.naming.probes.predictions import matched
from metric_harness.naming.probes.probe import library_probes
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.run import LibraryFinding


@cache
def _names() -> frozenset[str]:
    return frozenset(probe.name for probe in library_probes())


def work_out(finding: LibraryFinding, identification: Identification) -> LibraryFinding:
    """A finding whose case holds the arithmetic of the returned value and of the standard one.

    A case that is no probe gets no arithmetic; neither does a value that comes from an edge behaviour, not from the
    formula.
    """
    case = finding["case"]
    if case is None or case.get("probe") not in _names():
        return finding
    sides = [(identification.variant, case["value"])]
    sides += [(Variant.parse(candidate["variant"]), candidate["value"]) for candidate in case["candidates"]]
    lines = [
        line
        for variant, value in dict.fromkeys(sides)
        if variant is not None
        for line in _lines(variant, case["probe"], case["k"], from_json_number(value))
    ]
    return {**finding, "case": {**case, "arithmetic": lines}} if lines else finding


def _lines(variant: Variant, probe: str, k: int, value: float | None) -> list[str]:
    _, matches = matched(probe)
    if value is None or not agrees(value, variant.of_matches(matches, k=k)):
        return []
    return [f"{variant.at(k)}: {line}" for line in arithmetic(variant, matches.case, k)]
