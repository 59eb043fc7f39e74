"""The worker of an audit: of a library's release, a user's function, or a program."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from metric_harness.libraries.staging import stage
from metric_harness.naming.options import Options
from metric_harness.naming.target import Target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.launch import Launch
from metric_harness.worker.process import Worker

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library, Release
    from metric_harness.libraries.prepare import Ready


class NoInterpreter(HarnessError):
    """There is no Python where the options name one."""

    passing = True


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


def own_worker(
    target: Target, convention: str | None, folder: Path, options: Options, reporter: Reporter | None = None
) -> Worker:
    """A worker for a function of the user in the current environment, or for a program."""
    python = resolve_interpreter(options.environment)
    launch = Launch(python=python, staged=stage([]), name="own", log=folder / "log.txt", memory=options.memory)
    if target.command:
        return Worker(replace(launch, command=target.command, start_timeout=options.start_timeout))
    if options.with_:
        from metric_harness.naming.with_packages import python_with

        python = python_with(options.with_, reporter)
    folders = [word for folder in options.folders for word in ("--folder", str(folder))]
    launch = replace(
        launch,
        python=python,
        start_timeout=options.start_timeout,
        target=target.own,
        convention=convention,
        arguments=[*folders, *([] if options.bytecode else ["--no-bytecode"])],
    )
    return Worker(launch)


def resolve_interpreter(environment: str) -> Path:
    """The Python that runs a user's function: the current one, or the one that ``--environment`` names."""
    if environment in ("isolated", "current"):
        return Path(sys.executable)
    path = Path(environment)
    inside = path / "bin" / "python"
    python = inside if inside.exists() else path
    if not python.is_file():
        raise NoInterpreter(f"--environment {environment}: no Python there; give current, or the path of a Python")
    return python.absolute()
