"""The audit: which variant a function really computes, how it behaves at the edges, and where it departs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness
from harness.ask import Worker
from harness.environments import resolve_python
from harness.errors import HarnessError
from harness.examine import Options, Session, SubjectAudit, examine
from harness.identify import Identification, ProbeAnswer, identify
from harness.libraries import find_libraries
from harness.progress import Reporter
from harness.record import Record
from harness.staging import stage
from harness.targets import Target, metric_of_name, parse_target
from reference.variant import RANKING, Variant

NEAREST_SHOWN = 2


@dataclass(frozen=True)
class AuditResult:
    """The audit of one target: one entry a function."""

    subjects: list[SubjectAudit]

    def to_json(self) -> Record:
        """The whole result as harness/schema/audit.schema.json describes it."""
        return {"subjects": [s.to_json() for s in self.subjects], "harness": {"version": harness.__version__}}


def audit(
    target: Any, options: Options | None = None, reporter: Reporter | None = None, **settings: Any
) -> AuditResult:
    """Find out what a function, or every metric function of a library, really computes.

    target : ``"recbole"``, ``"recbole==1.2.0"``, ``"recommenders:map_at_k"``, ``"my_pkg.metrics:ndcg_at_k"``,
        ``"path/to/file.py:ndcg"``, ``"exec:node metrics.mjs"``, or a function defined in a file.
    settings : the fields of :class:`Options`, e.g. ``metric="ndcg"``, ``expect="ndcg(gain=linear)"``.

    >>> audit("metrics.py:ndcg_at_k").subjects[0].variant          # doctest: +SKIP

    Raises HarnessError if the target cannot be audited: not found, cannot be imported, or no way to call it fits.
    """
    options = options or Options(**_settings(settings))
    text = target if isinstance(target, str) else target_of(target)
    libraries = find_libraries(list(options.adapters))
    parsed = parse_target(text, libraries)
    reporter = reporter or Reporter()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="metric-harness-")))
        if parsed.library is not None:
            return AuditResult(audit_library(parsed, options, folder, reporter))
        return AuditResult([audit_own(parsed, options, folder, reporter)])


def _settings(settings: dict[str, Any]) -> dict[str, Any]:
    if isinstance(settings.get("expect"), str):
        settings = {**settings, "expect": Variant.parse(settings["expect"])}
    return settings


def target_of(function: Any) -> str:
    """The target text of a function object: its file and name; HarnessError for one that no file defines."""
    module = sys.modules.get(getattr(function, "__module__", ""), None)
    place = getattr(module, "__file__", None)
    name = getattr(function, "__qualname__", "")
    if not place or not name or "<" in name:
        raise HarnessError(
            f"{function!r}: only a function or class at the top of a file can be audited; give file.py:name"
        )
    return f"{place}:{name}"


def audit_library(target: Target, options: Options, folder: Path, reporter: Reporter) -> list[SubjectAudit]:
    """Audit one or all functions of a library in its own environment."""
    library, release = target.library, target.release
    assert library is not None
    assert release is not None
    python = resolve_python(options.environment, library, release, reporter)
    with Worker(python, stage([library]), library.key, folder / "log.txt", memory=options.memory) as worker:
        worker.start()
        session = Session(worker, target, folder, options)
        functions = [target.function] if target.function else list(library.subjects)
        with reporter.task(f"Auditing {library.name} {release.version}", len(functions)) as advance:
            out = []
            for function in functions:
                advance(1, function)
                metric = options.metric or library.subjects[function].metric
                out.append(examine(session, function, f"{library.key}=={release.version}:{function}", metric, None))
        return out


def audit_own(target: Target, options: Options, folder: Path, reporter: Reporter) -> SubjectAudit:
    """Audit a function of one's own, or a program: try the conventions that may fit until one gives a known variant."""
    name = target.function or target.text
    metric = options.metric or metric_of_name(name)
    if metric is not None and metric not in RANKING:
        raise HarnessError(f"--metric {metric}: give one of {', '.join(RANKING)}")
    conventions: Sequence[str | None] = [options.convention]
    if options.convention is None and target.own:
        with own_worker(target, None, folder, options) as worker:
            worker.start()
            conventions = [row["name"] for row in worker.conventions()]
        if not conventions:
            raise HarnessError(f"{target.text}: no known way of calling it fits its parameters; give --convention")
    best: tuple[float, SubjectAudit] | None = None
    with reporter.task(f"Auditing {target.text}", len(conventions)) as advance:
        for convention in conventions:
            advance(1, convention)
            with own_worker(target, convention, folder, options) as worker:
                function = next(iter(worker.start()["subjects"]))
                session = Session(worker, target, folder, options)
                answers = session.probes(function, metric)
                found = identify(metric, answers)
                score = badness(found, answers)
                if best is None or score < best[0]:
                    examined = examine(session, function, target.text, metric, convention, (found, answers))
                    best = (score, examined)
                if score == 0:
                    break
    assert best is not None
    return best[1]


def own_worker(target: Target, convention: str | None, folder: Path, options: Options) -> Worker:
    """A worker for a function of one's own in the current environment, or for a program."""
    staged = stage([])
    python = resolve_interpreter(options.environment)
    if target.command:
        return Worker(python, staged, "own", folder / "log.txt", memory=options.memory, command=list(target.command))
    return Worker(
        python, staged, "own", folder / "log.txt", memory=options.memory, target=target.own, convention=convention
    )


def resolve_interpreter(environment: str) -> Path:
    """The Python that runs one's own function: the current one, or the one that ``--environment`` names."""
    if environment in ("isolated", "current"):
        return Path(sys.executable)
    path = Path(environment)
    inside = path / "bin" / "python"
    found = inside if inside.exists() else path
    if not found.is_file():
        raise HarnessError(f"--environment {environment}: no Python there; give current, or the path of a Python")
    return found


def badness(found: Identification, answers: dict[str, ProbeAnswer]) -> float:
    """0 for a variant that every probe answered agrees with alone; larger the worse a convention fits."""
    refused = sum(answer.value is None for answer in answers.values())
    if found.variant is not None:
        return 0.0 if not found.alternatives else min(0.5, 0.001 * len(found.alternatives)) + 0.01 * refused
    return 1.0 + refused + min((len(failed) for _, failed in found.nearest), default=99)
