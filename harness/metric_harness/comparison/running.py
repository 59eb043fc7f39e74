"""A running comparison: asks releases side by side, and puts their rows together in the order of the releases."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.asked_cases import AskedCases
from metric_harness.comparison.durations import durations, keep_durations
from metric_harness.comparison.kept_parts import kept_parts
from metric_harness.comparison.release_run import ReleaseRun
from metric_harness.comparison.releases import release_findings
from metric_harness.comparison.rows import describe_unusable, rows_without_answers
from metric_harness.comparison.shared import Chosen, Settings, Shared
from metric_harness.libraries.mistake import LibraryError
from metric_harness.libraries.staging import stage
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.system.progress import Advance, Reporter
from metric_harness.system.scratch import scratch
from metric_harness.system.side_by_side import heed_calling_off, jobs_within, side_by_side
from metric_harness.worker.answer_store import AnswerStore
from metric_harness.worker.case_folders import CaseFolders
from metric_reports.types import run as rows
from metric_reports.types.run import Cell, LibraryFinding, Subject
from metric_reports.view.words import count


class Comparison:
    """A running comparison: the bundle, and the rows of the record."""

    def __init__(self, bundle: Bundle, settings: Settings, out: Path, reporter: Reporter) -> None:
        self.bundle, self.settings, self.out, self.reporter = bundle, settings, out, reporter
        self.kept = kept_parts(out, settings.fresh)
        self.probes: list[Probe] = library_probes()
        self.libraries: list[rows.Library] = []
        self.subjects: list[Subject] = []
        self.cells: list[Cell] = []
        self.findings: list[LibraryFinding] = []

    def run(self, chosen: Sequence[Chosen], unusable: Sequence[LibraryError] = ()) -> None:
        """Ask all releases; one that cannot run, or whose folder has mistakes, loses only its own cells.

        KeyboardInterrupt ends every worker before it is raised.
        """
        asked = [pair for pair in chosen if self.settings.asks(pair[0])]
        jobs, libraries = self._jobs(len(asked)), {library.key: library for library, _ in chosen}
        if recorded := len(chosen) - len(asked):
            self.reporter.detail(f"{count(recorded, 'release')} predicted from recordings; --live asks them too")
        staged = stage(list(libraries.values()))
        titles = list(map(_title_of, asked))
        title = f"Asking {titles[0]}" if len(asked) == 1 else f"Asking {len(asked)} libraries, {jobs} at a time"
        steps = sum(self._steps(pair) for pair in asked)
        with scratch("cases-") as folder, self.reporter.task(title, steps) as advance:
            cases = CaseFolders(Path(folder), {probe.name: probe.case for probe in self.probes})
            shared = Shared(
                bundle=self.bundle,
                settings=self.settings,
                out=self.out,
                reporter=self.reporter,
                store=AnswerStore(self.out / "answers", self.reporter.say, self.settings.fresh),
                kept=self.kept,
                probes=self.probes,
                cases=cases,
                asked_cases=AskedCases(self.bundle, cases),
                staged=staged,
            )
            seconds: dict[str, float] = {}
            order = self._longest_first(chosen)
            runs = [partial(self._run_one, shared, advance, chosen[i], titles, seconds) for i in order]
            finished = dict(zip(order, side_by_side(runs, jobs), strict=True))
        keep_durations(seconds)
        releases = [finished[i] for i in range(len(chosen))]
        for release in releases:
            self.libraries.append(release.row)
            self.subjects += release.subjects
            self.cells += release.cells
            self.findings += release.findings
        for error in unusable:
            row, functions = describe_unusable(error)
            self.libraries.append(row)
            for info in functions:
                subject, cells = rows_without_answers(row, info, self.settings.ks, error.summary())
                self.subjects.append(subject)
                self.cells += cells
        depends = [[release.code for release in releases], self.subjects]
        self.findings += self.kept.once("release_findings", depends, lambda: release_findings(chosen, self.subjects))

    def _longest_first(self, chosen: Sequence[Chosen]) -> list[int]:
        """The positions of the releases in the order in which they start; those that never ran here are first."""
        last = durations()
        seconds = [last.get(_title_of(pair), float("inf")) if self.settings.asks(pair[0]) else 0.0 for pair in chosen]
        return sorted(range(len(chosen)), key=lambda i: -seconds[i])

    def _run_one(
        self, shared: Shared, advance: Advance, pair: Chosen, waiting: list[str], seconds: dict[str, float]
    ) -> ReleaseRun:
        """Run one release, and advance the progress by all of its steps, even those that were not needed.

        waiting : the titles of the releases that have not ended; seconds : gets those of the release, if it was asked.
        """
        library, release = pair
        begun = time.monotonic()
        steps_left = self._steps(pair) if self.settings.asks(library) else 0

        def step(text: str) -> None:
            nonlocal steps_left
            heed_calling_off()
            steps_left -= 1
            advance(1, f"{library.name} {text}")

        finished = ReleaseRun(shared, library, release, step).run()
        if (title := _title_of(pair)) in waiting:
            waiting.remove(title)
            advance(steps_left)
            if not finished.kept:
                seconds[title] = round(time.monotonic() - begun, 1)
            if waiting:
                self.reporter.detail(f"{title}: done; {len(waiting)} to go: {', '.join(waiting)}")
        return finished

    def _steps(self, pair: Chosen) -> int:
        library, release = pair
        return len(library.subjects_of(release)) * (len(self.probes) + len(self.settings.ks))

    def _jobs(self, releases: int) -> int:
        """How many releases run at once; tells the user if these are fewer than ``--jobs``."""
        wanted, memory = self.settings.jobs, self.settings.memory
        jobs = jobs_within(wanted, memory)
        if wanted is not None and jobs < min(wanted, releases):
            self.reporter.say(
                f"{jobs} of {wanted} libraries are asked at a time: each may hold {memory / 2**30:g} GiB, and together "
                "they must not hold more than this computer has; a smaller --memory lets more of them run"
            )
        return max(1, min(jobs, releases))


def _title_of(pair: Chosen) -> str:
    """The name and version of a release, for messages."""
    library, release = pair
    return f"{library.name} {release.version}"
