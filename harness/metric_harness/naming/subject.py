"""The audit of one function: its answers, its variant, its findings, and the smallest cases that show them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from metric_harness.naming.calling import Called, verify_call
from metric_harness.naming.evidence import Verification
from metric_harness.naming.findings.at_size import ProbedFunction, edge_findings, near_miss, size_findings
from metric_harness.naming.findings.behaviour import behaviour
from metric_harness.naming.findings.finding import edge_of, remark, subject_findings
from metric_harness.naming.findings.rules import SEVERITIES, about_an_edge, rule
from metric_harness.naming.findings.shown_case import case_of, differing, edge_case, plain, usual
from metric_harness.naming.findings.unexplained import NO_HITS, why_unexplained
from metric_harness.naming.identify import Identification, ProbeAnswer, identify
from metric_harness.naming.session import ACCEPTED, Session
from metric_harness.naming.small_cases import Answerer, Difference, differ, smallest_difference
from metric_harness.naming.target import source_of
from metric_reference.edges import STANDARD
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.evidence_line import evidence_line
from metric_reports.types.audit import Calling, Expected, Finding, Nearest, Source, Subject
from metric_reports.types.common import PROBES_ONLY, REFUSED, VERIFIED, Who
from metric_reports.types.run import Finding as RunFinding

NEAREST_SHOWN = 2
ACCEPT_LESS = f'--accept "{PROBES_ONLY}", in Python accept="{PROBES_ONLY}"'
"""How to accept a name that is not verified at size."""


@dataclass(frozen=True)
class SubjectAudit:
    """What an audit found out about one function; :meth:`to_json` is the stable form.

    identification : by the probes. evidence : of verification at size. rivals : other ways of calling that were
    verified as other variants. expected : the definition that the user expects, if any. source : file and line of
    the function, if known. answers : to the probes, by name. calling : for a function of the user, what the convention
    means, why it was chosen and how the call is written.
    """

    target: str
    metric: str | None
    convention: str | None
    identification: Identification
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
        return self.identification.variant if named(self.evidence, self.rivals) else None

    @property
    def verified(self) -> bool:
        """Whether the name rests on verification at size."""
        return self.variant is not None and self.evidence.confidence == VERIFIED

    def held_against(self) -> Expected | None:
        """The definition that was expected and whether it holds; None if none was."""
        if self.expected is None:
            return None
        return {"variant": str(self.expected), "holds": all(row["code"] != "EXP001" for row in self.findings)}

    def to_json(self) -> Subject:
        """The subject as reports/metric_reports/schema/audit.schema.json describes it."""
        variant, edges, evidence = self.variant, self.identification.edges, self.evidence.to_json(self.answers)
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
            "suggested": None if self.identification.variant is None else str(self.identification.variant),
            "evidence": {**evidence, "summary": evidence_line(evidence)},
            "choices": {} if variant is None else {**variant.choices(), "users": edges.users},
            "differs": {} if variant is None else differing(variant),
            "edges": behaviour,
            "alternatives": [str(other) for other in self.identification.alternatives[:20]],
            "rivals": [{"convention": rival.name, "variant": str(rival.variant)} for rival in self.rivals],
            "nearest": self.nearest,
            "notes": self.notes,
            "findings": self.findings,
        }


def named(evidence: Verification, rivals: tuple[Called, ...] = ()) -> bool:
    """Whether the evidence is enough to name the function: no answer contradicts it and there is no rival."""
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
    """Audit one function: its variant, its findings and the smallest cases that show them.

    function : as the session asks it; name : as the result prints it. called : its answers, where it was asked before.
    """
    if called is None:
        answers = session.probes(function, metric)
        identified = identify(metric, answers)
        called = verify_call(session, function, identified, answers)
    identified, answers, evidence = called.identification, called.answers, called.evidence
    claimed = metric or (identified.variant.metric.name if identified.variant else RANKING[0])
    identity: Who = {"library": name, "release": "", "function": function, "metric": claimed}
    findings: list[Finding] = []
    if identified.variant is None or named(evidence, rivals):
        findings += [
            with_case(session, row, claimed, identified, answers)
            for row in subject_findings(identity, claimed, identified, answers, session.target.documented(function))
        ]
    probed = ProbedFunction(lambda asked: session.question(function, asked), identified, answers)
    findings += [*size_findings(probed, evidence, rivals), *edge_findings(probed, evidence)]
    nearest: list[Nearest] = []
    answered = any(answer.value is not None for answer in answers.values())
    if answered:  # a function that fails or hangs at every probe is not asked again
        findings += behaviour(session, function, identified, answers)
    for variant, failed in identified.nearest[: NEAREST_SHOWN if answered else 0]:
        case = case_of(smallest(session, function, variant), [variant, standard(claimed)], session.error)
        nearest.append({"variant": str(variant), "fails": failed, "case": case})
    nearest_case = nearest[0]["case"] if nearest else None
    random = any(row["code"] == "RND001" for row in findings)
    findings = [
        unexplained({**row, "case": nearest_case or row["case"]}, probed, claimed, evidence, random)
        if row["code"] == "UNX001"
        else row
        for row in findings
    ]
    findings = sorted(expectation_findings(session, function, called, rivals, findings) + findings, key=gravity)
    return SubjectAudit(
        name,
        metric,
        convention,
        identified,
        evidence,
        findings,
        nearest,
        answers,
        [*notes(identified, answers), *([NO_HITS] if evidence.undefined else [])],
        rivals,
        session.options.expect,
        source_of(session.target, session.sources.get(function.partition("#")[0], {})),
    )


def unexplained(row: Finding, probed: ProbedFunction, claimed: str, evidence: Verification, random: bool) -> Finding:
    """UNX001 with the reason; for a function that nearly follows a definition, also when it departs from it."""
    message = f"{why_unexplained(claimed, probed.answers, evidence, random)}."
    departure = None if random else near_miss(probed, claimed)
    if departure is None:
        return {**row, "message": message}
    return {**row, "message": f"{message} {departure[0]}.", "case": departure[1] or row["case"]}


def gravity(row: Finding) -> tuple[int, bool]:
    """Sort key of a finding: by severity, errors first, then those about an edge after those about the definition."""
    return SEVERITIES.index(row["severity"]), about_an_edge(row["code"])


def smallest(session: Session, function: str, variant: Variant, actual: Variant | None = None) -> Difference | None:
    """The smallest case on which a function differs from a variant; None for a function with a fixed cut-off.

    actual : what it computes, if known: a case that tells the two variants apart is found without the function, which
    is then asked this case only; if its answer is not that of ``actual``, it is asked all cases.
    """

    def of(computed: Variant) -> Answerer:
        return lambda case, k: computed.value(case, STANDARD, k)

    if function in session.fixed_cuts:
        return None
    all_items, metric = session.scores_all_items(function), variant.metric.name
    if actual is not None:
        gap = smallest_difference(of(actual), of(variant), all_items=all_items, metric=metric)
        value = None if gap is None else session.value_or_none(function, gap.case, gap.k)
        if gap is not None and value is not None and not differ(value, gap.value):
            return replace(gap, value=value)
    return smallest_difference(
        lambda case, k: session.value(function, case, k), of(variant), all_items=all_items, metric=metric
    )


def with_case(
    session: Session, finding: RunFinding, claimed: str, identified: Identification, answers: dict[str, ProbeAnswer]
) -> Finding:
    """A finding as an audit gives it, with the smallest case that shows what it is about.

    The case compares the variant with itself: for a finding about choices, with those at their defaults; for one about
    an edge, with another behaviour there; for one about the name, with the standard variant of the claimed metric.
    """
    finding_rule, variant, case = rule(finding["code"]), identified.variant, None
    edge = edge_of(finding_rule, identified)
    if edge is not None:
        case = edge_case(identified, edge, answers)
    elif variant is not None:
        contrast = usual(variant, finding_rule) if finding_rule.when else standard(claimed)
        if contrast is not None:
            gap = smallest(session, finding["function"], contrast, variant)
            case = case_of(gap, [variant, contrast], session.error)
    return {**remark(finding["code"], finding["message"], case), "severity": finding["severity"]}


def expectation_findings(
    session: Session, function: str, called: Called, rivals: tuple[Called, ...], findings: list[Finding]
) -> list[Finding]:
    """EXP001 where the function is not verified as the expected definition; none where it is or nothing is expected.

    The options may accept weaker evidence than verification.
    """
    expected, actual, evidence = session.options.expect, called.variant, called.evidence
    if expected is None:
        return []
    same = actual is not None and plain(expected).canonical() == actual.canonical()
    if same and named(evidence, rivals):
        if evidence.confidence in ACCEPTED[: ACCEPTED.index(session.options.accept) + 1]:
            return []
        message = (
            f"expected {expected}; its answers to the probes fit, but it could not be verified at size: "
            f"{evidence.reason}. To accept that: {ACCEPT_LESS}."
        )
        return [remark("EXP001", message)]
    if same:
        contradiction = next((row for row in findings if row["code"] in ("VER001", "AMB001")), None)
        message = f"expected {expected}; {contradiction['message'] if contradiction else evidence.reason}"
        return [remark("EXP001", message, contradiction["case"] if contradiction else None)]
    gap = smallest(session, function, expected, actual)
    if gap is None and actual is not None:  # the function refused the probes between the two variants
        return []
    computed = "none of the known variants" if actual is None else str(actual)
    case = case_of(gap, [expected] if actual is None else [expected, actual], session.error)
    return [remark("EXP001", f"expected {expected}; it computes {computed}.", case)]


def notes(identified: Identification, answers: dict[str, ProbeAnswer]) -> list[str]:
    """Notes beside the result: probes without a number, and other variants that fit."""
    lines = []
    refused = {name: answer.error for name, answer in answers.items() if answer.value is None}
    if 0 < len(refused) < len(answers):  # where no probe got a number, a finding says so
        failures = f"{len(refused)} of {len(answers)} probes got no number ({', '.join(refused)})"
        lines.append(f"{failures}; the first: {next(iter(refused.values()))}")
    if identified.alternatives:
        count = len(identified.alternatives)
        lines.append(
            f"{count} other variants fit as well: the probes between them got no number or cannot be put in this way "
            "of calling"
        )
    return lines
