"""One release of a comparison: asks and identifies its functions, and fills its rows of the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from metric_harness.comparison.asked_cases import AskedCase
from metric_harness.comparison.predicted import predict
from metric_harness.comparison.questions import Questions, questions
from metric_harness.comparison.recorded_evidence import refused_at_size, usable_recording
from metric_harness.comparison.rows import (
    describe_library,
    empty_cell,
    identity,
    merge,
    printed,
    rows_without_answers,
    signed,
    subject_row,
)
from metric_harness.comparison.shared import Shared
from metric_harness.comparison.user_gaps import difference_to_standard
from metric_harness.libraries.describe import Library, Release, SubjectInfo
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.prepare import Ready, ready
from metric_harness.naming.findings.finding import cell_findings, subject_findings
from metric_harness.naming.findings.worked_case import work_out
from metric_harness.naming.identify import Identification, ProbeAnswer, edges_for, identify
from metric_harness.naming.library_evidence import Verified, from_recording
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.system.code_digest import code_digest
from metric_harness.system.errors import HarnessError
from metric_harness.worker.process import Reply, Worker
from metric_reference.edges import Edges
from metric_reference.variant import Variant
from metric_reports.record import to_json_number
from metric_reports.types.run import NOT_ASKED, Cell, LibraryFinding, Source, Subject


class ReleaseRun:
    """One release in a comparison, and its rows of the record: row, subjects, cells, findings.

    step : called before each question to a function, with a text for the progress bar. lasting : no answer was lost, so
    the rows may be kept for another run. kept : the rows are those of an earlier run.
    """

    def __init__(self, shared: Shared, library: Library, release: Release, step: Callable[[str], None]) -> None:
        self.shared, self.library, self.release, self.step = shared, library, release, step
        self.ks = shared.settings.ks
        self.row = describe_library(library, release)
        self.subjects: list[Subject] = []
        self.cells: list[Cell] = []
        self.findings: list[LibraryFinding] = []
        self.lasting, self.kept = True, False

    @cached_property
    def code(self) -> str:
        """A digest of the library's folder."""
        return code_digest([self.library.folder])

    def run(self) -> ReleaseRun:
        """Ask the release; where it cannot run, use its recording.

        The rows of an earlier run are taken if nothing has changed that they depend on.
        """
        settings, library, release = self.shared.settings, self.library, self.release
        if not settings.asks(library):
            return self._kept_or(lambda: self._not_run(NOT_ASKED), "not asked")
        try:
            prepared = ready(settings.environment, library, release, settings.sources, self.shared.reporter)
        except EnvironmentFailure as failure:
            reason = str(failure)
            return self._kept_or(lambda: self._not_run(reason), "cannot run", reason)
        if prepared.content is None:
            self._ask_all(prepared)
            return self
        depends = (prepared.content, prepared.arguments, prepared.missing, (settings.timeout, settings.memory))
        return self._kept_or(lambda: self._ask_all(prepared), *depends)

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

    def _ask_all(self, prepared: Ready) -> None:
        settings, library, release = self.shared.settings, self.library, self.release
        log = self.shared.out / "logs" / f"{library.key}-{release.version}.txt"
        with Worker(prepared.launch(self.shared.staged, library.key, log, settings.memory)) as worker:
            try:
                to_ask = questions(self.shared, worker, library, prepared, self.step)
            except HarnessError as failure:
                self.lasting = False
                self._not_run(str(failure), worker.tail())
                return
            started = to_ask.started
            self.row["release"], self.row["python"] = started["version"], started["python"]
            self.row["packages"] = started["packages"]
            for info in library.subjects_of(release).values():
                self._ask(to_ask, info, prepared)
            self.row["stderr"] = worker.tail()
            self.lasting = not to_ask.lost

    def _not_run(self, reason: str, stderr: str = "") -> None:
        """Identify a release that cannot run from its recording; without one, its cells are not available."""
        recording, reason = usable_recording(self.library, self.release, reason)
        self.row["status"], self.row["reason"], self.row["stderr"] = "not_available", reason, stderr
        if recording is not None:
            self.row["recorded"], self.row["python"] = recording.date, recording.python
            self.row["packages"] = recording.packages
        outcome = "not available" if recording is None else f"predicted from its recording of {recording.date}"
        if recording is None or reason != NOT_ASKED:  # Comparison.run counts those in one line
            self.shared.reporter.detail(f"{self.library.name} {self.release.version}: {outcome}: {reason}")
        for info in self.library.subjects_of(self.release).values():
            self._from_recording(info, recording, reason)

    def _from_recording(self, info: SubjectInfo, recording: Recording | None, reason: str) -> None:
        """Identify a function that cannot be asked from its recording; without one, its cells are not available."""
        if recording is None or not recording.answers.get(info.function):
            reason = reason if recording is None else recording.missing.get(info.function, reason)
            subject, cells = rows_without_answers(self.row, info, self.ks, reason)
            self.subjects.append(subject)
            self.cells += cells
            return
        answers = recording.answers[info.function]
        suggestion, evidence = identify(info.metric, answers), recording.evidence[info.function]
        verified = from_recording(suggestion, evidence, recording.date, info)
        cells = [self._predicted(info, verified.identification, k, recording, reason) for k in self.ks]
        self._add(info, verified, answers, recording.sources[info.function], cells)

    def _ask(self, to_ask: Questions, info: SubjectInfo, prepared: Ready) -> None:
        offered = to_ask.started["subjects"]
        if reason := prepared.reason_against(info.needs):
            self._from_recording(info, *usable_recording(self.library, self.release, reason))
            return
        if info.function not in offered:
            file = self.library.folder / f"{self.release.adapter}.py"
            missing = f"{file}: SUBJECTS has no {info.function!r}; add it, or remove it from library.toml"
            self.cells += [empty_cell(identity(self.row, info), k, "error", missing) for k in self.ks]
            return
        answers = to_ask.probes(info)
        verified = to_ask.verified(info, answers, read_recording(self.library, self.release))
        cells = [self._measured(to_ask, info, verified.identification, k) for k in self.ks]
        self._add(info, verified, answers, offered[info.function], cells, to_ask.started["calls"].get(info.function))

    def _measured(self, to_ask: Questions, info: SubjectInfo, identification: Identification, k: int) -> Cell:
        """A cell of a function that is asked on the bundle."""
        asked_case = self.shared.asked_cases.of(info.needs)
        variant, edges = identification.variant, edges_for(identification.edges)
        cell = empty_cell(identity(self.row, info), k, "unexplained", None, printed(identification))
        if reason := asked_case.lacks(info.needs):
            return {**cell, "status": "not_available", "error": reason}
        reply = to_ask.on_bundle(info, asked_case, k)
        if reply.value is None:
            return _with_asked({**cell, "status": "error", "error": reply.error}, asked_case)
        cell["value"] = to_json_number(reply.value)
        cell["seconds"], cell["warnings"] = reply.seconds, list(reply.warnings)
        if variant is not None:
            predict(cell, reply.value, variant, edges, reply, asked_case)
        _add_difference_to_standard(cell, variant, edges, reply, asked_case)
        return _with_asked(cell, asked_case)

    def _predicted(
        self, info: SubjectInfo, identification: Identification, k: int, recording: Recording, reason: str
    ) -> Cell:
        """A cell of a release that did not run: the value of its variant on the bundle."""
        asked_case = self.shared.asked_cases.of(info.needs)
        variant, edges = identification.variant, edges_for(identification.edges)
        lacking = asked_case.lacks(info.needs)
        cell = empty_cell(identity(self.row, info), k, "not_available", lacking or reason, printed(identification))
        if variant is not None and lacking is None:
            cell["predicted"] = to_json_number(variant.of_matches(asked_case.matches(edges), edges, k))
            cell["error"] = f"predicted from the recording of {recording.date}: {reason}"
            _with_asked(cell, asked_case)
            _add_difference_to_standard(cell, variant, edges, None, asked_case)
        return cell

    def _add(
        self,
        info: SubjectInfo,
        verified: Verified,
        answers: Mapping[str, ProbeAnswer],
        source: Source,
        cells: list[Cell],
        call: str | None = None,
    ) -> None:
        """Add a subject, its cells and its findings to the rows."""
        subject, identification = identity(self.row, info), verified.identification
        if verified.suggested is None:
            findings = subject_findings(subject, info.metric, identification, answers, info)
        else:
            findings = [refused_at_size(subject, verified)]
        codes = [finding["code"] for finding in findings]
        bundle = self.shared.bundle
        for cell in cells:
            of_cell = cell_findings(subject, cell)
            cell["findings"] = list(dict.fromkeys([*codes, *(finding["code"] for finding in of_cell)]))
            signed(cell, identification, bundle.manifest, bundle.case.threshold)
            findings = merge(findings, of_cell)
        self.subjects.append(
            subject_row(subject, info, identification, answers, source, call=call, evidence=verified.evidence)
        )
        self.cells += cells
        self.findings += [work_out(finding, identification) for finding in findings]


def _add_difference_to_standard(
    cell: Cell, variant: Variant | None, edges: Edges, reply: Reply | None, asked_case: AskedCase
) -> None:
    """Add to a cell how far its users' values lie from those of the metric's standard variant, if users have values."""
    gaps = difference_to_standard(cell["metric"], cell["k"], variant, edges, reply, asked_case.matches)
    if gaps is not None:
        cell["difference_to_standard"] = gaps


def _with_asked(cell: Cell, asked_case: AskedCase) -> Cell:
    """The cell, which says where only a sample of the users was asked about."""
    if asked_case.asked is not None:
        cell["asked"] = asked_case.asked
    return cell
