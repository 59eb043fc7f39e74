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
from pathlib import Path
from types import FrameType

from metric_harness.auditing.api import audit
from metric_harness.auditing.session import Options
from metric_harness.discovery.candidates import Candidate, candidates
from metric_harness.scanning.files import Files, find_files, parse
from metric_harness.scanning.groups import metric_groups, with_differences
from metric_harness.scanning.store import Digests, keep, kept, key
from metric_harness.system import signals
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_harness.worker.process import StartFailure
from metric_reports.types.scan import Function, Outcome, Scan

OF_FILE = re.compile(r"\b(ModuleNotFoundError|ImportError|SyntaxError|IndentationError|SystemExit|FileNotFoundError)\b")
"""Failures at the start that every function of the file shares."""
PATIENCE = 2.0
"""Seconds that an auditing process has to close its worker; a worker whose process is killed ends by itself."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A candidate to be audited.

    path : of its file. place : ``file.py:name`` relative to the root. name : of its kept result.
    """

    candidate: Candidate
    path: Path
    place: str
    options: Options
    name: str


@dataclass(frozen=True, kw_only=True)
class ScanRequest:
    """What is scanned, and how.

    out : folder that keeps the results; what is in it and has not changed is not asked again. include, exclude :
    patterns of files. list_only : run nothing. fresh : ask everything anew. jobs : functions asked at the same time.
    """

    path: Path
    out: Path
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    list_only: bool = False
    jobs: int = 1
    fresh: bool = False


def scan(request: ScanRequest, options: Options | None = None, reporter: Reporter | None = None) -> Scan:
    """Audit every function below a path that looks like one of the metrics.

    options : of the audit of each function.

    Returns the record of schema/scan.schema.json. Raises HarnessError for a path that cannot be scanned.
    """
    reporter, options = reporter or Reporter(), options or Options()
    files = find_files(request.path, request.include, request.exclude)
    rows: dict[str, Function] = {}
    waiting: list[Job] = []
    digests = Digests(files)
    for source in files.sources:
        parsed = parse(files, source)
        found = candidates(parsed[0], files.name(source)) if parsed else []
        for candidate in found:
            place = f"{files.name(source)}:{candidate.name}"
            rows[place] = described(files.name(source), candidate)
            if candidate.against or request.list_only:
                continue
            asked = replace(options, folders=(*options.folders, *import_folders(source, files.root)))
            job = Job(candidate=candidate, path=source, place=place, options=asked, name="")
            job = replace(job, name=key(digests.of_file(source), f"{source}:{candidate.name}", asked))
            before = None if request.fresh else kept(request.out, job.name)
            if before is None:
                waiting.append(job)
            else:
                rows[place] = {**rows[place], **before}
    if waiting:
        with reporter.task("Auditing functions", len(waiting)) as advance:
            for number, (job, row) in enumerate(answered(waiting, request.jobs), start=1):
                rows[job.place] = {**rows[job.place], **row}
                keep(request.out, job.name, row)
                advance(1, job.place)
                reporter.say(f"[{number}/{len(waiting)}] {job.place}: {in_short(row)} ({row['seconds']:.1f} s)")
    functions = with_differences(list(rows.values()))
    return {
        "path": str(request.path),
        "files": {
            "read": len(files.sources) - len(files.unread),
            "left_out": dict(files.left_out),
            "unread": files.unread,
        },
        "functions": functions,
        "metrics": metric_groups(functions),
        "harness": {"version": __version__},
    }


def described(file: str, candidate: Candidate) -> Function:
    """A candidate as the record holds it, before it is audited."""
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
    """The folders that a file's imports are searched in: those between it and the root, packages last.

    Left out is a folder in which a file has the name of a module of the standard library and would hide it.
    """
    above = [folder for folder in source.parents if folder == root or root in folder.parents]
    hiding = [folder for folder in above if any(file.stem in sys.stdlib_module_names for file in folder.glob("*.py"))]
    plain = [folder for folder in above if folder not in hiding]
    return tuple(sorted(plain, key=lambda folder: (folder / "__init__.py").exists()))


def answered(waiting: Sequence[Job], jobs: int) -> Iterator[tuple[Job, Outcome]]:
    """Each job with what came of it, as they finish. A file that cannot be imported costs its first function alone."""
    broken: dict[Path, Outcome] = {}
    rest = list(waiting)

    def step(job: Job, answer: tuple[Outcome, bool]) -> tuple[Job, Outcome]:
        row, of_file = answer
        if of_file:
            broken[job.path] = {**row, "seconds": 0.0}
        return job, row

    def known() -> Iterator[tuple[Job, Outcome]]:
        for job in [job for job in rest if job.path in broken]:
            rest.remove(job)
            yield job, broken[job.path]

    if jobs <= 1:
        while rest:
            yield step(rest[0], ask(rest.pop(0)))
            yield from known()
        return
    while rest:  # a pool ends when one of its processes is killed from outside; the others go on in a new one
        yield from pooled(rest, jobs, step, known)


def pooled(
    rest: list[Job],
    jobs: int,
    step: Callable[[Job, tuple[Outcome, bool]], tuple[Job, Outcome]],
    known: Callable[[], Iterator[tuple[Job, Outcome]]],
) -> Iterator[tuple[Job, Outcome]]:
    """Jobs taken from ``rest`` and asked in several processes, until none is left or a process dies."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=heed_the_end)
    under_way: dict[Future[tuple[Outcome, bool]], Job] = {}
    try:
        while rest or under_way:
            while rest and len(under_way) < jobs:
                job = rest.pop(0)
                with signals_wait():
                    under_way[pool.submit(ask, job)] = job
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                job = under_way.pop(future)
                try:
                    answer = future.result()
                except BrokenProcessPool:
                    for other in (job, *under_way.values()):
                        yield other, failed("the process that audited it was killed (out of memory?)", 0.0)
                    return
                yield step(job, answer)
                yield from known()
        pool.shutdown()
    finally:
        end_all(multiprocessing.active_children())
        pool.shutdown(wait=True, cancel_futures=True)


def end_all(children: Sequence[multiprocessing.process.BaseProcess]) -> None:
    """End processes of the pool; one that still starts, and lets signals wait meanwhile, is killed."""
    for child in children:
        child.terminate()
    last = time.monotonic() + PATIENCE
    for child in children:
        child.join(max(0.0, last - time.monotonic()))
        if child.is_alive():
            child.kill()


@contextmanager
def signals_wait() -> Iterator[None]:
    """Let signals wait; a process that is started meanwhile has them wait until :func:`heed_the_end`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals.SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def heed_the_end() -> None:
    """Let a process of the pool close its worker when it is ended, and end with the process that started it.

    A terminal sends Ctrl-C to this process too; the one that started it decides.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_quietly)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals.SIGNALS)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_quietly(number: int, frame: FrameType | None) -> None:
    """End this process; what breaks while it closes, as the pool's own pipes may, is not said by it."""
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    sys.exit(128 + number)


def end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def ask(job: Job) -> tuple[Outcome, bool]:
    """Audit one candidate; whatever happens is a row. Beside it, whether every function of the file fails so."""
    begun = time.monotonic()
    try:
        result = audit(f"{job.path}:{job.candidate.name}", job.options).to_json()
    except StartFailure as error:
        reason = without(str(error), job)
        hung = error.kind == "timeout"
        said = f"its file takes longer than {job.options.start_timeout:g} s to import" if hung else reason
        return failed(said, time.monotonic() - begun), hung or bool(OF_FILE.match(reason))
    except HarnessError as error:
        return failed(without(str(error), job).splitlines()[0], time.monotonic() - begun), False
    except Exception as error:  # a mistake of ours costs this function alone
        said = f"the audit itself failed: {type(error).__name__}: {error}"
        return failed(said, time.monotonic() - begun), False
    row: Outcome = {
        "state": "audited",
        "reason": None,
        "seconds": round(time.monotonic() - begun, 2),
        "subjects": result["subjects"],
    }
    return row, False


def without(text: str, job: Job) -> str:
    """A message without the target that it begins with."""
    return text.removeprefix(f"{job.path}:{job.candidate.name}: ").removeprefix(f"{job.path}: ")


def failed(reason: str, seconds: float) -> Outcome:
    """A row for a function that could not be audited."""
    return {"state": "failed", "reason": reason, "seconds": round(seconds, 2), "subjects": []}


def in_short(row: Outcome) -> str:
    """What came of a function, on one line."""
    if row["state"] != "audited":
        return f"not audited: {row['reason']}"
    return "; ".join(
        f"{subject['evidence']['confidence']} {subject['variant'] or ''}".strip() for subject in row["subjects"]
    )


__all__ = ["Files", "scan"]
