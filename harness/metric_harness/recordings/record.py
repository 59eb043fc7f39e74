"""Makes recordings: asks every function of a release every probe, and writes the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from metric_harness.libraries.describe import Library, Release, SubjectInfo
from metric_harness.libraries.prepare import ready
from metric_harness.libraries.staging import stage
from metric_harness.naming.cases.constant_cases import constant_cases
from metric_harness.naming.cases.verification_cases import LIBRARY
from metric_harness.naming.evidence import branches_row, limits_of
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.library_evidence import Verified, verify_function
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.recordings.read import read_recording, write_recording
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.worker.case_folders import CaseFolders
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.process import StartFailure, Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reports.types.common import IN_PART, REFUSED, VERIFIED, Evidence

PLACES_KEPT = 10
"""At most this many places of code that never ran are kept; much of it is of the library's own machinery."""


@dataclass(frozen=True)
class Asking:
    """Asks the functions of one release through its worker; the cases are written once."""

    worker: Worker
    folder: Path
    cases: CaseFolders
    probes: Sequence[Probe]

    def ask(self, function: str, case: Case, k: int) -> Reply:
        """The reply of a function to a case."""
        return self.worker.ask(function, self.cases.folder(case), k, self.folder / "answer", PROBE_TIMEOUT)

    def everything(
        self, info: SubjectInfo, step: Callable[[], None] = lambda: None
    ) -> tuple[dict[str, ProbeAnswer], Verified]:
        """The answers of a function to the probes, and its evidence; ``step`` is called for each probe."""
        side = partial(self.ask, info.function)
        answers = ask_probes(self.probes, info.metric, lambda probe: side(probe.case, probe.k), step, info.needs)
        return answers, verify_function(side, identify(info.metric, answers), answers, info)

    def measured(self, info: SubjectInfo, evidence: Evidence) -> Evidence:
        """The evidence of a verified function with the branches that run when everything is asked again.

        Refused if an answer then departs, or one around the numbers that its code compares (cases without training
        data, which metrics beyond accuracy read). The worker has to be new. StartFailure if it does not say what ran.
        """
        self.worker.measure(info.function)
        answers, again = self.everything(info)
        branches = self.worker.ran(info.function)
        if again.evidence["confidence"] == REFUSED:
            return again.evidence
        limits = limits_of(again.identification, answers, LIBRARY)
        cases = [] if limits.beyond else constant_cases(branches.constants, limits, all_users=True)
        if cases:
            side = partial(self.ask, info.function)
            around = verify_function(side, again.identification, answers, info, cases).evidence
            if around["condition"] is not None:
                return around
            branches = self.worker.ran(info.function)
        if not branches.of:
            return evidence
        row = branches_row(branches)
        return {**evidence, "branches": {**row, "missed": row["missed"][:PLACES_KEPT]}}


def record_release(
    library: Library,
    release: Release,
    environment: str,
    sources: Mapping[str, Path],
    memory: int,
    reporter: Reporter,
    path: Path | None = None,
) -> Path:
    """Ask a release all probes and the verification cases, and write its recording; returns the file.

    path : where to, if not beside the adapter.
    What is verified is asked again in a new process, while the branches of its code are counted. Raises HarnessError
    where the release, or a function of its older recording, cannot run here, and leaves the older one as it is.
    """
    probes = library_probes()
    prepared = ready(environment, library, release, sources, reporter)
    subjects = library.subjects_of(release)
    missing = {name: why for name, info in subjects.items() if (why := prepared.reason_against(info.needs))}
    older = read_recording(library, release)
    if lost := next((name for name in missing if older and name in older.answers), None):
        raise HarnessError(f"{lost} is recorded and cannot be asked here: {missing[lost]}")
    answers: dict[str, dict[str, ProbeAnswer]] = {}
    evidence: dict[str, Evidence] = {}
    with scratch("record-") as name:
        root = Path(name)
        with Worker(prepared.launch(stage([library]), library.key, root / "log.txt", memory)) as worker:
            started = worker.start()
            asking = Asking(worker, root, CaseFolders(root / "cases"), probes)
            asked = [info for name, info in subjects.items() if name not in missing]
            with reporter.task(f"Recording {library.name} {release.version}", len(asked) * len(probes)) as advance:
                for info in asked:
                    answers[info.function], verified = asking.everything(info, partial(advance, 1, info.function))
                    evidence[info.function] = verified.evidence
            worker.start()
            for function, row in evidence.items():
                if row["confidence"] in (VERIFIED, IN_PART):
                    with suppress(StartFailure):
                        evidence[function] = asking.measured(subjects[function], row)
    return write_recording(library, release, started, answers, evidence, missing, probes, path)
