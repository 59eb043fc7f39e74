"""What the cache holds, how large it is, and what of it no release needs."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from os import stat_result
from pathlib import Path

from filelock import FileLock, Timeout

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure, planned
from metric_harness.system.pip_settings import uv_environment

KEPT_FOR_RELEASES = ("environments", "sources", "compiled")
"""Folders of the cache with one entry for each release, and its log and lock beside it."""
MADE_AGAIN = ("staged", "logs", "answers")
"""Folders of the cache whose content is made anew when it is needed: in less than a second, or by asking again."""


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; a file with several names counts once."""
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    found = {(at.st_dev, at.st_ino): at.st_size for file in files if (at := _stat(file)) is not None}
    return sum(found.values())


def _stat(path: Path) -> stat_result | None:
    try:
        at = path.lstat()
    except OSError:  # removed meanwhile
        return None
    return None if path.is_dir() and not path.is_symlink() else at


def needed(releases: Iterable[tuple[Library, Release]]) -> set[str]:
    """How the names of the cache's entries begin that releases need, whether they are there or not."""
    found: set[str] = set()
    variables = uv_environment()
    for library, release in releases:
        if release.commit:  # its source, and its compiled part
            found.add(f"{library.key}-{release.commit[:12]}-")
        with suppress(EnvironmentFailure):  # no Python for it here, and so no environment
            found.add(planned(library, release, variables)[0].name)
    return found


def unneeded(root: Path, keep: set[str]) -> Iterator[Path]:
    """The entries of a cache that can go: what no name of ``keep`` begins, and what is made again."""
    for name in (*KEPT_FOR_RELEASES, *MADE_AGAIN):
        folder = root / name
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if name in MADE_AGAIN or not path.name.startswith(tuple(keep)):
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
