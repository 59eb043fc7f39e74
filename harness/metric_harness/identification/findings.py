"""Findings: what diverges, with its code, its severity and the smallest probe that shows it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metric_harness.identification.agreement import agrees
from metric_harness.identification.identify import Identification, ProbeAnswer
from metric_harness.identification.predictions import expected
from metric_harness.identification.probes import Probe, library_probes, shown_users
from metric_harness.identification.rules import Rule, rule, rules
from metric_harness.libraries.describe import SubjectInfo
from metric_reference.variant import UNINTENDED, Variant, standard
from metric_reports.record import to_json_number
from metric_reports.types.audit import Case as AuditCase
from metric_reports.types.audit import Finding as AuditFinding
from metric_reports.types.common import Who
from metric_reports.types.run import Case as RunCase
from metric_reports.types.run import Cell, Finding


def subject_findings(
    who: Who,
    claimed: str,
    found: Identification,
    answers: Mapping[str, ProbeAnswer],
    documented: SubjectInfo | None = None,
) -> list[Finding]:
    """The findings that the probes give about one subject.

    who : library, release, function and metric, which every finding carries; claimed : the metric of its name;
    documented : what its library says of it. Where it computes the variant that its documentation describes, findings
    about that variant are notes; so are those about inputs that its own evaluator never hands over.
    """
    if found.variant is None:
        if not any(answer.value is not None for answer in answers.values()):
            return [finding(rule("ERR001"), who, first_error(answers), None)]
        near = " or ".join(str(variant) for variant, _ in found.nearest[:2])
        failed = found.nearest[0][1] if found.nearest else []
        message = (
            f"no variant fits its answers to the probes; the nearest is {near}, which fails on {', '.join(failed)}"
        )
        return [finding(rule("UNX001"), who, message, smallest_case(claimed, answers))]
    holding = [r for r in rules().values() if r.holds(found.variant, found.edges)]
    if found.variant.metric.name not in (claimed, *UNINTENDED):  # these have rules of their own, which say more
        holding.append(rule("NAM001"))
    rows = [finding(r, who, say(r, found), case_for(r, claimed, found, answers)) for r in holding]
    for row in rows:
        if row["code"] == "NAN001":  # seen on a probe only; NaN on the split itself is an error
            row["severity"] = "warning"
    if documented is None:
        return rows
    claims = documented.claims
    as_documented = claims is not None and documents(claims, (found.variant, *found.alternatives))
    for row, about in zip(rows, holding, strict=True):
        edge = edge_of(about, found)
        if edge is None and as_documented and row["severity"] != "note":
            row |= {"severity": "note", "title": f"{row['title']}, as documented"}
        elif edge is not None and edge in documented.never:
            never = f"its own evaluator never hands that over: {documented.never[edge]}"
            row |= {"severity": "note", "message": f"{row['message']} This is an edge case; {never}"}
    if claims is not None and not as_documented:
        quoted = f" ({documented.quote})" if documented.quote else ""
        message = f"its documentation describes {claims}{quoted}; it computes {found.variant}"
        rows.append(finding(rule("DOC001"), who, message, between(claims, answers)))
    printed = documented.printed
    if printed is not None and as_documented and not documents(printed, (found.variant, *found.alternatives)):
        words = f"the words beside it ({documented.quote}) say what it computes, {found.variant}"
        message = f"the formula as printed in its documentation is {printed}; {words}"
        rows.append(finding(rule("DOC002"), who, message, between(printed, answers)))
    return rows


def documents(claims: Variant, found: Sequence[Variant]) -> bool:
    """Whether one of the variants is what the documentation says; rounding is no other definition."""
    return replace(claims, rounded=None).canonical() in {replace(one, rounded=None).canonical() for one in found}


def between(other: Variant, answers: Mapping[str, ProbeAnswer]) -> RunCase | None:
    """The smallest core probe whose answer is not what another variant gives, held against that variant."""
    shown = [p for p in library_probes() if p.edge is None and departs(p, other, answers)]
    if not shown:
        return None
    probe = min(shown, key=lambda p: (p.case.users, p.k, p.case.width))
    return as_case(probe, other, answers[probe.name])


def say(about: Rule, found: Identification) -> str:
    """The first sentence of a finding: what this subject does."""
    edge = edge_of(about, found)
    if edge:
        return f"{edge.replace('_', ' ')}: {getattr(found.edges, edge).replace('_', ' ')}. {about.why}"
    return f"it computes {found.variant}. {about.why}"


def edge_of(about: Rule, found: Identification) -> str | None:
    """The edge behaviour by which a subject falls under a rule, or None."""
    return None if found.variant is None else about.edge_met(found.variant, found.edges)


def cell_findings(who: Who, cell: Cell) -> list[Finding]:
    """The findings that the value on the bundle gives, besides those of its subject."""
    if cell["status"] == "error":
        return [finding(rule("ERR001"), who, f"at k = {cell['k']}: {cell['error']}", None)]
    value = cell["value"]
    if cell["status"] == "not_available" or value is None:
        return []
    number, found = float(value), []
    low, high = (0.0, 1.0) if cell["variant"] is None else Variant.parse(cell["variant"]).bounds(cell["k"])
    if math.isnan(number):
        found.append(finding(rule("NAN001"), who, f"the value at k = {cell['k']} is NaN", None))
    elif not low - 1e-6 <= number <= high + 1e-6:
        message = f"the value at k = {cell['k']} is {number:.6g}, not in [{low:.6g}, {high:.6g}]"
        found.append(finding(rule("RNG001"), who, message, None))
    if cell["status"] == "unexplained" and cell["predicted"] is not None:
        message = f"at k = {cell['k']} it returned {number!r} where {cell['variant']} gives {cell['predicted']!r}"
        found.append(finding(rule("UNX001"), who, message, None))
    return found


def finding(about: Rule, who: Who, message: str, case: RunCase | None) -> Finding:
    """A finding as the record holds it."""
    return {
        "code": about.code,
        "severity": about.severity,
        "title": about.title,
        "library": who["library"],
        "release": who["release"],
        "function": who["function"],
        "metric": who["metric"],
        "message": message,
        "advice": about.advice,
        "case": case,
    }


def remark(code: str, message: str, case: AuditCase | None = None) -> AuditFinding:
    """A finding as an audit holds it, under the subject that it is about."""
    about = rule(code)
    return {
        "code": about.code,
        "severity": about.severity,
        "title": about.title,
        "message": message,
        "advice": about.advice,
        "case": case,
    }


def first_error(answers: Mapping[str, ProbeAnswer]) -> str:
    """The first error a subject gave."""
    return next((answer.error for answer in answers.values() if answer.error), "no probe was asked")


def case_for(about: Rule, claimed: str, found: Identification, answers: Mapping[str, ProbeAnswer]) -> RunCase | None:
    """The smallest probe on which a rule shows: that of its edge, or one where the value is not the standard one."""
    edge = edge_of(about, found)
    if edge is None:
        return smallest_case(claimed, answers)
    usual = standard(claimed)
    shown = [p for p in library_probes() if p.edge == edge and departs(p, usual, answers)]
    return as_case(shown[0], usual, answers[shown[0].name]) if shown else None


def departs(probe: Probe, other: Variant, answers: Mapping[str, ProbeAnswer]) -> bool:
    """Whether a subject's answer to a probe is not that of another definition."""
    answer = answers.get(probe.name)
    return answer is not None and answer.value is not None and not agrees(answer.value, expected(other, probe.name))


def smallest_case(claimed: str, answers: Mapping[str, ProbeAnswer]) -> RunCase | None:
    """The core probe with the fewest users and the shortest list that departs from the standard definition."""
    return between(standard(claimed), answers)


def as_case(probe: Probe, other: Variant, answer: ProbeAnswer) -> RunCase:
    """A probe with what was returned and what another definition gives, as the record holds it."""
    return {
        "probe": probe.name,
        "k": probe.k,
        "users": shown_users(probe.case),
        "value": to_json_number(answer.value),
        "standard": str(other),
        "standard_value": to_json_number(expected(other, probe.name)),
    }
