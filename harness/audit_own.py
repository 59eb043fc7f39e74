"""One's own function, or a program, audited: the way of calling it is found by asking."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.ask import Worker
from harness.asking import GIVE_UP
from harness.audit_session import Options, Session, unaskable
from harness.errors import HarnessError
from harness.examine import SubjectAudit, examine
from harness.identification import Identification, ProbeAnswer, failures, identify
from harness.probes import Probe, core_probes
from harness.progress import Reporter
from harness.staging import stage
from harness.targets import Target, metric_of_name
from reference.variant import RANKING, Variant, space

HANGS = 2
"""After so many conventions that crashed or timed out and none that gave a number, the others are not tried."""
ASKED_AGAIN = 4
"""So many conventions are asked everything where no variant fits under any."""
UNSHOWN = 0.08
"""What each core probe costs that a convention cannot express: nearly all of them outweigh another metric."""
OTHER_METRIC = 0.6
"""What a variant of another metric than the name claims costs: a convention under which the name holds is preferred."""


@dataclass
class Tried:
    """A convention under trial: its place in the order, its answers to core probes, the variants that fit them.

    called : the function was called at all; a convention may be unable to express a probe, which is not its fault.
    """

    place: int
    name: str
    fitting: list[Variant]
    values: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    called: bool = False
    hung: bool = False


def audit_own(session: Session, reporter: Reporter) -> dict[str, SubjectAudit]:
    """Audit a function of one's own under the convention that fits it, or every function of a program.

    Returns each audit under the name by which the session asks the function. Raises HarnessError if it cannot be loaded
    or no convention can be tried.
    """
    target, options = session.target, session.options
    offered = session.start()
    if target.command:
        return {name: one_of_program(session, name, reporter) for name in offered}
    metric = options.metric or metric_of_name(target.function or target.text)
    rows = {row["name"]: row for row in session.worker.conventions()}
    if not offered:
        raise HarnessError(f"{target.text}: no known way of calling it fits its parameters; give --convention")
    if options.convention is not None:
        examined = examine(session, offered[0], target.text, metric, options.convention)
        return {offered[0]: remarked(examined, rows.get(options.convention))}
    with reporter.task(f"Auditing {target.text}", len(rows)) as advance:
        convention, known = best_convention(session, list(rows), metric, advance)
        examined = examine(session, convention, target.text, metric, convention, known)
        return {convention: remarked(examined, rows[convention])}


def one_of_program(session: Session, name: str, reporter: Reporter) -> SubjectAudit:
    """A function that a program offers; its metric is told by its name."""
    with reporter.task(f"Auditing {session.target.text}: {name}"):
        metric = session.options.metric or metric_of_name(name)
        return examine(session, name, f"{session.target.text}:{name}", metric, None)


def remarked(examined: SubjectAudit, row: dict[str, Any] | None) -> SubjectAudit:
    """The audit with what its convention means, and why it was tried, as its first note."""
    if row is not None:
        examined.notes[:0] = [f"{row['about']} Why so: {row['why']}."]
    return examined


def best_convention(
    session: Session, names: list[str], metric: str | None, advance: Any
) -> tuple[str, tuple[Identification, dict[str, ProbeAnswer]]]:
    """The first convention under which every probe fits one variant alone, else the one that fits best.

    A convention is dropped at the first core probe whose answer no variant gives, or if most of them make the function
    raise: what is not called as it wants to be may give a number now and then.
    """
    variants = [variant for name in RANKING for variant in space(name)]
    tried: list[Tried] = []
    best: tuple[float, str, tuple[Identification, dict[str, ProbeAnswer]]] | None = None
    for place, name in enumerate(names):
        advance(1, name)
        tried.append(trial := try_core(session, Tried(place, name, variants), metric))
        if trial.fitting and any(map(math.isfinite, trial.values.values())) and len(trial.values) > trial.refused:
            known = everything(session, name, metric)
            score = misfit(known, metric)
            if best is None or score < best[0]:
                best = (score, name, known)
            if score == 0:
                break
        if sum(one.hung for one in tried) >= HANGS and not any(one.values for one in tried):
            break
    if best is None:
        best = min((distance(session, trial, metric) for trial in worth_asking(tried)), key=lambda row: row[0])
    return best[1], best[2]


def try_core(session: Session, trial: Tried, metric: str | None) -> Tried:
    """Ask the core probes until no variant fits, the worker crashes or hangs, or the first few are refused."""
    for probe in core_for(metric):
        reply = session.probe(trial.name, probe)
        if unaskable(reply):
            continue
        trial.called = True
        if reply.kind not in ("answer", "exception"):
            trial.hung, trial.fitting = True, []
        elif reply.value is None:
            trial.refused += 1
            if trial.refused > GIVE_UP and not trial.values:
                trial.fitting = []
        else:
            trial.values[probe.name] = reply.value
            trial.fitting = [v for v in trial.fitting if not failures(v, {probe.name: reply.value})]
        if not trial.fitting:
            break
    return trial


def core_for(metric: str | None) -> list[Probe]:
    """The core probes that a function of this metric is asked."""
    return [probe for probe in core_probes() if metric is None or not probe.metrics or metric in probe.metrics]


def everything(session: Session, name: str, metric: str | None) -> tuple[Identification, dict[str, ProbeAnswer]]:
    """The answers to all probes under a convention, and what they say."""
    answers = session.probes(name, metric)
    return identify(metric, answers), answers


def misfit(known: tuple[Identification, dict[str, ProbeAnswer]], metric: str | None) -> float:
    """0 for one variant of the metric claimed, alone, with every core probe answered; larger the less sure it is.

    A convention that cannot express most probes fits easily, so what it leaves out counts against it.
    """
    found, answers = known
    refused = sum(answers[p.name].value is None for p in core_for(metric) if p.name in answers)
    unshown = len(core_for(metric)) - sum(p.name in answers for p in core_for(metric))
    other = found.variant is None or (metric is not None and found.variant.metric.name != metric)
    return OTHER_METRIC * other + min(0.3, 0.01 * len(found.alternatives)) + 0.01 * refused + UNSHOWN * unshown


def worth_asking(tried: list[Tried]) -> list[Tried]:
    """The likeliest conventions that gave numbers, each kind of answer once; the likeliest of all where none did."""
    answered: dict[str, Tried] = {}
    for trial in tried:
        if trial.values:
            answered.setdefault(repr(trial.values), trial)
    return list(answered.values())[:ASKED_AGAIN] or [trial for trial in tried if trial.called][:1] or tried[:1]


def distance(
    session: Session, trial: Tried, metric: str | None
) -> tuple[float, str, tuple[Identification, dict[str, ProbeAnswer]]]:
    """How far the nearest variant is: probes failed, refused or not expressed, and the place in the order."""
    found, answers = everything(session, trial.name, metric)
    core = [answers[p.name].value for p in core_for(metric) if p.name in answers]
    refused = sum(value is None for value in core) + len(core_for(metric)) - len(core)
    constant = len({value for value in core if value is not None}) < 2
    failed = min((len(names) for _, names in found.nearest), default=len(core))
    return failed + 2 * refused + 5 * constant + trial.place, trial.name, (found, answers)


def own_worker(target: Target, convention: str | None, folder: Path, options: Options) -> Worker:
    """A worker for a function of one's own in the current environment, or for a program."""
    staged, log = stage([]), folder / "log.txt"
    python = resolve_interpreter(options.environment)
    if target.command:
        return Worker(python, staged, "own", log, memory=options.memory, command=target.command)
    return Worker(python, staged, "own", log, memory=options.memory, target=target.own, convention=convention)


def resolve_interpreter(environment: str) -> Path:
    """The Python that runs one's own function: the current one, or the one that ``--environment`` names."""
    if environment in ("isolated", "current"):
        return Path(sys.executable)
    path = Path(environment)
    inside = path / "bin" / "python"
    found = inside if inside.exists() else path
    if not found.is_file():
        raise HarnessError(f"--environment {environment}: no Python there; give current, or the path of a Python")
    return found.absolute()
