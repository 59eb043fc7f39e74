"""Real libraries for the tests: one worker for each release that is asked, kept while the tests of a module run."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from metric_adapters.case_files import save_case
from metric_harness.libraries.describe import Library, Release, find_libraries
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.git_sources import VARIABLE, local_repository
from metric_harness.libraries.prepare import Ready, ready
from metric_harness.libraries.staging import stage
from metric_harness.system.progress import Reporter
from metric_harness.worker.process import Reply, StartFailure, Worker
from metric_reference.case import Case

LIBRARIES = find_libraries()
CORE = ("lenskit", "recbole", "recommenders", "recpack", "rs_metrics", "torchmetrics")
"""Libraries whose newest release takes less than a minute to build."""
CHOICE = "METRIC_HARNESS_TEST_LIBRARIES"
"""The variable that carries pytest's --libraries to the processes of a run."""


def made_ready(library: Library, release: Release) -> Ready:
    """All that a release needs; the test is skipped where its repository or a fitting Python is not on this machine."""
    which = os.environ.get(CHOICE, "all")
    core = library.key in CORE and release == library.newest()
    if which != "all" and core != (which == "core"):
        pytest.skip(f"--libraries {which} leaves {library.name} {release.version} out")
    if release.commit and local_repository(library, {}) is None:
        pytest.skip(f"{library.name} {release.version} is a git commit: {VARIABLE} names no folder with its repository")
    try:
        return ready("isolated", library, release, {}, Reporter(quiet=True))
    except EnvironmentFailure as failure:
        if SpecifierSet(release.python).contains(platform.python_version()):
            raise
        pytest.skip(str(failure))


def worker_of(library: Library, release: Release, log: Path) -> Worker:
    """A worker for a release that has not started."""
    asked = made_ready(library, release)
    return Worker(asked.launch(stage([library]), library.key, log))


class Live:
    """The releases under test; ``folder`` holds their cases, logs and answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: dict[tuple[str, str], Worker] = {}
        self.asked = 0

    def worker(self, key: str, version: str | None = None) -> Worker:
        """The worker of a release, the newest if none is named; skips where it needs Java and there is none."""
        library = LIBRARIES[key]
        release = library.release(version) if version else library.newest()
        if (key, release.version) not in self.workers:
            worker = worker_of(library, release, self.folder / f"{key}-{release.version}.log")
            try:
                worker.start()
            except StartFailure as failure:
                worker.close()
                if "needs Java" in str(failure):
                    pytest.skip(str(failure))
                raise
            self.workers[key, release.version] = worker
        return self.workers[key, release.version]

    def ask(self, key: str, function: str, case: Case, k: int, version: str | None = None) -> Reply:
        """Ask a function for a case; skips where it needs a compiled part that is not there."""
        library = LIBRARIES[key]
        if "compiled" in library.subjects[function].needs:
            release = library.release(version) if version else library.newest()
            if reason := made_ready(library, release).reason_against(library.subjects[function].needs):
                pytest.skip(f"{library.name} {reason}")
        worker = self.worker(key, version)
        self.asked += 1
        folder = self.folder / str(self.asked)
        save_case(case, folder)
        return worker.ask(function, folder, k, self.folder / f"{self.asked}.out", timeout=120)

    def close(self) -> None:
        """End the workers."""
        for worker in self.workers.values():
            worker.close()
