"""``metric-harness library list`` and ``library record``: the libraries, and recordings of their answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from metric_harness.cli import options, values
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo, say, to_json
from metric_reports.view.words import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metric_harness.libraries.describe import Library, Release
    from metric_harness.libraries.mistake import LibraryError

EXAMPLES_OF_LIBRARIES = """
[bold]Examples[/bold]

metric-harness library list

metric-harness library list --json
"""

EXAMPLES_OF_RECORD = """
[bold]Examples[/bold]

metric-harness library record recbole

metric-harness library record elliot --releases all --source elliot=../elliot
"""

FAMILIES = ("rec", "ir", "rag", "ltr", "ml")
"""Recommenders, information retrieval, retrieval for language models, learning to rank, machine learning at large."""
RELEASES = ("newest", "paper", "all")


def pick(libraries: Sequence[Library], which: str) -> list[tuple[Library, Release]]:
    """The releases of libraries: ``newest``, ``paper`` (those that the paper of 2021 used) or ``all``.

    HarnessError for any other word.
    """
    values.one_of("--releases", which, RELEASES)
    chosen = []
    for library in libraries:
        paper = library.of_paper()
        if which == "all":
            chosen += [(library, release) for release in library.releases]
        elif which == "newest":
            chosen.append((library, library.newest()))
        elif paper is not None:
            chosen.append((library, paper))
    return chosen


def choose(known: dict[str, Library], wanted: str | None, which: str = "newest") -> list[tuple[Library, Release]]:
    """The releases named by ``--libraries`` (``recbole``, ``recbole==0.2.1``, ``rag``), or those of all libraries."""
    if wanted is None:
        return pick(list(known.values()), which)
    names = members(known, wanted)
    unknown = [name for name in names if name.partition("==")[0] not in known]
    if unknown or not names:
        raise HarnessError(
            f"--libraries {wanted}: there is no {', '.join(unknown) or 'name'}; known: {', '.join(known)}, "
            f"and the families {', '.join((*FAMILIES, 'paper', 'all'))}"
        )
    chosen: list[tuple[Library, Release]] = []
    for name in dict.fromkeys(names):
        key, _, version = name.partition("==")
        releases = [(known[key], known[key].release(version))] if version else pick([known[key]], which)
        chosen += [release for release in releases if release not in chosen]
    return chosen


def members(known: dict[str, Library], wanted: str) -> list[str]:
    """The names separated by commas, each once, with a family, ``paper`` or ``all`` replaced by its libraries."""
    names: list[str] = []
    for name in filter(None, (name.strip() for name in wanted.split(","))):
        family = [key for key, library in known.items() if name in ("all", library.family)]
        if name == "paper":
            family = [key for key, library in known.items() if library.of_paper()]
        names += [name] if name in known else family or [name]
    return list(dict.fromkeys(names))


def asked_live(known: dict[str, Library], wanted: str | None, live: str | None) -> frozenset[str]:
    """The libraries that a comparison asks; of the others it shows the recordings.

    wanted : ``--libraries``; if given, all libraries are asked, else those that library.toml calls live. live :
    ``--live``, further names, families or ``all``.
    """
    if wanted is not None:
        return frozenset(known)
    more = () if live is None else (library.key for library, _ in choose(known, live))
    return frozenset([key for key, library in known.items() if library.live]).union(more)


def set_aside(wanted: str | None, broken: dict[str, LibraryError]) -> tuple[str | None, list[LibraryError]]:
    """``--libraries`` without the broken libraries, and the errors of those that it names (of all if it is None).

    HarnessError if it names only broken libraries.
    """
    if wanted is None:
        return None, list(broken.values())
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    unusable = [broken[key] for name in names if (key := name.partition("==")[0]) in broken]
    usable = [name for name in names if name.partition("==")[0] not in broken]
    if unusable and not usable:
        raise HarnessError("\n".join(["no library is left; mend these mistakes:", *map(str, unusable)]))
    return ",".join(usable) if unusable else wanted, list(dict.fromkeys(unusable))


def print_unusable(unusable: Sequence[LibraryError]) -> None:
    """Print which libraries are left out because their folders have mistakes."""
    for error in unusable:
        say(f"{error.folder.name}: not available: its folder has mistakes\n{error}", err=True)


def libraries_command(
    adapters: options.Adapters = None,
    source: options.Source = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Where each comes from, and its functions by metric.")
    ] = False,
) -> None:
    """List every library and release: how it is obtained, whether it can run here, and the functions to be asked."""
    from metric_harness.libraries.describe import find_usable
    from metric_harness.libraries.git_sources import parse_sources

    known, broken = find_usable(adapters or [])
    print_unusable(list(broken.values()))
    sources = parse_sources(source or [], [*known, *broken])
    rows = [
        describe(library, release, sources, measured=verbose or as_json)
        for library, release in pick(list(known.values()), "all")
    ]
    if as_json:
        echo(to_json(rows))
    elif verbose:
        print_details(rows, Console())
    else:
        print_list(rows)


def print_list(rows: Sequence[dict[str, Any]]) -> None:
    """A line for each release."""
    head = ("library", "release", "family", "functions", "recorded", "built")
    texts = [
        (
            row["library"],
            f"{row['title']} {row['release']}",
            row["family"],
            str(len(row["functions"])),
            row["recorded"] or "no",
            row["built"],
        )
        for row in rows
    ]
    say("\n".join(aligned([head, *texts])))


def print_details(rows: Sequence[dict[str, Any]], console: Console) -> None:
    """All that is known of each release, and its functions by metric."""
    for row in rows:
        marks = [mark for mark in ("paper", "newest") if row[mark]]
        suffix = f"  ({', '.join(marks)})" if marks else ""
        console.print(
            Text.assemble((row["library"], "bold"), f"  {row['title']} {row['release']}{suffix}  {row['family']}")
        )
        size = f", {row['megabytes']} MB" if row["megabytes"] is not None else ""
        for name, text in (
            ("from", row["from"]),
            ("environment", row["environment"] + size),
            ("compiled", row["compiled"]),
            ("recording", row["recording"]),
        ):
            if text is None:
                continue
            console.print(f"    {name:12} {text}", highlight=False, markup=False, soft_wrap=True)
        by_metric: dict[str, list[str]] = {}
        for function, metric in row["functions"].items():
            by_metric.setdefault(metric, []).append(function)
        for metric, functions in by_metric.items():
            console.print(f"    {metric:20} {', '.join(functions)}", highlight=False, markup=False, soft_wrap=True)


def describe(library: Library, release: Release, sources: dict[str, Path], measured: bool) -> dict[str, Any]:
    """A release as ``library list`` lists it, without building or fetching anything.

    measured : whether the size of its environment is looked up, file by file.
    """
    from metric_harness.libraries.compiled import build_script, handed_over
    from metric_harness.libraries.disk_size import megabytes
    from metric_harness.libraries.environments import EnvironmentFailure, find_environment
    from metric_harness.libraries.git_sources import local_repository
    from metric_harness.recordings.read import read_recording

    origin = f"the index: {', '.join(release.without_dependencies or release.requirements)}"
    if release.commit:
        try:
            repository = local_repository(library, sources)
        except EnvironmentFailure as failure:
            origin = str(failure)
        else:
            origin = f"commit {release.commit[:12]} of {repository or library.repository}"
    try:
        folder = find_environment(library, release)
        built, state = ("yes", "built") if folder else ("no", "not built yet")
    except EnvironmentFailure as failure:
        folder, built, state = None, "cannot", f"cannot be built here: {failure}"
    compiled = None
    if any("compiled" in info.needs for info in library.subjects_of(release).values()):
        try:
            own_build = handed_over(library)
            compiled = f"handed over in {own_build}" if own_build else f"built on demand by {build_script(library)}"
        except EnvironmentFailure as failure:
            compiled = str(failure)
    recording = read_recording(library, release)
    recording_state = "none" if recording is None else f"of {recording.date}" + (", stale" if recording.stale else "")
    return {
        "library": library.key,
        "title": library.name,
        "family": library.family,
        "live": library.live,
        "release": release.version,
        "paper": release.paper,
        "newest": release is library.newest(),
        "from": origin,
        "python": release.python,
        "built": built,
        "environment": state,
        "megabytes": megabytes(folder) if folder and measured else None,
        "compiled": compiled,
        "recorded": None if recording is None else recording.date,
        "recording": recording_state,
        "commit": release.commit or None,
        "functions": {info.function: info.metric for info in library.subjects_of(release).values()},
    }


def record_command(
    libraries: Annotated[
        str | None, typer.Argument(help="Separated by commas, NAME or NAME==VERSION; all if none.")
    ] = None,
    releases: options.Releases = "all",
    adapters: options.Adapters = None,
    source: options.Source = None,
    environment: options.Environment = "isolated",
    memory: options.Memory = 8.0,
    odd_inputs: Annotated[
        bool, typer.Option("--odd-inputs", help="Ask what odd_inputs.py of the newest release asks, and no probes.")
    ] = False,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask releases all probes and write their recordings beside their adapters.

    A folder with odd_inputs.py has the newest release asked these as well.

    Exit code 0: all were recorded; 2: one could not run, and its older recording stays.
    """
    from metric_harness.libraries.describe import find_usable
    from metric_harness.libraries.dry_run import release_lines
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.recordings.odd_inputs import ask_odd_inputs, asks, write_odd_inputs
    from metric_harness.recordings.read import path_of
    from metric_harness.recordings.record import record_release

    reporter = Reporter(quiet)
    known, broken = find_usable(adapters or [])
    wanted, unusable = set_aside(libraries, broken)
    sources = parse_sources(source or [], [*known, *broken])
    failures = [str(error) for error in unusable]
    chosen = choose(known, wanted, releases)
    if dry_run:
        for library, release in chosen:
            echo("\n".join(release_lines(library, release, environment, sources)))
            echo(f"    would write  {path_of(library, release)}")
        chosen = []
    for library, release in chosen:
        try:
            arguments = (library, release, environment, sources, int(memory * 2**30), reporter)
            written = [] if odd_inputs else [record_release(*arguments)]
            if asks(library) and release == library.newest():
                written.append(write_odd_inputs(library, release, ask_odd_inputs(*arguments)))
            for path in written:
                echo(f"{library.name} {release.version}: {path}")
        except HarnessError as error:
            failures.append(f"{library.name} {release.version}: {error}")
    if failures:
        raise HarnessError("\n".join(["not recorded:", *failures]))
