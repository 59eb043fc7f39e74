"""What the commands that make a record share: the command as typed, an interrupt, the files written."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import NoReturn

import typer

from metric_harness.system.terminal import echo
from metric_reports.record import write_atomically, write_record
from metric_reports.types.run import Record

FINDINGS, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes."""


def command_line() -> str:
    """The command under way, as one would type it."""
    return shlex.join(["metric-harness", *sys.argv[1:]])


def interrupted(out: Path) -> NoReturn:
    """Say how to go on, and end."""
    echo(f"Interrupted. The same command goes on from what is in {out}.", err=True)
    raise typer.Exit(INTERRUPTED) from None


def write_all(record: Record, out: Path) -> None:
    """Write a finished record in its three forms."""
    from metric_reports.formats.csv import render_csv
    from metric_reports.html.page import render_html

    write_record(record, out / "run.json")
    write_atomically(out / "results.csv", render_csv(record))
    write_atomically(out / "report.html", render_html(record))
