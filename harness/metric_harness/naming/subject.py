"""The audit of one function: its answers, its variant, its findings, and the smallest cases that show them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from metric_adapters.calls.domain import ANY_DOMAIN, BY_ADAPTER
from metric_adapters.calls.role import ROLES
from metric_harness.naming.attempt import NO_ZERO
from metric_harness.naming.choice import Called, Choice
from metric_harness.naming.evidence import UNTIED, Verification
from metric_harness.naming.findings.at_size import edge_findings, near_miss, raised_findings, size_findings
from metric_harness.naming.findings.behaviour import behaviour
from metric_harness.naming.findings.constant_scorer import constant_scorer
from metric_harness.naming.findings.finding import UNNAMED, WITHOUT_DEFINITION, edge_of, remark, subject_findings
from metric_harness.naming.findings.rules import SEVERITIES, about_an_edge, rule
from metric_harness.naming.findings.shown_case import case_of, differing, edge_case, plain, usual
from metric_harness.naming.findings.unexplained import NO_HITS, why_unexplained
from metric_harness.naming.findings.written_call import imports, with_call, written_call
from metric_harness.naming.identify import Identification, ProbeAnswer
from metric_harness.naming.metric_names import Claim, beyond_in_name, claim_of
from metric_harness.naming.options import accepted
from metric_harness.naming.probes.probe import build
from metric_harness.naming.question import Difference, Question, Side, differ, side_of
from metric_harness.naming.session import Session
from metric_harness.naming.small_cases import smallest_difference
from metric_harness.naming.target import source_of
from metric_reference.metrics.areas.auc import Auc
from metric_reference.metrics.areas.pr_auc import PrAuc
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.evidence_line import evidence_line
from metric_reports.types.audit import Calling, Expected, Source, Subject
from metric_reports.types.common import Evidence, Finding, Nearest, Who
from metric_reports.types.run import LibraryFinding

NEAREST_SHOWN = 2
LABELS, WHOLE = "labels 0 or 1", "whole gains"
LISTS = {"cut at k": "lists that end at k", "padded to k": "rows of at least k", "every item": "lists of every item"}


@dataclass(frozen=True, kw_only=True)
class SubjectAudit:
    """What an audit found out about one function; :meth:`to_json` is the stable form.

    choice : how it was called, its answers and the evidence. convention : the name of the call, None for a library's
    function. expected : the definition that the user expects, if any. source : file and line of the function, if
    known. calling : for a function of the user, what the call means, why it was chosen and how it is written.
    """

    target: str
    choice: Choice
    convention: str | None
    findings: list[Finding]
    nearest: list[Nearest]
    notes: list[str] = field(default_factory=list)
    expected: Variant | None = None
    source: Source | None = None
    calling: Calling | None = None

    @property
    def metric(self) -> str | None:
        """The metric that it claims, None if its name does not tell."""
        return self.choice.metric

    @property
    def identification(self) -> Identification:
        """By the probes, refined by verification."""
        return self.choice.chosen.identification

    @property
    def answers(self) -> dict[str, ProbeAnswer]:
        """To the probes, by name."""
        return self.choice.chosen.answers

    @property
    def evidence(self) -> Verification:
        """Of verification at size."""
        return self.choice.chosen.evidence

    @property
    def rivals(self) -> tuple[Called, ...]:
        """Other ways of calling that were verified as other variants."""
        return self.choice.rivals

    @property
    def variant(self) -> Variant | None:
        """The variant that it computes; None if the reference has no such variant or it does not hold at size."""
        return self.choice.variant

    @property
    def verified(self) -> bool:
        """Whether the name rests on verification at size."""
        return self.variant is not None and self.choice.verified

    def held_against(self) -> Expected | None:
        """The definition that was expected and whether it holds; None if none was."""
        if self.expected is None:
            return None
        return {"variant": str(self.expected), "holds": all(row["code"] != "EXP001" for row in self.findings)}

    def evidence_row(self) -> Evidence:
        """The evidence as the record holds it."""
        return self.evidence.to_json(self.answers, self.choice.chosen.attempt.domain)

    def to_json(self) -> Subject:
        """The subject as an audit holds it."""
        variant, edges, evidence = self.variant, self.identification.edges, self.evidence_row()
        behaviour = {name: value for name, value in edges.made().items() if value != "unclear"} if variant else {}
        call, threshold = written_call(self.target, self.calling), self.choice.chosen.attempt.threshold
        signature = None if variant is None else signature_of(variant, edges, users="all", threshold=threshold)
        return {
            "target": self.target,
            "source": self.source,
            "metric": self.metric,
            "convention": self.convention,
            "calling": self.calling,
            "expected": self.held_against(),
            "identified": variant is not None,
            "variant": None if variant is None else str(variant),
            "where": [] if variant is None else list(where(self.choice, variant)),
            "only_where": [] if self.choice.contradiction is None else list(self.choice.contradiction.only_where),
            "signature": None if signature is None else str(signature),
            "short_signature": None if signature is None else signature.short(),
            "formula": None if variant is None else variant.metric.formula(),
            "constant_scorer": constant_scorer(variant, edges) if variant and behaviour else None,
            "imports": imports(self.target) if call else [],
            "suggested": None if self.identification.variant is None else str(self.identification.variant),
            "evidence": {**evidence, "summary": evidence_line(evidence)},
            "choices": {} if variant is None else {**variant.choices(), "users": edges.users},
            "differs": {} if variant is None else differing(variant),
            "edges": behaviour,
            "alternatives": [str(other) for other in self.identification.alternatives[:20]],
            "rivals": [{"convention": other.attempt.name, "variant": str(other.variant)} for other in self.rivals],
            "nearest": [{**row, "case": with_call(row["case"], call, self.convention)} for row in self.nearest],
            "notes": self.notes,
            "findings": [{**row, "case": with_call(row["case"], call, self.convention)} for row in self.findings],
        }


def counts_unlisted(variant: Variant) -> bool:
    """Whether a relevant item that is not listed changes the value of a user with a hit."""
    values = [variant.value(build([[0, 1]], [relevant], 4), k=2) for relevant in ([0], [0, 3])]
    return differ(*values)


def differs_for_short_lists(variant: Variant, others: Sequence[Variant]) -> bool:
    """Whether one of several variants has another value for a list shorter than k."""
    short = build([[0]], [[0]], 4)
    return any(differ(variant.value(short, k=3), other.value(short, k=3)) for other in others)


def where(choice: Choice, variant: Variant) -> Iterator[str]:
    """The inputs that the function takes, in words, if its metric has values for more than these."""
    attempt, identified = choice.chosen.attempt, choice.chosen.identification
    call = attempt.call
    if call.domain.relevant == "one":
        yield "one relevant item a user"
    if call.domain.lists != "any":
        yield LISTS[call.domain.lists]
    if not call.domain.unlisted and counts_unlisted(variant):
        yield "every relevant item listed"
    raised = choice.chosen.evidence.labels_alone  # for gains: what it makes of them is not known
    if choice.labels_alone or raised or (choice.chosen.takes_labels and "gain" in variant.choices()):
        yield LABELS
    elif call.domain.gains == "whole" and "gain" in variant.choices():
        yield WHOLE
    yield from filter(None, (text for role in call.roles for text in (ROLES[role].order, ROLES[role].within)))
    if call.domain.candidates is not None:
        yield f"{call.domain.candidates} candidates a user"
    if "binary_labels" in (attempt.needs or ()):
        yield LABELS
    if attempt.threshold is not None:
        yield f"relevant from a gain of {attempt.threshold:g}"
        if attempt.whole_gains:
            yield WHOLE
    counts_ties = isinstance(variant.metric, (Auc, PrAuc))  # what they count is in its name
    if counts_ties and identified.edges.ties == "unspecified":
        yield UNTIED
    unshown = attempt.only_cut and differs_for_short_lists(variant, identified.alternatives)
    if not identified.short_lists or unshown:
        yield "no list shorter than k"
    if attempt.from_one:
        yield NO_ZERO
    yield from choice.only_where
    yield from choice.within
    cut = attempt.cut if attempt.only_cut else choice.cut
    if cut is not None:
        yield f"cut at {cut}"
    yield from (f"`{name}` 0 in every row" for name in call.zeros)
    yield from (f"`{name}` at its default" for name in call.defaults)
    yield from (f"`{given}`" for given in call.chosen)
    if call.spans:
        yield "no two items that overlap in part"


HANDED_OVER = (
    "the number depends on the candidates that you hand over: among drawn negatives it is not that among all items "
    "(`metric-harness evaluate --ranks` gives both)"
)
"""The note on a function that ranks the scored candidates of its caller."""


BY_RANK = "it returns a number for each rank; the one at rank k is meant"
"""The note on a function that returns a curve."""


TWICE = "it raises for a single user, who was asked twice in one call"
"""The note on a function of all users that needs two."""


def ranks_candidates(called: Called) -> bool:
    """Whether the caller chooses the candidates: scored ones in a row or group, or one positive with its negatives."""
    domain = called.attempt.call.domain
    one_and_others = domain.relevant == "one" and domain.scores == "list"
    own = domain not in (ANY_DOMAIN, BY_ADAPTER)  # a library's adapter hands over what its case has
    return own and (domain.candidates is not None or domain.scores == "candidates" or one_and_others)


def audited(session: Session, choice: Choice, name: str, convention: str | None = None) -> SubjectAudit:
    """The audit of one function that was asked: its variant, its findings and the smallest cases that show them.

    name : as the result prints it.
    """
    called, attempt, metric = choice.chosen, choice.chosen.attempt, choice.metric
    identified, answers, side = called.identification, called.answers, session.side(attempt)
    claimed = metric or (identified.variant.metric.name if identified.variant else RANKING[0])
    find_smallest = partial(smallest, side, called)
    findings: list[Finding] = []
    documented = session.target.documented(attempt.name)
    worded = () if documented is None else documented.edges
    if identified.variant is None or choice.variant is not None:
        identity: Who = {"library": name, "release": "", "function": attempt.name, "metric": claimed}
        rows = subject_findings(identity, claimed, identified, answers, documented)
        findings += [as_meant(with_case(find_smallest, row, claimed, called), choice, name) for row in rows]
    findings += [*size_findings(session.ask, choice), *raised_findings(side, called)]
    findings += edge_findings(side, called, worded)
    nearest: list[Nearest] = []
    answered = any(answer.value is not None for answer in answers.values())
    if answered:  # a function that fails or hangs at every probe is not asked again
        changed_input, share = session.noticed(attempt).changed_input, claims_a_share(choice, name)
        findings += behaviour(side, changed_input, identified, answers, share)
    for variant, failed in identified.nearest[: NEAREST_SHOWN if answered and not choice.claims_none else 0]:
        case = case_of(find_smallest(variant), [variant, standard(claimed)])
        nearest.append({"variant": str(variant), "fails": failed, "case": case})
    nearest_case = nearest[0]["case"] if nearest else None
    random = any(row["code"] == "RND001" for row in findings)
    beyond = beyond_in_name(attempt.element or name.rpartition(":")[2]) if attempt.needs is None else None
    findings = [
        unexplained({**row, "case": nearest_case or row["case"]}, side, called, claimed, random, metric is None, beyond)
        if row["code"] == "UNX001"
        else row
        for row in findings
    ]
    findings = [*expectation_findings(find_smallest, choice, session, findings), *findings]
    return SubjectAudit(
        target=name,
        choice=choice,
        convention=convention,
        findings=sorted(findings, key=gravity),
        nearest=nearest,
        notes=[
            *([] if beyond is None or choice.variant else [ANOTHER_KIND.format(beyond)]),
            *notes(identified, answers),
            *([NO_HITS] if called.evidence.undefined else []),
            *([BY_RANK] if session.noticed(attempt).by_rank else []),
            *([TWICE] if session.noticed(attempt).twice else []),
            *([HANDED_OVER] if identified.variant is not None and ranks_candidates(called) else []),
        ],
        expected=session.options.expect,
        source=source_of(session.target, session.sources.get(attempt.call.name, {})),
    )


def own_claim(choice: Choice, name: str) -> Claim | None:
    """The metric that the name of a function, or of the one of its results that is audited, claims."""
    own = choice.chosen.attempt.element or name.rpartition(":")[2]
    return next(filter(None, map(claim_of, reversed(own.split(".")))), None)


def as_meant(row: Finding, choice: Choice, name: str) -> Finding:
    """The finding as a note where it says no more than the function does.

    An average reciprocal hit rank has all hits by its name, and a DCG no ideal list; what takes no k, and is not called
    by one, is not cut; a number of hits that claims no metric is none, and ``hits`` may mean one; labels and scores of
    one list hold every relevant item that counts.
    """
    attempt, claim, function = choice.chosen.attempt, own_claim(choice, name), name.rpartition(":")[2]
    label, own = claim.label if claim else "", (attempt.element or function).rpartition(".")[2].lower()
    no_k = attempt.domain.k == "not given"
    whole = no_k and any(role in SCORES_OF_LIST for role in attempt.call.roles)
    meant = (
        ("RR001", label == "arhr", "as its name says"),
        ("NDCG001", label == "dcg", "as its name says"),
        ("RR002", no_k and not AT_K.search(function), "which it does not take"),
        ("HR001", choice.metric is None, "but it claims no metric"),
        ("HR001", A_NUMBER.fullmatch(own), "which its name may mean"),
        ("AP004", whole, "of all that it is handed"),
        ("NDCG002", whole, "of all that it is handed"),
    )
    words = next((words for code, holds, words in meant if code == row["code"] and holds), "")
    return {**row, "severity": "note", "title": f"{row['title']}, {words}"} if words else row


def claims_a_share(choice: Choice, name: str) -> bool:
    """Whether a function claims a metric that lies in [0, 1], and every parameter's name supports how it was called.

    A library's function is called as its adapter says.
    """
    call, claim = choice.chosen.attempt.call, own_claim(choice, name)
    certain = len(call.supports) == len(call.roles) and not call.against
    return choice.metric is not None and certain and (claim is None or claim.label != "dcg")


AT_K = re.compile(r"(?i)(at|@|top)_?(k|n|\d+)|_k(_|$)")
"""In a name that says where its metric is cut."""
SCORES_OF_LIST = ("list_scores", "falling_scores")
"""Roles of the scores of the listed items, beside their labels."""
A_NUMBER = re.compile(r"((n|num|nb|total|number_of|count_of)_?)?hits?(_?(count|num|total|n))?")
"""The name of a number of hits."""
ANOTHER_KIND = "its name claims {}; an audit of a function of yours looks for metrics of relevant items alone"
"""Why a function has no name, where it says itself that it is of another kind."""


def unexplained(
    row: Finding, side: Side, called: Called, claimed: str, random: bool, other: bool, beyond: str | None
) -> Finding:
    """UNX001 with the reason; for a function that nearly follows a definition, also when it departs from it.

    other : it claims no metric. One of several results, such as the standard error beside a mean, then owes no
    definition. beyond : it claims one of another kind.
    """
    if beyond is not None:
        return {**row, "severity": "note", "message": f"{ANOTHER_KIND.format(beyond)}.", "case": None}
    if other and called.attempt.element:
        row = {**row, "severity": "note"}
    message = f"{why_unexplained(claimed, called.answers, called.evidence, random)}."
    departure = None if random else near_miss(side, called, claimed)
    if departure is None:
        return {**row, "message": message}
    return {**row, "message": f"{message} {departure[0]}.", "case": departure[1] or row["case"]}


def gravity(row: Finding) -> tuple[int, bool]:
    """Sort key of a finding: by severity, errors first, then those about an edge after those about the definition."""
    return SEVERITIES.index(row["severity"]), about_an_edge(row["code"])


def smallest(side: Side, called: Called, variant: Variant, actual: Variant | None = None) -> Difference | None:
    """The smallest case on which a function differs from a variant; None for a function with a fixed cut-off.

    actual : what it computes, if known: a case that tells the two variants apart is found without the function, which
    is then asked this case only; if its answer is not that of ``actual``, it is asked all cases.
    """
    attempt = called.attempt
    if attempt.only_cut:
        return None
    find = partial(
        smallest_difference, all_items=attempt.all_items, metric=variant.metric.name, deepest=attempt.own_cut
    )
    if actual is not None:
        gap = find(side_of(actual), side_of(variant))
        reply = None if gap is None else side(Question(gap.case, gap.k))
        if gap is not None and reply is not None and reply.value is not None and not differ(reply.value, gap.value):
            return replace(gap, value=reply.value)
    return find(side, side_of(variant))


def with_case(find_smallest: partial[Difference | None], row: LibraryFinding, claimed: str, called: Called) -> Finding:
    """A finding as an audit gives it, with the smallest case that shows what it is about.

    The case compares the variant with itself: for a finding about choices, with those at their defaults; for one about
    an edge, with another behaviour there; for one about the name, with the standard variant of the claimed metric.
    """
    finding_rule, variant, case = rule(row["code"]), called.variant, None
    edge = edge_of(finding_rule, called.identification)
    if edge is not None:
        case = edge_case(called.identification, edge, called.answers)
    elif variant is not None and row["code"] not in WITHOUT_DEFINITION:
        contrast = usual(variant, finding_rule) if finding_rule.when else standard(claimed)
        if contrast is not None:
            case = case_of(find_smallest(contrast, variant), [variant, contrast])
    return {**remark(row["code"], row["message"], case), "severity": row["severity"]}


def expectation_findings(
    find_smallest: partial[Difference | None], choice: Choice, session: Session, findings: Sequence[Finding]
) -> list[Finding]:
    """EXP001 where the function is not verified as the expected definition; none where it is or nothing is expected.

    The options may accept weaker evidence than verification.
    """
    expected, actual, evidence = session.options.expect, choice.chosen.variant, choice.chosen.evidence
    if expected is None:
        return []
    same = actual is not None and plain(expected).canonical() == actual.canonical()
    if same and choice.variant is not None:
        confidence = evidence.confidence
        if accepted(confidence, session.options.accept):
            return []
        message = (
            f"expected {expected}; its answers fit, but the name is {confidence}: {evidence.reason}. "
            f'To accept that: --accept "{confidence}", in Python accept="{confidence}".'
        )
        return [remark("EXP001", message)]
    if same:
        contradiction = next((row for row in findings if row["code"] in UNNAMED), None)
        message = f"expected {expected}; {contradiction['message'] if contradiction else evidence.reason}"
        return [remark("EXP001", message, contradiction["case"] if contradiction else None)]
    gap = find_smallest(expected, actual)
    if gap is None and actual is not None:  # the function refused the probes between the two variants
        return []
    computed = "none of the known variants" if actual is None else str(actual)
    case = case_of(gap, [expected] if actual is None else [expected, actual])
    return [remark("EXP001", f"expected {expected}; it computes {computed}.", case)]


def notes(identified: Identification, answers: dict[str, ProbeAnswer]) -> list[str]:
    """Notes beside the result: probes without a number, and other variants that fit."""
    lines = []
    asked = {name: answer for name, answer in answers.items() if answer.shown}
    refused = {name: answer.error for name, answer in asked.items() if answer.value is None}
    if 0 < len(refused) < len(asked):  # where no probe got a number, a finding says so
        failures = f"{len(refused)} of {len(asked)} probes got no number ({', '.join(refused)})"
        lines.append(f"{failures}; the first: {next(iter(refused.values()))}")
    if identified.alternatives:
        count = len(identified.alternatives)
        lines.append(
            f"{count} other variants fit as well: the probes between them got no number or cannot be put in this way "
            "of calling"
        )
    return lines
