"""Making recordings: every function of a release is asked every probe, and the answers are written down."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from adapters.case_files import save_case
from harness.ask import Worker
from harness.asking import PROBE_TIMEOUT, ask_probes
from harness.identification import ProbeAnswer
from harness.libraries import Library, Release
from harness.probes import Probe, all_probes
from harness.progress import Reporter
from harness.readiness import ready
from harness.recordings import write_recording
from harness.reply import Reply
from harness.staging import stage


def record_release(
    library: Library, release: Release, environment: str, sources: Mapping[str, Path], memory: int, reporter: Reporter
) -> Path:
    """Ask a release all probes and write its recording; returns the file.

    Raises HarnessError where it cannot run here; an older recording stays as it is then.
    """
    probes = all_probes()
    asked = ready(environment, library, release, sources, reporter)
    answers: dict[str, dict[str, ProbeAnswer]] = {}
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="metric-harness-") as name:
        root = Path(name)
        for probe in probes:
            save_case(probe.case, root / probe.name)
        worker = Worker(
            asked.python, stage([library]), library.key, root / "log.txt", memory=memory, arguments=asked.arguments
        )
        with worker:
            started = worker.start()
            subjects = library.subjects_of(release)
            with reporter.task(f"Recording {library.name} {release.version}", len(subjects) * len(probes)) as advance:
                for info in subjects.values():
                    if reason := asked.reason_against(info.needs):
                        missing[info.function] = reason
                        continue

                    def ask(probe: Probe, function: str = info.function) -> Reply:
                        return worker.ask(function, root / probe.name, probe.k, root / "answer", PROBE_TIMEOUT)

                    def step(function: str = info.function) -> None:
                        advance(1, function)

                    answers[info.function] = ask_probes(probes, info.metric, ask, step, info.needs)
    return write_recording(library, release, started, answers, missing, probes)
