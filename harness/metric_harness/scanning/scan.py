"""A scan: every function of a tree that looks like a metric, each audited in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.synchronize import Event
from pathlib import Path
from types import FrameType

from metric_harness.naming.api import audit
from metric_harness.naming.discovery.callers import callers, names_of_metrics, ranks
from metric_harness.naming.discovery.candidates import Candidate, candidates
from metric_harness.naming.options import Options
from metric_harness.scanning.files import Files, find_files, parse
from metric_harness.scanning.groups import counted_findings, metric_groups, with_differences
from metric_harness.scanning.store import Digests, keep, kept, key
from metric_harness.system import signals
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_harness.worker.process import StartFailure
from metric_reports.types.scan import Function, Outcome, Scan
from metric_reports.versions import SCHEMA_VERSION

FILE_FAILURES = ("SyntaxError", "IndentationError")
"""Types of errors while a file is imported, which all its functions share: of others a function may have no need."""
NO_GUARD = (
    "jobs above 1 start processes that import the calling script again; call scan below "
    'if __name__ == "__main__": in it, or give jobs=1'
)
CLOSING_SECONDS = 2.0
"""How long an auditing process may take to close its worker; a worker whose process is killed ends by itself."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A candidate to be audited.

    path : of its file. target : ``file.py:name`` relative to the root. key : the name of its kept result.
    """

    candidate: Candidate
    path: Path
    target: str
    options: Options
    key: str


@dataclass(frozen=True)
class Result:
    """The outcome of a job.

    of_file : every function of its file must fail in the same way. passing : the reason may be gone at the next run.
    """

    outcome: Outcome
    of_file: bool = False
    passing: bool = False


@dataclass(frozen=True, kw_only=True)
class ScanRequest:
    """What is scanned, and how.

    out : folder that keeps the results; functions in it that have not changed are not audited again. include, exclude :
    patterns of files. list_only : run nothing. fresh : audit all again. jobs : functions audited at the same time.
    """

    path: Path
    out: Path
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    list_only: bool = False
    jobs: int = 1
    fresh: bool = False


def scan(request: ScanRequest, options: Options | None = None, reporter: Reporter | None = None) -> Scan:
    """Audit every function below a path that looks like a metric.

    options : of the audit of each function.

    Raises HarnessError for a path that cannot be scanned.
    """
    reporter, options = reporter or Reporter(), options or Options()
    files = find_files(request.path, request.include, request.exclude)
    rows: dict[str, Function] = {}
    waiting: list[Job] = []
    digests = Digests(files)
    for source, listed in found_in(files).items():
        for candidate in listed:
            target = f"{files.name(source)}:{candidate.name}"
            rows[target] = described(files.name(source), candidate)
            if candidate.against or request.list_only:
                continue
            file_options = replace(options, folders=(*options.folders, *import_folders(source, files.root)))
            name = key(digests.of_file(source), f"{source}:{candidate.name}", file_options)
            outcome = None if request.fresh else kept(request.out, name)
            if outcome is None:
                waiting.append(Job(candidate=candidate, path=source, target=target, options=file_options, key=name))
            else:
                rows[target] = {**rows[target], **outcome}
    if waiting:
        with reporter.task("Auditing functions", len(waiting)) as advance:
            for number, (job, result) in enumerate(outcomes(waiting, request.jobs), start=1):
                outcome = result.outcome
                rows[job.target] = {**rows[job.target], **outcome}
                if not result.passing:
                    keep(request.out, job.key, outcome)
                advance(1, job.target)
                progress = f"[{number}/{len(waiting)}] {job.target}"
                reporter.detail(f"{progress}: {in_short(outcome)} ({outcome['seconds']:.1f} s)")
    functions = with_differences(list(rows.values()))
    return {
        "schema_version": SCHEMA_VERSION,
        "path": str(request.path),
        "files": {
            "read": len(files.sources) - len(files.unread),
            "left_out": dict(files.left_out),
            "unread": files.unread,
        },
        "functions": functions,
        "metrics": metric_groups(functions),
        "errors": sum(row["severity"] == "error" for _, _, row in counted_findings(functions)),
        "harness": {"version": __version__},
    }


def found_in(files: Files) -> dict[Path, list[Candidate]]:
    """The candidates of each file: what looks like a metric itself, and what hands its data on to one."""
    found: dict[Path, list[Candidate]] = {}
    texts: dict[Path, bytes] = {}
    for source in files.sources:
        if (parsed := parse(files, source)) is not None:
            tree, texts[source] = parsed
            found[source] = candidates(tree, files.name(source))
    listed = [candidate for candidates_of_file in found.values() for candidate in candidates_of_file]
    metrics, known = names_of_metrics(listed), {candidate.name for candidate in listed if ranks(candidate)}
    new = metrics | known
    while new:
        called = re.compile(rb"\b(%s)\b" % b"|".join(re.escape(name.encode()) for name in new))
        before, new = known, set()
        for source in [source for source, text in texts.items() if called.search(text)]:
            parsed = parse(files, source)
            more = callers(parsed[0], metrics, before, found[source]) if parsed else []
            found[source] = sorted([*found[source], *more], key=lambda candidate: candidate.line)
            new |= {candidate.name for candidate in more}
        known = before | new
    return found


def described(file: str, candidate: Candidate) -> Function:
    """The row of a candidate in the record, before it is audited."""
    return {
        "file": file,
        "line": candidate.line,
        "name": candidate.name,
        "metric": candidate.metric,
        "label": candidate.label,
        "why": list(candidate.why),
        "state": "left out" if candidate.against else "listed",
        "reason": candidate.against or None,
        "seconds": None,
        "subjects": [],
    }


def import_folders(source: Path, root: Path) -> tuple[Path, ...]:
    """The folders in which a file's imports are searched: those between it and the root, packages last.

    A folder with a file that would hide a module of the standard library is left out.
    """
    above = [folder for folder in source.parents if folder.is_relative_to(root)]
    hiding = [folder for folder in above if any(file.stem in sys.stdlib_module_names for file in folder.glob("*.py"))]
    usable = [folder for folder in above if folder not in hiding]
    return tuple(sorted(usable, key=lambda folder: (folder / "__init__.py").exists()))


def outcomes(jobs: Sequence[Job], processes: int) -> Iterator[tuple[Job, Result]]:
    """Each job with its result, as they finish. Of a file that cannot be imported only the first function is tried."""
    broken_files: dict[Path, Result] = {}
    waiting = list(jobs)

    def finish(job: Job, result: Result) -> Iterator[tuple[Job, Result]]:
        """The result of a job, and those of the waiting jobs that fail with it."""
        if result.of_file:
            broken_files[job.path] = replace(result, outcome={**result.outcome, "seconds": 0.0})
        yield job, result
        for other in [other for other in waiting if other.path in broken_files]:
            waiting.remove(other)
            yield other, broken_files[other.path]

    if processes <= 1:
        while waiting:
            job = waiting.pop(0)
            yield from finish(job, ask(job))
        return
    if multiprocessing.parent_process() is not None:
        raise HarnessError(NO_GUARD)
    while waiting:  # a pool ends when one of its processes is killed from outside; the others go on in a new one
        yield from pooled(waiting, processes, finish)


def pooled(
    waiting: list[Job],
    processes: int,
    finish: Callable[[Job, Result], Iterator[tuple[Job, Result]]],
) -> Iterator[tuple[Job, Result]]:
    """Take jobs from ``waiting`` and audit them in several processes, until none is left or a process dies."""
    context = multiprocessing.get_context("spawn")
    started = context.Event()
    pool = ProcessPoolExecutor(processes, context, initializer=prepare_process, initargs=(started,))
    running: dict[Future[Result], Job] = {}
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                job = waiting.pop(0)
                with signals_wait():
                    running[pool.submit(ask, job)] = job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    if not started.is_set():
                        raise HarnessError(NO_GUARD) from None
                    killed = failed("the process that audited it was killed (out of memory?)", 0.0)
                    for other in (job, *running.values()):
                        yield other, Result(killed, passing=True)
                    return
                yield from finish(job, result)
        pool.shutdown()
    finally:
        end_all(multiprocessing.active_children())
        pool.shutdown(wait=True, cancel_futures=True)


def end_all(children: Sequence[multiprocessing.process.BaseProcess]) -> None:
    """End processes of the pool; one that is still starting, with signals blocked, is killed."""
    for child in children:
        child.terminate()
    until = time.monotonic() + CLOSING_SECONDS
    for child in children:
        child.join(max(0.0, until - time.monotonic()))
        if child.is_alive():
            child.kill()


@contextmanager
def signals_wait() -> Iterator[None]:
    """Block signals; in a process that is started meanwhile they stay blocked until :func:`prepare_process`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals.SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def prepare_process(started: Event) -> None:
    """Make a process of the pool close its worker when it is terminated, and end when its parent ends.

    A terminal sends Ctrl-C to this process too, which leaves it to the parent.
    """
    started.set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_quietly)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals.SIGNALS)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_quietly(number: int, frame: FrameType | None) -> None:
    """End this process; errors while it closes, as of the pool's own pipes, are not printed."""
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    sys.exit(128 + number)


def end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def ask(job: Job) -> Result:
    """The result of auditing one candidate."""
    begun = time.monotonic()
    try:
        audited = audit(f"{job.path}:{job.candidate.name}", job.options).to_json()
    except StartFailure as error:
        hung = error.cause.kind == "timeout"
        slow = f"its file takes longer than {job.options.start_timeout:g} s to import"
        outcome = failed(slow if hung else without(str(error), job), time.monotonic() - begun)
        missing = None if error.try_with else error.cause.missing  # a removed part of a package that is there
        outcome |= {"missing": missing, "try_with": error.try_with}
        return Result(outcome, hung or error.cause.error_type in FILE_FAILURES, error.passing)
    except HarnessError as error:
        reason = without(str(error), job).splitlines()[0]
        return Result(failed(reason, time.monotonic() - begun), passing=error.passing)
    except Exception as error:  # a mistake of ours must not stop the scan
        reason = f"the audit itself failed: {type(error).__name__}: {error}"
        return Result(failed(reason, time.monotonic() - begun), passing=True)
    seconds = round(time.monotonic() - begun, 2)
    return Result({"state": "audited", "reason": None, "seconds": seconds, "subjects": audited["subjects"]})


def without(text: str, job: Job) -> str:
    """A message without the target at its beginning."""
    return text.removeprefix(f"{job.path}:{job.candidate.name}: ").removeprefix(f"{job.path}: ")


def failed(reason: str, seconds: float) -> Outcome:
    """The outcome of a function that could not be audited."""
    return {"state": "failed", "reason": reason, "seconds": round(seconds, 2), "subjects": []}


def in_short(outcome: Outcome) -> str:
    """An outcome on one line."""
    if outcome["state"] != "audited":
        return f"not audited: {outcome['reason']}"
    return "; ".join(
        f"{subject['evidence']['confidence']} {subject['variant'] or ''}".strip() for subject in outcome["subjects"]
    )
