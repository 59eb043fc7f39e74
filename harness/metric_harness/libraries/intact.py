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
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metric_harness.system.processes import captured
from metric_reports.record import write_atomically

START = 60
"""Seconds in which a Python says its version."""

SKIPPED = "__pycache__"
LOOKING = threading.Lock()


def fingerprint(folder: Path) -> str:
    """A digest of the names, sizes and times of all files below a folder; no file is read.

    One thread looks at a time: two that ask the system about ten thousand files each wait for one another.
    """
    rows, folders = [], [os.fspath(folder)]
    with LOOKING:
        while folders:
            at = folders.pop()
            with open_folder(at) as place, os.scandir(place) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        about = entry.stat(follow_symlinks=False)
                        rows.append(f"{at}/{entry.name}\0{about.st_size}\0{about.st_mtime_ns}\n")
                    elif entry.name != SKIPPED:
                        folders.append(f"{at}/{entry.name}")
    return hashlib.sha256("".join(sorted(rows)).encode(errors="surrogateescape")).hexdigest()


@contextmanager
def open_folder(path: str) -> Iterator[int]:
    """A folder's descriptor, by which the system finds its files without going through the whole path."""
    place = os.open(path, os.O_RDONLY)
    try:
        yield place
    finally:
        os.close(place)


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
    """A Python that does not run, or the first file that is not what its distribution's RECORD says; else None."""
    if python_version(python_of(venv)) is None:
        return f"{python_of(venv).relative_to(venv)} does not run"
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


def python_version(python: Path) -> str | None:
    """The version that an interpreter reports, or None if it is missing or does not run."""
    code = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
    try:
        run = captured([str(python), "-I", "-c", code], START)
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = run.stdout.decode(errors="replace").strip()
    return said if run.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+", said) else None


def python_of(venv: Path) -> Path:
    """Where a virtual environment has its interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
