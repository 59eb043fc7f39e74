"""Verification: a suggested variant is held against the answers to cases as large as real data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from metric_harness.identification.agreement import agrees
from metric_harness.identification.changed_numbers import FEWEST_DIGITS, digits_of
from metric_harness.identification.identify import Identification, ProbeAnswer, close, edges_for, exact
from metric_harness.identification.probes import every_probe
from metric_harness.verification.cases import FUNCTION, Limits, Size, VerificationCase, verification_cases
from metric_harness.worker.reply import Reply
from metric_reference.averaging import user_values
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches
from metric_reference.variant import BEYOND, Variant, matching_rules, prepare
from metric_reports.types.common import Agreement, BaseEvidence, Confidence

VERIFIED: Final = "verified"
PROBES_ONLY: Final = "probes only"
REFUSED: Final = "refused"
EDGES = ("no_relevant", "no_list", "duplicates", "ties")
"""The edge behaviours that are verified at size."""
NO_HIT, ALL_HIT = "late_hit", ("plain", "short_list", "threshold")
"""The probe in which nobody has a hit up to k, and some in which everybody has."""
SUM_IN_FLOAT32 = 5e-6
"""A user's value that float32 summed over a hundred ranks may be this far off, where the mean agrees."""
FEWEST_QUESTIONS = 6
"""A name is verified only if at least this many questions about the definition were answered."""
CANNOT_SHOW = "CannotShow:"
"""How the error begins where a convention cannot express a case (adapters/conventions_roles.py)."""

Ask = Callable[[VerificationCase, int], Reply]


@dataclass(frozen=True, kw_only=True)
class Departure:
    """A question on which a function does not give what its variant gives.

    value : the mean that it returned, None for an error. users : who differ, where it gives values by user.
    """

    asked: VerificationCase
    k: int
    value: float | None
    expected: float | None
    error: str | None = None
    users: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What came of asking the verification cases.

    confidence : ``verified``: every answer agrees; ``probes only``: the cases could not be asked (``reason`` says why);
    ``refused``: an answer departs, or there was no variant to verify. questions, cases, users, cutoffs, values : what
    was asked and how many numbers were compared. agreement : ``same`` or ``same_in_float32``. edges : the edge
    behaviours that did not hold at size, with the departure of each. undefined : it returned NaN where nobody has a
    hit, and its variant divides by the hits.
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

    def to_json(self, answers: dict[str, ProbeAnswer]) -> BaseEvidence:
        """The evidence as reports/metric_reports/schema/audit.schema.json describes it."""
        return {
            "confidence": self.confidence,
            "reason": self.reason,
            "probes": {"answered": sum(a.value is not None for a in answers.values()), "of": len(answers)},
            "questions": self.questions,
            "cases": self.cases,
            "users": self.users,
            "cutoffs": list(self.cutoffs),
            "values": self.values,
            "agreement": self.agreement,
        }


def limits_of(found: Identification, answers: dict[str, ProbeAnswer], size: Size = FUNCTION) -> Limits:
    """What a subject is asked at size, from its answers to the probes."""
    from metric_harness.identification.ask_probes import categories, one_relevant

    core = [p for p in every_probe() if p.edge is None and p.name in answers]
    beyond = found.variant is not None and found.variant.metric.name in BEYOND
    known = tuple(name for name in EDGES if getattr(found.edges, name) not in ("unclear", "error", "unspecified"))
    if found.variant is not None and "candidate_scores" in found.variant.metric.needs:
        known = tuple(name for name in known if name != "duplicates")  # an item has one score
    return Limits(
        size=size,
        short_lists=found.edges.short_list != "error",
        one_relevant=bool(core) and all(one_relevant(probe.case) for probe in core),
        hits=needs_hits(answers),
        edges=known,
        beyond=beyond,
        one_category=beyond and all(categories(probe.case) for probe in core),
    )


def needs_hits(answers: dict[str, ProbeAnswer]) -> bool:
    """Whether a function raises an error for a user without a hit up to k, and for no other user."""
    late = answers.get(NO_HIT)
    if late is None or late.value is not None or (late.error or "").startswith(CANNOT_SHOW):
        return False
    return all(answers[name].value is not None for name in ALL_HIT if name in answers)


def verify(
    ask: Ask, found: Identification, answers: dict[str, ProbeAnswer], limits: Limits | None = None
) -> tuple[Identification, Verification]:
    """Ask the verification cases; returns the identification as it stands after them, and the evidence.

    Of several variants that fit the probes, those that the answers contradict are dropped. An edge behaviour that does
    not hold at size becomes ``unclear`` (``unspecified`` for ties).
    """
    if found.variant is None:
        return found, Verification(confidence=REFUSED, reason="no known definition fits the probes")
    standing = [found.variant, *found.alternatives]
    first: Departure | None = None
    edges, apart, tally = found.edges, {}, _Tally()
    numbers = [answer.value for answer in answers.values() if answer.value is not None]
    for verification_case in verification_cases(limits or limits_of(found, answers)):
        for k in verification_case.ks:
            reply = ask(verification_case, k)
            if (reply.error or "").startswith(CANNOT_SHOW):
                break
            if reply.kind not in ("answer", "exception"):
                return found, tally.result(PROBES_ONLY, f"{verification_case.about}: {reply.error}")
            if verification_case.edges:
                departure = compared(standing[0], edges_for(edges), verification_case, k, reply, tally)
                if departure is not None:
                    edge = verification_case.edges[0]
                    apart[edge] = departure
                    edges = replace(edges, **{edge: "unspecified" if edge == "ties" else "unclear"})
                    break
                continue
            departures = [compared(v, edges_for(edges), verification_case, k, reply, tally) for v in standing]
            if first is None:
                first = departures[0]
            standing = [v for v, departure in zip(standing, departures, strict=True) if departure is None]
            numbers += numbers_of(reply)
            if not standing:
                standing = rounded(found, numbers, verification_case, k, reply, edges)
            if not standing:
                result = tally.result(REFUSED, "it agrees on the probes, not at size")
                return found, replace(result, departure=first, edges=apart)
    after = replace(found, variant=standing[0], alternatives=standing[1:], edges=edges)
    if len(tally.about) < FEWEST_QUESTIONS:
        reason = "this way of calling cannot express the verification cases"
        return after, replace(tally.result(PROBES_ONLY, reason), edges=apart)
    if standing[0].metric.name != "constant" and constant(standing[0], tally.about):
        reason = "the definition is one number wherever it could be asked: it tells nothing apart"
        known = standing[0].metric.name in BEYOND  # its probes do tell it apart
        return after, replace(tally.result(PROBES_ONLY if known else REFUSED, reason), edges=apart)
    return after, replace(tally.result(VERIFIED, None), edges=apart)


def constant(variant: Variant, asked: Sequence[tuple[VerificationCase, int]]) -> bool:
    """Whether a variant gives the mean user the same value in all of these questions, as a count of users would be."""
    plain = replace(exact(variant), weight="user", times=1)
    first: float | None = None
    for case, k in asked:
        value = plain.of_matches(matched(case.case, STANDARD), STANDARD, k)
        first = value if first is None else first
        if not agrees(first, value):
            return False
    return True


def numbers_of(reply: Reply) -> list[float]:
    """The numbers that a function returned: values by user where it gives them, else the mean."""
    if reply.values is not None:
        return [value for value in reply.values.tolist() if value == value]
    return [] if reply.value is None else [reply.value]


def rounded(
    found: Identification,
    numbers: Sequence[float],
    asked: VerificationCase,
    k: int,
    reply: Reply,
    edges: Edges,
) -> list[Variant]:
    """The variants that fit once rounded, where every number so far is rounded: small cases need not show it."""
    digits = digits_of(numbers)
    if found.variant is None or found.variant.rounded is not None or digits is None or digits < FEWEST_DIGITS:
        return []
    tried = [replace(variant, rounded=digits) for variant in (found.variant, *found.alternatives)]
    return [one for one in tried if compared(one, edges_for(edges), asked, k, reply, _Tally()) is None]


@dataclass
class _Tally:
    """What was asked so far."""

    asked: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    values: int = 0
    cutoffs: set[int] = field(default_factory=set)
    exact: bool = True
    about: list[tuple[VerificationCase, int]] = field(default_factory=list)
    undefined: bool = False

    def add(self, asked: VerificationCase, k: int, values: int, exact: bool) -> None:
        self.asked[asked.name] = asked.case.users
        self.questions += 1
        if not asked.edges:
            self.about.append((asked, k))
        self.values += values
        self.cutoffs.add(k)
        self.exact = self.exact and exact

    def result(self, confidence: Confidence, reason: str | None) -> Verification:
        return Verification(
            confidence=confidence,
            reason=reason,
            questions=self.questions,
            cases=len(self.asked),
            users=sum(self.asked.values()),
            cutoffs=tuple(sorted(self.cutoffs)),
            values=self.values,
            agreement=None if not self.questions else "same" if self.exact else "same_in_float32",
            undefined=self.undefined,
        )


def compared(
    variant: Variant, edges: Edges, asked: VerificationCase, k: int, reply: Reply, tally: _Tally
) -> Departure | None:
    """How an answer departs from what a variant gives, None where it agrees; what agrees is counted in ``tally``."""
    matches = matched(asked.case, edges)
    expected = exact(variant).of_matches(matches, edges, k)
    if reply.value is None:  # an error where the definition has no value is no departure
        agreed = reply.kind == "exception" and math.isnan(expected)
        return None if agreed else Departure(asked=asked, k=k, value=None, expected=expected, error=reply.error)
    if math.isnan(reply.value) and nothing_to_divide_by(variant, matches, k):
        tally.undefined = True
        return None
    words = {close(variant, reply.value, expected)}
    count, wrong = 1, np.zeros(0, dtype=np.int64)
    if reply.users is not None and reply.values is not None and has_user_values(variant):
        ours, counted = user_values(variant.metric, matches, k, edges)
        use = counted[reply.users]
        pairs = zip(reply.values[use].tolist(), ours[reply.users][use].tolist(), strict=True)
        single = np.array_equal(reply.values[use], reply.values[use].astype(np.float32), equal_nan=True)
        by_user = [close_of_user(variant, theirs, variant.times * own, single) for theirs, own in pairs]
        words |= set(by_user)
        wrong = reply.users[use][[word == "different" for word in by_user]]
        count += len(by_user)
    if "different" in words:
        departing = tuple(int(user) for user in wrong)
        return Departure(asked=asked, k=k, value=reply.value, expected=expected, users=departing)
    tally.add(asked, k, count, "same_in_float32" not in words)
    return None


def close_of_user(variant: Variant, value: float, unrounded: float, single: bool) -> str:
    """:func:`close` for one user's value; ``single``: float32 holds all values exactly, so they were computed in it."""
    word = close(variant, value, unrounded)
    near = single and variant.rounded is None and abs(value - unrounded) <= SUM_IN_FLOAT32 * max(1.0, abs(unrounded))
    return "same_in_float32" if word == "different" and near else word


def nothing_to_divide_by(variant: Variant, matches: Matches, k: int) -> bool:
    """Whether a variant divides by all hits and there are none: 0 in the reference, which others leave undefined."""
    pooled = variant.weight == "micro" and variant.metric.divides_by_hits()
    return pooled and not variant.metric.parts(matches, k)[1].any()


def has_user_values(variant: Variant) -> bool:
    """Whether values by user can be compared with the variant's own."""
    return variant.weight != "micro" and not variant.metric.whole()


_MATCHED: dict[tuple[int, str, str], tuple[Case, Matches]] = {}


def matched(case: Case, edges: Edges) -> Matches:
    """A case matched under edge behaviours, once; the cases live as long as the process."""
    key = (id(case), *matching_rules(case, edges))
    if key not in _MATCHED:
        _MATCHED[key] = (case, prepare(case, edges))
    return _MATCHED[key][1]
