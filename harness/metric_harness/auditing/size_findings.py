"""Findings of verification at size: a name that does not hold, behaviour at an edge that fits no known word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metric_harness.auditing.calling import Called
from metric_harness.auditing.cases import case_of
from metric_harness.identification.findings import remark
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for, nearest, odd_edges
from metric_harness.identification.predictions import expected
from metric_harness.identification.probes import all_probes, core_probes, every_probe
from metric_harness.identification.small_cases import Difference, differ
from metric_harness.verification.cases import VerificationCase
from metric_harness.verification.conditions import Answer, Condition, condition_of
from metric_harness.verification.reduce import Question
from metric_harness.verification.verify import Departure, Verification
from metric_reference.edges import STANDARD, Edges
from metric_reports.types.audit import Case, Finding

FEWEST_ANSWERED, MISSES = 8, 5
"""A definition is nearly followed if at most one in five of at least this many probes contradicts it."""


@dataclass(frozen=True)
class At:
    """Who is asked: what gives its answer to a question, and what the probes say of it."""

    answer: Answer
    found: Identification
    answers: Mapping[str, ProbeAnswer]


def size_findings(at: At, evidence: Verification, rivals: tuple[Called, ...]) -> list[Finding]:
    """VER001 where the name does not hold at size, AMB001 where two ways of calling are as good."""
    variant = at.found.variant
    if variant is None:
        return []
    if evidence.departure is not None:
        condition = condition_at(at, evidence.departure, edges_for(at.found.edges))
        when = changed_since(at) or condition.text
        message = f"it agrees with {variant} on the probes, not at size. It departs {when}."
        return [remark("VER001", message, case_of(condition.smallest, [variant]))]
    if rivals:
        others = "; ".join(f"{one.variant} when called as {one.name}" for one in rivals)
        message = (
            f"each way of calling it is verified as another definition: {variant} as it was called here; {others}."
        )
        return [remark("AMB001", message)]
    return []


def near_miss(at: At, claimed: str) -> tuple[str, Case | None] | None:
    """When a function departs from a definition that it follows on nearly all probes, and the case; None for others.

    So a cap that the largest probe shows already is not reported as a definition that nobody knows.
    """
    core = {probe.name: probe for probe in core_probes()}
    given = {name: value for name in core if name in at.answers and (value := at.answers[name].value) is not None}
    near = nearest(claimed, given, 1) if len(given) >= FEWEST_ANSWERED else []
    if at.found.variant is not None or not near or not 0 < len(near[0][1]) <= len(given) // MISSES:
        return None
    variant, failed = near[0]
    probe = core[failed[0]]
    asked = VerificationCase(name=probe.name, about=probe.about, case=probe.case, ks=(probe.k,))
    departure = Departure(asked=asked, k=probe.k, value=given[probe.name], expected=expected(variant, probe.name))
    found = condition_of(departure, at.answer, lambda question: variant.value(question.case, STANDARD, question.k))
    return f"It departs from {variant} {found.text}", case_of(found.smallest, [variant])


def edge_findings(at: At, evidence: Verification) -> list[Finding]:
    """EDG001 for each edge at which a function does none of the known things, on a probe or at size."""
    out: list[Finding] = []
    variant = at.found.variant
    if variant is None or evidence.departure is not None:
        return out
    for edge, name in odd_edges(variant, at.answers).items():
        probe = next(probe for probe in every_probe() if probe.name == name)
        value, other = at.answers[name].value, expected(variant, name, STANDARD)
        message = f"{said(edge)}: its answer is none of the known behaviours ({probe.about})."
        gap = Difference(probe.case, probe.k, value, other)
        out.append(edge_finding(edge, message, case_of(gap, [variant])))
    for edge, departure in evidence.edges.items():
        if edge == "ties":
            continue  # ties that follow no rule at size are "unspecified", which has a rule of its own
        condition = condition_at(at, departure, edges_for(at.found.edges))
        message = (
            f"{said(edge)}: the behaviour that the probes show does not hold at size. It departs {condition.text}."
        )
        out.append(edge_finding(edge, message, case_of(condition.smallest, [variant])))
    return out


def edge_finding(edge: str, message: str, case: Case | None) -> Finding:
    """EDG001; a note for repeated items, which no pipeline should hand over."""
    row = remark("EDG001", message, case)
    return {**row, "severity": "note"} if edge == "duplicates" else row


def condition_at(at: At, departure: Departure, edges: Edges) -> Condition:
    """The condition of a departure of a function from its variant."""
    variant = at.found.variant
    assert variant is not None

    def given(asked: Question) -> float:
        return variant.value(asked.case, edges, asked.k)

    return condition_of(departure, at.answer, given)


def changed_since(at: At) -> str | None:
    """What there is to say where a probe gets another answer now than it got at first; None where it does not."""
    for probe in all_probes()[:3]:
        first = at.answers.get(probe.name)
        if first is None or first.value is None:
            continue
        now = at.answer(Question(probe.case, probe.k))
        if differ(now, first.value):
            before = f"the probe {probe.name} was {first.value:.6g} at first and is {shown_number(now)} now"
            return f"after it was called many times: {before}"
    return None


def shown_number(value: float | None) -> str:
    """A number with six digits; ``an error`` for None."""
    return "an error" if value is None else f"{value:.6g}"


def said(edge: str) -> str:
    """An edge in words."""
    return edge.replace("_", " ")
