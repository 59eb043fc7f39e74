"""A comparison under way: every subject of every library is asked and identified, and its cells are predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metric_adapters.case_files import save_case
from metric_harness.bundles.build import Bundle
from metric_harness.comparison.places import Place, Places
from metric_harness.comparison.predicted import predict
from metric_harness.comparison.recorded_evidence import NOT_ASKED, applies_here, refused_at_size, usable_recording
from metric_harness.comparison.releases import release_findings
from metric_harness.comparison.rows import (
    describe_library,
    describe_unusable,
    empty_cell,
    identity,
    merge,
    printed,
    signed,
    subject_row,
)
from metric_harness.comparison.user_gaps import difference_to_standard
from metric_harness.identification.ask_probes import PROBE_TIMEOUT, ask_probes, probe_digest
from metric_harness.identification.findings import cell_findings, subject_findings
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for, identify
from metric_harness.identification.probes import Probe, library_probes
from metric_harness.identification.worked_case import work_out
from metric_harness.libraries.describe import Library, Release, SubjectInfo, folder_digest
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.mistake import LibraryError
from metric_harness.libraries.prepare import Ready, ready
from metric_harness.libraries.staging import kit_digest, stage
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.verification.library import Cases, Verified, cases_mark, from_recording, verify_function
from metric_harness.worker.answer_store import AnswerStore, digest
from metric_harness.worker.messages import Started
from metric_harness.worker.process import Reply, Worker
from metric_reference.edges import Edges
from metric_reports.record import to_json_number
from metric_reports.types import run as rows
from metric_reports.types.common import Who
from metric_reports.types.run import Cell, Finding, Source, Subject


@dataclass(frozen=True)
class Settings:
    """How a comparison is run.

    environment : ``isolated``, ``current``, or the path of a Python or of an environment.
    timeout : seconds a subject may take for the bundle; memory : bytes a worker may hold.
    fresh : forget the answers of an earlier run in the same folder. sources : repositories on this machine, by library.
    live : the libraries to ask, all if None; of the others the recordings are shown.
    """

    ks: tuple[int, ...] = (20,)
    environment: str = "isolated"
    timeout: float = 600.0
    memory: int = 8 << 30
    fresh: bool = False
    sources: Mapping[str, Path] = field(default_factory=dict)
    live: frozenset[str] | None = None


Chosen = tuple[Library, Release]


@dataclass(frozen=True, kw_only=True)
class _Function:
    """A function that is asked: by which worker, how its rows begin, and what determines its answers (``base``)."""

    worker: Worker
    who: Who
    info: SubjectInfo
    base: tuple[Any, ...]

    def key(self, *question: Any) -> str:
        """The key of an answer in the store."""
        return digest(*self.base, *question)


class Comparison:
    """A comparison under way: the bundle, what was answered so far, and the record as it grows."""

    def __init__(self, bundle: Bundle, settings: Settings, out: Path, reporter: Reporter) -> None:
        self.bundle, self.settings, self.out, self.reporter = bundle, settings, out, reporter
        self.store = AnswerStore(out / "answers", reporter.say, settings.fresh)
        self.probes = library_probes()
        self.probe_folders = {probe.name: out / "probes" / probe.name for probe in self.probes}
        for probe in self.probes:
            save_case(probe.case, self.probe_folders[probe.name])
        self.places = Places(bundle)
        self.cases = Cases(out / "verification")
        self.libraries: list[rows.Library] = []
        self.subjects: list[Subject] = []
        self.cells: list[Cell] = []
        self.findings: list[Finding] = []

    def run(self, chosen: Sequence[Chosen], unusable: Sequence[LibraryError] = ()) -> None:
        """Ask every release in turn; a release that cannot run, or has mistakes, loses only its own cells."""
        staged = stage(list({library.key: library for library, _ in chosen}.values()))
        for library, release in chosen:
            row = describe_library(library, release)
            self.libraries.append(row)
            if self.settings.live is not None and library.key not in self.settings.live:
                self._not_run(library, release, row, NOT_ASKED)
                continue
            try:
                asked = ready(self.settings.environment, library, release, self.settings.sources, self.reporter)
            except EnvironmentFailure as failure:
                self._not_run(library, release, row, str(failure))
                continue
            log = self.out / "logs" / f"{library.key}-{release.version}.txt"
            with Worker(asked.launch(staged, library.key, log, self.settings.memory)) as worker:
                try:
                    started = worker.start()
                except HarnessError as failure:
                    self._not_run(library, release, row, str(failure), worker.tail())
                    continue
                row["release"], row["python"], row["packages"] = (
                    started["version"],
                    started["python"],
                    started["packages"],
                )
                self._ask_library(worker, library, release, row, started, asked)
                row["stderr"] = worker.tail()
        for error in unusable:
            row, subjects = describe_unusable(error)
            self.libraries.append(row)
            for info in subjects:
                self._not_asked(identity(row, info), info, error.summary())
        self.findings += release_findings(chosen, self.subjects)

    def _not_run(self, library: Library, release: Release, row: rows.Library, reason: str, stderr: str = "") -> None:
        """A release that cannot run is identified from its recording; without one its cells are not available."""
        recording, reason = usable_recording(library, release, reason)
        row["status"], row["reason"], row["stderr"] = "not_available", reason, stderr
        if recording is not None:
            row["recorded"], row["python"], row["packages"] = recording.date, recording.python, recording.packages
        what = "not available" if recording is None else f"predicted from its recording of {recording.date}"
        self.reporter.say(f"{library.name} {release.version}: {what}: {reason}")
        for info in library.subjects_of(release).values():
            self._instead(identity(row, info), info, recording, reason)

    def _instead(self, who: Who, info: SubjectInfo, recording: Recording | None, reason: str) -> None:
        """A function that cannot be asked is identified from its recording; without one its cells are not available."""
        if recording is None or not recording.answers.get(info.function):
            self._not_asked(who, info, reason if recording is None else recording.missing.get(info.function, reason))
        else:
            self._from_recording(who, info, recording, reason)

    def _not_asked(self, who: Who, info: SubjectInfo, reason: str) -> None:
        unknown = Identification(None, [], Edges(), [])
        self.subjects.append(subject_row(who, info, unknown, {}, {}, asked=False))
        self.cells += [empty_cell(who, k, "not_available", reason) for k in self.settings.ks]

    def _from_recording(self, who: Who, info: SubjectInfo, recording: Recording, reason: str) -> None:
        answers = recording.answers[info.function]
        known = from_recording(identify(info.metric, answers), recording.evidence[info.function], recording.date)
        found = known.found
        cells = [self._predicted(who, info, found, k, recording, reason) for k in self.settings.ks]
        self._add(who, info, known, answers, recording.sources[info.function], cells)

    def _predicted(
        self, who: Who, info: SubjectInfo, found: Identification, k: int, recording: Recording, reason: str
    ) -> Cell:
        """A cell of a release that did not run: the value that its variant gives on the bundle."""
        place = self.places.of(info.needs)
        lacking = place.lacks(info.needs)
        cell = empty_cell(who, k, "not_available", lacking or reason, printed(found))
        if found.variant is not None and lacking is None:
            value = found.variant.of_matches(place.matches(edges_for(found.edges)), edges_for(found.edges), k)
            cell["predicted"] = to_json_number(value)
            cell["error"] = f"predicted from the recording of {recording.date}: {reason}"
            add_asked(cell, place)
            self._against_standard(cell, found, None, place)
        return cell

    def _add(
        self,
        who: Who,
        info: SubjectInfo,
        known: Verified,
        answers: Mapping[str, ProbeAnswer],
        source: Source,
        cells: list[Cell],
        call: str | None = None,
    ) -> None:
        """Put a subject, its cells and its findings into the record."""
        found = known.found
        found_here = subject_findings(who, info.metric, found, answers, info)
        if known.suggested is not None:
            found_here = [refused_at_size(who, known)]
        codes = [finding["code"] for finding in found_here]
        for cell in cells:
            on_bundle = cell_findings(who, cell)
            cell["findings"] = list(dict.fromkeys([*codes, *(finding["code"] for finding in on_bundle)]))
            signed(cell, found, self.bundle.manifest, self.bundle.case.threshold)
            found_here = merge(found_here, on_bundle)
        row = subject_row(who, info, found, answers, source, asked=True, call=call, evidence=known.evidence)
        self.subjects.append(row)
        self.cells += cells
        self.findings += [work_out(one, found) for one in found_here]

    def _ask_library(
        self, worker: Worker, library: Library, release: Release, row: rows.Library, started: Started, asked: Ready
    ) -> None:
        offered, calls = started["subjects"], started["calls"]
        subjects = library.subjects_of(release)
        steps = len(subjects) * (len(self.probes) + len(self.settings.ks))
        around = (kit_digest(), row["python"], self.settings.memory, asked.arguments)
        asked_of = (library.key, row["release"], row["packages"], folder_digest(library.folder))
        with self.reporter.task(f"Asking {library.name} {row['release']}", steps) as advance:
            for info in subjects.values():
                who = identity(row, info)
                if reason := asked.reason_against(info.needs):
                    self._instead(who, info, *usable_recording(library, release, reason))
                    continue
                if info.function not in offered:
                    file = library.folder / f"{release.adapter}.py"
                    missing = f"{file}: SUBJECTS has no {info.function!r}; add it, or remove it from library.toml"
                    self.cells += [empty_cell(who, k, "error", missing) for k in self.settings.ks]
                    continue
                base = (*asked_of, info.function, offered[info.function], around)
                function = _Function(worker=worker, who=who, info=info, base=base)
                answers = self._ask_probes(function, advance)
                known = self._verify(function, answers, read_recording(library, release))
                cells = []
                for k in self.settings.ks:
                    advance(1, f"{info.function}@{k} on the bundle")
                    cells.append(self._cell(function, known.found, k))
                self._add(who, info, known, answers, offered[info.function], cells, calls.get(info.function))

    def _ask_probes(self, function: _Function, advance: Any) -> dict[str, ProbeAnswer]:
        info, limit = function.info, min(PROBE_TIMEOUT, self.settings.timeout)

        def ask(probe: Probe) -> Reply:
            key = function.key(probe.name, probe_digest(probe))
            return self._ask(function, key, self.probe_folders[probe.name], probe.k, limit)

        return ask_probes(self.probes, info.metric, ask, lambda: advance(1, info.function), info.needs)

    def _verify(self, function: _Function, answers: Mapping[str, ProbeAnswer], recording: Recording | None) -> Verified:
        """Verification at size: from the recording where it is of this release, adapter and cases, else asked here."""
        name = function.info.function
        found = identify(function.info.metric, answers)
        if recording is not None and applies_here(recording, name, function.base, answers):
            return from_recording(found, recording.evidence[name], recording.date)

        def ask(folder: Path, k: int) -> Reply:
            key = function.key("verification", cases_mark(), folder.name, k)
            limit = min(PROBE_TIMEOUT, self.settings.timeout)
            if folder.name == "question":
                return function.worker.ask(name, folder, k, self.store.prefix(key), limit)
            return self._ask(function, key, folder, k, limit)

        return verify_function(ask, found, answers, self.cases)

    def _ask(self, function: _Function, key: str, case: Path, k: int, timeout: float) -> Reply:
        reply = self.store.get(key)
        if reply is None:
            reply = function.worker.ask(function.info.function, case, k, self.store.prefix(key), timeout)
            self.store.put(key, reply)
        return reply

    def _cell(self, function: _Function, found: Identification, k: int) -> Cell:
        who, place = function.who, self.places.of(function.info.needs)
        if reason := place.lacks(function.info.needs):
            return empty_cell(who, k, "not_available", reason, printed(found))
        reply = self._ask(function, function.key(place.digest, k), place.folder, k, self.settings.timeout)
        if reply.value is None:
            return add_asked(empty_cell(who, k, "error", reply.error, printed(found)), place)
        cell = empty_cell(who, k, "unexplained", None, printed(found))
        cell["value"] = to_json_number(reply.value)
        cell["seconds"], cell["warnings"] = reply.seconds, list(reply.warnings)
        if found.variant is not None:
            predict(cell, reply.value, found.variant, edges_for(found.edges), reply, place)
        self._against_standard(cell, found, reply, place)
        return add_asked(cell, place)

    def _against_standard(self, cell: Cell, found: Identification, reply: Reply | None, place: Place) -> None:
        """Put into a cell how far its users lie from the metric's standard variant, where they have values."""
        gaps = difference_to_standard(
            cell["metric"], cell["k"], found.variant, edges_for(found.edges), reply, place.matches
        )
        if gaps is not None:
            cell["difference_to_standard"] = gaps


def add_asked(cell: Cell, place: Place) -> Cell:
    """The cell, saying so where only a sample of the users was asked about."""
    if place.asked is not None:
        cell["asked"] = place.asked
    return cell
