"""Shared by the commands that make a record: the command as typed, the end after an interrupt, the files."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path
from typing import NoReturn

import typer

import metric_reports
from metric_harness.cli.exit_codes import INTERRUPTED
from metric_harness.system.code_digest import code_digest
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo
from metric_harness.worker.answer_store import digest
from metric_reports.files import write_atomically
from metric_reports.record import write_record
from metric_reports.types.run import Record

FILES, WRITTEN = ("run.json", "results.csv", "report.html"), ".written.json"
"""The files of a record, and the file that holds their digests and that of their source."""


def command_line() -> str:
    """The running command, quoted for a shell."""
    return shlex.join(["metric-harness", *sys.argv[1:]])


def interrupted(out: Path) -> NoReturn:
    """Say how to resume, and end with exit code 130."""
    echo(f"Interrupted. The same command goes on from what is in {out}.", err=True)
    raise typer.Exit(INTERRUPTED) from None


def refuse_foreign(out: Path) -> None:
    """HarnessError if the folder holds a file of a record's name that no run wrote."""
    if (out / WRITTEN).exists() or (out / "bundle" / "manifest.json").exists():
        return
    for name in FILES:
        if (out / name).is_file():
            raise HarnessError(f"{out / name}: no comparison wrote it; move it, or give another --out")


def write_all(record: Record, out: Path) -> None:
    """Write a finished record in its three forms, unless the files there were made from an equal record."""
    made_from = digest({**record, "created": "", "seconds": 0}, code_digest([Path(metric_reports.__path__[0])]))
    if source_digest(out) == made_from:
        return
    from metric_reports.formats.csv import render_csv
    from metric_reports.html.page import render_html

    (out / WRITTEN).unlink(missing_ok=True)
    write_record(record, out / "run.json")
    write_atomically(out / "results.csv", render_csv(record))
    write_atomically(out / "report.html", render_html(record))
    manifest = {"made_from": made_from, "files": {name: sha256(out / name) for name in FILES}}
    write_atomically(out / WRITTEN, json.dumps(manifest, indent=1) + "\n")


def source_digest(out: Path) -> str | None:
    """The digest of the record that a folder's files were made from; None if one is missing or was changed."""
    try:
        manifest = json.loads((out / WRITTEN).read_text(encoding="utf-8"))
        unchanged = all(sha256(out / name) == manifest["files"][name] for name in FILES)
        return str(manifest["made_from"]) if unchanged else None
    except (OSError, ValueError, KeyError, TypeError):  # not written, cut off, or edited by hand
        return None


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
