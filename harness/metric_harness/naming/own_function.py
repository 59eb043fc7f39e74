"""The audit of a function of the user, or of a program: the way of calling it is found by trials."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from metric_harness.libraries.staging import stage
from metric_harness.naming.calling import Choice, choose, choose_given
from metric_harness.naming.fixed_cut import at_own_cut, cut_notes
from metric_harness.naming.no_hits import read_as_zero, undefined_without_hits
from metric_harness.naming.removed_names import explained, finding_of, first_removed
from metric_harness.naming.session import Options, Session
from metric_harness.naming.subject import SubjectAudit, examine
from metric_harness.naming.target import Target, metric_of_name, metrics_in_name
from metric_harness.naming.trials import Trial, elements_of, needs_full_lists, try_conventions
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.launch import Launch
from metric_harness.worker.messages import Convention
from metric_harness.worker.process import StartFailure, Worker
from metric_reference.variant import twins


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
        return {name: audit_offered(session, name, reporter) for name in offered}
    metric = options.metric or metric_of_name(target.function or target.text)
    descriptions = {description["name"]: description for description in session.worker.conventions()}
    session.conventions = dict(descriptions)
    if not offered:
        from metric_harness.naming.refusal import wrapper_lines

        raise HarnessError(
            f"{target.text}: no known way of calling it fits its parameters; "
            "`metric-harness conventions` lists them all" + "".join(f"\n{line}" for line in wrapper_lines(target, ()))
        )
    names = (
        [name for name in descriptions if not descriptions[name]["rare"]]
        if options.convention is None
        else [offered[0]]
    )
    rare = [name for name in descriptions if name not in names] if options.convention is None else []
    if options.convention in descriptions:
        session.conventions[offered[0]] = descriptions[options.convention]
    with reporter.task(f"Auditing {target.text}", len(names)) as advance:
        trials = try_conventions(session, names, metric, lambda name: advance(1, name))
        choice, elements = conclude(session, trials, metric, descriptions)
        if rare and not gives_a_name(choice, elements) and not any(trial.refuted for trial in trials):
            rare = [name for name in rare if needs_full_lists(session, name, trials)]
            more = try_conventions(session, rare, metric, lambda name: advance(0, name), first=len(trials))
            rare_choice, rare_elements = conclude(session, more, metric, descriptions)
            named = gives_a_name(rare_choice, rare_elements) and as_claimed(rare_choice, metric)
            if named and columns_agree(session, more, rare_choice, rare_elements):
                trials, choice, elements = [*trials, *more], rare_choice, rare_elements
        return elements or dict([audit_tried(session, trials, metric, descriptions, target.text, choice)])


def conclude(
    session: Session, trials: Sequence[Trial], metric: str | None, descriptions: dict[str, Convention]
) -> tuple[Choice | None, dict[str, SubjectAudit]]:
    """The convention chosen from the trials (None if the user gave it), or the audits of each element of a return."""
    if any(trial.plausible for trial in trials):
        convention_given = session.options.convention is not None
        return (None if convention_given else choose(session, trials, metric, contradicted(descriptions))), {}
    elements = elements_of(trials)
    return None, audit_elements(session, elements, descriptions) if elements else {}


def as_claimed(choice: Choice | None, metric: str | None) -> bool:
    """Whether a rare way of calling computes the metric that the function's name claims.

    A rare way of calling can express few inputs, on which different metrics may agree.
    """
    if choice is None or choice.chosen.variant is None:
        return True
    return any(twin.metric.name == metric for twin in (choice.chosen.variant, *twins(choice.chosen.variant)))


def columns_agree(
    session: Session, trials: Sequence[Trial], choice: Choice | None, elements: dict[str, SubjectAudit]
) -> bool:
    """Whether a frame with several label or score columns gives the same metric whichever of them is filled.

    The other columns are 0; a column with another meaning would give another metric.
    """

    def has_zeros(name: str) -> bool:
        return bool(session.convention_of(name)["zeros"])

    if choice is None or choice.chosen.variant is None:
        return not any(has_zeros(name) for name in elements)
    metric = choice.chosen.variant.metric.name
    labelled = [trial for trial in trials if trial.name.startswith("labelled_frame") and has_zeros(trial.name)]
    same = all(any(variant.metric.name == metric for variant in trial.fitting) for trial in labelled)
    return same or not has_zeros(choice.chosen.name)


def gives_a_name(choice: Choice | None, elements: dict[str, SubjectAudit]) -> bool:
    """Whether the function is verified under the chosen way of calling, or an element of its return has a name."""
    return (choice is not None and choice.verified) or any(audit.variant is not None for audit in elements.values())


def audit_elements(
    session: Session, elements: dict[str, list[str]], descriptions: dict[str, Convention]
) -> dict[str, SubjectAudit]:
    """The audit of each element of a return that holds several metrics.

    The claimed metric is that of the element's name; else of its name in the source's return statement; else, if the
    function's name mentions as many metrics as there are elements, the one in the same position.
    """
    mentioned = metrics_in_name(session.target.function or "")
    in_order = dict(zip(elements, mentioned, strict=True)) if len(mentioned) == len(elements) else {}
    by_source = claimed_by_source(next((description["returned"] for description in descriptions.values()), []))

    def audit_element(element: str, names: Sequence[str]) -> tuple[str, SubjectAudit]:
        claimed = session.options.metric or metric_of_name(element) or by_source.get(element) or in_order.get(element)
        trials = try_conventions(session, names, claimed, lambda name: None)
        return audit_tried(session, trials, claimed, descriptions, f"{session.target.text}[{element.strip('[]')}]")

    audits = {element: audit_element(element, names) for element, names in elements.items()}
    return dict(retry_unnamed(audits, elements, audit_element).values())


def retry_unnamed(
    audits: dict[str, tuple[str, SubjectAudit]],
    elements: dict[str, list[str]],
    audit_element: Callable[[str, Sequence[str]], tuple[str, SubjectAudit]],
) -> dict[str, tuple[str, SubjectAudit]]:
    """The audits, with unnamed elements audited again under the conventions that are verified for other elements.

    One call returns all elements, so a convention that is right for one element is right for each.
    """
    verified = dict.fromkeys(name.partition("#")[0] for name, audit in audits.values() if audit.verified)
    results = dict(audits)
    for element, (_, audit) in audits.items():
        names = [name for name in elements[element] if name.partition("#")[0] in verified]
        if audit.variant is None and names and len(names) < len(elements[element]):
            retried = audit_element(element, names)
            results[element] = retried if retried[1].verified else results[element]
    return results


def claimed_by_source(returned: Sequence[Sequence[str]]) -> dict[str, str]:
    """The metric that each element of a return claims to be: the first one that its names in the source mention."""
    claims = {}
    for position, names in enumerate(returned):
        metrics = [metric for name in names if (metric := metric_of_name(name)) is not None]
        if metrics:
            claims[f"[{position}]"] = metrics[0]
    return claims


def audit_tried(
    session: Session,
    trials: Sequence[Trial],
    metric: str | None,
    descriptions: dict[str, Convention],
    text: str,
    choice: Choice | None = None,
) -> tuple[str, SubjectAudit]:
    """The name by which a function is asked, and its audit, after the trials of its conventions.

    choice : the way of calling it, if already chosen.
    """
    convention_given = session.options.convention
    if choice is None:
        choice = (
            choose_given(session, trials[0], metric)
            if convention_given
            else choose(session, trials, metric, contradicted(descriptions))
        )
    if convention_given is None and not choice.verified:
        choice = at_own_cut(session, choice, metric, contradicted(descriptions), text)
    if convention_given is None and not choice.verified:
        choice = read_as_zero(session, choice, metric, contradicted(descriptions))
    name = choice.chosen.name
    convention = convention_given or name.partition("#")[0]
    examined = examine(session, name, text, metric, convention, choice.chosen, choice.rivals)
    examined.notes.extend(cut_notes(session, name))
    examined.findings[:0] = undefined_without_hits(session, name, choice)
    return name, with_convention(session, examined, descriptions, convention, choice)


def contradicted(descriptions: dict[str, Convention]) -> set[str]:
    """The conventions that the names of the parameters speak against."""
    return {name for name, description in descriptions.items() if "; against it: " in description["why"]}


def audit_offered(session: Session, name: str, reporter: Reporter) -> SubjectAudit:
    """The audit of a function that a program offers; its name claims a metric."""
    with reporter.task(f"Auditing {session.target.text}: {name}"):
        metric = session.options.metric or metric_of_name(name)
        return examine(session, name, f"{session.target.text}:{name}", metric, None)


def with_convention(
    session: Session,
    examined: SubjectAudit,
    descriptions: dict[str, Convention],
    convention: str | None,
    choice: Choice,
) -> SubjectAudit:
    """The audit with the meaning of its convention and why it was chosen.

    If no convention fits, the notes give the outcomes of the likeliest ones. If an answer failed on a name that numpy
    or Python removed, a finding says so in place of the bare error; if the name was put back, a finding says that.
    """
    description, target = descriptions.get(convention or ""), session.target
    unknown = choice.chosen.variant is None
    errors = [answer.error for answer in examined.answers.values()]
    removed = first_removed([*errors, *(trial.error for trial in choice.trials if unknown)])
    if removed is not None:
        removal = finding_of(removed, target.text, session.options.with_)
        examined.notes.insert(0, removal["message"])
        others = [finding for finding in examined.findings if finding["code"] not in ("UNX001", "CON001")]
        examined.findings[:] = [removal, *others]
        return examined
    examined.findings[:0] = [
        finding_of(name, target.text, session.options.with_, run=True) for name in session.put_back(choice.chosen.name)
    ]
    if unknown and session.options.convention is None:
        from metric_harness.naming.refusal import refusal_lines

        examined.notes[:0] = refusal_lines(target, choice.trials, descriptions)
    if all(answer.value is None for answer in examined.answers.values()):
        return examined
    if description is None:
        return examined
    call = None if "#" in choice.chosen.name else description["call"]  # the call of an element returns several numbers
    return replace(examined, calling={"about": description["about"], "why": description["why"], "call": call})


def own_worker(
    target: Target, convention: str | None, folder: Path, options: Options, reporter: Reporter | None = None
) -> Worker:
    """A worker for a function of the user in the current environment, or for a program."""
    python = resolve_interpreter(options.environment)
    launch = Launch(python=python, staged=stage([]), name="own", log=folder / "log.txt", memory=options.memory)
    if target.command:
        return Worker(replace(launch, command=target.command, start_timeout=options.start_timeout))
    if options.with_:
        from metric_harness.naming.with_packages import python_with

        python = python_with(options.with_, reporter)
    folders = [word for folder in options.folders for word in ("--folder", str(folder))]
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
    python = inside if inside.exists() else path
    if not python.is_file():
        raise HarnessError(f"--environment {environment}: no Python there; give current, or the path of a Python")
    return python.absolute()
