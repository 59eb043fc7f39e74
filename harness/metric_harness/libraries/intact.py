"""Whether the files of an environment are those that were installed.

A look at sizes and times is quick; only where they moved are the files read and held against the hashes that each
distribution lists in its RECORD. Compiled files (``__pycache__``) come and go by themselves and are left out.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from metric_reports.record import write_atomically

SKIPPED = "__pycache__"


def fingerprint(folder: Path) -> str:
    """A digest of the names, sizes and times of all files below a folder; no file is read."""
    rows = sorted(f"{path}\0{at.st_size}\0{at.st_mtime_ns}\n" for path, at in _files(os.fspath(folder)))
    return hashlib.sha256("".join(rows).encode(errors="surrogateescape")).hexdigest()


def damage_of(venv: Path, marker: Path) -> str | None:
    """The distribution and file of a virtual environment that are damaged, or None.

    marker : the JSON file that describes the environment; it keeps the fingerprint under which all hashes held.
    """
    about = json.loads(marker.read_text(encoding="utf-8"))
    now = fingerprint(venv)
    if about.get("fingerprint") == now:
        return None
    found = damaged(venv)
    if found is None:
        write_atomically(marker, json.dumps({**about, "fingerprint": now}, indent=1) + "\n")
    return found


def damaged(venv: Path) -> str | None:
    """The first file that is missing or not what its distribution's RECORD says; None if there is none."""
    for record in sorted(venv.glob("lib/python*/site-packages/*.dist-info/RECORD")):
        root = record.parent.parent
        with record.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            for name, digest, *_ in csv.reader(file):
                method, _, expected = digest.partition("=")
                path = root / name
                if expected and not _holds(path, method, expected):
                    return f"{record.parent.name.removesuffix('.dist-info')}: {name}"
    return None


def _holds(path: Path, method: str, expected: str) -> bool:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, method).digest()
    except (OSError, ValueError):  # gone, or a hash that this Python lacks
        return False
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == expected.rstrip("=")


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    yield entry.path, entry.stat(follow_symlinks=False)
                elif entry.name != SKIPPED:
                    folders.append(entry.path)
