"""``metric-harness library history``: which release of a library changed what its functions compute."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metric_harness.cli import options, values
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import echo, to_json
from metric_reports.view.words import SCREEN

if TYPE_CHECKING:
    from metric_harness.history.ask import Asking
    from metric_reports.types.history import Change, History

EXAMPLES = """
[bold]Examples[/bold]

metric-harness library history haystack --from 2.0.0

metric-harness library history haystack --function DocumentMAPEvaluator --from 2.30.0 --json

metric-harness library history torchmetrics --dry-run
"""
COMPILED = "numpy scipy pandas scikit-learn numba llvmlite pyarrow lightgbm xgboost catboost"
"""Distributions that compile for many minutes: a release is not asked if they have no wheel for its Python."""
MAX_CHANGES = 30
FUNCTION = "A function whose changes are looked for; may be repeated. All of the adapter's if not given."


def history_command(
    library: Annotated[str, typer.Argument(help="The name of a library.")],
    function: Annotated[list[str] | None, typer.Option(help=FUNCTION)] = None,
    first: Annotated[str | None, typer.Option("--from", help="The oldest version; the first on the index.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="The newest version; the last on the index.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Ask every release, not only as many as it takes to find the changes.")
    ] = False,
    jobs: Annotated[int, typer.Option(callback=values.jobs, help="Releases asked at once.")] = 1,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Ask no further release after this time, and say what is known.")
    ] = None,
    memory: options.Memory = 8.0,
    adapters: options.Adapters = None,
    write: Annotated[bool, typer.Option("--write", help="Write history.json beside the library's adapter.")] = False,
    recordings: Annotated[
        bool,
        typer.Option("--recordings", help="Ask the releases on both sides of the known changes again, alone."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    fresh: options.Fresh = False,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Find the releases of a library that changed what its functions compute.

    The index is asked for the releases, through pip and uv as they are set up. A few that are evenly spaced are asked
    all probes, each in an environment that is removed again; where two differ, those between them are, by halves. A
    change that was taken back between two of the first is seen by --all alone. Answers are kept: the same command goes
    on after an interruption. Large distributions are not compiled unless UV_NO_BUILD_PACKAGE is set to others.
    --write keeps the answers of the releases on both sides of each change as well; --recordings asks these again.

    Exit code 0: every change was found that these releases show; 2: no release could be asked, or --recordings found
    other changes than history.json has.
    """
    from metric_harness.history.ask import Asking
    from metric_harness.history.bisection import ask_releases
    from metric_harness.history.changes import history_of, write_history
    from metric_harness.history.releases import releases_of
    from metric_harness.history.search import samples
    from metric_harness.history.sides import write_sides
    from metric_harness.libraries.describe import find_libraries
    from metric_harness.libraries.environments import find_python

    os.environ.setdefault("UV_NO_BUILD_PACKAGE", COMPILED)
    known = find_libraries(adapters or [])
    if library not in known:
        raise HarnessError(f"{library}: there is no such library; known: {', '.join(known)}")
    chosen, functions = known[library], list(function or [])
    if missing := [name for name in functions if name not in chosen.subjects]:
        raise HarnessError(f"--function {missing[0]}: {library} has {', '.join(chosen.subjects)}")
    if write and functions:
        raise HarnessError("--write holds all functions of a library; leave --function out")
    asking = Asking(chosen, list(known.values()), int(memory * 2**30), fresh, Reporter(quiet, verbose=verbose))
    if recordings:
        echo(f"written: {record_again(asking)}", err=True)
        return
    versions = releases_of(chosen.distribution, find_python(chosen, chosen.newest())[1], first, last)
    if dry_run:
        first_asked = {versions[index] for index in samples(len(versions))}
        echo(f"{chosen.distribution}: {len(versions)} releases; * are asked first")
        echo("\n".join(f"{'*' if everything or version in first_asked else ' '} {version}" for version in versions))
        return
    limit = math.inf if minutes is None else minutes
    asked = ask_releases(asking, versions, jobs, everything, functions, limit)
    history = history_of(chosen, versions, asked, functions)
    if not history["asked"]:
        refused = [f"{version}: {error}" for version, error in history["refused"].items()]
        raise HarnessError("\n".join([f"{library}: no release could be asked:", *refused]))
    echo(to_json(history) if as_json else "\n".join(shown_lines(history, verbose)))
    if write:
        echo(f"written: {write_history(chosen.folder, history)}", err=True)
        write_sides(chosen.folder, history, {release.version: release for release in asked.values()})


def record_again(asking: Asking) -> Path:
    """Ask the releases before and after each change in history.json again and write their answers; returns the file."""
    from metric_harness.history.ask import ask_release
    from metric_harness.history.changes import read_history
    from metric_harness.history.sides import otherwise, sides, told_by, write_sides

    library = asking.library
    history = read_history(library.folder)
    if history is None or not history["changes"]:
        raise HarnessError(
            f"{library.key}: its history has no change; `metric-harness library history {library.key}` looks"
        )
    asked = {}
    for version in sides(history["changes"]):
        asked[version] = ask_release(asking, version)
        if asked[version].error:
            raise HarnessError(f"{library.name} {version}: not asked: {asked[version].error}")
        asking.reporter.detail(f"{library.name} {version}: asked")
    if lines := otherwise(history, told_by(library, history, asked)):
        raise HarnessError("\n".join([f"{library.key}: the answers tell these changes otherwise:", *lines]))
    path = write_sides(library.folder, history, asked)
    assert path is not None
    return path


def lines_of(history: History) -> list[str]:
    """The printed lines of a history."""
    oldest, newest = history["oldest"], history["newest"]
    lines = [
        f"{history['distribution']}: {history['releases']} releases from {dated(*oldest)} to {dated(*newest)}; "
        f"{len(history['asked'])} asked, {len(history['refused'])} could not be asked"
    ]
    for change in history["changes"]:
        lines += ["", *lines_of_change(change)]
    if not history["changes"]:
        lines += ["", "no change: wherever a function gave numbers, they were the same"]
    if history["refused"]:
        lines += ["", "could not be asked:"]
        lines += [f"  {version}  {error}" for version, error in history["refused"].items()]
    return lines


def shown_lines(history: History, verbose: bool) -> list[str]:
    """All lines if they were asked for or fit on one screen, else the short ones."""
    lines = lines_of(history)
    return lines if verbose or len(lines) <= SCREEN else short_lines(history)


def short_lines(history: History) -> list[str]:
    """A line for each change: the function, the releases, what it computed before and after; the newest change last."""
    changes = history["changes"][-MAX_CHANGES:]
    lines = [*lines_of({**history, "changes": [], "refused": {}})[:1]]
    if hidden := len(history["changes"]) - len(changes):
        lines.append(f"{hidden} earlier changes; --verbose prints all")
    for change in changes:
        edges = (f"{edge}: {before} -> {after}" for edge, (before, after) in change["edges"].items())
        told = [" -> ".join(change["variants"])] if change["variants"] else [*edges] or ["numbers differ"]
        start = f"{change['function']}  {change['before']} -> {dated(change['after'], change['after_day'])}: "
        lines.append(start + "; ".join(told))
    if not changes:
        lines.append("no change: wherever a function gave numbers, they were the same")
    if history["refused"]:
        lines.append(f"could not be asked: {', '.join(history['refused'])}; --verbose says why")
    return lines


def dated(version: str, day: str) -> str:
    """A version with its day, if known."""
    return f"{version} ({day})" if day else version


def lines_of_change(change: Change) -> list[str]:
    """The printed lines of a change."""
    lines = [
        f"{change['function']}  {dated(change['before'], change['before_day'])} -> "
        f"{dated(change['after'], change['after_day'])}"
    ]
    if change["variants"]:
        lines.append("  computes      " + " -> ".join(change["variants"]))
    lines += [f"  {edge:12}  {before} -> {after}" for edge, (before, after) in change["edges"].items()]
    before, after = ("error" if value is None else value for value in change["values"])
    lines.append(f"  shown by      {change['probe']}, k = {change['k']}: {before} -> {after}")
    lines += [f"  error         {error}" for error in change["errors"]]
    if change["untried"]:
        lines.append(f"  between them  {', '.join(change['untried'])} not asked")
    if change["packages"]:
        changed = ", ".join(f"{name} {before} -> {after}" for name, (before, after) in change["packages"].items())
        lines.append(f"  besides       {changed}")
    return lines
