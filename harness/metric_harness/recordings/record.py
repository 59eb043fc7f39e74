"""Makes recordings: asks every function of a release every probe, and writes the answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.prepare import ready
from metric_harness.libraries.staging import stage
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.library_evidence import AskCase, verify_function
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.recordings.read import write_recording
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.worker.case_folders import CaseFolders
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reports.types.common import Evidence


def record_release(
    library: Library, release: Release, environment: str, sources: Mapping[str, Path], memory: int, reporter: Reporter
) -> Path:
    """Ask a release all probes and the verification cases, and write its recording; returns the file.

    Raises HarnessError where it cannot run here, and leaves an older recording as it is.
    """
    probes = library_probes()
    prepared = ready(environment, library, release, sources, reporter)
    answers: dict[str, dict[str, ProbeAnswer]] = {}
    missing: dict[str, str] = {}
    evidence: dict[str, Evidence] = {}
    with scratch("record-") as name:
        root = Path(name)
        cases = CaseFolders(root / "cases")
        with Worker(prepared.launch(stage([library]), library.key, root / "log.txt", memory)) as worker:
            started = worker.start()
            subjects = library.subjects_of(release)
            with reporter.task(f"Recording {library.name} {release.version}", len(subjects) * len(probes)) as advance:
                for info in subjects.values():
                    if reason := prepared.reason_against(info.needs):
                        missing[info.function] = reason
                        continue

                    def ask(case: Case, k: int, function: str = info.function) -> Reply:
                        return worker.ask(function, cases.folder(case), k, root / "answer", PROBE_TIMEOUT)

                    def ask_probe(probe: Probe, ask: AskCase = ask) -> Reply:
                        return ask(probe.case, probe.k)

                    def step(function: str = info.function) -> None:
                        advance(1, function)

                    by_probe = ask_probes(probes, info.metric, ask_probe, step, info.needs)
                    answers[info.function] = by_probe
                    suggestion = identify(info.metric, by_probe)
                    evidence[info.function] = verify_function(ask, suggestion, by_probe, info.needs).evidence
    return write_recording(library, release, started, answers, evidence, missing, probes)
