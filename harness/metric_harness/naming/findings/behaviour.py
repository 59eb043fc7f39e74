"""Defects beside the definition: changing answers, changed inputs, an ignored threshold, values out of range."""

from __future__ import annotations

import math
from dataclasses import replace

from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.identify import Identification, ProbeAnswer, edges_for
from metric_harness.naming.probes.probe import all_probes, build, core_of, probe_named
from metric_harness.naming.question import Difference, Question, Side, differ
from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import Finding

ASKED_AGAIN = "two_users"
"""The probe that is asked again, where it was answered: two users with hits and misses."""
BELOW_THRESHOLD = "below_threshold"
LOW_RATING = build([[0, 1]], [[0, 1]], 4, gains=[[2, 4]], threshold=4.0)
"""A list of two items: the first is rated below the threshold, the second at it."""


def behaviour(
    side: Side, changed_input: bool, identified: Identification, answers: dict[str, ProbeAnswer], a_share: bool
) -> list[Finding]:
    """Findings on what a function does besides following a definition.

    Its answer to a repeated question differs, it changes its inputs, ignores the threshold or leaves [0, 1].

    a_share : it claims a metric that lies in [0, 1], and its call is certain.
    """
    findings = []
    probes = {name: probe_named(name) for name, answer in answers.items() if answer.value is not None}
    probe = max(filter(None, probes.values()), key=lambda probe: probe.name == ASKED_AGAIN)
    asked = Question(probe.case, probe.k, name=probe.name)
    again = [reply for reply in (side(asked) for _ in range(2)) if not reply.failed]
    values = [answers[probe.name].value, *(reply.value for reply in again)]
    if any(differ(values[0], value) for value in values):
        returned = ", ".join("no number" if value is None else repr(value) for value in values)
        findings.append(remark("RND001", f"asked for the same case it returned {returned}"))
    if changed_input:
        findings.append(remark("MUT001", "a list or array it was given had changed"))
    findings += threshold_ignored(side, identified, answers)
    if identified.variant is None and a_share:
        findings += out_of_range(answers)
    return findings


def threshold_ignored(side: Side, identified: Identification, answers: dict[str, ProbeAnswer]) -> list[Finding]:
    """The finding that items rated below the threshold count as relevant, if the function is given such items."""
    value = answers[BELOW_THRESHOLD].value if BELOW_THRESHOLD in answers else None
    if identified.variant is None or value is None or not differ(value, identified.expected[BELOW_THRESHOLD]):
        return []
    probe = next(p for p in all_probes() if p.name == BELOW_THRESHOLD)
    edges = edges_for(identified.edges)
    if differ(value, identified.variant.value(replace(probe.case, threshold=0.0), edges, probe.k)):
        return []
    returned = side(Question(LOW_RATING, 2)).value
    expected = identified.variant.value(LOW_RATING, edges, 2)
    message, case = "ratings below the threshold count as hits", None
    if returned is not None and differ(returned, expected):
        message += " (in the case, item 0 is rated 2, item 1 is rated 4, and the threshold is 4)"
        case = case_of(Difference(LOW_RATING, 2, returned, expected), [identified.variant])
    return [remark("THR001", f"{message}.", case)]


def out_of_range(answers: dict[str, ProbeAnswer]) -> list[Finding]:
    """The finding that core probes got values outside [0, 1]; none where all lie inside or are NaN."""
    values = {name: answers[name].value for name in core_of(answers)}
    outside = {name: value for name, value in values.items() if value is not None and not math.isnan(value)}
    outside = {name: value for name, value in outside.items() if not -FLOAT32 <= value <= 1 + FLOAT32}
    examples = ", ".join(f"{value:.6g} on {name}" for name, value in list(outside.items())[:3])
    return [remark("RNG001", f"outside [0, 1] on {len(outside)} probes: {examples}")] if outside else []
