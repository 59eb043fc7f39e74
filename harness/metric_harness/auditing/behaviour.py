"""Side effects and slips: changing answers, changed inputs, items below the threshold, values out of range."""

from __future__ import annotations

import math
from dataclasses import replace

from metric_harness.auditing.cases import case_of
from metric_harness.auditing.session import Session
from metric_harness.identification.findings import remark
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for
from metric_harness.identification.probes import all_probes, build, core_names, every_probe
from metric_harness.identification.small_cases import Difference, differ
from metric_reports.types.audit import Case, Finding
from metric_reports.types.run import Finding as RunFinding

ASKED_AGAIN = "two_users"
"""The probe that is asked again, where it was answered: two users with hits and misses."""
BELOW_THRESHOLD = "below_threshold"
LOW_RATING = build([[0, 1]], [[0, 1]], 4, gains=[[2, 4]], threshold=4.0)
"""A list of two items: the first is rated below the threshold, the second at it."""


def behaviour(session: Session, function: str, found: Identification, first: dict[str, ProbeAnswer]) -> list[Finding]:
    """What a function does besides following a definition.

    It answers otherwise when asked again, changes what it is given, or leaves the range of its metric.
    """
    rows = []
    answered = [p for p in every_probe() if p.name in first and first[p.name].value is not None]
    probe = max(answered, key=lambda p: p.name == ASKED_AGAIN)
    values = [first[probe.name].value, *(session.probe(function, probe).value for _ in range(2))]
    if any(differ(values[0], value) for value in values):
        said = ", ".join("no number" if value is None else repr(value) for value in values)
        rows.append(remark("RND001", f"asked for the same case it returned {said}"))
    if any("mutates its input" in warning for warning in session.warnings[function]):
        rows.append(remark("MUT001", "a list or array it was given had changed"))
    rows += threshold_ignored(session, function, found, first)
    if found.variant is None:
        rows += [remark("RNG001", text) for text in outside(first)]
    return rows


def threshold_ignored(
    session: Session, function: str, found: Identification, first: dict[str, ProbeAnswer]
) -> list[Finding]:
    """The finding that items rated below the threshold count as relevant, where the function is shown them."""
    value = first[BELOW_THRESHOLD].value if BELOW_THRESHOLD in first else None
    if found.variant is None or value is None or not differ(value, found.expected[BELOW_THRESHOLD]):
        return []
    probe = next(p for p in all_probes() if p.name == BELOW_THRESHOLD)
    edges = edges_for(found.edges)
    if differ(value, found.variant.value(replace(probe.case, threshold=0.0), edges, probe.k)):
        return []
    small = session.value_or_none(function, LOW_RATING, 2)
    right = found.variant.value(LOW_RATING, edges, 2)
    message, case = "ratings below the threshold count as hits", None
    if small is not None and differ(small, right):
        message += " (in the case, item 0 is rated 2, item 1 is rated 4, and the threshold is 4)"
        case = case_of(Difference(LOW_RATING, 2, small, right), [found.variant])
    return [remark("THR001", f"{message}.", case)]


def outside(answers: dict[str, ProbeAnswer]) -> list[str]:
    """What is to be said of values outside [0, 1]: one sentence, or none where all lie inside or are no number."""
    core = {name: answer.value for name, answer in answers.items() if name in core_names()}
    wrong = {name: value for name, value in core.items() if value is not None and not math.isnan(value)}
    wrong = {name: value for name, value in wrong.items() if not -1e-6 <= value <= 1 + 1e-6}
    shown = ", ".join(f"{value:.6g} on {name}" for name, value in list(wrong.items())[:3])
    return [f"outside [0, 1] on {len(wrong)} probes: {shown}"] if wrong else []


def shown(row: RunFinding, case: Case | None) -> Finding:
    """A finding in the shape that an audit gives: who it is about stands above it already."""
    return {**remark(row["code"], row["message"], case), "severity": row["severity"]}
