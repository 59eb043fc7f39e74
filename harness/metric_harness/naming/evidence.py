"""Verification: compares a suggested variant with the answers to cases as large as real data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from metric_adapters.calls.domain import Domain
from metric_harness.libraries.needs import categories, one_relevant
from metric_harness.naming.agreement import agrees
from metric_harness.naming.cases.verification_case import Size, VerificationCase
from metric_harness.naming.cases.verification_cases import FUNCTION, LIBRARY, Limits, verification_cases
from metric_harness.naming.identify import (
    Identification,
    ProbeAnswer,
    close,
    edges_for,
    exact,
    has_user_values,
    lost_and_won,
    orders_ties,
    tied_as,
)
from metric_harness.naming.probes.probe import Probe, probe_named
from metric_harness.naming.question import Question, Side
from metric_harness.naming.reach import Reach, reach_of
from metric_harness.naming.rounding import FEWEST_DIGITS, digits_of
from metric_harness.worker.messages import Branches
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches
from metric_reference.metrics.areas.auc import Auc
from metric_reference.metrics.areas.pr_auc import PrAuc
from metric_reference.narrowed import of_users
from metric_reference.variant import BEYOND, Variant, matching_rules, prepare
from metric_reports.types.common import PROBES_ONLY, REFUSED, VERIFIED, Agreement, Confidence, Evidence, Lines
from metric_reports.types.common import Branches as BranchesRow

EDGES = ("no_relevant", "no_list", "duplicates", "ties")
"""The edge behaviours that are verified at size."""
SUM_IN_FLOAT32 = 5e-6
"""The error that a user's value may have where float32 sums over a hundred ranks and the mean agrees."""
USERS_ASKED_ALONE, ERRORS_BEFORE_GIVING_UP = 24, 8
"""Where a function raises an error for a case, at most 24 of its users are asked one at a time, and only the first 8 if
all of these raise."""
UNTIED = "no two scores equal"
"""The condition of a name that an answer to tied scores contradicts, or whose order of ties has no rule."""
DIGITS_OF_USERS = (6, 5, 4)
"""The digits to which values of users may be rounded before their mean, which does not show how many they are."""
FITS_BUT = "its answers are those of {}, but {}"
"""Why a definition that fits gives no name."""
FEWEST_QUESTIONS = 6
"""A variant is verified only if at least this many questions about the definition were answered."""


@dataclass(frozen=True, kw_only=True)
class Departure:
    """A question on which a function departs from its variant.

    value : the mean that it returned, None for an error. users : those who differ, where it returns values of users.
    """

    asked: VerificationCase
    k: int
    value: float | None
    expected: float | None
    error: str | None = None
    users: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of asking the verification cases.

    confidence : ``verified``: every answer agrees; ``probes only``: the cases could not be asked (``reason`` says why);
    ``refused``: an answer departs, or there was no variant to verify. questions, cases, users, cutoffs, values : how
    much was asked and how many numbers were compared. agreement : ``same`` or ``same_in_float32``. edges : the edge
    behaviours that did not hold at size, with the departure of each. undefined : it returned NaN where its variant
    divides by the number of hits and there are none. raised : the first question that raised an error; the users of
    such a question for whom the function returns a number are asked again without the others. labels_alone : it raised
    for gains, and gave numbers for the same cases with labels of 0 and 1. reach : what was asked.
    branches : those of the function's code that ran, None where they are not measured. fits : the variant that all
    answers fit by chance, for which it is refused with that ``reason``.
    """

    confidence: Confidence
    reason: str | None = None
    questions: int = 0
    cases: int = 0
    users: int = 0
    cutoffs: tuple[int, ...] = ()
    values: int = 0
    agreement: Agreement | None = None
    departure: Departure | None = None
    edges: dict[str, Departure] = field(default_factory=dict)
    undefined: bool = False
    raised: Departure | None = None
    labels_alone: bool = False
    reach: Reach | None = None
    branches: Branches | None = None
    fits: Variant | None = None

    def to_json(self, answers: Mapping[str, ProbeAnswer], domain: Domain) -> Evidence:
        """The evidence as an audit holds it.

        domain : what the way of calling can express.
        """
        return {
            "confidence": self.confidence,
            "reason": self.reason,
            "probes": {
                "answered": sum(a.value is not None for a in answers.values()),
                "of": sum(a.shown for a in answers.values()),
            },
            "questions": self.questions,
            "cases": self.cases,
            "users": self.users,
            "cutoffs": list(self.cutoffs),
            "values": self.values,
            "agreement": self.agreement,
            "fits": None if self.fits is None else str(self.fits),
            "reach": None if self.reach is None else self.reach.to_json(domain),
            "branches": None if self.branches is None else branches_row(self.branches),
        }


def branches_row(branches: Branches) -> BranchesRow:
    """Branches as the record holds them."""
    missed: list[Lines] = [
        {"file": Path(each.file).name, "first": each.first, "last": each.last} for each in branches.missed
    ]
    return {"ran": branches.ran, "of": branches.of, "missed": missed}


def on_probe(probe: Probe, value: float | None, expected: float | None) -> Departure:
    """The departure of an answer to a probe."""
    case = VerificationCase(name=probe.name, about=probe.about, case=probe.case, ks=(probe.k,))
    return Departure(asked=case, k=probe.k, value=value, expected=expected)


def limits_of(suggestion: Identification, answers: Mapping[str, ProbeAnswer], size: Size = FUNCTION) -> Limits:
    """The cases that a subject can be asked, from its answers to the probes."""
    variant, edges = suggestion.variant, suggestion.edges
    core = [probe for name in answers if (probe := probe_named(name)) is not None and probe.edge is None]
    beyond = variant is not None and variant.metric.name in BEYOND
    known = tuple(name for name in EDGES if getattr(edges, name) not in ("unclear", "error", "unspecified"))
    if variant is not None and "candidate_scores" in variant.metric.needs:
        known = tuple(name for name in known if name != "duplicates")  # an item has one score
        if size is not LIBRARY and isinstance(variant.metric, (Auc, PrAuc)) and edges.ties != "unspecified":
            known = tuple(dict.fromkeys((*known, "ties")))  # what a tie counts is part of the name
    known += tuple(edge for edge in _of_definition(suggestion) if edge not in known)
    return Limits(
        size=size,
        short_lists=suggestion.short_lists,
        one_relevant=bool(core) and all(one_relevant(probe.case) for probe in core),
        edges=known,
        beyond=beyond,
        one_category=beyond and all(categories(probe.case) for probe in core),
    )


def unlikely(fits: Variant, why: str) -> Verification:
    """The evidence for a variant that all answers fit by chance."""
    return Verification(confidence=REFUSED, reason=FITS_BUT.format(fits, why), fits=fits)


def _of_definition(suggestion: Identification) -> tuple[str, ...]:
    """The edges that are part of a definition that fits: the order of ties, judgements, predictions."""
    fitting = [suggestion.variant, *suggestion.alternatives] if suggestion.variant is not None else []
    read = {variant.only for variant in fitting}
    shown = {"ties": any(map(orders_ties, fitting)), "unjudged": "judged" in read, "predicted": "predicted" in read}
    return tuple(edge for edge, is_shown in shown.items() if is_shown)


def verify(
    side: Side,
    suggestion: Identification,
    answers: Mapping[str, ProbeAnswer],
    limits: Limits | None = None,
    cases: Sequence[VerificationCase] | None = None,
) -> tuple[Identification, Verification]:
    """Ask the verification cases, or other ``cases``; returns the identification after them, and the evidence.

    Of several variants that fit the probes, those that the answers contradict are dropped. An edge behaviour that does
    not hold at size becomes ``unclear`` (``unspecified`` for ties).
    """
    if suggestion.variant is None:
        return suggestion, Verification(confidence=REFUSED, reason="no known definition fits the probes")
    suggested = [suggestion.variant, *suggestion.alternatives]
    fitting = suggested
    first: Departure | None = None
    edges, tally = suggestion.edges, _Tally()
    numbers = [answer.value for answer in answers.values() if answer.value is not None]
    own = [
        value
        for name, answer in answers.items()
        if _of_one_user(name) or answer.values is not None
        for value in _numbers_of(answer)
    ]
    limits = limits or limits_of(suggestion, answers)
    for shown, questions in in_order(verification_cases(limits) if cases is None else cases, limits):
        asked = shown
        for question in questions:
            k = question.k
            reply = side(question if asked is shown else Question(asked.case, k, asked.ids))
            if reply.kind == "cannot_show":
                break
            if reply.failed:
                return suggestion, replace(tally.result(PROBES_ONLY, f"{asked.about}: {reply.error}"), edges={})
            if reply.value is None and (raised := _departure(fitting[0], edges_for(edges), asked, k, reply, tally)):
                if _takes_labels_alone(side, asked, k):
                    tally.labels_alone = True
                    break
                raising, kept = _asked_alone(side, asked, k)
                if not _all_refused(edges, asked.case, raising):
                    tally.raised = tally.raised or replace(raised, users=raising)
                if kept is None:
                    continue
                asked, reply = kept
            if asked.edges and not set(asked.edges) <= set(_of_definition(suggestion)):
                departure = _departure(fitting[0], edges_for(edges), asked, k, reply, tally)
                if departure is not None:
                    edge = asked.edges[0]
                    tally.edges[edge] = departure
                    edges = replace(edges, **{edge: "unspecified" if edge == "ties" else "unclear"})
                    break
                continue
            departures = [_departure(v, edges_for(edges), asked, k, reply, tally) for v in fitting]
            if first is None:
                first = departures[0]
            fitting = [v for v, departure in zip(fitting, departures, strict=True) if departure is None]
            numbers += _numbers_of(reply)
            own += _numbers_of(reply) if reply.values is not None or asked.case.users == 1 else []
            if not fitting and suggestion.variant.rounded is None:  # small cases need not show that it rounds
                for rounded in _as_rounded(suggested, digits_of(numbers), digits_of(own)):
                    departures = [_departure(v, edges_for(edges), asked, k, reply, _Tally()) for v in rounded]
                    fitting = [v for v, departure in zip(rounded, departures, strict=True) if departure is None]
                    if fitting:
                        break
            if not fitting and asked.edges == ("ties",) and _between_ties(suggested[0], edges, asked, k, reply):
                fitting = list(dict.fromkeys(tied_as(variant, "half") for variant in suggested))
                edges = replace(edges, ties="unspecified")
                break
            if not fitting:
                result = tally.result(REFUSED, "an answer at size departs")
                return suggestion, replace(result, departure=first)
    verified = replace(suggestion, variant=fitting[0], alternatives=fitting[1:], edges=edges)
    if cases is None and tally.raised is not None and not tally.definition:
        result = tally.result(REFUSED, "every question at size raises an error")
        return suggestion, replace(result, departure=tally.raised)
    if len(tally.definition) < FEWEST_QUESTIONS:
        return verified, tally.result(PROBES_ONLY, "this way of calling cannot express the verification cases")
    if fitting[0].metric.name != "constant" and _is_constant(fitting[0], tally.definition):
        reason = "the definition is one number wherever it could be asked: it tells nothing apart"
        told_apart = fitting[0].metric.name in BEYOND  # by its probes
        return verified, tally.result(PROBES_ONLY if told_apart else REFUSED, reason)
    return verified, tally.result(VERIFIED, None)


def _as_rounded(variants: Sequence[Variant], digits: int | None, own: int | None) -> Iterator[list[Variant]]:
    """The variants rounded to the digits that all answers need; else with those of the values of users.

    own : the digits that the answers about one user need; None if these are not rounded.
    """
    if digits is not None and digits >= FEWEST_DIGITS:
        yield [replace(variant, rounded=digits) for variant in variants]
    elif own is not None:
        averages = [variant for variant in variants if variant.averages_users()]
        for each in (digits for digits in DIGITS_OF_USERS if digits >= own):
            yield [replace(variant, rounded=each, rounds="users") for variant in averages]


def _between_ties(variant: Variant, edges: Edges, asked: VerificationCase, k: int, reply: Reply) -> bool:
    """Whether an AUC has this answer for some order of equal scores."""
    matches = _matched(asked.case, edges)
    low, high = lost_and_won(variant, lambda each: exact(each).of_matches(matches, edges, k))
    return reply.value is not None and low <= reply.value <= high


def in_order(cases: Sequence[VerificationCase], limits: Limits) -> Iterator[tuple[VerificationCase, list[Question]]]:
    """Each case with its questions, each of which names the one that follows."""
    shown = [with_whole_gains(asked) for asked in cases] if limits.whole_gains else cases
    ks = [asked.ks[-1:] if limits.one_k else asked.ks for asked in shown]
    asked_of = [
        [Question(asked.case, k, asked.ids, asked.key) for k in of] for asked, of in zip(shown, ks, strict=True)
    ]
    everything = [question for questions in asked_of for question in questions]
    then = dict(pairwise(everything))
    for asked, questions in zip(shown, asked_of, strict=True):
        yield asked, [replace(question, then=then.get(question)) for question in questions]


def with_whole_gains(asked: VerificationCase) -> VerificationCase:
    """The case with gains rounded up to whole numbers; itself if they are whole."""
    case = asked.case
    gains = np.ceil(case.judged_gains)
    if (gains == case.judged_gains).all():
        return asked
    return replace(asked, key="", case=replace(case, judged_gains=gains, threshold=float(np.ceil(case.threshold))))


def _takes_labels_alone(side: Side, asked: VerificationCase, k: int) -> bool:
    """Whether a function that raises for a case with gains gives a number for the same case with labels of 0 and 1."""
    case = asked.case
    if (case.judged_gains == 1.0).all():
        return False
    labels = replace(case, judged_gains=np.ones(len(case.judged_gains)), threshold=1.0)
    return side(Question(labels, k, asked.ids)).value is not None


def _asked_alone(
    side: Side, asked: VerificationCase, k: int
) -> tuple[tuple[int, ...], tuple[VerificationCase, Reply] | None]:
    """The users for whom the function raises when asked one at a time; the case of the others, and its answer.

    There is no such case if all raise, or if it raises for the others together.
    """
    kept: list[int] = []
    raising: list[int] = []
    for user in range(min(asked.case.users, USERS_ASKED_ALONE)):
        if user >= ERRORS_BEFORE_GIVING_UP and not kept:
            break
        reply = side(Question(of_users(asked.case, np.array([user])), k, asked.ids))
        (raising if reply.value is None else kept).append(user)
    if not kept:
        return tuple(raising), None
    fewer = replace(asked, case=of_users(asked.case, np.array(kept)), key="")
    reply = side(Question(fewer.case, k, fewer.ids))
    return tuple(raising), None if reply.value is None else (fewer, reply)


def _all_refused(edges: Edges, case: Case, users: Sequence[int]) -> bool:
    """Whether some users are all at an edge that is known to raise: no relevant item, or no list."""
    matches = _matched(case, STANDARD)
    without = (matches.n_relevant == 0) & (edges.no_relevant == "error")
    refused = without | ((matches.lengths == 0) & (edges.no_list == "error"))
    return len(users) > 0 and bool(refused[list(users)].all())


def _is_constant(variant: Variant, questions: Sequence[tuple[VerificationCase, int]]) -> bool:
    """Whether the mean over users of a variant is the same number in all of these questions."""
    mean = replace(exact(variant), weight="user", times=1)
    values = (mean.of_matches(_matched(asked.case, STANDARD), STANDARD, k) for asked, k in questions)
    first = next(values)
    return all(agrees(first, value) for value in values)


def _of_one_user(name: str) -> bool:
    """Whether a probe has one user."""
    probe = probe_named(name)
    return probe is not None and probe.case.users == 1


def _numbers_of(reply: Reply | ProbeAnswer) -> list[float]:
    """The numbers that a function returned: the values of users if it returns them, else the mean."""
    if reply.values is not None:
        return [value for value in reply.values.tolist() if value == value]
    return [] if reply.value is None else [reply.value]


@dataclass
class _Tally:
    """What was asked so far.

    cases : the number of users of each case, by name; definition : the questions about the definition alone; edges :
    the first departure at each edge.
    """

    cases: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    values: int = 0
    cutoffs: set[int] = field(default_factory=set)
    exact: bool = True
    definition: list[tuple[VerificationCase, int]] = field(default_factory=list)
    edges: dict[str, Departure] = field(default_factory=dict)
    undefined: bool = False
    raised: Departure | None = None
    labels_alone: bool = False
    asked: list[tuple[Case, int]] = field(default_factory=list)

    def add(self, asked: VerificationCase, k: int, values: int, exact: bool) -> None:
        self.cases[asked.name] = asked.case.users
        self.asked.append((asked.case, k))
        self.questions += 1
        if not asked.edges:
            self.definition.append((asked, k))
        self.values += values
        self.cutoffs.add(k)
        self.exact = self.exact and exact

    def result(self, confidence: Confidence, reason: str | None) -> Verification:
        return Verification(
            confidence=confidence,
            reason=reason,
            questions=self.questions,
            cases=len(self.cases),
            users=sum(self.cases.values()),
            cutoffs=tuple(sorted(self.cutoffs)),
            values=self.values,
            agreement=None if not self.questions else "same" if self.exact else "same_in_float32",
            edges=self.edges,
            undefined=self.undefined,
            raised=self.raised,
            labels_alone=self.labels_alone,
            reach=reach_of(self.asked),
        )


def _departure(
    variant: Variant, edges: Edges, asked: VerificationCase, k: int, reply: Reply, tally: _Tally
) -> Departure | None:
    """How an answer departs from a variant; None where it agrees, which is then counted in ``tally``."""
    matches = _matched(asked.case, edges)
    expected = exact(variant).of_matches(matches, edges, k)
    if reply.value is None:  # an error where the definition has no value is no departure
        agreed = reply.kind == "exception" and math.isnan(expected)
        return None if agreed else Departure(asked=asked, k=k, value=None, expected=expected, error=reply.error)
    has_values = reply.users is not None and reply.values is not None and has_user_values(variant)
    # a user whose candidates are all relevant has no pairs, and where no user is counted there is no mean: the
    # definition does not say what they are
    undefined = math.isnan(expected) and "candidate_scores" in variant.metric.needs and not asked.edges
    undefined |= math.isnan(expected) and reply.value == 0.0 and _counts_nobody(variant, matches, edges, k)
    if undefined and not has_values:
        return None
    if math.isnan(reply.value) and _divides_by_no_hits(variant, matches, k):
        tally.undefined = True
        return None
    agreements = [] if undefined else [close(variant, reply.value, expected)]
    departing: tuple[int, ...] = ()
    if has_values and reply.users is not None and reply.values is not None:
        predicted, counted = exact(variant).of_users(matches, edges, k)
        own = counted[reply.users]
        if undefined:
            own &= ~np.isnan(predicted[reply.users])
        elif agreements[0] != "different":  # what the mean counts for such a user is shown; its own value may be NaN
            own &= ~(np.isnan(reply.values) & without_value(matches)[reply.users])
        users, values = reply.users[own], reply.values[own]
        with np.errstate(over="ignore"):  # what no float32 holds is no float32
            single = np.array_equal(values, values.astype(np.float32), equal_nan=True)
        pairs = zip(values.tolist(), predicted[users].tolist(), strict=True)
        by_user = [close_of_user(variant, value, unrounded, single) for value, unrounded in pairs]
        departing = tuple(user for user, word in zip(users.tolist(), by_user, strict=True) if word == "different")
        agreements += by_user
    if "different" in agreements:
        return Departure(asked=asked, k=k, value=reply.value, expected=expected, users=departing)
    if not undefined:
        tally.add(asked, k, len(agreements), "same_in_float32" not in agreements)
    return None


def without_value(matches: Matches) -> np.ndarray:
    """Which users have nothing relevant or no list: bool, shape (users,)."""
    return (matches.n_relevant == 0) | (matches.lengths == 0)


def close_of_user(variant: Variant, value: float, unrounded: float, single: bool) -> str:
    """:func:`close` for one user's value; ``single``: float32 holds all values exactly, so they were computed in it."""
    word = close(variant, value, unrounded)
    close_sum = abs(value - unrounded) <= SUM_IN_FLOAT32 * max(1.0, abs(unrounded))
    return "same_in_float32" if word == "different" and single and variant.rounded is None and close_sum else word


def _divides_by_no_hits(variant: Variant, matches: Matches, k: int) -> bool:
    """Whether a variant divides by all hits and there are none: 0 in the reference, NaN elsewhere."""
    pooled = variant.weight == "micro" and variant.metric.divides_by_hits()
    return pooled and not variant.metric.parts(matches, k)[1].any()


def _counts_nobody(variant: Variant, matches: Matches, edges: Edges, k: int) -> bool:
    """Whether no user has a value; one definition says that the mean is NaN then."""
    told = variant.only == "with_hit_or_nan" or not has_user_values(variant)
    return not told and not exact(variant).of_users(matches, edges, k)[1].any()


_MATCHED: dict[tuple[int, str, str], tuple[Case, Matches]] = {}


def _matched(case: Case, edges: Edges) -> Matches:
    """A case matched under edge behaviours, once; the cases live as long as the process."""
    key = (id(case), *matching_rules(case, edges))
    if key not in _MATCHED:
        _MATCHED[key] = (case, prepare(case, edges))
    return _MATCHED[key][1]
