"""``metric-harness library check``: a library's folder, checked in seconds, without data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from metric_harness.cli import options, values
from metric_harness.system.outputs import write_output
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console

if TYPE_CHECKING:
    from metric_harness.libraries.checking.outcome import FolderCheck, Outcome

EXAMPLES = """
[bold]Examples[/bold]

metric-harness library check adapters/recbole

metric-harness library check mylib --environment current

metric-harness library check libraries/ --json check.json
"""

STATUS_WORDS = {"ok": "ok", "finding": "finding", "skipped": "skipped", "cannot_run": "cannot run"}
STATUS_STYLES = {"ok": "green", "finding": "bold red", "skipped": "dim", "cannot_run": "bold red"}
STATUS_WIDTH = max(map(len, STATUS_WORDS.values()))

Folders = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...", callback=values.read_from, help="A library's folder, or a folder that holds such folders."
    ),
]
Release = Annotated[str | None, typer.Option(help="The release that is asked; the newest if not given.")]
Json = Annotated[
    Path | None, typer.Option("--json", callback=values.file_to_write, help="A file for the results as JSON.")
]


def check_command(
    folders: Folders,
    environment: options.Environment = "isolated",
    release: Release = None,
    source: options.Source = None,
    json_file: Json = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Check the folders of libraries: library.toml, the adapter, and what its functions answer to a few probes.

    Exit code 0: all is fine; 1: there are findings; 2: something could not be checked.
    """
    from metric_harness.libraries.checking.folder import check_folder
    from metric_harness.libraries.checking.outcome import FINE
    from metric_harness.libraries.describe import library_folders
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.naming.probes.ask import probes_to_check

    checked = list(dict.fromkeys(folder for root in folders for folder in library_folders(root)))
    sources = parse_sources(source or [], [folder.name for folder in checked])
    reporter, console = Reporter(quiet), Console(soft_wrap=True, highlight=False)
    results = []
    for folder in checked:
        console.print(Text(str(folder), "bold"))
        result = check_folder(folder, environment, release, sources, probes_to_check, reporter)
        for outcome in result.outcomes:
            console.print(line(outcome))
        console.print(Text(summary(result)))
        results.append(result)
    if json_file is not None:
        text = json.dumps({"environment": environment, "folders": [result.as_json() for result in results]}, indent=1)
        write_output(json_file, text + "\n", force=force)
    raise typer.Exit(max((result.exit_code() for result in results), default=FINE))


def line(outcome: Outcome) -> Text:
    """The line of a check; that of a mistake begins with file and line, which a terminal can open."""
    head = (f"  {STATUS_WORDS[outcome.status]:{STATUS_WIDTH}}  ", STATUS_STYLES[outcome.status])
    return Text.assemble(head, outcome.text if outcome.mistake else f"{outcome.check}: {outcome.text}")


def summary(result: FolderCheck) -> str:
    """The last line about a folder."""
    release = f" {result.release}" if result.release else ""
    counts = [f"{number} {STATUS_WORDS[status]}" for status in STATUS_WORDS if (number := result.count(status))]  # type: ignore[arg-type]
    return f"{result.folder.name}{release}: {', '.join(counts)}"
