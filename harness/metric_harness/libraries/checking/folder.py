"""Checks a library's folder, from its text to the answers of its functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from metric_adapters.case_files import save_small_case
from metric_harness.libraries.adapter_text import AdapterText, line_of_function, read_adapter
from metric_harness.libraries.checking.functions import Asked, check_function
from metric_harness.libraries.checking.outcome import FolderCheck
from metric_harness.libraries.checking.start import mistake_of_start
from metric_harness.libraries.describe import Library, Release, SubjectInfo, read_library
from metric_harness.libraries.mistake import LibraryError, Mistake
from metric_harness.libraries.prepare import Ready, ready
from metric_harness.libraries.staging import stage
from metric_harness.libraries.toml_page import FILE
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import StartFailure

MEMORY = 8 << 30
"""Bytes that a library may hold."""
ProbesOf = Callable[[SubjectInfo], Sequence[Asked]]
"""The tiny cases that a function is asked, from what library.toml says of it."""


def check_folder(
    folder: Path,
    environment: str,
    version: str | None,
    sources: Mapping[str, Path],
    probes_of: ProbesOf,
    reporter: Reporter,
) -> FolderCheck:
    """Check a library's folder; a step is skipped if one that it depends on found a mistake.

    version : the release that is asked, the newest if None. probes_of : the tiny cases that a function is asked.
    """
    result = FolderCheck(folder)
    try:
        library = read_library(folder)
    except LibraryError as error:
        for mistake in error.mistakes:
            result.found(FILE, mistake)
        if (adapter := folder / "adapter.py").is_file():
            _check_text(adapter, result)
        result.add("functions", "skipped", f"not asked; mend {FILE} first")
        return result
    result.add(FILE, "ok", f"fits the schema; releases: {', '.join(release.version for release in library.releases)}")
    adapters = dict.fromkeys(release.adapter for release in library.releases)
    texts = {adapter: _check_text(folder / f"{adapter}.py", result) for adapter in adapters}
    try:
        release = library.newest() if version is None else library.release(version)
        result.release = release.version
        text = texts[release.adapter]
        if text.mistakes:
            result.add("functions", "skipped", f"not asked; mend {text.file.name} first")
            return result
        prepared = ready(environment, library, release, sources, reporter)
        _ask(library, release, text, prepared, environment, probes_of, result)
    except HarnessError as error:
        result.add("environment", "cannot_run", str(error))
    return result


def _check_text(file: Path, result: FolderCheck) -> AdapterText:
    """Check the source of an adapter without running it."""
    text = read_adapter(file)
    for mistake in text.mistakes:
        result.found(file.name, mistake)
    if not text.mistakes:
        result.add(file.name, "ok", "is Python and has SUBJECTS and version()")
    return text


def _ask(
    library: Library,
    release: Release,
    text: AdapterText,
    prepared: Ready,
    environment: str,
    probes_of: ProbesOf,
    result: FolderCheck,
) -> None:
    """Start the adapter, compare its subjects with library.toml and ask each of them."""
    with scratch("check-") as name:
        root = Path(name)
        with Worker(prepared.launch(stage([library]), library.key, root / "log.txt", MEMORY)) as worker:
            try:
                started = worker.start()
            except StartFailure as failure:
                cause = mistake_of_start(failure, library, text, environment)
                if isinstance(cause, Mistake):
                    result.found("start", cause)
                else:
                    result.add("start", "cannot_run", cause)
                return
            result.add("start", "ok", f"starts on Python {started['python']}; version() says {started['version']}")
            _compare_subjects(library, release, text, prepared, set(started["subjects"]), result)
            for info in library.subjects_of(release).values():
                if reason := prepared.reason_against(info.needs):
                    result.add(info.function, "skipped", reason)
                elif info.function in started["subjects"]:
                    probes = probes_of(info)
                    for probe in probes:
                        save_small_case(probe.case, root / probe.name)
                    check_function(worker, info, probes, root, text, result)


def _compare_subjects(
    library: Library, release: Release, text: AdapterText, prepared: Ready, offered: set[str], result: FolderCheck
) -> None:
    """Check that library.toml and SUBJECTS name the same functions; SUBJECTS may also have those of other releases."""
    mistakes = []
    described = library.subjects_of(release)
    for name, info in described.items():
        if name not in offered and not prepared.reason_against(info.needs):
            what, remedy = f"{name!r} is in {FILE} and not in SUBJECTS", f"add it to SUBJECTS, or remove it from {FILE}"
            mistakes.append(Mistake(text.file, text.subjects, "SUBJECTS", what, remedy))
    for name in sorted(offered - library.subjects.keys()):
        what = f"{name!r} is in SUBJECTS and not in {FILE}"
        remedy = f'add [subjects."{name}"] to {FILE}, or remove it here'
        mistakes.append(Mistake(text.file, line_of_function(text, name), "SUBJECTS", what, remedy))
    for mistake in mistakes:
        result.found("subjects", mistake)
    if not mistakes:
        result.add("subjects", "ok", f"SUBJECTS and {FILE} name the same functions: {', '.join(described)}")
