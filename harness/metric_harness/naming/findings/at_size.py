"""Findings of verification at size: a name that does not hold, behaviour at an edge that fits no known word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metric_harness.naming.calling import Called
from metric_harness.naming.cases.verification_cases import VerificationCase
from metric_harness.naming.conditions import Answer, Condition, condition_of
from metric_harness.naming.evidence import Departure, Verification
from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.identify import Identification, ProbeAnswer, edges_for, nearest, odd_edges
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes, core_probes, every_probe
from metric_harness.naming.reduce import Question
from metric_harness.naming.small_cases import Difference, differ
from metric_reference.edges import STANDARD, Edges
from metric_reports.types.audit import Case, Finding

FEWEST_ANSWERED, ANSWERED_PER_MISS = 8, 5
"""A function nearly follows a definition if at most one in 5 of at least 8 answered probes contradicts it."""


@dataclass(frozen=True)
class ProbedFunction:
    """A function that answered the probes: ``answer`` asks it a question, ``identification`` is from the probes."""

    answer: Answer
    identification: Identification
    answers: Mapping[str, ProbeAnswer]


def size_findings(function: ProbedFunction, evidence: Verification, rivals: tuple[Called, ...]) -> list[Finding]:
    """VER001 where the name does not hold at size, AMB001 where several ways of calling are verified."""
    variant = function.identification.variant
    if variant is None:
        return []
    if evidence.departure is not None:
        condition = condition_at(function, evidence.departure, edges_for(function.identification.edges))
        when = changed_since(function) or condition.text
        message = f"it agrees with {variant} on the probes, not at size. It departs {when}."
        return [remark("VER001", message, case_of(condition.smallest, [variant]))]
    if rivals:
        others = "; ".join(f"{rival.variant} when called as {rival.name}" for rival in rivals)
        message = (
            f"each way of calling it is verified as another definition: {variant} as it was called here; {others}."
        )
        return [remark("AMB001", message)]
    return []


def near_miss(function: ProbedFunction, claimed: str) -> tuple[str, Case | None] | None:
    """When a function departs from a definition that it follows on nearly all probes, and the case; None for others.

    A cap that only the largest probe shows is thus not reported as an unknown definition.
    """
    core = {probe.name: probe for probe in core_probes()}
    values = {
        name: value for name in core if name in function.answers and (value := function.answers[name].value) is not None
    }
    neighbours = nearest(claimed, values, 1) if len(values) >= FEWEST_ANSWERED else []
    if (
        function.identification.variant is not None
        or not neighbours
        or not 0 < len(neighbours[0][1]) <= len(values) // ANSWERED_PER_MISS
    ):
        return None
    variant, failed = neighbours[0]
    probe = core[failed[0]]
    case = VerificationCase(name=probe.name, about=probe.about, case=probe.case, ks=(probe.k,))
    departure = Departure(asked=case, k=probe.k, value=values[probe.name], expected=expected(variant, probe.name))
    condition = condition_of(departure, function.answer, lambda asked: variant.value(asked.case, STANDARD, asked.k))
    return f"It departs from {variant} {condition.text}", case_of(condition.smallest, [variant])


def edge_findings(function: ProbedFunction, evidence: Verification) -> list[Finding]:
    """EDG001 for each edge at which a function has none of the known behaviours, on a probe or at size."""
    findings: list[Finding] = []
    variant = function.identification.variant
    if variant is None or evidence.departure is not None:
        return findings
    for edge, name in odd_edges(variant, function.answers).items():
        probe = next(probe for probe in every_probe() if probe.name == name)
        value, standard_value = function.answers[name].value, expected(variant, name, STANDARD)
        message = f"{edge.replace('_', ' ')}: its answer is none of the known behaviours ({probe.about})."
        difference = Difference(probe.case, probe.k, value, standard_value)
        findings.append(edge_finding(edge, message, case_of(difference, [variant])))
    for edge, departure in evidence.edges.items():
        if edge == "ties":
            continue  # ties that follow no rule at size are "unspecified", which has a rule of its own
        condition = condition_at(function, departure, edges_for(function.identification.edges))
        message = (
            f"{edge.replace('_', ' ')}: the behaviour that the probes show does not hold at size. "
            f"It departs {condition.text}."
        )
        findings.append(edge_finding(edge, message, case_of(condition.smallest, [variant])))
    return findings


def edge_finding(edge: str, message: str, case: Case | None) -> Finding:
    """EDG001; only a note for repeated items, which no pipeline should produce."""
    row = remark("EDG001", message, case)
    return {**row, "severity": "note"} if edge == "duplicates" else row


def condition_at(function: ProbedFunction, departure: Departure, edges: Edges) -> Condition:
    """The condition under which a function departs from its variant."""
    variant = function.identification.variant
    assert variant is not None
    return condition_of(departure, function.answer, lambda asked: variant.value(asked.case, edges, asked.k))


def changed_since(function: ProbedFunction) -> str | None:
    """The change in the answer to one of the first three probes, in words; None where all answers are unchanged."""
    for probe in all_probes()[:3]:
        first = function.answers.get(probe.name)
        if first is None or first.value is None:
            continue
        now = function.answer(Question(probe.case, probe.k))
        if differ(now, first.value):
            latest = "an error" if now is None else f"{now:.6g}"
            change = f"the probe {probe.name} was {first.value:.6g} at first and is {latest} now"
            return f"after it was called many times: {change}"
    return None
