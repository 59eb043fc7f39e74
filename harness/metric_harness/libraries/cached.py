"""The entries of the cache: their size, and which of them no release needs."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure, planned
from metric_harness.system.pip_settings import uv_environment

KEPT_FOR_RELEASES = ("environments", "sources", "compiled")
"""Folders of the cache that hold, for each release, one entry with its log and lock."""
REBUILT_ON_DEMAND = ("staged", "logs", "answers")
"""Folders of the cache whose content is rebuilt when needed: in less than a second, or by asking again."""


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; a file with several names counts once."""
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    sizes: dict[tuple[int, int], int] = {}
    for file in files:
        with suppress(OSError):  # removed meanwhile
            status = file.lstat()
            if not stat.S_ISDIR(status.st_mode):
                sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


def needed(releases: Iterable[tuple[Library, Release]]) -> set[str]:
    """The prefixes of the names of all cache entries that releases need, present or not."""
    prefixes: set[str] = set()
    variables = uv_environment()
    for library, release in releases:
        if release.commit:  # its source, and its compiled part
            prefixes.add(f"{library.key}-{release.commit[:12]}-")
        with suppress(EnvironmentFailure):  # no Python for it here, and so no environment
            prefixes.add(planned(library, release, variables)[0].name)
    return prefixes


def unneeded(root: Path, keep: set[str]) -> Iterator[Path]:
    """The entries that can be removed: those without a prefix of ``keep``, and all that is rebuilt on demand."""
    for name in (*KEPT_FOR_RELEASES, *REBUILT_ON_DEMAND):
        folder = root / name
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if name in REBUILT_ON_DEMAND or not path.name.startswith(tuple(keep)):
                yield path


def remove(path: Path) -> bool:
    """Remove an entry of the cache; False where another process has locked it. Raises OSError."""
    lock = FileLock(path if path.suffix == ".lock" else path.with_name(f"{path.name.removesuffix('.log')}.lock"))
    try:
        with lock.acquire(timeout=0):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            Path(lock.lock_file).unlink(missing_ok=True)
    except Timeout:
        return False
    return True
