"""Asks one release: builds its environment, asks its functions all probes, and removes the environment again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from metric_harness.history.recipes import ways
from metric_harness.history.releases import date_of
from metric_harness.history.search import has_number
from metric_harness.libraries.cached import remove
from metric_harness.libraries.describe import Library, Release, folder_digest
from metric_harness.libraries.environments import (
    EnvironmentFailure,
    NoFittingPython,
    complete_python,
    find_python,
    planned,
)
from metric_harness.libraries.prepare import ready
from metric_harness.libraries.staging import stage
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.recordings.read import mark, read_answer, written_answer
from metric_harness.system import store
from metric_harness.system.caches import cache_dir
from metric_harness.system.pip_settings import uv_environment
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.worker.case_folders import CaseFolders
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.process import Reply, StartFailure, Worker
from metric_harness.worker.reply import NoAnswer

Answers = dict[str, dict[str, ProbeAnswer]]
LONGEST_ERROR = 200


@dataclass(frozen=True)
class Asked:
    """What one release answered.

    day : when it was uploaded, empty if unknown; answers : by function, then by probe; packages : of its environment;
    error : why it could not be asked, on one line, empty where it could.
    """

    version: str
    day: str
    answers: Answers = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True)
class Asking:
    """How the releases of a library are asked.

    others : all libraries; memory : bytes that a library may hold; fresh : ignore kept answers.
    """

    library: Library
    others: Iterable[Library]
    memory: int = 8 << 30
    fresh: bool = False
    reporter: Reporter = field(default_factory=Reporter)


def kept_at(asking: Asking, version: str) -> Path:
    """The file that keeps the answers of a release; its name has a digest of all that they depend on."""
    library = asking.library
    inputs = store.digest(
        folder_digest(library.folder),
        [asdict(replace(release, note="")) for release in library.releases],
        [(info.function, info.metric, info.needs) for info in library.subjects.values()],
        [mark(probe) for probe in library_probes()],
    )
    return cache_dir("history") / f"{library.key}-{version}-{inputs[:16]}.json"


def ask_release(asking: Asking, version: str) -> Asked:
    """What a release answers, kept from an earlier run or asked now; a failure is returned as ``error``.

    It is kept too, but for a Python that is missing: the next run may find one.
    """
    path = kept_at(asking, version)
    if not asking.fresh and (kept := read_kept(path)) is not None:
        return kept
    library = asking.library
    day = date_of(library.distribution, version, find_python(library, library.newest())[1])
    errors: list[Exception] = []
    for release in ways(library, version, day, asking.others):
        try:
            answers, packages = ask_one(asking, release)
        except (EnvironmentFailure, StartFailure) as error:
            errors.append(error)
            continue
        asked = Asked(version, day, answers, packages)
        if any(map(has_number, answers.values())):
            break
        errors.append(StartFailure(reason := first_error(answers), NoAnswer("exception", reason)))
    else:
        asked = Asked(version, day, error=one_line(errors))
    if not (asked.error and any(isinstance(error, NoFittingPython) for error in errors)):
        write_kept(path, asked)
    return asked


def one_line(errors: list[Exception]) -> str:
    """The most telling error: that of a library that was installed but did not run, else that of the first way."""
    shown = next((error for error in errors if isinstance(error, StartFailure)), errors[0])
    if isinstance(shown, StartFailure):
        return plain(shown.cause.line)
    lines = [line for line in str(shown).splitlines() if line.strip() and not line.startswith("All of uv's output")]
    telling = [line for line in lines if any(word in line for word in ("rror", "Because", "failed"))]
    return plain((telling or lines)[-1].removeprefix("cause: "))


def plain(text: str) -> str:
    """A message on one line, without the paths of this computer."""
    text = re.sub(r"\s*\(/[^)]*\)|(?<![\w/])/(?:[\w.+@-]+/)+", "", " ".join(text.split()))
    return text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]}..."


def first_error(answers: Answers) -> str:
    """The first error of functions that gave no number."""
    errors = (answer.error for by_probe in answers.values() for answer in by_probe.values() if answer.error)
    return f"no function gave a number: {next(errors, 'nothing was asked')}"


def ask_one(asking: Asking, release: Release) -> tuple[Answers, dict[str, str]]:
    """The answers of a release in one environment, by the newest names of its functions and its packages.

    The environment is removed unless it was there before. Raises EnvironmentFailure or StartFailure.
    """
    library = asking.library
    folder = planned(library, release, uv_environment())[0]
    existed = complete_python(folder) is not None
    new_names = {info.formerly: info.function for info in library.subjects.values() if info.formerly}
    answers: Answers = {}
    try:
        prepared = ready("isolated", library, release, {}, asking.reporter)
        with scratch("history-") as name:
            root = Path(name)
            cases = CaseFolders(root / "cases")
            with Worker(prepared.launch(stage([library]), library.key, root / "log.txt", asking.memory)) as worker:
                started = worker.start()
                for info in library.subjects_of(release).values():
                    if info.function not in started["subjects"] or prepared.reason_against(info.needs):
                        continue

                    def ask(probe: Probe, function: str = info.function) -> Reply:
                        return worker.ask(function, cases.folder(probe.case), probe.k, root / "answer", PROBE_TIMEOUT)

                    answers[new_names.get(info.function, info.function)] = ask_probes(
                        library_probes(), info.metric, ask, needs=info.needs
                    )
        return answers, started["packages"]
    finally:
        if not existed:
            remove(folder)
            remove(folder.with_name(f"{folder.name}.log"))


def read_kept(path: Path) -> Asked | None:
    """The answers of an earlier run; None without any."""
    page = store.kept(path)
    if page is None:
        return None
    answers = {name: {row["probe"]: read_answer(row) for row in rows} for name, rows in page.pop("answers").items()}
    return Asked(answers=answers, **page)


def write_kept(path: Path, asked: Asked) -> None:
    """Keep the answers of a release for later runs."""
    answers = {
        name: [written_answer(probe, answer) for probe, answer in by_probe.items()]
        for name, by_probe in asked.answers.items()
    }
    store.keep(path, vars(asked) | {"answers": answers, "packages": dict(asked.packages)})
