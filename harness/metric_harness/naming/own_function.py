"""The audit of a function of the user, or of a program: the way of calling it is found by a search."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from metric_harness.naming.cases.verification_cases import usual_cases
from metric_harness.naming.choice import Choice
from metric_harness.naming.coverage import measured
from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.metric_names import beyond_in_name, metric_of_name
from metric_harness.naming.probes.predictions import ready
from metric_harness.naming.probes.probe import build
from metric_harness.naming.question import Difference, Question
from metric_harness.naming.refusal import hung, refusal_lines, wrapper_lines
from metric_harness.naming.removed_names import Removed, advised, finding_of, first_removed, put_back_in
from metric_harness.naming.search import Wanted, choose_asked, decided, search, under_a_limit
from metric_harness.naming.session import Session
from metric_harness.naming.subject import SubjectAudit, audited
from metric_harness.naming.target import Target, in_brackets
from metric_harness.naming.wrapper import named_by_wrapper
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.messages import OfferedCall
from metric_harness.worker.process import StartFailure
from metric_harness.worker.reply import one_line
from metric_reports.distributions import distribution_of
from metric_reports.types.common import Finding

MISSED = build([[0, 1]], [[1]], 4)
"""A list of two items, the second relevant: at k = 1 the user has no hit."""
WITHOUT_HIT = build([[0, 1]], [[2]], 4)
"""A list of two items, neither relevant."""
COUNT_AS_ZERO = "Count such a user as 0: leaving it out of the mean makes a model that misses often look better."


def audit_own(session: Session, reporter: Reporter) -> list[SubjectAudit]:
    """Audit a function of the user under the call that fits it, or every function of a program.

    A function that returns several metrics is several subjects, one for each element.

    Raises HarnessError if it cannot be loaded or no call can be tried.
    """
    target, options = session.target, session.options
    ready()  # these two while the process starts
    usual_cases()
    try:
        offered = session.start()
    except StartFailure as error:
        raise advised(error, target.text, options.with_) from None
    if target.command:
        return [audit_offered(session, name, reporter) for name in offered]
    by_name = {call.name: call for call in session.worker.calls()}
    if not offered:
        raise HarnessError(
            f"{target.text}: no known way of calling it fits its parameters; "
            "`metric-harness explain conventions` lists them all"
            + "".join(f"\n{line}" for line in wrapper_lines(target, named_by_wrapper(session)))
        )
    calls = list(by_name.values())
    if options.convention is not None:  # the function itself is asked, in the way that the user gave
        calls = [replace(by_name.get(options.convention, OfferedCall(name="")), name=offered[0], against=())]
    function = target.function or target.text
    wanted = Wanted(
        metric=options.metric or metric_of_name(function),
        function=target.function or "",
        given_metric=options.metric,
        given_call=options.convention is not None,
    )
    usual = sum(wanted.given_call or not call.rare for call in calls)
    with reporter.task(f"Auditing {Path(target.text).name}", usual) as advance:
        session.worker.prepare()  # a name that is found is asked again in a new process
        choices = search(session.ask, calls, wanted, lambda attempt: advance(1, attempt.name))
        choices = of_element(target, choices)
        choices = measured(session, choices, reporter.doing)
        limited = {each: under_a_limit(session.ask, choice, calls) for each, choice in choices.items()}
        again = measured(session, {each: choice for each, choice in limited.items() if choice}, reporter.doing)
        choices = {each: decided(choice) for each, choice in {**choices, **again}.items()}
        reporter.doing("the smallest cases")
        audits = {element: audit_chosen(session, element, choice, by_name) for element, choice in choices.items()}
        return with_refusals(session, audits, choices)


def with_refusals(
    session: Session, audits: Mapping[str, SubjectAudit], choices: Mapping[str, Choice]
) -> list[SubjectAudit]:
    """The audits of all elements; the notes of one without a name hold what the likeliest calls gave, and a wrapper.

    The wrappers are run once for all elements, after everything else: they may take the rest of the time. None is
    sought for one that claims no metric beside others that have a name.
    """
    some_named = any(choice.variant for choice in choices.values())

    def refused(element: str) -> bool:
        if some_named and choices[element].claims_none:
            return False
        unknown = choices[element].chosen.variant is None and session.options.convention is None
        if beyond_in_name(element or session.target.function or "") is not None:
            return False
        return unknown and name_gone(audits[element], choices[element]) is None

    sought = any(refused(element) and not hung(choices[element].trials) for element in audits)
    named = named_by_wrapper(session) if sought else {}

    def notes_of(element: str) -> list[str]:
        lines = refusal_lines(session.target, choices[element].trials, named, element) if refused(element) else []
        return [*lines, *audits[element].notes]

    return [replace(audit, notes=notes_of(element)) for element, audit in audits.items()]


def name_gone(audit: SubjectAudit, choice: Choice) -> Removed | None:
    """The removed name of numpy or Python on which an answer failed, or an attempt if the function has no name."""
    errors = [trial.error for trial in choice.trials] if choice.chosen.variant is None else []
    return first_removed([*(answer.error for answer in audit.answers.values()), *errors])


def of_element(target: Target, choices: dict[str, Choice]) -> dict[str, Choice]:
    """The choice for the element that a target names, all where it names none; HarnessError if there is no such one."""
    chosen = {name: choice for name, choice in choices.items() if target.element in ("", in_brackets(name))}
    if chosen:
        return chosen
    names = ", ".join(in_brackets(name) for name in choices if name) or "one number"
    raise HarnessError(f"{target.text}: it has no {target.element}; it returns {names}")


def audit_offered(session: Session, name: str, reporter: Reporter) -> SubjectAudit:
    """The audit of a function that a program offers; its name claims a metric."""
    with reporter.task(f"Auditing {session.target.text}: {name}"):
        metric = session.options.metric or metric_of_name(name)
        choice = choose_asked(session.ask, session.attempt(name), metric)
        return audited(session, choice, f"{session.target.text}:{name}")


def audit_chosen(session: Session, element: str, choice: Choice, calls: Mapping[str, OfferedCall]) -> SubjectAudit:
    """The audit of a function, or of one element of its return, with the meaning of its call and why it was chosen.

    If an answer failed on a name that numpy or Python removed, a finding says so in place of the bare error; if the
    name was put back, a finding says that. So does one where it needs a module that is not installed.
    """
    target, options, attempt = session.target, session.options, choice.chosen.attempt
    text = target.text if target.element else f"{target.text}{in_brackets(element)}"
    convention = options.convention or attempt.call.name
    audit = audited(session, choice, text, convention)
    audit = replace(
        audit,
        findings=[*undefined_without_hits(session, choice), *audit.findings],
        notes=[*audit.notes, *taken_out(session), *presumed(choice)],
    )
    removed = name_gone(audit, choice)
    if removed is not None:
        removal = finding_of(removed, target.text, options.with_)
        others = [finding for finding in audit.findings if finding["code"] not in ("UNX001", "CON001")]
        return replace(audit, findings=[removal, *others], notes=[removal["message"], *audit.notes])
    missing = next((trial.missing for trial in choice.trials if trial.missing), None)
    if missing is not None and choice.chosen.variant is None:
        others = [finding for finding in audit.findings if finding["code"] != "ERR001"]
        return replace(audit, findings=[lacks(missing), *others])
    put_back = put_back_in(sorted(session.noticed(attempt).put_back))
    old_names = [finding_of(name, target.text, options.with_, run=True) for name in put_back]
    audit = replace(audit, findings=[*old_names, *audit.findings])
    call = calls.get(convention)
    if call is None or all(answer.value is None for answer in audit.answers.values()):
        return audit
    written = None if element else call.call  # the call of an element returns several numbers
    return replace(audit, calling={"about": call.about, "why": call.why, "call": written})


def lacks(module: str) -> Finding:
    """ERR001 for a function that imports what is not installed only when it is called."""
    requirement = distribution_of(module)
    message = f"it needs {module}, which is not installed: --with {requirement}, or --with auto"
    return {**remark("ERR001", message), "try_with": requirement}


def taken_out(session: Session) -> list[str]:
    """A note where the function runs without the rest of its file."""
    taken = session.taken_out
    if taken is None:
        return []
    part = f"the function was taken out of it with {taken['ran']} of {taken['of']} statements"
    return [f"its file does not import ({one_line(taken['error'], 120)}): {part}"]


def presumed(choice: Choice) -> list[str]:
    """Notes on what was presumed of a function: one row for all users, a cut-off of its own, that it looks past k."""
    attempt, stacked = choice.chosen.attempt, choice.stacked
    notes = (
        [] if stacked is None else [f"called once with the entries of all users in one row, it is {stacked.variant}"]
    )
    if attempt.full_lists and attempt.cut is None:
        return [*notes, "it looks past the k that it takes: it was asked with lists of every item"]
    if attempt.own_cut is None or choice.cut is not None:  # longer lists were asked, and the name says where it cuts
        return notes
    depth = "at no other" if attempt.only_cut else "no deeper"
    return [*notes, f"its source holds the cut-off {attempt.own_cut}: it was asked {depth}"]


def undefined_without_hits(session: Session, choice: Choice) -> list[Finding]:
    """NAN001 with a small case, for a function that is named only because NaN is read as 0.

    It may be NaN where there is no hit up to k, or only where the whole list has none.
    """
    variant = choice.chosen.variant
    if not choice.chosen.attempt.nan_as_zero or variant is None:
        return []
    side = session.side(replace(choice.chosen.attempt, nan_as_zero=False))
    for case, where in ((MISSED, "up to k"), (WITHOUT_HIT, "in the list")):
        value = side(Question(case, 1)).value
        if value is not None and math.isnan(value):
            message = (
                f"a user without a hit {where} has NaN where {variant} is 0, and so has every mean with such a user."
            )
            row = remark("NAN001", message, case_of(Difference(case, 1, value, variant.value(case, k=1)), [variant]))
            return [{**row, "advice": COUNT_AS_ZERO}]
    return [{**remark("NAN001", f"it is NaN for some users where {variant} is 0."), "advice": COUNT_AS_ZERO}]
