"""The options of an audit, and its session: the worker, the case folders, and what is known of each function."""

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
from metric_harness.libraries.staging import stage
from metric_harness.naming.cases.verification_cases import VerificationCase
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import (
    Probe,
    beyond_probes,
    core_probes_for,
    edge_probes,
    probes_at,
    probes_of,
    whole_catalogue_edges,
)
from metric_harness.naming.reduce import Question
from metric_harness.naming.removed_names import Removed, put_back_in
from metric_harness.naming.small_cases import Unaskable
from metric_harness.naming.target import Target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.messages import NO_CONVENTION, Convention
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.matching import match
from metric_reference.variant import RANKING, Variant
from metric_reports.types.common import PROBES_ONLY, VERIFIED
from metric_reports.types.run import Source

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library, Release
    from metric_harness.libraries.prepare import Ready

ACCEPTED = (VERIFIED, PROBES_ONLY)
"""The evidence that a name may rest on, strongest first."""


class OutOfTime(HarnessError):
    """An audit took longer than ``total_timeout``."""


@dataclass(frozen=True)
class Options:
    """How an audit is run.

    metric : what the function claims to be, if its name does not tell. convention : how it is called; found out if
    None. expect : the definition it should follow. environment : as for a comparison. timeout : seconds for a
    question. memory : bytes that the worker may hold. adapters : the user's folders with library folders. sources :
    repositories on this machine, as NAME=PATH, for releases that are git commits. accept : the evidence that an
    expected definition needs: ``verified``, or ``probes only`` to accept less. with_ : requirements of an environment
    that is built for the function, such as ``numpy==1.26.4``. start_timeout : seconds for the import.
    total_timeout : seconds for all questions together, 0 for no limit. folders : further folders for the imports of a
    user's function. bytecode : whether Python may write its compiled files beside the source. only : the functions of
    a library that are audited, all if empty.

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


class Session:
    """Asks a target: its worker, folders for the cases, and what is known of each function.

    A function is named as it is asked; the name of a user's function is its convention.

    changed_input : functions that changed what they were given; names_put_back : of each function; error : that of the
    last answer, None for a number; sources, version : as the worker
    gives them; conventions : the worker's descriptions, by name; ready : a library's release made ready, None for a
    user's function. cut_limits : the largest k that a function is asked, because its source holds that cut-off.
    fixed_cuts : the only k that it is asked, with lists of every item. past_k : functions that look past the k that
    they take; they are asked with lists of every item and a larger k. nan_as_zero : functions whose NaN for a user
    without a hit up to k is read as 0.
    """

    def __init__(
        self, worker: Worker, target: Target, folder: Path, options: Options, ready: Ready | None = None
    ) -> None:
        self.worker, self.target, self.options, self.ready = worker, target, options, ready
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.changed_input: set[str] = set()
        self.names_put_back: defaultdict[str, set[str]] = defaultdict(set)
        self.error: str | None = None
        self.written_cases: set[str] = set()
        self.cut_limits: dict[str, int] = {}
        self.fixed_cuts: dict[str, int] = {}
        self.past_k: set[str] = set()
        self.nan_as_zero: set[str] = set()
        self.version = ""
        self.conventions: dict[str, Convention] = {}
        self.sources: dict[str, Source] = {}
        self.deadline = time.monotonic() + options.total_timeout if options.total_timeout else math.inf

    def start(self) -> list[str]:
        """Start the worker; returns the names of the functions that it offers. StartFailure if it does not start."""
        started = self.worker.start()
        self.version, self.sources = started["version"], started["subjects"]
        return list(self.sources)

    def value(self, function: str, case: Case, k: int) -> float | None:
        """What a function returns for a case, None for an error; Unaskable where its convention cannot express it."""
        folder = self.folder / "case"  # written over: the previous question is answered
        save_small_case(case, folder)
        reply = self._reply(function, folder, case, k)
        if unaskable(reply):
            raise Unaskable
        return reply.value

    def probe(self, function: str, probe: Probe) -> Reply:
        """The reply of a function to a probe, whose case is written once."""
        folder = self.folder / probe.name
        if probe.name not in self.written_cases:
            save_small_case(probe.case, folder)
            self.written_cases.add(probe.name)
        return self._reply(function, folder, probe.case, probe.k)

    def verification(self, function: str, asked: VerificationCase, k: int) -> Reply:
        """The reply of a function to a verification case, which is written once."""
        folder = self.folder / asked.key
        if folder.name not in self.written_cases:
            save_case(asked.case, folder)
            self.written_cases.add(folder.name)
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
        call, _, element = (function, "", "") if self.target.own is None else function.partition("#")
        reply = self.worker.ask(call, folder, k, folder / "answer", timeout, path, element or None)
        self.changed_input.update([function] if reply.changed_input else [])
        self.names_put_back[function].update(reply.put_back)
        self.error = reply.error
        return without_hits_zero(reply, case, k) if function in self.nan_as_zero else reply

    def value_or_none(self, function: str, case: Case, k: int) -> float | None:
        """What a function returns for a case; None for an error, or where its convention cannot express it."""
        try:
            return self.value(function, case, k)
        except Unaskable:
            return None

    def put_back(self, function: str) -> list[Removed]:
        """The removed names that were put back for a function."""
        return put_back_in(sorted(self.names_put_back[function]))

    def scores_all_items(self, function: str) -> bool:
        """Whether a convention passes every item to a function that takes no k."""
        if function in self.fixed_cuts or function in self.cut_limits or function in self.past_k:
            return function not in self.cut_limits
        return "full_lists" in self.convention_of(function)["needs"]

    def takes_one_relevant(self, function: str) -> bool:
        """Whether a convention takes exactly one relevant item a user."""
        return "one_relevant" in self.convention_of(function)["needs"]

    def candidates(self, function: str) -> int | None:
        """The number of candidates that each user must have under a convention; None where it may be any."""
        needs = self.convention_of(function)["needs"]
        sizes = [need.partition(":")[2] for need in needs if need.startswith("candidates:")]
        return int(sizes[0]) if sizes else None

    def own_cut(self, function: str) -> int | None:
        """The cut-off written into a function that takes no k; None without one."""
        cut = self.fixed_cuts.get(function, self.cut_limits.get(function))
        if cut is not None or self.scores_all_items(function):
            return cut
        cuts = self.convention_of(function)["cuts"]
        return max(cuts) if cuts else None

    def core_probes(self, function: str) -> list[Probe]:
        """The core probes that a function is asked: none with a k above its own cut-off."""
        size = self.candidates(function)
        if function in self.fixed_cuts:
            return probes_at(self.fixed_cuts[function], self.takes_one_relevant(function), size)
        if size is not None:
            return probes_of(size)
        largest_k, all_items = self.own_cut(function), self.scores_all_items(function)
        probes = core_probes_for(all_items, self.takes_one_relevant(function))
        return [probe for probe in probes if all_items or largest_k is None or probe.k <= largest_k]

    def convention_of(self, function: str) -> Convention:
        """The worker's description of a function's convention; empty for a function of a library."""
        return self.conventions.get(function.partition("#")[0], NO_CONVENTION)

    def probes(self, function: str, metric: str | None) -> dict[str, ProbeAnswer]:
        """The answers to all probes that the convention can express, by the name of the probe."""
        largest_k = self.own_cut(function) or math.inf
        edges = whole_catalogue_edges() if self.scores_all_items(function) else edge_probes()
        probes = [*self.core_probes(function), *(edges if self.candidates(function) is None else ())]
        if self.target.library is not None:  # the case of a user's function holds lists and relevant items alone
            probes += beyond_probes()
        probes = [probe for probe in probes if probe.edge is None or probe.k <= largest_k]
        answers = ask_probes(
            probes, metric, lambda probe: self.probe(function, probe), needs=self.target.needs(function)
        )
        return {name: answer for name, answer in answers.items() if not unaskable(answer)} or answers


def without_hits_zero(reply: Reply, case: Case, k: int) -> Reply:
    """A reply with 0 in place of NaN for each user with relevant items and no hit up to k."""
    if reply.value is None or not math.isnan(reply.value):
        return reply
    matches = match(case)
    without_hit = (matches.hit_count(k) == 0) & (matches.n_relevant > 0)
    if reply.users is None or reply.values is None:
        return replace(reply, value=0.0) if case.users == 1 and without_hit[0] else reply
    values = np.where(without_hit[reply.users] & np.isnan(reply.values), 0.0, reply.values)
    return replace(reply, values=values, value=float(values.mean()))


def unaskable(answer: Reply | ProbeAnswer) -> bool:
    """Whether the convention could not express the case."""
    return answer.kind == "cannot_show" if isinstance(answer, Reply) else not answer.shown
