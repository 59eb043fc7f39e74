"""The options of an audit, and its session: the worker that answers, and the folder of the cases."""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from metric_adapters.case_files import save_case, save_small_case
from metric_harness.libraries.staging import stage
from metric_harness.naming.attempt import Attempt, from_gain, without_hits_zero
from metric_harness.naming.question import Question, Side
from metric_harness.naming.target import Target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.messages import OfferedCall, TakenOut
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.variant import RANKING, Variant
from metric_reports.types.common import IN_PART, PROBES_ONLY, VERIFIED
from metric_reports.types.run import Source

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library, Release
    from metric_harness.libraries.prepare import Ready

AUTO = "auto"
"""In place of a requirement: those that the function's errors name."""
ACCEPTED = (VERIFIED, IN_PART, PROBES_ONLY)
"""The evidence that a name may rest on, strongest first."""


def accepted(confidence: str, least: str) -> bool:
    """Whether evidence is at least as strong as what is accepted."""
    return confidence in ACCEPTED[: ACCEPTED.index(least) + 1]


class OutOfTime(HarnessError):
    """An audit took longer than ``total_timeout``."""


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    metric : what the function claims to be, if its name does not tell. convention : how it is called; found out if
    None. expect : the definition it should follow. environment : as for a comparison. timeout : seconds for a
    question. memory : bytes that the worker may hold. adapters : the user's folders with library folders. sources :
    repositories on this machine, as NAME=PATH, for releases that are git commits. accept : the evidence that an
    expected definition needs: ``verified``, or to accept less ``verified in part`` or ``probes only``. with_ :
    requirements of an environment that is built for the function, such as ``numpy==1.26.4``; ``auto`` among them adds
    those that the errors name. start_timeout : seconds
    for the import. total_timeout : seconds for all questions together, 0 for no limit. folders : further folders for
    the imports of a user's function. bytecode : whether Python may write its compiled files beside the source. only :
    the functions of a library that are audited, all if empty.

    Raises HarnessError for a metric that audits cannot identify, a time-out that is not above 0, and options that
    exclude each other.
    """

    metric: str | None = None
    convention: str | None = None
    expect: Variant | None = None
    environment: str = "isolated"
    timeout: float = 10.0
    memory: int = 4 << 30
    adapters: tuple[Path, ...] = ()
    sources: tuple[str, ...] = ()
    accept: str = VERIFIED
    with_: tuple[str, ...] = ()
    start_timeout: float = 300.0
    total_timeout: float = 0.0
    folders: tuple[Path, ...] = ()
    bytecode: bool = True
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.metric is not None and self.metric not in RANKING:
            raise HarnessError(f"metric {self.metric!r}: give one of {', '.join(RANKING)}")
        if self.accept not in ACCEPTED:
            raise HarnessError(f"accept {self.accept!r}: give one of {', '.join(ACCEPTED)}")
        if not self.timeout > 0:
            raise HarnessError(f"timeout {self.timeout:g}: give seconds, more than 0")
        if self.with_ and self.environment not in ("isolated", "current"):
            raise HarnessError("--with builds an environment and --environment names one: give one of them")
        if self.expect is not None and self.expect.metric.name not in RANKING:
            raise HarnessError(f"{self.expect}: an audit identifies the metrics {', '.join(RANKING)}")


def library_worker(
    library: Library, release: Release, options: Options, folder: Path, reporter: Reporter
) -> tuple[Worker, Ready]:
    """The worker that answers for a release of a library, not started yet, and what the release lacks."""
    from metric_harness.libraries.describe import find_usable
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.libraries.prepare import ready

    sources = parse_sources(options.sources, {library.key: library, **find_usable(options.adapters)[0]})
    release_ready = ready(options.environment, library, release, sources, reporter)
    log = folder / "log.txt"
    launch = release_ready.launch(stage([library]), library.key, log, options.memory)
    return Worker(replace(launch, start_timeout=options.start_timeout)), release_ready


MOST_USERS_SMALL = 8
"""A case with more users is written as arrays, which is faster for large ones."""


@dataclass
class Noticed:
    """What was noticed of an attempt beside its answers.

    It changed its input; it returned a number for each rank; it raised for a single user; removed names that were put
    back.
    """

    changed_input: bool = False
    by_rank: bool = False
    twice: bool = False
    put_back: set[str] = field(default_factory=set)


class Session:
    """Asks a target through its worker.

    sources, version, taken_out : as the worker gives them. ready : a library's release made ready, None for a user's
    function.
    """

    def __init__(
        self, worker: Worker, target: Target, folder: Path, options: Options, ready: Ready | None = None
    ) -> None:
        self.worker, self.target, self.options, self.ready = worker, target, options, ready
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.sources: dict[str, Source] = {}
        self.version = ""
        self.taken_out: TakenOut | None = None
        self._written: set[str] = set()
        self._noticed: defaultdict[Attempt, Noticed] = defaultdict(Noticed)
        self._begun = time.monotonic()
        self._deadline = self._begun + options.total_timeout if options.total_timeout else math.inf

    def seconds(self) -> float:
        """Since the session began."""
        return time.monotonic() - self._begun

    def start(self) -> list[str]:
        """Start the worker; returns the names of the functions that it offers. StartFailure if it does not start."""
        started = self.worker.start()
        self.version, self.sources = started["version"], started["subjects"]
        self.taken_out = started.get("taken_out")
        return list(self.sources)

    def attempt(self, function: str) -> Attempt:
        """The one way of asking a function of a library or a program."""
        needs = None if self.target.library is None else self.target.library.subjects[function].needs
        return Attempt(call=OfferedCall(name=function), needs=needs)

    def ask(self, attempt: Attempt, asked: Question) -> Reply:
        """The reply to a question; OutOfTime after the time that all questions have together."""
        if attempt.threshold is not None:
            asked = from_gain(asked, attempt.threshold)
        folder = self.folder / (asked.name or "question")  # a question without a name is written over
        if folder.name not in self._written:
            write = save_case if asked.case.users > MOST_USERS_SMALL and asked.name else save_small_case
            write(asked.case, folder)
            self._written.update([asked.name] if asked.name else [])
        ids = None
        if asked.ids is not None and self.target.library is None:  # an adapter numbers the items itself
            ids = folder / "ids.npy"
            np.save(ids, asked.ids)
        timeout = min(self.options.timeout, self._deadline - time.monotonic())
        if timeout <= 0:
            raise OutOfTime(f"not finished after {self.options.total_timeout:g} s")
        element = attempt.element or None
        reply = self.worker.ask(
            attempt.call.name,
            folder,
            asked.k,
            folder / "answer",
            timeout,
            ids,
            element,
            [*(["whole"] if asked.whole else []), *(["everything"] if attempt.threshold is not None else [])],
        )
        noticed = self._noticed[attempt]
        noticed.changed_input = noticed.changed_input or reply.changed_input
        noticed.by_rank = noticed.by_rank or reply.by_rank
        noticed.twice = noticed.twice or reply.twice
        noticed.put_back.update(reply.put_back)
        if not attempt.nan_as_zero:
            return reply
        return without_hits_zero(reply, asked, self.side(replace(attempt, nan_as_zero=False)))

    def side(self, attempt: Attempt) -> Side:
        """What answers questions in the way of an attempt."""
        return partial(self.ask, attempt)

    def noticed(self, attempt: Attempt) -> Noticed:
        """What was noticed of an attempt so far."""
        return self._noticed[attempt]
