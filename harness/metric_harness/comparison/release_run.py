"""One release of a comparison: its functions are asked and identified, and its cells are predicted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from metric_harness.comparison.places import Place
from metric_harness.comparison.predicted import predict
from metric_harness.comparison.questions import Questions, questions
from metric_harness.comparison.recorded_evidence import refused_at_size, usable_recording
from metric_harness.comparison.rows import describe_library, empty_cell, identity, merge, printed, signed, subject_row
from metric_harness.comparison.shared import Shared
from metric_harness.comparison.user_gaps import difference_to_standard
from metric_harness.identification.findings import cell_findings, subject_findings
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for, identify
from metric_harness.identification.worked_case import work_out
from metric_harness.libraries.describe import Library, Release, SubjectInfo
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.prepare import Ready, ready
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.system.code_digest import code_digest
from metric_harness.system.errors import HarnessError
from metric_harness.verification.library import Verified, from_recording
from metric_harness.worker.process import Reply, Worker
from metric_reference.edges import Edges
from metric_reports.record import to_json_number
from metric_reports.types.run import NOT_ASKED, Asked, Cell, Finding, Source, Subject


class ReleaseRun:
    """One release in a comparison, and its rows of the record as they grow: row, subjects, cells, findings.

    step : called before each question to a function, with what is asked. lasting : no answer was lost, so that the rows
    may be kept. kept : they are those of an earlier run.
    """

    def __init__(self, shared: Shared, library: Library, release: Release, step: Callable[[str], None]) -> None:
        self.shared, self.library, self.release, self.step = shared, library, release, step
        self.ks = shared.settings.ks
        self.row = describe_library(library, release)
        self.subjects: list[Subject] = []
        self.cells: list[Cell] = []
        self.findings: list[Finding] = []
        self.lasting, self.kept = True, False

    @cached_property
    def code(self) -> str:
        """A digest of the library's folder."""
        return code_digest([self.library.folder])

    def run(self) -> ReleaseRun:
        """Ask the release; where it cannot run, its recording stands in for it.

        The rows of an earlier run stand where nothing has changed that they depend on, and no answer was lost to a
        crash or a time-out.
        """
        settings, library, release = self.shared.settings, self.library, self.release
        if not settings.asks(library):
            return self._kept_or(lambda: self._not_run(NOT_ASKED), "not asked")
        try:
            asked = ready(settings.environment, library, release, settings.sources, self.shared.reporter)
        except EnvironmentFailure as failure:
            self._not_run(str(failure))
            return self
        if asked.content is None:
            self._ask_all(asked)
            return self
        limits = (settings.timeout, settings.memory)
        return self._kept_or(lambda: self._ask_all(asked), asked.content, asked.arguments, asked.missing, limits)

    def _kept_or(self, compute: Callable[[], None], *depends: object) -> ReleaseRun:
        """Take the rows of an earlier run with the same dependencies, else compute and keep them."""
        shared, name = self.shared, f"{self.library.key}-{self.release.version}"
        depends = (*depends, self.code, self.ks, shared.bundle.manifest)
        rows = shared.kept.get(name, *depends)
        if rows is not None:
            self.row, self.subjects, self.cells, self.findings = rows
            self.kept = True
            return self
        compute()
        if self.lasting:
            shared.kept.put(name, [self.row, self.subjects, self.cells, self.findings], *depends)
        return self

    def _ask_all(self, asked: Ready) -> None:
        settings, library, release = self.shared.settings, self.library, self.release
        log = self.shared.out / "logs" / f"{library.key}-{release.version}.txt"
        with Worker(asked.launch(self.shared.staged, library.key, log, settings.memory)) as worker:
            try:
                to_ask = questions(self.shared, worker, library, asked, self.step)
            except HarnessError as failure:
                self.lasting = False
                self._not_run(str(failure), worker.tail())
                return
            started = to_ask.started
            self.row["release"], self.row["python"] = started["version"], started["python"]
            self.row["packages"] = started["packages"]
            for info in library.subjects_of(release).values():
                self._ask(to_ask, info, asked)
            self.row["stderr"] = worker.tail()
            self.lasting = not to_ask.lost

    def _not_run(self, reason: str, stderr: str = "") -> None:
        """A release that cannot run is identified from its recording; without one its cells are not available."""
        recording, reason = usable_recording(self.library, self.release, reason)
        self.row["status"], self.row["reason"], self.row["stderr"] = "not_available", reason, stderr
        if recording is not None:
            self.row["recorded"], self.row["python"] = recording.date, recording.python
            self.row["packages"] = recording.packages
        what = "not available" if recording is None else f"predicted from its recording of {recording.date}"
        if recording is None or reason != NOT_ASKED:  # one line counts those
            self.shared.reporter.say(f"{self.library.name} {self.release.version}: {what}: {reason}")
        for info in self.library.subjects_of(self.release).values():
            self._instead(info, recording, reason)

    def _instead(self, info: SubjectInfo, recording: Recording | None, reason: str) -> None:
        """A function that cannot be asked is identified from its recording; without one its cells are not available."""
        if recording is None or not recording.answers.get(info.function):
            reason = reason if recording is None else recording.missing.get(info.function, reason)
            who = identity(self.row, info)
            unknown = Identification(None, [], Edges(), [])
            self.subjects.append(subject_row(who, info, unknown, {}, {}, asked=False))
            self.cells += [empty_cell(who, k, "not_available", reason) for k in self.ks]
            return
        answers = recording.answers[info.function]
        known = from_recording(identify(info.metric, answers), recording.evidence[info.function], recording.date)
        cells = [self._predicted(info, known.found, k, recording, reason) for k in self.ks]
        self._add(info, known, answers, recording.sources[info.function], cells)

    def _ask(self, to_ask: Questions, info: SubjectInfo, asked: Ready) -> None:
        offered = to_ask.started["subjects"]
        if reason := asked.reason_against(info.needs):
            self._instead(info, *usable_recording(self.library, self.release, reason))
            return
        if info.function not in offered:
            file = self.library.folder / f"{self.release.adapter}.py"
            missing = f"{file}: SUBJECTS has no {info.function!r}; add it, or remove it from library.toml"
            self.cells += [empty_cell(identity(self.row, info), k, "error", missing) for k in self.ks]
            return
        answers = to_ask.probes(info)
        known = to_ask.verified(info, answers, read_recording(self.library, self.release))
        cells = [self._measured(to_ask, info, known.found, k) for k in self.ks]
        self._add(info, known, answers, offered[info.function], cells, to_ask.started["calls"].get(info.function))

    def _measured(self, to_ask: Questions, info: SubjectInfo, found: Identification, k: int) -> Cell:
        """A cell of a function that is asked on the bundle."""
        who, place = identity(self.row, info), self.shared.places.of(info.needs)
        if reason := place.lacks(info.needs):
            return empty_cell(who, k, "not_available", reason, printed(found))
        reply = to_ask.on_bundle(info, place, k)
        if reply.value is None:
            return add_asked(empty_cell(who, k, "error", reply.error, printed(found)), place.asked)
        cell = empty_cell(who, k, "unexplained", None, printed(found))
        cell["value"] = to_json_number(reply.value)
        cell["seconds"], cell["warnings"] = reply.seconds, list(reply.warnings)
        if found.variant is not None:
            predict(cell, reply.value, found.variant, edges_for(found.edges), reply, place)
        add_difference_to_standard(cell, found, reply, place)
        return add_asked(cell, place.asked)

    def _predicted(self, info: SubjectInfo, found: Identification, k: int, recording: Recording, reason: str) -> Cell:
        """A cell of a release that did not run: the value that its variant gives on the bundle."""
        place = self.shared.places.of(info.needs)
        lacking = place.lacks(info.needs)
        cell = empty_cell(identity(self.row, info), k, "not_available", lacking or reason, printed(found))
        if found.variant is not None and lacking is None:
            edges = edges_for(found.edges)
            cell["predicted"] = to_json_number(found.variant.of_matches(place.matches(edges), edges, k))
            cell["error"] = f"predicted from the recording of {recording.date}: {reason}"
            add_asked(cell, place.asked)
            add_difference_to_standard(cell, found, None, place)
        return cell

    def _add(
        self,
        info: SubjectInfo,
        known: Verified,
        answers: Mapping[str, ProbeAnswer],
        source: Source,
        cells: list[Cell],
        call: str | None = None,
    ) -> None:
        """Put a subject, its cells and its findings into the rows."""
        who, found = identity(self.row, info), known.found
        found_here = subject_findings(who, info.metric, found, answers, info)
        if known.suggested is not None:
            found_here = [refused_at_size(who, known)]
        codes = [finding["code"] for finding in found_here]
        bundle = self.shared.bundle
        for cell in cells:
            on_bundle = cell_findings(who, cell)
            cell["findings"] = list(dict.fromkeys([*codes, *(finding["code"] for finding in on_bundle)]))
            signed(cell, found, bundle.manifest, bundle.case.threshold)
            found_here = merge(found_here, on_bundle)
        row = subject_row(who, info, found, answers, source, asked=True, call=call, evidence=known.evidence)
        self.subjects.append(row)
        self.cells += cells
        self.findings += [work_out(one, found) for one in found_here]


def add_difference_to_standard(cell: Cell, found: Identification, reply: Reply | None, place: Place) -> None:
    """Put into a cell how far its users lie from the metric's standard variant, where they have values."""
    edges = edges_for(found.edges)
    gaps = difference_to_standard(cell["metric"], cell["k"], found.variant, edges, reply, place.matches)
    if gaps is not None:
        cell["difference_to_standard"] = gaps


def add_asked(cell: Cell, asked: Asked | None) -> Cell:
    """The cell, saying so where only a sample of the users was asked about."""
    if asked is not None:
        cell["asked"] = asked
    return cell
