"""A name that holds only where less is asked: another call, which the function allows, shows another number.

A narrow call asks less: one relevant item for each user, lists that end at k, ids that are text. A function that is
verified under it may still depart from its variant where a wider call can look; it then gets no name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.domain import Domain
from metric_adapters.calls.role import ROLES, Fact
from metric_adapters.calls.view import COMMON_WORDS, SHARED_WORD
from metric_harness.naming.attempt import NO_ZERO, Attempt
from metric_harness.naming.cases.random_cases import cut_lists, with_judged_misses
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.evidence import Departure, on_probe, verify
from metric_harness.naming.identify import Identification, edges_for
from metric_harness.naming.precedence import same_of_candidates
from metric_harness.naming.probes.probe import Probe, all_listed, build, core_probes_for
from metric_harness.naming.question import Question, Side, differ, side_of
from metric_harness.naming.trial import FEWEST_NUMBERS, Ask
from metric_harness.worker.messages import OfferedCall
from metric_reference.case import Case
from metric_reports.types.common import VERIFIED

CALLS_ASKED, CALLS_VERIFIED = 24, 2
"""At most this many wider calls are asked the probes, and this many of them the verification cases."""
BESIDE_ASKED = 3
"""Probes with which a function that returns one number is asked with two cut-offs."""
LONGEST = 10_000
"""A cut-off past it is not asked for: no list is as long."""
FIRST_ORDINARY_ID = 1000
"""Functions rarely treat an item id from here on specially."""
LONG_ID = 10**12
"""The least of these ids. Ten times an id is a text that is one digit longer and contains the first."""
PARTS = build([[1, 4], [2, 4]], [[0], [3]], n_items=6)
"""Two users without a hit; under :data:`IDS_APART` a relevant id is part of a listed one, the reverse, or like it."""
OF_TWO_ROWS = build([[0, 1], [3, 2]], [[0], [2]], n_items=6)
"""A user with the value 1 at rank 1, and one with 0."""
ROWS_OF_ALL = {"labelled_frame", "graded_frame", "target_frame"}
"""Frames with a row for each item of the catalogue."""
TEXTS_ALIKE = [np.arange(6) + shared * SHARED_WORD for shared in (4, 7, len(COMMON_WORDS))]
"""Texts of many words that share more and more of them."""
JUDGED_RELEVANT = "every judged item is relevant"
"""The condition of a name that an item with the gain 0 contradicts."""
IDS_APART = {
    "no id part of another": np.array(
        [LONG_ID, 10 * LONG_ID, LONG_ID + 1, 10 * (LONG_ID + 1), LONG_ID + 2, LONG_ID + 3]
    ),
    "no text like another": TEXTS_ALIKE[-1],
}
"""Conditions on ids that are text, and ids for which each does not hold.

The text of item 0 is part of that of item 1, and that of item 2 part of that of item 3; all have many words in common.
"""


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """attempt : the wider way of calling. departure : a question that it answers with another number than the variant.

    only_where : what the narrow call cannot ask, in words. whole : the lists do not end at k. beside : a list of
    cut-offs holds a smaller one too.
    """

    attempt: Attempt
    departure: Departure
    only_where: tuple[str, ...]
    whole: bool = False
    beside: bool = False


@dataclass(frozen=True, kw_only=True)
class HowFar:
    """How far a verified name holds.

    against : a wider way of calling that contradicts it. cut : the cut-off in the code of a function that takes no k.
    only_where : conditions on ids and judgements where it holds. labels_alone : it holds only for labels 0 and 1.
    """

    against: Contradiction | None = None
    cut: int | None = None
    only_where: tuple[str, ...] = ()
    labels_alone: bool = False


def how_far(ask: Ask, attempt: Attempt, identified: Identification, calls: Sequence[OfferedCall]) -> HowFar:
    """How far a name holds that was verified under an attempt."""
    cut, against = cut_in_code(ask, attempt, identified)
    against = against or beside_another(ask, attempt) or on_longer_lists(ask, attempt, identified)
    against = against or by_likeness(ask, attempt, identified)
    relevant_alone: tuple[str, ...] = ()
    if against is None:
        relevant_alone, against = by_judged_misses(ask, attempt, identified)
    zero: tuple[str, ...] = ()
    if against is None:
        against = contradiction(ask, attempt, identified, calls)
        by_number = against is not None and (attempt.domain.ids, against.attempt.domain.ids) == ("text", "numbers")
        if by_number and contradiction(ask, replace(attempt, from_one=True), identified, calls) is None:
            against, zero = None, (NO_ZERO,)
    if against is not None:
        return HowFar(against=against)
    return HowFar(
        cut=cut,
        only_where=(
            *relevant_alone,
            *zero,
            *ids_taken_for_others(ask, attempt, identified),
            *weighed_by_rows(ask, attempt),
        ),
        labels_alone=labels_alone(ask, attempt, identified, calls),
    )


def contradiction(
    ask: Ask, attempt: Attempt, identified: Identification, calls: Sequence[OfferedCall]
) -> Contradiction | None:
    """The first wider call that contradicts a verified name; None where all that can be asked agree.

    A wider call counts if it gives the variant's numbers for every question that the narrow one can ask and does not
    raise for most others. It is then asked these, first the probes, then the verification cases.
    """
    variant, tried, verified = identified.variant, 0, 0
    if variant is None:
        return None
    expected = side_of(variant, edges_for(identified.edges))
    by_score = "candidate_scores" in variant.metric.needs
    probes, of_one = (
        [probe for probe in core_probes_for(attempt.all_items, one) if by_score or untied(probe)]
        for one in (False, True)
    )
    agreed: set[tuple[tuple[str, ...], Domain]] = set()
    for call, narrowings in wider(attempt.call, calls):
        if (call.roles, call.domain) in agreed or tried == CALLS_ASKED:
            continue
        tried += 1
        ends_there = (call.ends, call.domain.k) == (attempt.call.ends, attempt.call.domain.k)
        asked = replace(attempt, call=call, cut=attempt.cut if ends_there else None, by_rank=False, threshold=None)
        side, deepest = partial(ask, asked), asked.cut or math.inf
        shown, single = ([each for each in some if each.k <= deepest] for some in (probes, of_one))
        shown = single if call.domain.relevant == "one" else shown
        if call.domain.lists == "padded to k" != attempt.domain.lists:
            shown, single = ([probe for probe in some if fills_rows(probe)] for some in (shown, single))
        if not agrees_inside(side, expected, inside(shown, single, narrowings)):
            continue
        agreed.add((call.roles, call.domain))
        if refuses_most(side, shown):
            continue
        departure = next(departures(side, expected, shown), None)
        if departure is None and verified < CALLS_VERIFIED:
            verified += 1
            departure = at_size(ask, asked, identified)
        if departure is not None:
            only_where = tuple(narrowing.words for narrowing in narrowings)
            return Contradiction(attempt=asked, departure=departure, only_where=only_where)
    return None


def inside(probes: Sequence[Probe], of_one: Sequence[Probe], narrowings: Sequence[Narrowing]) -> list[Question]:
    """Questions that a narrow call can ask as well as a wider one. of_one : probes of one relevant item a user."""
    one = any(narrowing.one_relevant for narrowing in narrowings)
    single = any(narrowing.one_user for narrowing in narrowings)
    asked = [probe for probe in (of_one if one else probes) if probe.case.users == 1 or not single]
    questions = [Question(probe.case, probe.k) for probe in asked]
    for narrowing in narrowings:
        questions = [narrowing.narrowed(question) for question in questions]
    return questions


def agrees_inside(side: Side, expected: Side, questions: Sequence[Question]) -> bool:
    """Whether a call gives the variant's numbers for these questions, several different ones among them.

    A question that it cannot show, or for which the function raises, tells nothing.
    """
    numbers = set()
    for question in questions:
        value, wanted = side(question).value, expected(question).value
        if value is None:
            continue
        if differ(value, wanted):
            return False
        numbers.add(round(value, 9))
    return len(numbers) >= FEWEST_NUMBERS


def refuses_most(side: Side, probes: Sequence[Probe]) -> bool:
    """Whether a call raises for more of these probes than it answers: the function is not meant to be called so."""
    replies = [side(Question(probe.case, probe.k)) for probe in probes]
    shown = [reply for reply in replies if reply.kind != "cannot_show"]
    return sum(reply.value is None for reply in shown) > len(shown) / 2


def departures(side: Side, expected: Side, probes: Sequence[Probe]) -> Iterator[Departure]:
    """The probes to which a call gives another number than the variant; an error is none."""
    for probe in probes:
        question = Question(probe.case, probe.k)
        value, wanted = side(question).value, expected(question).value
        if value is not None and differ(value, wanted):
            yield on_probe(probe, value, wanted)


def cut_in_code(ask: Ask, attempt: Attempt, identified: Identification) -> tuple[int | None, Contradiction | None]:
    """The cut-off at which a function that takes no k cuts longer lists, or what contradicts that it does.

    Both are None where it does not cut, or where its lists hold every item anyway.
    """
    cut, variant = attempt.own_cut, identified.variant
    if cut is None or cut > LONGEST or variant is None or attempt.all_items:
        return None, None
    asked = past_the_cut(cut, one_relevant=attempt.domain.relevant == "one")
    case = asked.case
    value = ask(attempt, Question(case, cut, whole=True)).value
    edges = edges_for(identified.edges)
    wanted, of_all = variant.value(case, edges, cut), variant.value(case, edges, case.width)
    if value is None or not differ(value, of_all):
        return None, None
    if not differ(value, wanted):
        return cut, None
    departure = Departure(asked=asked, k=cut, value=value, expected=wanted)
    return None, Contradiction(
        attempt=attempt, departure=departure, only_where=(f"lists have at most {cut} items",), whole=True
    )


def beside_another(ask: Ask, attempt: Attempt) -> Contradiction | None:
    """What contradicts that a result at k, of a function that takes a list of cut-offs, is one at k alone.

    A mean over the cut-offs, or one named after the last, is the value at k where k is the only one. One number may be
    that at the smaller of two.
    """
    named, probes = "{k}" in attempt.element, attempt.core_probes()
    if not named:  # a list of a number for each of two cut-offs is none of two users
        one_number = not attempt.element and attempt.domain.k == "given"
        several = (probe for probe in probes if probe.k > 1 and probe.case.users != 2)
        probes = list(several)[:BESIDE_ASKED] if one_number else []
    for probe in probes:
        asked = Question(probe.case, probe.k)
        own = (asked,) if named else (asked, replace(asked, k=probe.k // 2))
        alone, *smaller = (ask(attempt, each).value for each in own)
        beside = ask(attempt, replace(asked, beside=True)).value
        if alone is None or beside is None:
            continue
        if all(differ(beside, each) for each in (alone, *smaller)):
            departure = on_probe(probe, beside, alone)
            only_where = ("no other cut-off is asked for",)
            return Contradiction(attempt=attempt, departure=departure, only_where=only_where, beside=True)
    return None


def weighed_by_rows(ask: Ask, attempt: Attempt) -> tuple[str, ...]:
    """The condition that users have as many rows, where the number for a frame of all items depends on it."""
    if attempt.domain.k != "given" or not ROWS_OF_ALL & {*attempt.call.roles}:
        return ()
    asked = Question(OF_TWO_ROWS, 1)
    even, uneven = (ask(attempt, each).value for each in (asked, replace(asked, uneven=True)))
    return () if even is None or uneven is None or not differ(even, uneven) else ("as many rows for each user",)


def on_longer_lists(ask: Ask, attempt: Attempt, identified: Identification) -> Contradiction | None:
    """What contradicts the number at rank k, of a function that takes no k and gives one for each rank: longer lists.

    A recall of what is listed, at each rank, is a hit rate at the last rank.
    """
    variant = identified.variant
    if variant is None or attempt.domain.k == "given" or attempt.all_items or attempt.by_rank:
        return None
    longer, edges = replace(attempt, by_rank=True), edges_for(identified.edges)
    for probe in longer.core_probes():
        reply = ask(longer, Question(probe.case, probe.k))
        wanted = variant.value(probe.case, edges, probe.k)
        if reply.by_rank and reply.value is not None and differ(reply.value, wanted):
            departure = on_probe(probe, reply.value, wanted)
            return Contradiction(attempt=longer, departure=departure, only_where=("lists end at k",))
    return None


def past_the_cut(cut: int, one_relevant: bool) -> VerificationCase:
    """Users with lists longer than a cut-off: a hit at rank 1, one at the first rank past it, both, hits everywhere."""
    truths = [[0], [cut], *([] if one_relevant else [[0, cut], list(range(cut + 2))])]
    case = build([list(range(cut + 2))] * len(truths), truths, n_items=cut + 3)
    return VerificationCase(name="past_the_cut", about="a hit past the cut-off in the code", case=case, ks=(cut,))


def cut_of_parts(attempt: Attempt) -> int:
    """The cut-off at which :data:`PARTS` is asked."""
    return min(2, attempt.own_cut or 2)


def of_parts(ask: Ask, attempt: Attempt, ids: np.ndarray) -> float | None:
    """What a function of text ids gives for :data:`PARTS` with these; None for another function, an error or NaN."""
    if attempt.domain.ids != "text" or attempt.all_items:
        return None
    value = ask(attempt, Question(PARTS, cut_of_parts(attempt), ids)).value
    return None if value is None or math.isnan(value) else value


def ids_taken_for_others(ask: Ask, attempt: Attempt, identified: Identification) -> tuple[str, ...]:
    """The conditions of :data:`IDS_APART` without which a function of text ids takes an item for another one."""
    variant, k = identified.variant, cut_of_parts(attempt)
    if variant is None:
        return ()
    wanted = variant.value(PARTS, edges_for(identified.edges), k)
    values = ((words, of_parts(ask, attempt, ids)) for words, ids in IDS_APART.items())
    return tuple(words for words, value in values if value is not None and differ(value, wanted))


def by_likeness(ask: Ask, attempt: Attempt, identified: Identification) -> Contradiction | None:
    """What contradicts that a function of texts looks for equal ones: its number grows with the words that two share.

    One that takes texts for equal from a share of their words on has two numbers, with a match and without.
    """
    variant, k = identified.variant, cut_of_parts(attempt)
    values = [of_parts(ask, attempt, ids) for ids in TEXTS_ALIKE]
    numbers = [value for value in values if value is not None]
    if variant is None or len(numbers) < len(values) or any(not differ(*pair) for pair in combinations(numbers, 2)):
        return None
    asked = VerificationCase(name="alike", about="texts that share words", case=PARTS, ks=(k,), ids=TEXTS_ALIKE[-1])
    wanted = variant.value(PARTS, edges_for(identified.edges), k)
    departure = Departure(asked=asked, k=k, value=numbers[-1], expected=wanted)
    return Contradiction(attempt=attempt, departure=departure, only_where=("no two texts share words",))


def by_judged_misses(
    ask: Ask, attempt: Attempt, identified: Identification
) -> tuple[tuple[str, ...], Contradiction | None]:
    """What a function of judgements makes of listed items with the gain 0: a condition, or what contradicts its name.

    It may take every judged item for a relevant one, which is a condition. With any other number it looks at more than
    relevant items, as bpref does.
    """
    variant = identified.variant
    condition: tuple[str, ...] = ()
    if variant is None or variant.only == "judged" or not attempt.judges:
        return condition, None
    edges = edges_for(identified.edges)
    for probe in attempt.core_probes():
        case, k = with_judged_misses(probe.case), probe.k
        value, wanted = ask(attempt, Question(case, k)).value, variant.value(case, edges, k)
        if value is None or not differ(value, wanted):
            continue
        if differ(value, variant.value(all_judged_relevant(case), edges, k)):
            departure = on_probe(replace(probe, case=case), value, wanted)
            return condition, Contradiction(attempt=attempt, departure=departure, only_where=(JUDGED_RELEVANT,))
        condition = (JUDGED_RELEVANT,)
    return condition, None


def all_judged_relevant(case: Case) -> Case:
    """The case in which items that were judged not relevant have the smallest gain of a relevant one."""
    return replace(case, judged_gains=np.where(case.judged_gains == 0, max(case.threshold, 1.0), case.judged_gains))


def labels_alone(ask: Ask, attempt: Attempt, identified: Identification, calls: Sequence[OfferedCall]) -> bool:
    """Whether a function that was asked with labels 0 and 1 departs from a variant without gains where these are more.

    It adds labels up, for example, or takes the largest one for the only relevant item.
    """
    variant = identified.variant
    graded = next((call for call in calls if with_gains(attempt.call, call)), None)
    if variant is None or graded is None or "gain" in variant.choices():
        return False
    probes = [probe for probe in attempt.core_probes() if has_whole_gains(probe)]
    side = partial(ask, replace(attempt, call=graded))
    return any(departures(side, side_of(variant, edges_for(identified.edges)), probes))


def with_gains(binary: OfferedCall, call: OfferedCall) -> bool:
    """Whether a call is another one with gains in place of labels 0 and 1."""
    if (call.container, call.ends, len(call.roles)) != (binary.container, binary.ends, len(binary.roles)):
        return False
    pairs = [(ROLES[role], ROLES[other]) for role, other in zip(binary.roles, call.roles, strict=True)]
    changed = [(a, b) for a, b in pairs if a != b]
    labels = [a.has(Fact.BINARY) and a.has(Fact.INDEXED) == b.has(Fact.INDEXED) for a, b in changed]  # ids are none
    return (
        bool(changed) and all(labels) and all(b.name in a.wider and b.has(Fact.GRADED | Fact.GAINS) for a, b in changed)
    )


def has_whole_gains(probe: Probe) -> bool:
    """Whether the relevant items of a probe have gains of 1 and more, and other items none."""
    gains, relevant = np.asarray(probe.case.judged_gains), probe.case.relevant
    return bool((gains[relevant] > 1).any() and (gains[relevant] >= 1).all() and not gains[~relevant].any())


@dataclass(frozen=True)
class Narrowing:
    """What a narrow call cannot ask: where its name holds, in words, and a question made one that it can ask."""

    words: str
    narrowed: Callable[[Question], Question]
    one_relevant: bool = False
    one_user: bool = False


def cut_at_k(question: Question) -> Question:
    """The question with lists that end at k."""
    return replace(question, case=cut_lists(question.case, question.k))


def with_ordinary_ids(question: Question) -> Question:
    """The question with the item ids 1000, 1001 and so on."""
    return replace(question, ids=np.arange(question.case.n_items, dtype=np.int64) + FIRST_ORDINARY_ID)


ONE_RELEVANT = Narrowing("each user has one relevant item", lambda question: question, one_relevant=True)
CUT = Narrowing("lists end at k", cut_at_k)
FULL = Narrowing("lists hold every item", lambda question: replace(question, case=all_listed(question.case)))
TEXT = Narrowing("item ids are text", with_ordinary_ids)
ROW = Narrowing("a batch holds one user", lambda question: question, one_user=True)


def wider(narrow: OfferedCall, calls: Sequence[OfferedCall]) -> Iterator[tuple[OfferedCall, list[Narrowing]]]:
    """The calls that can ask more, the likeliest first, each with what they ask more.

    The function allows them; or it does not allow the narrow one either, and its names speak against them no more.
    """
    for call in calls:
        if not call.allowed and (narrow.allowed or len(call.against) > len(narrow.against)):
            continue
        if call.domain.gains in ("graded", "whole") and narrow.domain.gains == "binary":  # said as labels 0 or 1
            continue
        if not comparable(narrow, call):
            continue
        narrowings = [*asked_less(narrow.domain, call.domain), *([ROW] if single_row(narrow, call) else [])]
        if narrowings and not asked_less(call.domain, narrow.domain):
            yield call, narrowings


def single_row(narrow: OfferedCall, call: OfferedCall) -> bool:
    """Whether a call passes a batch of all users, of which a narrow one passes a row at a time."""
    row = CONTAINERS.get(narrow.container)
    return row is not None and row.has(Holds.ROW) and row.batch == call.container and narrow.roles == call.roles


def comparable(narrow: OfferedCall, call: OfferedCall) -> bool:
    """Whether two calls hand over the same things in the same places."""
    if len(narrow.roles) != len(call.roles) or narrow.domain.candidates != call.domain.candidates:
        return False
    if (narrow.ends == "default") != (call.ends == "default"):
        return False  # with a cut-off it may be another definition
    same = same_of_candidates(narrow.roles, call.roles) and narrow.domain.users == call.domain.users
    if (narrow.domain.scores == "candidates") != (call.domain.scores == "candidates") and not same:
        return False  # a list does not tell the rank of a candidate
    if call.roles != narrow.roles and sorted(call.roles) == sorted(narrow.roles):
        return False
    pairs = [(ROLES[role], ROLES[other]) for role, other in zip(narrow.roles, call.roles, strict=True)]
    apart = Fact.RANKS | Fact.TUPLES  # another form, not more of the same
    return all(a == b or (set(a.names) & set(b.names) and not a.has(apart) and not b.has(apart)) for a, b in pairs)


def asked_less(less: Domain, more: Domain) -> list[Narrowing]:
    """What the first domain lacks of the second."""
    rows = (
        (less.relevant == "one" != more.relevant, ONE_RELEVANT),
        (less.lists == "cut at k" != more.lists, CUT),
        (less.lists == "every item" != more.lists, FULL),
        (less.ids == "text" and more.ids == "numbers", TEXT),
    )
    return [narrowing for holds, narrowing in rows if holds]


def fills_rows(probe: Probe) -> bool:
    """Whether the lists of a probe fill the rows of a matrix: they have one length, which is k at least."""
    lengths = probe.case.list_lengths
    return bool(lengths.min() == lengths.max() >= probe.k)


def untied(probe: Probe) -> bool:
    """Whether no two scores of a user are equal."""
    return not probe.name.startswith("tied_scores")


def at_size(ask: Ask, attempt: Attempt, identified: Identification) -> Departure | None:
    """A departure by value of a call from the variant at size, if it is asked there."""
    alone = replace(identified, alternatives=[])
    answers = attempt.probe_answers(partial(ask, attempt), None)
    _, evidence = verify(partial(ask, attempt), alone, answers, attempt.limits(alone, answers))
    departure = None if evidence.confidence == VERIFIED else evidence.departure
    return None if departure is None or departure.value is None else departure
