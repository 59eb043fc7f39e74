"""A function of the user, or a program, audited: the way of calling it is found by asking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from metric_harness.auditing.calling import Choice, choose, only
from metric_harness.auditing.fixed_cut import at_own_cut, said
from metric_harness.auditing.function import SubjectAudit, examine
from metric_harness.auditing.no_hits import read_as_zero, undefined_without_hits
from metric_harness.auditing.removed_names import explained, finding_of, first_removed
from metric_harness.auditing.session import Options, Session
from metric_harness.auditing.target import Target, metric_of_name, metrics_in_name
from metric_harness.auditing.trials import Trial, elements_of, try_conventions, wants_everything
from metric_harness.libraries.staging import stage
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.verification.verify import VERIFIED
from metric_harness.worker.launch import Launch
from metric_harness.worker.messages import Convention
from metric_harness.worker.process import StartFailure, Worker
from metric_reference.variant import twins
from metric_reports.types.audit import Calling


def audit_own(session: Session, reporter: Reporter) -> dict[str, SubjectAudit]:
    """Audit a function of the user under the convention that fits it, or every function of a program.

    A function that returns several metrics is several subjects, one for each element.

    Returns each audit under the name by which the session asks the function. Raises HarnessError if it cannot be loaded
    or no convention can be tried.
    """
    target, options = session.target, session.options
    try:
        offered = session.start()
    except StartFailure as error:
        text = explained(str(error), target.text, options.with_)
        raise StartFailure(text, error.kind) from None
    if target.command:
        return {name: one_of_program(session, name, reporter) for name in offered}
    metric = options.metric or metric_of_name(target.function or target.text)
    rows = {row["name"]: row for row in session.worker.conventions()}
    session.conventions = dict(rows)
    if not offered:
        from metric_harness.auditing.refusal import wrapper_lines

        raise HarnessError(
            f"{target.text}: no known way of calling it fits its parameters; "
            "`metric-harness conventions` lists them all" + "".join(f"\n{line}" for line in wrapper_lines(target, ()))
        )
    names = [name for name in rows if not rows[name]["rare"]] if options.convention is None else [offered[0]]
    rare = [name for name in rows if name not in names] if options.convention is None else []
    if options.convention in rows:
        session.conventions[offered[0]] = rows[options.convention]
    with reporter.task(f"Auditing {target.text}", len(names)) as advance:
        trials = try_conventions(session, names, metric, lambda name: advance(1, name))
        choice, parts = led_to(session, trials, metric, rows)
        if rare and not leads(choice, parts) and not any(trial.refuted for trial in trials):
            rare = [name for name in rare if wants_everything(session, name, trials)]
            more = try_conventions(session, rare, metric, lambda name: advance(0, name), first=len(trials))
            other = led_to(session, more, metric, rows)
            if leads(*other) and as_claimed(other[0], metric) and any_column_does(session, more, *other):
                trials, (choice, parts) = [*trials, *more], other
        return parts or dict([one_function(session, trials, metric, rows, target.text, choice)])


def led_to(
    session: Session, trials: Sequence[Trial], metric: str | None, rows: dict[str, Convention]
) -> tuple[Choice | None, dict[str, SubjectAudit]]:
    """The way of calling that the trials speak for, or the audits of the elements where calls return several."""
    if any(trial.plausible for trial in trials):
        given = session.options.convention is not None
        return (None if given else choose(session, trials, metric, contradicted(rows))), {}
    elements = elements_of(trials)
    return None, several(session, elements, rows) if elements else {}


def as_claimed(choice: Choice | None, metric: str | None) -> bool:
    """Whether a rare way of calling computes the metric that the function's name claims.

    A rare way of calling tests few inputs, and different metrics can agree on those. The function's name must claim the
    same metric.
    """
    if choice is None or choice.chosen.variant is None:
        return True
    return any(one.metric.name == metric for one in (choice.chosen.variant, *twins(choice.chosen.variant)))


def any_column_does(
    session: Session, trials: Sequence[Trial], choice: Choice | None, parts: dict[str, SubjectAudit]
) -> bool:
    """Whether each label and each score of a frame with several of them, the others 0, makes it the same metric.

    A column that means something else would be told by that; one that is 0 shows nothing.
    """

    def has_zeros(name: str) -> bool:
        return bool(session.convention_of(name)["zeros"])

    if choice is None or choice.chosen.variant is None:
        return not any(has_zeros(name) for name in parts)
    metric = choice.chosen.variant.metric.name
    labelled = [trial for trial in trials if trial.name.startswith("labelled_frame") and has_zeros(trial.name)]
    same = all(any(one.metric.name == metric for one in trial.fitting) for trial in labelled)
    return same or not has_zeros(choice.chosen.name)


def leads(choice: Choice | None, parts: dict[str, SubjectAudit]) -> bool:
    """Whether the function is verified under a way of calling, or several, or an element of it has a name."""
    return (choice is not None and choice.chosen.evidence.confidence == VERIFIED) or any(
        part.variant is not None for part in parts.values()
    )


def several(session: Session, elements: dict[str, list[str]], rows: dict[str, Convention]) -> dict[str, SubjectAudit]:
    """The audit of each element of a return that holds several metrics.

    An element claims to be what its name says. Elements without a name claim what the source calls them where it
    returns them; else the metrics that the name of the function mentions, in that order, where there are as many.
    """
    out: dict[str, tuple[str, SubjectAudit]] = {}
    mentioned = metrics_in_name(session.target.function or "")
    in_order = dict(zip(elements, mentioned, strict=True)) if len(mentioned) == len(elements) else {}
    called = claimed_by_source(next((row["returned"] for row in rows.values()), []))

    def audited(element: str, names: Sequence[str]) -> tuple[str, SubjectAudit]:
        claimed = session.options.metric or metric_of_name(element) or called.get(element) or in_order.get(element)
        trials = try_conventions(session, names, claimed, lambda name: None)
        return one_function(session, trials, claimed, rows, f"{session.target.text}[{element.strip('[]')}]")

    for element, names in elements.items():
        out[element] = audited(element, names)
    return dict(called_as_others(out, elements, audited).values())


def called_as_others(
    audits: dict[str, tuple[str, SubjectAudit]],
    elements: dict[str, list[str]],
    audited: Callable[[str, Sequence[str]], tuple[str, SubjectAudit]],
) -> dict[str, tuple[str, SubjectAudit]]:
    """The audits, those without a name made again under the ways of calling that are verified for other elements.

    One call returns them all, so a way of calling that is right for one element is right for each.
    """
    verified = dict.fromkeys(name.partition("#")[0] for name, audit in audits.values() if audit.verified)
    out = dict(audits)
    for element, (_, audit) in audits.items():
        names = [name for name in elements[element] if name.partition("#")[0] in verified]
        if audit.variant is None and names and len(names) < len(elements[element]):
            again = audited(element, names)
            out[element] = again if again[1].verified else out[element]
    return out


def claimed_by_source(returned: Sequence[Sequence[str]]) -> dict[str, str]:
    """The metric that each part of a return claims to be: the first metric that its names mention."""
    claims = {}
    for at, names in enumerate(returned):
        metrics = [metric for name in names if (metric := metric_of_name(name)) is not None]
        if metrics:
            claims[f"[{at}]"] = metrics[0]
    return claims


def one_function(
    session: Session,
    trials: Sequence[Trial],
    metric: str | None,
    rows: dict[str, Convention],
    text: str,
    choice: Choice | None = None,
) -> tuple[str, SubjectAudit]:
    """The name by which a function is asked, and its audit, once its conventions were tried.

    choice : the way of calling it, where that was chosen already.
    """
    given = session.options.convention
    if choice is None:
        choice = only(session, trials[0], metric) if given else choose(session, trials, metric, contradicted(rows))
    if given is None and not choice.verified:
        choice = at_own_cut(session, choice, metric, contradicted(rows), text)
    if given is None and not choice.verified:
        choice = read_as_zero(session, choice, metric, contradicted(rows))
    name = choice.chosen.name
    convention = given or name.partition("#")[0]
    examined = examine(session, name, text, metric, convention, choice.chosen, choice.rivals)
    examined.notes.extend(said(session, name))
    examined.findings[:0] = undefined_without_hits(session, name, choice)
    return name, remarked(session, examined, rows, convention, choice)


def contradicted(rows: dict[str, Convention]) -> set[str]:
    """The conventions that the names of the parameters speak against."""
    return {name for name, row in rows.items() if "; against it: " in row["why"]}


def one_of_program(session: Session, name: str, reporter: Reporter) -> SubjectAudit:
    """A function that a program offers; its name says which metric it claims to be."""
    with reporter.task(f"Auditing {session.target.text}: {name}"):
        metric = session.options.metric or metric_of_name(name)
        return examine(session, name, f"{session.target.text}:{name}", metric, None)


def remarked(
    session: Session, examined: SubjectAudit, rows: dict[str, Convention], convention: str | None, choice: Choice
) -> SubjectAudit:
    """The audit with what its convention means and why it was chosen.

    Where no convention gave a number or none fits, the notes say what happened under the likeliest ones instead. Where
    an answer failed on a name that numpy or Python removed, a finding says so in place of the bare error; where the
    name was put back, a finding says that.
    """
    row, target = rows.get(convention or ""), session.target
    unknown = choice.chosen.variant is None
    errors = [answer.error for answer in examined.answers.values()]
    removed = first_removed([*errors, *(trial.error for trial in choice.trials if unknown)])
    if removed is not None:
        found = finding_of(removed, target.text, session.options.with_)
        examined.notes.insert(0, found["message"])
        bare = [finding for finding in examined.findings if finding["code"] not in ("UNX001", "CON001")]
        examined.findings[:] = [found, *bare]
        return examined
    function = choice.chosen.name
    told = [finding_of(one, target.text, session.options.with_, run=True) for one in session.put_back(function)]
    examined.findings[:0] = told
    if unknown and session.options.convention is None:
        from metric_harness.auditing.refusal import refusal_lines

        examined.notes[:0] = refusal_lines(target, choice.trials, rows)
    if all(answer.value is None for answer in examined.answers.values()):
        return examined
    element = "#" in choice.chosen.name  # one number of several that a call returns
    return examined if row is None else replace(examined, calling=calling(row, element))


def calling(row: Convention, element: bool) -> Calling:
    """What a convention means, why it was chosen and how the call is written, if it returns a number itself."""
    return {"about": row["about"], "why": row["why"], "call": None if element else row["call"]}


def own_worker(
    target: Target, convention: str | None, folder: Path, options: Options, reporter: Reporter | None = None
) -> Worker:
    """A worker for a function of the user in the current environment, or for a program."""
    python = resolve_interpreter(options.environment)
    launch = Launch(python=python, staged=stage([]), name="own", log=folder / "log.txt", memory=options.memory)
    if target.command:
        return Worker(replace(launch, command=target.command, start_timeout=options.start_timeout))
    if options.with_:
        from metric_harness.auditing.with_packages import python_with

        python = python_with(options.with_, reporter)
    folders = [word for one in options.folders for word in ("--folder", str(one))]
    launch = replace(
        launch,
        python=python,
        start_timeout=options.start_timeout,
        target=target.own,
        convention=convention,
        arguments=[*folders, *([] if options.bytecode else ["--no-bytecode"])],
    )
    return Worker(launch)


def resolve_interpreter(environment: str) -> Path:
    """The Python that runs a user's function: the current one, or the one that ``--environment`` names."""
    if environment in ("isolated", "current"):
        return Path(sys.executable)
    path = Path(environment)
    inside = path / "bin" / "python"
    found = inside if inside.exists() else path
    if not found.is_file():
        raise HarnessError(f"--environment {environment}: no Python there; give current, or the path of a Python")
    return found.absolute()
