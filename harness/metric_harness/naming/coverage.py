"""Whether the evidence covers the code, and holds in a new process: a verified function is asked everything again.

Agreement on any number of cases says nothing about a branch that no case entered, nor about numbers between the cases.
A new process, with another hash seed and folder, is asked drawn cases, all probes and cases a second time while its
branches are counted, cases around the constants that bound something in its code, the most calls; then item ids below 0
and lists past the largest number of a narrow type, which a name may leave out. Where the source holds what may change
with the process, further processes with other hash seeds are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from metric_adapters.calls.container import CONTAINERS
from metric_adapters.calls.role import ROLES
from metric_harness.naming.cases.constant_cases import constant_cases, edge_cases, long_cases
from metric_harness.naming.cases.drawn_cases import drawn_cases, more_calls, negative_ids, with_padding
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.cases.verification_cases import verification_cases
from metric_harness.naming.choice import Choice
from metric_harness.naming.contradiction import past_the_cut
from metric_harness.naming.evidence import UNTIED, Verification, verify
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.question import Question
from metric_harness.naming.reach import joined
from metric_harness.naming.session import Session
from metric_harness.worker.messages import Missed, OfferedCall
from metric_harness.worker.process import StartFailure
from metric_reference.narrowed import of_users

Answers = dict[str, ProbeAnswer]
LONGEST_AUDIT = 60.0
"""Seconds: a function is not asked again if the audit has taken longer."""
ENDED = "its process ended while its branches were counted"
PROCESSES = 8
"""In all, where something may change with the process: one bit is then the same in all of them once in 128 times."""
PLACES_NAMED = 4
"""At most this many places of code that never ran are named in the reason."""


def measured(
    session: Session, choices: Mapping[str, Choice], doing: Callable[[str], None] = lambda what: None
) -> dict[str, Choice]:
    """The choice of each result with its evidence after the function is asked again: verified, in part, or refused.

    In part if it cannot be asked again: the function is slow, or its worker ended. The results of one way of calling
    share a process, and one call of the function gives all of them. doing : called with the question in words.
    """
    after = dict(choices)
    verified = {element: choice for element, choice in choices.items() if choice.variant and choice.verified}
    names = [choice.chosen.attempt.call.name for choice in verified.values()]
    changing: list[str] = []
    counting = ""  # the way of calling whose branches the process counts
    for element, choice in verified.items():
        name = names.pop(0)
        doing(f"{name}, asked again in a new process")
        if session.seconds() > LONGEST_AUDIT:
            after[element] = choice.in_part("it is too slow to be asked again while its branches are counted")
            continue
        try:
            if name != counting:
                session.worker.start()
                if any(other != name for other in names):
                    session.worker.prepare()
                session.worker.measure(name)
            after[element], may_change = asked_again(session, choice)
            counting = name
            changing += [element] if may_change and after[element].chosen.evidence.departure is None else []
        except StartFailure:
            after[element], counting = choice.in_part(ENDED), ""
    return {**after, **in_other_processes(session, {element: after[element] for element in changing})}


def in_other_processes(session: Session, choices: Mapping[str, Choice]) -> dict[str, Choice]:
    """The choices after further processes, each with another hash seed, are asked for all of them."""
    after = dict(choices)
    for _ in range(2, PROCESSES) if choices else ():
        try:
            session.worker.start()
            for element, choice in after.items():
                called, attempt = choice.chosen, choice.chosen.attempt
                limits = attempt.limits(called.asked, called.answers)
                drawn = next(drawn_cases(session.target.seed(), limits, makes_objects(attempt.call)))
                again = verify(session.side(attempt), called.asked, called.answers, limits, [drawn])[1]
                if again.departure is not None:
                    after[element] = departed(choice, again)
        except StartFailure:
            return {each: choice.in_part(ENDED) if choice.verified else choice for each, choice in after.items()}
    return after


def departed(choice: Choice, again: Verification) -> Choice:
    """The choice with what was asked again and departs."""
    return choice.with_evidence(confidence=again.confidence, reason=again.reason, departure=again.departure)


def asked_again(session: Session, choice: Choice) -> tuple[Choice, bool]:
    """:func:`measured` for one choice, and whether its source holds what may change with the process.

    StartFailure if the worker does not say which branches ran.
    """
    called, attempt = choice.chosen, choice.chosen.attempt
    side, name, seed = session.side(attempt), attempt.call.name, session.target.seed()
    limits = attempt.limits(called.asked, called.answers)
    if choice.cut is not None:
        case = past_the_cut(choice.cut, one_relevant=attempt.domain.relevant == "one").case
        side(Question(case, choice.cut, whole=True))

    def asked(cases: Sequence[VerificationCase], answers: Answers = called.answers) -> Verification:
        return verify(side, called.asked, answers, limits, cases)[1]

    *drawn, calls = drawn_cases(seed, limits, makes_objects(attempt.call))
    again = asked(drawn)
    reaches, raised = [called.evidence.reach, again.reach], [again.raised]
    if again.departure is None:
        each_once = [replace(case, ks=case.ks[-1:]) for case in verification_cases(limits)]
        again = asked(each_once, attempt.probe_answers(side, choice.metric))
    branches = session.worker.ran(name)
    if branches.missed and again.departure is None and not limits.one_k:  # maybe another cut-off enters them
        again = asked([replace(case, ks=case.ks[:-1]) for case in verification_cases(limits) if len(case.ks) > 1])
        branches = session.worker.ran(name)
    all_users = attempt.call.domain.users == "all"
    cases = constant_cases(branches.narrow, limits, all_users) + constant_cases(branches.constants, limits, all_users)
    if branches.missed:
        cases += edge_cases(limits)
    if branches.missed and all_users:  # its answer for nobody is no definition's, but the code for it ran
        side(Question(of_users(drawn[0].case, np.empty(0, dtype=np.int64)), drawn[0].ks[0]))
        branches = session.worker.ran(name)
    within: list[str] = []
    if again.departure is None and cases:
        again = asked(cases)
        raised.append(again.raised)
        ties, before = again.edges.get("ties"), branches
        branches = session.worker.ran(name)
        by_value = ties is not None and ties.value is not None and called.asked.edges.ties == "unclear"
        if by_value and branches.ran > before.ran:  # code that ties may enter returns another number for them
            within.append(UNTIED)
    if again.departure is None:
        again = asked([more_calls(calls, branches.constants)])
        raised.append(again.raised)
        reaches.append(again.reach)
    below_zero = False
    if again.departure is None and attempt.call.domain.ids == "numbers":
        any_k = attempt.call.domain.k == "given"
        for case in (negative_ids(drawn[0]), *([with_padding(drawn[0])] if branches.pads else ())):
            at_one = [replace(case, ks=(1,))] if any_k else []  # not each list may hold its last cut-off
            departure = asked([case, *at_one]).departure
            below_zero = below_zero or (departure is not None and departure.value is not None)  # it may refuse them
        with suppress(StartFailure):  # these ids ended it
            branches = session.worker.ran(name)
    if branches.missed and again.departure is None and attempt.call.domain.k == "given":
        side(Question(drawn[0].case, 0))  # no definition says what it returns there, but a guard for it ran
        with suppress(StartFailure):
            branches = session.worker.ran(name)
    for bound, cases in long_cases(branches.narrow, limits) if again.departure is None else ():
        long = asked(cases)
        if long.questions < len(cases):
            within.append(f"lists of at most {bound:,} items")
            break
        reaches.append(long.reach)
    at_size = (each for each in raised if each is not None and not each.asked.edges)
    raises = called.evidence.raised or next(at_size, None)
    if below_zero and branches.pads and not branches.missed:
        within.append("ids from 0")
    counted = branches if branches.of else None
    choice = replace(choice, within=tuple(within))
    choice = choice.with_evidence(reach=joined(reaches, seed), raised=raises, branches=counted)
    if again.departure is not None:
        choice = departed(choice, again)
    elif branches.missed:
        choice = choice.in_part(f"{lines(branches.missed)} never ran")
    elif branches.tables:
        choice = choice.in_part(f"nothing that it was asked is a key of {' or '.join(branches.tables)}")
    elif below_zero and not branches.pads:
        choice = choice.in_part("with item ids below 0 it returns another number")
    return choice, branches.by_process


def makes_objects(call: OfferedCall) -> bool:
    """Whether each call makes a frame, a tensor or a matrix of another package, which takes long."""
    container = CONTAINERS.get(call.container)
    return any(part is not None and bool(part.package) for part in (container, *map(ROLES.get, call.roles)))


def lines(missed: tuple[Missed, ...]) -> str:
    """Places of code in words: ``line 8, lines 41 to 43``."""
    places = [f"line {m.first}" if m.first == m.last else f"lines {m.first} to {m.last}" for m in missed]
    more = f" and {len(places) - PLACES_NAMED} more" if len(places) > PLACES_NAMED else ""
    return f"{', '.join(places[:PLACES_NAMED])}{more}"
