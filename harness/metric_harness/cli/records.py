"""What the commands that make a record share: the command as typed, an interrupt, the files written."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path
from typing import NoReturn

import typer

import metric_reports
from metric_harness.system.code_digest import code_digest
from metric_harness.system.terminal import echo
from metric_harness.worker.answer_store import digest
from metric_reports.record import write_atomically, write_record
from metric_reports.types.run import Record

FINDINGS, FAILED, INTERRUPTED = 1, 2, 130
"""Exit codes."""
FILES, WRITTEN = ("run.json", "results.csv", "report.html"), ".written.json"
"""What a record is written to, and the file beside it that says from what."""


def command_line() -> str:
    """The command under way, as one would type it."""
    return shlex.join(["metric-harness", *sys.argv[1:]])


def interrupted(out: Path) -> NoReturn:
    """Say how to go on, and end."""
    echo(f"Interrupted. The same command goes on from what is in {out}.", err=True)
    raise typer.Exit(INTERRUPTED) from None


def write_all(record: Record, out: Path) -> None:
    """Write a finished record in its three forms; files that are there of the same findings are left as they are."""
    made_from = digest({**record, "created": "", "seconds": 0}, code_digest([Path(metric_reports.__path__[0])]))
    if written(out) == made_from:
        return
    from metric_reports.formats.csv import render_csv
    from metric_reports.html.page import render_html

    (out / WRITTEN).unlink(missing_ok=True)
    write_record(record, out / "run.json")
    write_atomically(out / "results.csv", render_csv(record))
    write_atomically(out / "report.html", render_html(record))
    about = {"made_from": made_from, "files": {name: sha256(out / name) for name in FILES}}
    write_atomically(out / WRITTEN, json.dumps(about, indent=1) + "\n")


def written(out: Path) -> str | None:
    """The digest of what the files in a folder were made from; None where one of them is missing or was changed."""
    try:
        about = json.loads((out / WRITTEN).read_text(encoding="utf-8"))
        same = all(sha256(out / name) == about["files"][name] for name in FILES)
        return str(about["made_from"]) if same else None
    except (OSError, ValueError, KeyError, TypeError):  # never written, cut off, or made by hand
        return None


def sha256(path: Path) -> str:
    """The digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
