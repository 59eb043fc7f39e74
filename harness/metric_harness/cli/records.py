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
from metric_harness.cli.options import RECORD_FILES
from metric_harness.system.code_digest import code_digest
from metric_harness.system.outputs import MARKER, write_output
from metric_harness.system.store import digest
from metric_harness.system.terminal import say
from metric_reports.files import write_atomically
from metric_reports.record import lines_of, validate
from metric_reports.types.run import Record


def command_line() -> str:
    """The running command, quoted for a shell."""
    return shlex.join(["metric-harness", *sys.argv[1:]])


def interrupted(out: Path) -> NoReturn:
    """Say how to resume, and end with exit code 130."""
    say(f"Interrupted. The same command goes on from what is in {out}.", err=True)
    raise typer.Exit(INTERRUPTED) from None


def write_all(record: Record, out: Path, force: bool) -> None:
    """Write a finished record in its three forms, unless the files there were made from an equal record."""
    made_from = digest({**record, "created": "", "seconds": 0}, code_digest([Path(metric_reports.__path__[0])]))
    if source_digest(out) == made_from:
        return
    from metric_reports.formats.csv import render_csv
    from metric_reports.html.page import render_html

    texts = (lines_of(validate(record, str(out / "run.json"))), render_csv(record), render_html(record))
    for name, text in zip(RECORD_FILES, texts, strict=True):
        write_output(out / name, text, force=force)
    manifest = {"made_from": made_from, "files": {name: sha256(out / name) for name in RECORD_FILES}}
    write_atomically(out / MARKER, json.dumps(manifest, indent=1) + "\n")


def source_digest(out: Path) -> str | None:
    """The digest of the record that a folder's files were made from; None if one is missing or was changed."""
    try:
        manifest = json.loads((out / MARKER).read_text(encoding="utf-8"))
        unchanged = all(sha256(out / name) == manifest["files"][name] for name in RECORD_FILES)
        return str(manifest["made_from"]) if unchanged else None
    except (OSError, ValueError, KeyError, TypeError):  # not written, cut off, or edited by hand
        return None


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
