"""Findings of verification at size: a name that does not hold, behaviour at an edge that fits no known word."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from math import isnan

from metric_harness.naming.attempt import asking
from metric_harness.naming.choice import Called, Choice
from metric_harness.naming.contradiction import Contradiction
from metric_harness.naming.evidence import Departure, on_probe
from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.identify import edges_for, nearest, odd_edges
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes, core_probes, probe_named
from metric_harness.naming.question import Difference, Question, Side, differ, side_of
from metric_harness.naming.shrink import Condition, condition_of
from metric_harness.naming.trial import Ask
from metric_harness.worker.reply import Reply
from metric_reference.edges import STANDARD
from metric_reports.types.common import Finding, ShownCase

FEWEST_ANSWERED, ANSWERED_PER_MISS = 8, 5
"""A function nearly follows a definition if at most one in 5 of at least 8 answered probes contradicts it."""


def size_findings(ask: Ask, choice: Choice) -> list[Finding]:
    """VER001 where the name does not hold at size, AMB001 where several ways of calling are verified.

    AMB002 where names speak against the one that is.
    """
    called = choice.chosen
    variant, departure = called.variant, called.evidence.departure
    if variant is None:
        return []
    against = choice.contradiction
    if against is not None:
        return [narrowed(ask, called, against)]
    if departure is not None:
        side = partial(ask, called.attempt)
        condition = condition_at(side, called, departure)
        when = changed_since(side, called) or condition.text
        message = f"it agrees with {variant} on the probes, not at size. It departs {when}."
        return [remark("VER001", message, case_of(condition.smallest, [variant]))]
    if choice.rivals == (called,):
        way = called.attempt.call.name
        message = f"it is {variant} when called as {way}, and the names of its parameters speak against that: "
        message += f"{choice.doubt}."
        return [remark("AMB002", message)]
    if choice.rivals:
        others = "; ".join(f"{rival.variant} when called as {rival.attempt.name}" for rival in choice.rivals)
        message = (
            f"each way of calling it is verified as another definition: {variant} as it was called here; {others}."
        )
        return [remark("AMB001", message)]
    return []


def narrowed(ask: Ask, called: Called, against: Contradiction) -> Finding:
    """DOM001: the name holds only where less is asked, with the case that a wider way of calling shows."""

    def side(asked: Question) -> Reply:
        return ask(against.attempt, replace(asked, whole=against.whole, beside=against.beside))

    condition = condition_at(side, called, against.departure)
    beside = " with a smaller cut-off beside k" if against.beside else ""
    message = (
        f"it departs from {called.variant} {condition.text}, called as {against.attempt.name}{beside}. "
        f"It is {called.variant} only where {' and '.join(against.only_where)}."
    )
    return remark("DOM001", message, case_of(condition.smallest, [called.variant] if called.variant else []))


def raised_findings(side: Side, called: Called) -> list[Finding]:
    """RAI001 where a verified function raises an error for some users, with the condition and the smallest case.

    None where the definition has no value in that case either, as the rank of a list without a hit.
    """
    raised = called.evidence.raised
    if called.variant is None or raised is None or called.evidence.departure is not None:
        return []
    condition = condition_at(side, called, raised)
    if condition.smallest is not None and condition.smallest.other is not None and isnan(condition.smallest.other):
        return []
    message = f"it raises {raised.error} {condition.text}."
    return [remark("RAI001", message, case_of(condition.smallest, [called.variant]))]


def near_miss(side: Side, called: Called, claimed: str) -> tuple[str, ShownCase | None] | None:
    """When a function departs from a definition that it follows on nearly all probes, and the case; None for others.

    A cap that only the largest probe shows is thus not reported as an unknown definition.
    """
    core = {probe.name: probe for probe in core_probes()}
    asked = {name: called.answers[name].value for name in core if name in called.answers}
    values = {name: value for name, value in asked.items() if value is not None}
    neighbours = nearest(claimed, values, 1) if len(values) >= FEWEST_ANSWERED else []
    if called.variant is not None or not neighbours:
        return None
    variant, failed = neighbours[0]
    if not 0 < len(failed) <= len(values) // ANSWERED_PER_MISS:
        return None
    probe = core[failed[0]]
    departure = on_probe(probe, values[probe.name], expected(variant, probe.name))
    condition = condition_of(departure, side, side_of(variant))
    return f"It departs from {variant} {condition.text}", case_of(condition.smallest, [variant])


def edge_findings(side: Side, called: Called, worded: Collection[str] = ()) -> list[Finding]:
    """EDG001 for each edge at which a function has none of the known behaviours, on a probe or at size.

    worded : the edges whose own rule library.toml gives.
    """
    findings: list[Finding] = []
    variant, evidence = called.variant, called.evidence
    if variant is None or evidence.departure is not None:
        return findings
    for edge, name in odd_edges(variant, called.answers).items():
        if edge in worded:
            continue
        probe = probe_named(name)
        assert probe is not None
        value, standard_value = called.answers[name].value, expected(variant, name, STANDARD)
        message = f"{edge.replace('_', ' ')}: its answer is none of the known behaviours ({probe.about})."
        difference = Difference(probe.case, probe.k, value, standard_value)
        findings.append(edge_finding(edge, message, case_of(difference, [variant])))
    for edge, departure in evidence.edges.items():
        if edge == "ties" or edge in worded:
            continue  # ties that follow no rule at size are "unspecified", which has a rule of its own
        condition = condition_at(side, called, departure)
        message = (
            f"{edge.replace('_', ' ')}: the behaviour that the probes show does not hold at size. "
            f"It departs {condition.text}."
        )
        findings.append(edge_finding(edge, message, case_of(condition.smallest, [variant])))
    return findings


def edge_finding(edge: str, message: str, case: ShownCase | None) -> Finding:
    """EDG001; only a note for repeated items, which no pipeline should produce."""
    row = remark("EDG001", message, case)
    return {**row, "severity": "note"} if edge == "duplicates" else row


def condition_at(side: Side, called: Called, departure: Departure) -> Condition:
    """The condition under which a function departs from its variant."""
    assert called.variant is not None
    return condition_of(departure, side, side_of(called.variant, edges_for(called.identification.edges)))


def changed_since(side: Side, called: Called) -> str | None:
    """The change in the answer to one of the first three probes, in words; None where all answers are unchanged."""
    for probe in all_probes()[:3]:
        first = called.answers.get(probe.name)
        if first is None or first.value is None:
            continue
        now = side(asking(probe)).value
        if differ(now, first.value):
            latest = "an error" if now is None else f"{now:.6g}"
            change = f"the probe {probe.name} was {first.value:.6g} at first and is {latest} now"
            return f"in another process or after many calls: {change}"
    return None
