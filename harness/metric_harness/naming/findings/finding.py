"""Findings: what diverges, with its code, its severity and the smallest probe that shows it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metric_harness.naming.agreement import agrees
from metric_harness.naming.findings.rules import Rule, about_an_edge, rule, rules
from metric_harness.naming.identify import Identification, ProbeAnswer, exact
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import Probe, library_probes, probe_named, users_of
from metric_reference.variant import UNINTENDED, Variant, standard
from metric_reports.record import to_json_number
from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import Finding, ShownCase, Who
from metric_reports.types.run import Cell, LibraryFinding

if TYPE_CHECKING:
    from metric_harness.libraries.describe import SubjectInfo

UNSETTLED, NAN_OF_USER, OWN_RULE = "MEM001", "NAN002", "EDG002"
"""The rules of a number that depends on what was in memory before, of a NaN of a user whom the mean counts, and
of an edge with a rule of its own."""
WITHOUT_DEFINITION = (UNSETTLED, NAN_OF_USER, OWN_RULE)
"""Rules that no definition is compared with."""
UNNAMED = ("VER001", "AMB001", "AMB002", "DOM001")
"""Rules that say why a function is not named although a definition fits the probes."""
ALSO_CALLED = {"pr_auc": "average_precision", "recall": "average_recall"}
"""What a metric is called as well: the area of the steps, and a recall averaged over users."""


def subject_findings(
    subject: Who,
    claimed: str,
    identification: Identification,
    answers: Mapping[str, ProbeAnswer],
    documented: SubjectInfo | None = None,
) -> list[LibraryFinding]:
    """The findings that the probes give about one subject.

    subject : its library, release, function and metric, which every finding repeats; claimed : the metric of its name;
    documented : its entry in library.toml. Where it computes the variant that its documentation describes, findings
    about that variant are notes; so are those about inputs that its library's own evaluator never passes to it.
    """
    variant = identification.variant
    if variant is None:
        if not any(answer.value is not None for answer in answers.values()):
            message = next((answer.error for answer in answers.values() if answer.error), "no probe was asked")
            return [finding(rule("ERR001"), subject, message, None)]
        nearest = " or ".join(str(candidate) for candidate, _ in identification.nearest[:2])
        failed = identification.nearest[0][1] if identification.nearest else []
        message = (
            f"no variant fits its answers to the probes; the nearest is {nearest}, which fails on {', '.join(failed)}"
        )
        return [finding(rule("UNX001"), subject, message, between(standard(claimed), answers))]
    met = [
        entry
        for entry in rules().values()
        if entry.holds(variant, identification.edges) and _concerns(entry, identification, documented)
    ]
    computed = variant.metric.name
    if claimed not in (computed, ALSO_CALLED.get(computed)) and computed not in UNINTENDED:  # these have own rules
        met.append(rule("NAM001"))
    rows = []
    for entry in met:
        message, case = _first_sentence(entry, identification), _case_for(entry, claimed, identification, answers)
        rows.append(finding(entry, subject, message, case))
        if entry.code == "NAN001":  # seen on a probe only; NaN on the split itself is an error
            rows[-1]["severity"] = "warning"
    rows += [*unsettled_findings(subject, answers), *nan_findings(subject, identification, answers)]
    if documented is None:
        return rows
    for name, words in documented.edges.items():
        if getattr(identification.edges, name) in ("unclear", "unspecified"):
            message = f"{name.replace('_', ' ')}: {words}"
            rows.append(finding(rule(OWN_RULE), subject, message, None))
    claims, fitting = documented.claims, (variant, *identification.alternatives)
    as_documented = claims is not None and documents(claims, fitting)
    for row, entry in zip(rows[: len(met)], met, strict=True):
        edge = edge_of(entry, identification)
        if edge is None and as_documented and row["severity"] != "note":
            row |= {"severity": "note", "title": f"{row['title']}, as documented"}
        elif edge is not None and edge in documented.never:
            reason = f"its own evaluator never hands that over: {documented.never[edge]}"
            row |= {"severity": "note", "message": f"{row['message']} This is an edge case; {reason}"}
    if claims is not None and not as_documented and documented.quote:
        message = f"its documentation describes {claims} ({documented.quote}); it computes {variant}"
        rows.append(finding(rule("DOC001"), subject, message, between(claims, answers)))
    printed = documented.printed
    if printed is not None and as_documented and not documents(printed, fitting):
        words = f"the words beside it ({documented.quote}) say what it computes, {variant}"
        message = f"the formula as printed in its documentation is {printed}; {words}"
        rows.append(finding(rule("DOC002"), subject, message, between(printed, answers)))
    return rows


def _concerns(entry: Rule, identification: Identification, documented: SubjectInfo | None) -> bool:
    """Whether a rule is about the function as it is.

    Not about a cut-off or a mean that it does not have, an edge at which it has a rule of its own, or the choices of a
    function that is documented as another quantity and is that one. In a sum, a user who is left out counts 0.
    """
    if identification.variant is not None and identification.variant.weight == "sum" and entry.code == "USR001":
        return False
    if documented is None or identification.variant is None:
        return True
    edge = edge_of(entry, identification)
    if edge is not None:
        return edge not in documented.edges and (documented.own_mean or not entry.of_the_mean)
    fitting = (identification.variant, *identification.alternatives)
    apart = documented.apart and documented.claims is not None and documents(documented.claims, fitting)
    return (documented.takes_k or not entry.of_the_cut) and not (apart and entry.about_choices)


def unsettled_findings(subject: Who, answers: Mapping[str, ProbeAnswer]) -> list[LibraryFinding]:
    """MEM001 where answers to probes are what was in memory before."""
    probes = [
        probe for name, answer in answers.items() if answer.unsettled and (probe := probe_named(name)) is not None
    ]
    if not probes:
        return []
    where = "; ".join(probe.about for probe in probes)
    message = f"asked again with other numbers in free memory it differs: {where}"
    return [finding(rule(UNSETTLED), subject, message, None)]


def nan_findings(subject: Who, identified: Identification, answers: Mapping[str, ProbeAnswer]) -> list[LibraryFinding]:
    """NAN002 where a user's own value is NaN and the mean counts a number for it."""
    edges = [
        probe.edge
        for name, answer in answers.items()
        if (probe := probe_named(name)) is not None
        and probe.edge is not None
        and getattr(identified.edges, probe.edge, "") in ("zero", "one")
        and answer.values is not None
        and np.isnan(answer.values).any()
    ]
    if not edges:
        return []
    words = "; ".join(f"{edge.replace('_', ' ')}: {getattr(identified.edges, edge)} in the mean" for edge in edges)
    return [finding(rule(NAN_OF_USER), subject, f"the user's own value is NaN; {words}", None)]


def documents(claims: Variant, variants: Sequence[Variant]) -> bool:
    """Whether one of the variants is the documented one; rounding does not make another definition."""
    return exact(claims).canonical() in {exact(variant).canonical() for variant in variants}


def between(other: Variant, answers: Mapping[str, ProbeAnswer]) -> ShownCase | None:
    """The smallest core probe whose answer another variant does not give; None without one."""
    probes = [p for p in library_probes() if p.edge is None and _departs(p, other, answers)]
    if not probes:
        return None
    probe = min(probes, key=lambda p: (p.case.users, p.k, p.case.width))
    return as_case(probe, other, answers[probe.name])


def _first_sentence(entry: Rule, identification: Identification) -> str:
    """What this subject does, and why it matters."""
    edge = edge_of(entry, identification)
    if edge:
        return f"{edge.replace('_', ' ')}: {getattr(identification.edges, edge).replace('_', ' ')}. {entry.why}"
    return f"it computes {identification.variant}. {entry.why}"


def edge_of(entry: Rule, identification: Identification) -> str | None:
    """The edge behaviour by which a subject falls under a rule, or None."""
    variant = identification.variant
    return None if variant is None else entry.edge_met(variant, identification.edges)


def cell_findings(subject: Who, cell: Cell) -> list[LibraryFinding]:
    """The findings about the value that a subject returned for the bundle."""
    if cell["status"] == "error":
        return [finding(rule("ERR001"), subject, f"at k = {cell['k']}: {cell['error']}", None)]
    value = cell["value"]
    if cell["status"] == "not_available" or value is None:
        return []
    number, rows = float(value), []
    low, high = (0.0, 1.0) if cell["variant"] is None else Variant.parse(cell["variant"]).bounds(cell["k"])
    if math.isnan(number):
        rows.append(finding(rule("NAN001"), subject, f"the value at k = {cell['k']} is NaN", None))
    elif not low - FLOAT32 <= number <= high + FLOAT32:
        message = f"the value at k = {cell['k']} is {number:.6g}, not in [{low:.6g}, {high:.6g}]"
        rows.append(finding(rule("RNG001"), subject, message, None))
    if cell["status"] == "unexplained" and cell["predicted"] is not None:
        message = f"at k = {cell['k']} it returned {number!r} where {cell['variant']} gives {cell['predicted']!r}"
        rows.append(finding(rule("UNX001"), subject, message, None))
    return rows


def finding(entry: Rule, subject: Who, message: str, case: ShownCase | None) -> LibraryFinding:
    """A finding as the record holds it."""
    return {
        "code": entry.code,
        "severity": entry.severity,
        "title": entry.title,
        "library": subject["library"],
        "release": subject["release"],
        "function": subject["function"],
        "metric": subject["metric"],
        "message": message,
        "advice": entry.advice,
        "case": case,
    }


def remark(code: str, message: str, case: ShownCase | None = None) -> Finding:
    """A finding as an audit holds it, listed below its subject."""
    entry = rule(code)
    return {
        "code": entry.code,
        "severity": entry.severity,
        "title": entry.title,
        "message": message,
        "advice": entry.advice,
        "edge": about_an_edge(code),
        "case": case,
    }


def _case_for(
    entry: Rule, claimed: str, identification: Identification, answers: Mapping[str, ProbeAnswer]
) -> ShownCase | None:
    """The smallest probe of the rule's edge, or core probe, on which a subject departs from the standard variant."""
    edge, usual = edge_of(entry, identification), standard(claimed)
    if edge is None:
        return between(usual, answers)
    probe = next((p for p in library_probes() if p.edge == edge and _departs(p, usual, answers)), None)
    return None if probe is None else as_case(probe, usual, answers[probe.name])


def _departs(probe: Probe, other: Variant, answers: Mapping[str, ProbeAnswer]) -> bool:
    """Whether a subject answered a probe with another number than a variant gives."""
    answer = answers.get(probe.name)
    return answer is not None and answer.value is not None and not agrees(answer.value, expected(other, probe.name))


def as_case(probe: Probe, other: Variant, answer: ProbeAnswer) -> ShownCase:
    """A probe with the answer and the value of another variant, as the record holds it."""
    return {
        "probe": probe.name,
        "k": probe.k,
        "users": users_of(probe.case),
        "value": to_json_number(answer.value),
        "error": answer.error,
        "candidates": [{"variant": str(other), "value": to_json_number(expected(other, probe.name))}],
        "arithmetic": [],
    }
