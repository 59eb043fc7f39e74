"""The files of a table: a file, parquet parts of a folder, or the ratings in a GroupLens (or RecBole) zip or folder."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from metric_harness.data.zips import members_of, open_member
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import require_size

SUFFIXES = (".csv", ".tsv", ".dat", ".data", ".inter", ".parquet")
DATA = re.compile(r"\.(parq|pq|csv|tsv|dat|inter|orc|feather|arrow|json|jsonl|gz|zst|zip|bz2)\b|parquet")
"""Names of files that are likely to be data."""
MAX_NAMED = 5
NO_FILE = "it is no regular file but a pipe, a device or a link that leads nowhere; name a file"
RATINGS_FILES = ("ratings.csv", "ratings.dat", "u.data")


@dataclass(frozen=True)
class TableFile:
    """A file to read, maybe inside a zip. ``label``: its name in messages; ``path``: the file, or the zip."""

    label: str
    suffix: str
    path: Path
    open: Callable[[], IO[bytes]]


def files_of(path: Path) -> list[TableFile]:
    """The files that a path names, by name; more than one only if they are parquet parts.

    HarnessError if there is none.
    """
    if path.is_dir():
        return [_file(part) for part in _files_inside(path)]
    if not path.is_file():
        raise HarnessError(f"{path}: {NO_FILE if os.path.lexists(path) else 'no such file or folder'}")
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return [_file(path)]
    if suffix != ".zip":
        raise HarnessError(
            f"{path}: unknown format; use {', '.join(SUFFIXES)}, a folder of parquet parts, or a zip or folder of "
            "GroupLens"
        )
    members = members_of(path)
    for name in RATINGS_FILES:
        for member in members:
            if member.rpartition("/")[2] == name:
                return [TableFile(f"{path}:{member}", Path(name).suffix, path, partial(open_member, path, member))]
    raise HarnessError(f"{path}: the zip holds none of {', '.join(RATINGS_FILES)}; name the unpacked file itself")


def _file(path: Path) -> TableFile:
    require_size(str(path), path.stat().st_size)
    return TableFile(str(path), path.suffix.lower(), path, lambda: path.open("rb"))


def _files_inside(folder: Path) -> list[Path]:
    """The parquet parts of a folder, or its one file of ratings."""
    shown = [path for path in _walked(folder) if not _hidden(path.relative_to(folder))]
    parts = [path for path in shown if path.suffix.lower() == ".parquet"]
    if parts:
        odd = next((path for path in parts if not path.is_file()), None)
        if odd is not None:
            raise HarnessError(f"{odd}: {NO_FILE}")
        unread = [
            path for path in shown if path not in set(parts) and (path.is_dir() or DATA.search(path.name.lower()))
        ]
        if unread:
            names = ", ".join(path.relative_to(folder).as_posix() for path in unread[:MAX_NAMED])
            more = f" and {len(unread) - MAX_NAMED} more" if len(unread) > MAX_NAMED else ""
            raise HarnessError(
                f"{folder}: {names}{more} would not be read, as parts end in .parquet; rename the parts, and move "
                "the other files"
            )
        return parts
    candidates = [file for name in RATINGS_FILES for file in (folder / name, *sorted(folder.glob(f"*/{name}")))]
    for file in (*candidates, *sorted(folder.glob("*.inter"))):
        if file.is_file():
            return [file]
    names = ", ".join(("*.parquet", *RATINGS_FILES, "*.inter"))
    raise HarnessError(f"{folder}: the folder holds none of {names}; name a file, or a folder of parquet parts")


def _walked(folder: Path) -> list[Path]:
    """All files below a folder and the linked folders, which are not entered, sorted.

    HarnessError for a folder that cannot be entered.
    """

    def refuse(error: OSError) -> None:
        raise HarnessError(f"{error.filename}: the folder cannot be read ({error.strerror}); change its permissions")

    found = []
    for root, folders, names in os.walk(folder, onerror=refuse):
        found += [Path(root, name) for name in names]
        found += [link for name in folders if (link := Path(root, name)).is_symlink()]
    return sorted(found)


def _hidden(path: Path) -> bool:
    """Whether a name on the way begins as those of markers and checksums do."""
    return any(name.startswith(("_", ".")) for name in path.parts)


def digest_of(path: Path, algorithm: str = "sha256") -> str:
    """Hex digest of the content of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, algorithm).hexdigest()


def sha256_of(files: list[TableFile]) -> str:
    """Hex digest of the content of a file; of several files, the digest of their digests."""
    digests = []
    for file in files:
        with file.open() as stream:
            digests.append(hashlib.file_digest(stream, "sha256").hexdigest())  # type: ignore[arg-type]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
