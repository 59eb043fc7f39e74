"""``metric-harness library watch``: what the releases since the recordings changed."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FAILED, FINDINGS
from metric_harness.cli.releases.history import COMPILED, lines_of_change
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import echo, to_json

if TYPE_CHECKING:
    from metric_harness.history.ask import Asking
    from metric_harness.naming.options import Options
    from metric_reports.types.history import Watched

EXAMPLES = """
[bold]Examples[/bold]

metric-harness library watch --out watch

metric-harness library watch torchmetrics --since 1.1.1 --out watch
"""


def watch_command(
    out: Annotated[
        Path,
        typer.Option(
            callback=values.folder_to_write,
            help="The folder of what is found; an earlier run goes on there.",
        ),
        values.Writes(("watch.json", "feed.atom")),
    ],
    libraries: Annotated[list[str] | None, typer.Argument(help="Names; every library if not given.")] = None,
    since: Annotated[
        str | None, typer.Option(help="With one library: begin at this version, not at the newest recorded one.")
    ] = None,
    jobs: Annotated[int, typer.Option(callback=values.jobs, help="Releases asked at once.")] = 1,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Ask no further release after this time; the next run goes on.")
    ] = None,
    memory: options.Memory = 8.0,
    adapters: options.Adapters = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Find out what the releases since the recordings changed; made for a scheduled run.

    Each library's index is asked for newer releases, through pip and uv as they are set up. They are asked as `library
    history` asks them, kept, and compared with the recorded release. What changed goes to watch.json and feed.atom, a
    recording of the newest release to recordings/, and an issue for each new error or warning to issues/. A release or
    a library that cannot be asked costs its own row.

    Exit code 0: nothing changed; 1: something did; 2: a library could not be asked.
    """
    from metric_harness.history.ask import Asking
    from metric_harness.history.watch import FEED, FILE, known_release, log_of, read_log, watched
    from metric_harness.libraries.describe import find_libraries
    from metric_harness.naming.options import Options
    from metric_harness.system.outputs import write_output
    from metric_reports.formats.atom import atom

    os.environ.setdefault("UV_NO_BUILD_PACKAGE", COMPILED)
    known = find_libraries(adapters or [])
    chosen = libraries or list(known)
    if unknown := [name for name in chosen if name not in known]:
        raise HarnessError(f"{unknown[0]}: there is no such library; known: {', '.join(known)}")
    if since and len(chosen) != 1:
        raise HarnessError("--since: name the one library that it is a version of")
    entries = read_log(out)
    found: list[Watched] = []
    until = math.inf if minutes is None else time.monotonic() + 60 * minutes
    for library in map(known.__getitem__, chosen):
        begin = since or known_release(library, entries)
        if not begin:
            continue  # git commits alone: the index has no releases of it
        left = max(0.0, (until - time.monotonic()) / 60)
        asking = Asking(library, list(known.values()), int(memory * 2**30), False, Reporter(quiet, verbose=verbose))
        entry = watched(asking, begin, jobs, left)
        write_beside(out, entry, asking, Options(adapters=tuple(adapters or [])))
        found.append(entry)
        if entry["newest"] != begin or entry["error"]:
            key = entry["library"], entry["since"]
            entries = [entry, *(row for row in entries if (row["library"], row["since"]) != key)]
        write_output(out / FILE, to_json(log_of(entries)) + "\n", force=True)
        write_output(out / FEED, atom(entries), force=True)
    echo("\n".join(lines_of(found)))
    if any(entry["error"] for entry in found):
        raise typer.Exit(FAILED)
    if any(entry["changes"] for entry in found):
        raise typer.Exit(FINDINGS)


def write_beside(out: Path, entry: Watched, asking: Asking, options: Options) -> None:
    """Write a recording of a newer release and the issues that it gives, and note them; a failure is the entry's."""
    from metric_harness.history.watch import finished, new_issues, recording_of
    from metric_harness.system.outputs import write_output

    if entry["newest"] == entry["since"] or not finished(entry):
        return
    try:
        texts = {f"recordings/{entry['library']}/{entry['newest']}.json": recording_of(asking, entry["newest"])}
        if entry["changes"]:
            texts |= {f"issues/{name}": text for name, text in new_issues(asking, entry, options).items()}
    except HarnessError as error:
        entry["error"] = " ".join(str(error).split())
        return
    for name, text in texts.items():
        write_output(out / name, text, force=True)
    entry["files"] = list(texts)


def lines_of(found: list[Watched]) -> list[str]:
    """A row for each library with a newer release; one line if nothing changed."""
    lines = []
    for entry in found:
        row = f"{entry['name']} {entry['since']} -> {entry['newest']}"
        if entry["error"]:
            lines.append(f"{row}: {entry['error']}")
        elif entry["changes"]:
            lines += [row, *(f"  {line}" for change in entry["changes"] for line in lines_of_change(change))]
        elif entry["newest"] != entry["since"]:
            lines.append(f"{row}: no change")
        lines += [f"  {name}" for name in entry["files"]]
        lines += [f"  {version} could not be asked: {reason}" for version, reason in entry["refused"].items()]
    changed = sum(bool(entry["changes"]) for entry in found)
    libraries = "1 library" if len(found) == 1 else f"{len(found)} libraries"
    newer = sum(entry["newest"] != entry["since"] for entry in found)
    return [*lines, f"{libraries}: {newer} with a newer release, {changed} changed"]
