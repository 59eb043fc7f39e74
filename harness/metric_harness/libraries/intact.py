"""Whether the files of an environment are those that were installed.

Sizes and times are compared first, which is quick; only if they changed are the files read and compared with the hashes
in each distribution's RECORD. Compiled files (``__pycache__``) come and go by themselves and are left out.
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
from metric_reports.files import write_atomically

VERSION_TIMEOUT = 60
"""Seconds in which an interpreter must print its version."""

SKIPPED_FOLDER = "__pycache__"
ONE_SCAN = threading.Lock()


def fingerprint(folder: Path) -> str:
    """A digest of the names, sizes and times of all files below a folder; no file is read.

    One thread scans at a time: two that ask the system about ten thousand files each only slow each other down.
    """
    lines, folders = [], [os.fspath(folder)]
    with ONE_SCAN:
        while folders:
            path = folders.pop()
            with _descriptor(path) as descriptor, os.scandir(descriptor) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        lines.append(f"{path}/{entry.name}\0{status.st_size}\0{status.st_mtime_ns}\n")
                    elif entry.name != SKIPPED_FOLDER:
                        folders.append(f"{path}/{entry.name}")
    return hashlib.sha256("".join(sorted(lines)).encode(errors="surrogateescape")).hexdigest()


@contextmanager
def _descriptor(path: str) -> Iterator[int]:
    """A folder's descriptor, with which the system finds its files without walking the path again."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def damage_of(venv: Path, marker: Path) -> str | None:
    """The first damaged distribution and file of a virtual environment, or None.

    marker : the JSON file that describes the environment; it keeps the fingerprint that it had when all hashes held.
    """
    description = json.loads(marker.read_text(encoding="utf-8"))
    current = fingerprint(venv)
    if description.get("fingerprint") == current:
        return None
    damage = damaged(venv)
    if damage is None:
        write_atomically(marker, json.dumps({**description, "fingerprint": current}, indent=1) + "\n")
    return damage


def damaged(venv: Path) -> str | None:
    """The interpreter if it does not run, else the first file whose hash is not that in RECORD; else None."""
    if python_version(python_of(venv)) is None:
        return f"{python_of(venv).relative_to(venv)} does not run"
    for record in sorted(venv.glob("lib/python*/site-packages/*.dist-info/RECORD")):
        root = record.parent.parent
        with record.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            for name, digest, *_ in csv.reader(file):
                method, _, expected = digest.partition("=")
                path = root / name
                if expected and not _has_hash(path, method, expected):
                    return f"{record.parent.name.removesuffix('.dist-info')}: {name}"
    return None


def _has_hash(path: Path, method: str, expected: str) -> bool:
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
        run = captured([str(python), "-I", "-c", code], VERSION_TIMEOUT)
    except (OSError, subprocess.TimeoutExpired):
        return None
    output = run.stdout.decode(errors="replace").strip()
    return output if run.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+", output) else None


def python_of(venv: Path) -> Path:
    """Where a virtual environment has its interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
