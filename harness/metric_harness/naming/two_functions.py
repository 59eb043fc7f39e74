"""Two functions compared: the same, or the smallest case where they differ."""

from __future__ import annotations

from contextlib import ExitStack

from metric_harness.naming.api import audit_target, open_session
from metric_harness.naming.cases.verification_cases import LIBRARY, Limits, verification_cases
from metric_harness.naming.evidence import Departure
from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.options import Options
from metric_harness.naming.probes.probe import all_probes, core_probes
from metric_harness.naming.question import Difference, Question, Side, differ
from metric_harness.naming.shrink import condition_of
from metric_harness.naming.small_cases import TRIES, first_difference, smallest_difference
from metric_harness.naming.subject import SubjectAudit
from metric_harness.naming.target import read_target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reports.record import to_json_number
from metric_reports.types.audit import Audit
from metric_reports.types.common import Finding
from metric_reports.versions import SCHEMA_VERSION

TRIES_ALIKE = 100
"""Small cases tried where both functions give the same answers to all core probes."""


def compare_targets(left_text: str, right_text: str, options: Options, reporter: Reporter) -> Audit:
    """Whether two functions are the same, in definition and at the edges, and if not the smallest case that shows it.

    Returns the two subjects; ``same``; ``edges``, the edge behaviours
    in which they differ; ``findings``: CMP001 where their definitions differ, CMP002 where only the edges do; ``case``,
    the smallest one on which they differ, or None.
    """
    targets = [read_target(text, options.adapters) for text in (left_text, right_text)]
    for target in targets:
        if target.library is not None and target.function is None:
            raise HarnessError(
                f"--compare takes two functions; {target.text} is a library: give {target.text}:FUNCTION"
            )
    with ExitStack() as stack:
        subjects: list[SubjectAudit] = []
        sides: list[Side] = []
        for target in targets:
            session = open_session(stack, target, options, reporter)
            subjects.append(only(audit_target(session, reporter), target.text))
            sides.append(session.side(subjects[-1].choice.chosen.attempt))
        (left, right), (one, other) = subjects, sides
        with reporter.task(f"Comparing {left.target} and {right.target}"):
            core = ((probe.case, probe.k) for probe in core_probes())
            agree = left.variant == right.variant and first_difference(one, other, core) is None
            gap = smallest_difference(one, other, TRIES_ALIKE if agree else TRIES)
            if gap is None and not (left.verified and right.verified and left.variant == right.variant):
                gap = difference_at_size(one, other)
            edges = edges_apart(left, right)
            code = "CMP002" if gap is None and edges else None if gap is None else "CMP001"
            gap = gap or edge_difference(one, other, edges)
    variants = [subject.variant for subject in (left, right) if subject.variant is not None]
    case = case_of(gap, variants if code == "CMP001" else [])
    return {
        "schema_version": SCHEMA_VERSION,
        "subjects": [left.to_json(), right.to_json()],
        "same": code is None,
        "edges": edges,
        "findings": [] if code is None else [apart(code, left, right, edges)],
        "case": None if gap is None or case is None else {**case, "other": to_json_number(gap.other)},
        "harness": {"version": __version__},
    }


def only(audits: list[SubjectAudit], text: str) -> SubjectAudit:
    """The only function of a target; HarnessError if it has several."""
    if len(audits) != 1:
        names = ", ".join(audit.choice.chosen.attempt.name for audit in audits)
        raise HarnessError(f"--compare takes two functions; {text} has {len(audits)}: {names}")
    return audits[0]


def difference_at_size(left: Side, right: Side) -> Difference | None:
    """The smallest case found from a verification case on which two functions differ; None if they agree on all.

    A case that one of them cannot be asked is skipped.
    """
    for asked in verification_cases(Limits(size=LIBRARY)):
        for k in asked.ks:
            question = Question(asked.case, k, asked.ids, asked.key)
            left_reply, right_reply = left(question), right(question)
            shown = left_reply.kind != "cannot_show" and right_reply.kind != "cannot_show"
            if not shown or not differ(left_reply.value, right_reply.value):
                continue
            departure = Departure(asked=asked, k=k, value=left_reply.value, expected=right_reply.value)
            condition = condition_of(departure, left, right)
            return condition.smallest or Difference(asked.case, k, left_reply.value, right_reply.value)
    return None


def edges_apart(left_audit: SubjectAudit, right_audit: SubjectAudit) -> dict[str, list[str]]:
    """The edge behaviours in which two functions differ, with both values; both must be known."""
    left, right = left_audit.to_json()["edges"], right_audit.to_json()["edges"]
    return {name: [left[name], right[name]] for name in left if name in right and left[name] != right[name]}


def edge_difference(left: Side, right: Side, edges: dict[str, list[str]]) -> Difference | None:
    """The first probe of these edges on which two functions differ; None where their means are equal."""
    cases = ((probe.case, probe.k) for probe in all_probes() if probe.edge in edges)
    return first_difference(left, right, cases)


def apart(code: str, left: SubjectAudit, right: SubjectAudit, edges: dict[str, list[str]]) -> Finding:
    """The finding that two functions differ."""
    if code == "CMP001":
        computed = (f"{each.target} computes {each.variant or 'none of the known variants'}" for each in (left, right))
        message = f"{'; '.join(computed)}."
    else:
        differences = (f"{name}: {own} and {other}".replace("_", " ") for name, (own, other) in edges.items())
        message = f"same definition, {left.variant}, but they differ at the edges: {'; '.join(differences)}."
    return remark(code, message)
