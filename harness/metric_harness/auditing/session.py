"""How an audit is run, and the session that asks: a worker, folders for the cases, what came up on the way."""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from metric_adapters.case_files import save_case, save_small_case
from metric_harness.auditing.removed_names import Removed, put_back_in
from metric_harness.auditing.target import Target
from metric_harness.identification.ask_probes import ask_probes
from metric_harness.identification.identify import ProbeAnswer
from metric_harness.identification.probes import (
    Probe,
    beyond_probes,
    core_probes_for,
    edge_probes,
    probes_at,
    probes_of,
    whole_catalogue_edges,
)
from metric_harness.identification.small_cases import Unaskable
from metric_harness.libraries.staging import stage
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.verification.cases import VerificationCase
from metric_harness.verification.reduce import Question
from metric_harness.verification.verify import CANNOT_SHOW, PROBES_ONLY, VERIFIED
from metric_harness.worker.messages import NO_CONVENTION, Convention
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.matching import match
from metric_reference.variant import RANKING, Variant
from metric_reports.types.run import Source

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library, Release
    from metric_harness.libraries.prepare import Ready

ACCEPTED = (VERIFIED, PROBES_ONLY)
"""What a name may rest on, the strongest evidence first."""


class OutOfTime(HarnessError):
    """An audit took longer than ``total_timeout``."""


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    metric : what the function claims to be, where its name does not tell. convention : how it is called, where that is
    not to be found out. expect : the definition it should follow. environment : as for a comparison. timeout : seconds
    for a question. memory : bytes that the worker may hold. adapters : the user's folders with library folders.
    sources : repositories on this machine, as NAME=PATH, for releases that are git commits. accept : what a name may
    rest on where a definition is expected: ``verified``, or ``probes only`` to accept less. with_ : requirements of an
    environment that is built for the function, such as ``numpy==1.26.4``. start_timeout : seconds for the import.
    total_timeout : seconds for all questions together, 0 for no limit. folders : where imports of a user's function
    are looked for too. bytecode : whether Python may write its compiled files beside the source. only : the
    functions of a library that are audited, all if empty.

    Raises HarnessError for a metric that audits cannot identify, and for a time-out that is no time.
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
    asked = ready(options.environment, library, release, sources, reporter)
    log = folder / "log.txt"
    launch = asked.launch(stage([library]), library.key, log, options.memory)
    return Worker(replace(launch, start_timeout=options.start_timeout)), asked


class Session:
    """A target being asked: its worker, and folders for the cases.

    warnings : of each function; error : that of the last answer, None for a number; sources, version : as the worker
    gives them; conventions : the rows of the worker, by name; ready : the release of a library, None for a user's
    function. limits : the cut-off that a function seems to have under a convention, which is asked no deeper.
    fixed : the same where it is asked at no other k, with lists of every item. whole : the functions that look past the
    k that they take, under a convention, which are asked with lists of every item and a k past them. zeros : the
    functions whose NaN for a user without a hit up to k is read as 0.
    """

    def __init__(
        self, worker: Worker, target: Target, folder: Path, options: Options, ready: Ready | None = None
    ) -> None:
        self.worker, self.target, self.options, self.ready = worker, target, options, ready
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.warnings: defaultdict[str, set[str]] = defaultdict(set)
        self.error: str | None = None
        self.written: set[str] = set()
        self.limits: dict[str, int] = {}
        self.fixed: dict[str, int] = {}
        self.whole: set[str] = set()
        self.zeros: set[str] = set()
        self.version = ""
        self.conventions: dict[str, Convention] = {}
        self.sources: dict[str, Source] = {}
        self.deadline = time.monotonic() + options.total_timeout if options.total_timeout else math.inf

    def start(self) -> list[str]:
        """Start the worker; the names of the functions that it offers. StartFailure if it does not start."""
        started = self.worker.start()
        self.version, self.sources = started["version"], started["subjects"]
        return list(self.sources)

    def value(self, function: str, case: Case, k: int) -> float | None:
        """What a function returns for a case, None for an error; Unaskable where its convention cannot express it."""
        folder = self.folder / "case"  # the same one again: the last question is answered
        save_small_case(case, folder)
        reply = self._reply(function, folder, case, k)
        if unaskable(reply):
            raise Unaskable
        return reply.value

    def probe(self, function: str, probe: Probe) -> Reply:
        """What came of asking a function a probe; its case is written once."""
        folder = self.folder / probe.name
        if probe.name not in self.written:
            save_small_case(probe.case, folder)
            self.written.add(probe.name)
        return self._reply(function, folder, probe.case, probe.k)

    def verification(self, function: str, asked: VerificationCase, k: int) -> Reply:
        """What came of asking a function a verification case; the case is written once."""
        folder = self.folder / asked.key
        if folder.name not in self.written:
            save_case(asked.case, folder)
            self.written.add(folder.name)
        return self._reply(function, folder, asked.case, k, asked.ids)

    def question(self, function: str, asked: Question) -> float | None:
        """What a function returns for a question, None for an error."""
        folder = self.folder / "question"
        save_small_case(asked.case, folder)
        return self._reply(function, folder, asked.case, asked.k, asked.ids).value

    def _reply(self, function: str, folder: Path, case: Case, k: int, ids: np.ndarray | None = None) -> Reply:
        path = None
        if ids is not None and self.target.library is None:  # an adapter numbers the items itself
            path = folder / "ids.npy"
            np.save(path, ids)
        timeout = min(self.options.timeout, self.deadline - time.monotonic())
        if timeout <= 0:
            raise OutOfTime(f"not finished after {self.options.total_timeout:g} s")
        reply = self.worker.ask(function, folder, k, folder / "answer", timeout, path)
        self.warnings[function].update(reply.warnings)
        self.error = reply.error
        return without_hits_zero(reply, case, k) if function in self.zeros else reply

    def value_or_none(self, function: str, case: Case, k: int) -> float | None:
        """What a function returns for a case; None for an error, or where its convention cannot express it."""
        try:
            return self.value(function, case, k)
        except Unaskable:
            return None

    def put_back(self, function: str) -> list[Removed]:
        """The removed names that were put back for a function."""
        return put_back_in(sorted(self.warnings[function]))

    def scores_all(self, function: str) -> bool:
        """Whether a convention shows every item's score to a function that takes no k."""
        if function in self.fixed or function in self.limits or function in self.whole:
            return function not in self.limits
        return "full_lists" in self.convention_of(function)["needs"]

    def takes_one(self, function: str) -> bool:
        """Whether a convention takes exactly one relevant item a user."""
        return "one_relevant" in self.convention_of(function)["needs"]

    def candidates(self, function: str) -> int | None:
        """The number of candidates that each user must have under a convention; None where it may be any."""
        needs = self.convention_of(function)["needs"]
        found = [need.partition(":")[2] for need in needs if need.startswith("candidates:")]
        return int(found[0]) if found else None

    def own_cut(self, function: str) -> int | None:
        """The cut-off written into a function that takes no k; None without one."""
        found = self.fixed.get(function, self.limits.get(function))
        if found is not None or self.scores_all(function):
            return found
        cuts = self.convention_of(function)["cuts"]
        return max(cuts) if cuts else None

    def core(self, function: str) -> list[Probe]:
        """The core probes that a function is asked under a convention: not past a cut-off of its own."""
        size = self.candidates(function)
        if function in self.fixed:
            return probes_at(self.fixed[function], self.takes_one(function), size)
        if size is not None:
            return probes_of(size)
        most, all_items = self.own_cut(function), self.scores_all(function)
        probes = core_probes_for(all_items, self.takes_one(function))
        return [probe for probe in probes if all_items or most is None or probe.k <= most]

    def convention_of(self, function: str) -> Convention:
        """What the worker says of the convention by which a function is asked; without content for a library."""
        return self.conventions.get(function.partition("#")[0], NO_CONVENTION)

    def probes(self, function: str, metric: str | None) -> dict[str, ProbeAnswer]:
        """The answers to all probes that the convention can express."""
        most = self.own_cut(function) or math.inf
        edges = whole_catalogue_edges() if self.scores_all(function) else edge_probes()
        asked = [*self.core(function), *(edges if self.candidates(function) is None else ())]
        if self.target.library is not None:  # the case of a user's function holds lists and relevant items alone
            asked += beyond_probes()
        asked = [probe for probe in asked if probe.edge is None or probe.k <= most]
        answers = ask_probes(
            asked, metric, lambda probe: self.probe(function, probe), needs=self.target.needs(function)
        )
        return {name: answer for name, answer in answers.items() if not unaskable(answer)} or answers


def without_hits_zero(reply: Reply, case: Case, k: int) -> Reply:
    """An answer with 0 for each user whose value is NaN and who has relevant items, but no hit up to k."""
    if reply.value is None or not math.isnan(reply.value):
        return reply
    matches = match(case)
    missed = (matches.hit_count(k) == 0) & (matches.n_relevant > 0)
    if reply.users is None or reply.values is None:
        return replace(reply, value=0.0) if case.users == 1 and missed[0] else reply
    values = np.where(missed[reply.users] & np.isnan(reply.values), 0.0, reply.values)
    return replace(reply, values=values, value=float(values.mean()))


def unaskable(answer: Reply | ProbeAnswer) -> bool:
    """Whether a convention had no way to express the case."""
    return (answer.error or "").startswith(CANNOT_SHOW)
