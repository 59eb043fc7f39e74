"""The audit of one function: its answers, its variant, its findings, and the smallest cases that show them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from metric_harness.audit_text.evidence import evidence_line
from metric_harness.auditing.behaviour import behaviour, shown
from metric_harness.auditing.calling import Called, verified
from metric_harness.auditing.cases import case_of, differing, edge_case, plain, usual
from metric_harness.auditing.session import ACCEPTED, Session
from metric_harness.auditing.size_findings import At, edge_findings, near_miss, size_findings
from metric_harness.auditing.target import source_of
from metric_harness.auditing.unexplained import NO_HITS, why_unexplained
from metric_harness.identification.findings import edge_of, remark, subject_findings
from metric_harness.identification.identify import Identification, ProbeAnswer, identify
from metric_harness.identification.rules import SEVERITIES, about_an_edge, rule
from metric_harness.identification.small_cases import Answerer, Difference, differ, smallest_difference
from metric_harness.verification.verify import PROBES_ONLY, REFUSED, VERIFIED, Verification
from metric_reference.edges import STANDARD
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.types.audit import Calling, Expected, Finding, Nearest, Source, Subject
from metric_reports.types.common import Who
from metric_reports.types.run import Finding as RunFinding

NEAREST_SHOWN = 2
ACCEPT_LESS = f'--accept "{PROBES_ONLY}", in Python accept="{PROBES_ONLY}"'
"""How a name that is not verified at size is accepted."""


@dataclass(frozen=True)
class SubjectAudit:
    """What an audit found out about one function; :meth:`to_json` is the stable form.

    found : what the probes suggest. evidence : what verification at size made of it. rivals : other ways of calling
    that were verified as other variants. expected : the definition that it was held against, if one was.
    source : {"file", "line"} of the function, if known. answers : to the probes, by name. calling : what the convention
    means, why it was chosen and how the call is written, for a function of the user.
    """

    target: str
    metric: str | None
    convention: str | None
    found: Identification
    evidence: Verification
    findings: list[Finding]
    nearest: list[Nearest]
    answers: dict[str, ProbeAnswer]
    notes: list[str] = field(default_factory=list)
    rivals: tuple[Called, ...] = ()
    expected: Variant | None = None
    source: Source | None = None
    calling: Calling | None = None

    @property
    def variant(self) -> Variant | None:
        """The variant that it computes; None if the reference has no such variant or it does not hold at size."""
        return self.found.variant if named(self.evidence, self.rivals) else None

    @property
    def verified(self) -> bool:
        """Whether the name rests on verification at size."""
        return self.variant is not None and self.evidence.confidence == VERIFIED

    def held_against(self) -> Expected | None:
        """The definition that was expected and whether it holds; None where none was."""
        if self.expected is None:
            return None
        return {"variant": str(self.expected), "holds": all(row["code"] != "EXP001" for row in self.findings)}

    def to_json(self) -> Subject:
        """The subject as reports/metric_reports/schema/audit.schema.json describes it."""
        variant, edges, evidence = self.variant, self.found.edges, self.evidence.to_json(self.answers)
        behaviour = {name: value for name, value in edges.made().items() if value != "unclear"} if variant else {}
        return {
            "target": self.target,
            "source": self.source,
            "metric": self.metric,
            "convention": self.convention,
            "calling": self.calling,
            "expected": self.held_against(),
            "identified": variant is not None,
            "variant": None if variant is None else str(variant),
            "signature": None if variant is None else str(signature_of(variant, edges, users="all")),
            "suggested": None if self.found.variant is None else str(self.found.variant),
            "evidence": {**evidence, "summary": evidence_line(evidence)},
            "choices": {} if variant is None else {**variant.choices(), "users": edges.users},
            "differs": {} if variant is None else differing(variant),
            "edges": behaviour,
            "alternatives": [str(other) for other in self.found.alternatives[:20]],
            "rivals": [{"convention": one.name, "variant": str(one.variant)} for one in self.rivals],
            "nearest": self.nearest,
            "notes": self.notes,
            "findings": self.findings,
        }


def named(evidence: Verification, rivals: tuple[Called, ...] = ()) -> bool:
    """Whether evidence is enough for a name to be given: no answer contradicts it and no other call is as good."""
    return evidence.confidence != REFUSED and not rivals


def examine(
    session: Session,
    function: str,
    name: str,
    metric: str | None,
    convention: str | None,
    called: Called | None = None,
    rivals: tuple[Called, ...] = (),
) -> SubjectAudit:
    """Audit one function that can be asked: its variant, its findings and the smallest cases that show them."""
    if called is None:
        answers = session.probes(function, metric)
        found = identify(metric, answers)
        called = verified(session, function, found, answers)
    found, answers, evidence = called.found, called.answers, called.evidence
    claimed = metric or (found.variant.metric.name if found.variant else RANKING[0])
    who: Who = {"library": name, "release": "", "function": function, "metric": claimed}
    rows: list[Finding] = []
    if found.variant is None or named(evidence, rivals):
        rows += [
            with_case(session, row, claimed, found, answers)
            for row in subject_findings(who, claimed, found, answers, session.target.documented(function))
        ]
    asker = At(lambda asked: session.question(function, asked), found, answers)
    rows += [*size_findings(asker, evidence, rivals), *edge_findings(asker, evidence)]
    nearest: list[Nearest] = []
    answered = any(answer.value is not None for answer in answers.values())
    if answered:  # what fails or hangs at every probe is not asked again
        rows += behaviour(session, function, found, answers)
    for variant, failed in found.nearest[: NEAREST_SHOWN if answered else 0]:
        case = case_of(smallest(session, function, variant), [variant, standard(claimed)], session.error)
        nearest.append({"variant": str(variant), "fails": failed, "case": case})
    if nearest and nearest[0]["case"] is not None:
        rows = [{**row, "case": nearest[0]["case"]} if row["code"] == "UNX001" else row for row in rows]
    random = any(row["code"] == "RND001" for row in rows)
    rows = [unexplained(row, asker, claimed, evidence, random) if row["code"] == "UNX001" else row for row in rows]
    rows = sorted(held_against(session, function, called, rivals, rows) + rows, key=gravity)
    return SubjectAudit(
        name,
        metric,
        convention,
        found,
        evidence,
        rows,
        nearest,
        answers,
        [*notes(found, answers), *([NO_HITS] if evidence.undefined else [])],
        rivals,
        session.options.expect,
        source_of(session.target, session.sources.get(function.partition("#")[0], {})),
    )


def unexplained(row: Finding, asker: At, claimed: str, evidence: Verification, random: bool) -> Finding:
    """UNX001 with the kind of unexplained that it is; for what nearly follows a definition, when it departs."""
    message = f"{why_unexplained(claimed, asker.answers, evidence, random)}."
    miss = None if random else near_miss(asker, claimed)
    if miss is None:
        return {**row, "message": message}
    return {**row, "message": f"{message} {miss[0]}.", "case": miss[1] or row["case"]}


def gravity(row: Finding) -> tuple[int, bool]:
    """The place of a finding: by severity, errors first, and those about an edge after those about the definition."""
    return SEVERITIES.index(row["severity"]), about_an_edge(row["code"])


def smallest(session: Session, function: str, variant: Variant, really: Variant | None = None) -> Difference | None:
    """The smallest case on which a function is not a variant; none for one with a cut-off of its own.

    really : what it computes, if that is known: the case is looked for between the two variants, which is quick, and
    the function is asked for that one alone; only if it departs from ``really`` there is it asked for all.
    """

    def of(one: Variant) -> Answerer:
        return lambda case, k: one.value(case, STANDARD, k)

    over_all, fixed, metric = session.scores_all(function), function in session.fixed, variant.metric.name
    if really is not None and not fixed:
        gap = smallest_difference(of(really), of(variant), all_items=over_all, metric=metric)
        value = None if gap is None else session.value_or_none(function, gap.case, gap.k)
        if gap is not None and value is not None and not differ(value, gap.value):
            return replace(gap, value=value)
    ask: Answerer = lambda case, k: session.value(function, case, k)  # noqa: E731
    return None if fixed else smallest_difference(ask, of(variant), all_items=over_all, metric=metric)


def with_case(
    session: Session, row: RunFinding, claimed: str, found: Identification, answers: dict[str, ProbeAnswer]
) -> Finding:
    """A finding as an audit gives it, with the smallest case that shows its subject alone.

    A finding about choices is shown against the variant with those choices at their defaults, one about an edge against
    the variant behaving otherwise there, one about the name against the usual definition of what the name claims.
    """
    about, variant, case = rule(row["code"]), found.variant, None
    edge = edge_of(about, found)
    if edge is not None:
        case = edge_case(found, edge, answers)
    elif variant is not None:
        other = usual(variant, about) if about.when else standard(claimed)
        if other is not None:
            gap = smallest(session, row["function"], other, variant)
            case = case_of(gap, [variant, other], session.error)
    return shown(row, case)


def held_against(
    session: Session,
    function: str,
    called: Called,
    rivals: tuple[Called, ...],
    rows: list[Finding],
) -> list[Finding]:
    """The finding that a function is not the definition that was expected; none where it is, or none was.

    A name that is not verified does not hold either, unless the options accept less.
    """
    expected, really, evidence = session.options.expect, called.variant, called.evidence
    if expected is None:
        return []
    same = really is not None and plain(expected).canonical() == really.canonical()
    if same and named(evidence, rivals):
        if evidence.confidence in ACCEPTED[: ACCEPTED.index(session.options.accept) + 1]:
            return []
        text = (
            f"expected {expected}; its answers to the probes fit, but it could not be verified at size: "
            f"{evidence.reason}. To accept that: {ACCEPT_LESS}."
        )
        return [remark("EXP001", text)]
    if same:
        worse = next((row for row in rows if row["code"] in ("VER001", "AMB001")), None)
        text = f"expected {expected}; {worse['message'] if worse else evidence.reason}"
        return [remark("EXP001", text, worse["case"] if worse else None)]
    gap = smallest(session, function, expected, really)
    if gap is None and really is not None:  # the probes that would tell them apart were refused
        return []
    text = "none of the known variants" if really is None else str(really)
    case = case_of(gap, [expected] if really is None else [expected, really], session.error)
    return [remark("EXP001", f"expected {expected}; it computes {text}.", case)]


def notes(found: Identification, answers: dict[str, ProbeAnswer]) -> list[str]:
    """What a reader should know to read the result."""
    out = []
    refused = {name: answer.error for name, answer in answers.items() if answer.value is None}
    if 0 < len(refused) < len(answers):  # where none got a number a finding says so
        which = f"{len(refused)} of {len(answers)} probes got no number ({', '.join(refused)})"
        out.append(f"{which}; the first: {next(iter(refused.values()))}")
    if found.alternatives:
        out.append(
            f"{len(found.alternatives)} other variants fit as well: the probes between them got no number or cannot be "
            "put in this way of calling"
        )
    return out
