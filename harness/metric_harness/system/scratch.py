"""Temporary folders, removed at the end or, after a run that was killed, at the next start; folders replaced whole."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

from metric_harness.system.errors import HarnessError

PREFIX = "metric-harness_"
LOCK = "lock"
LOCK_TIMEOUT = 60.0
"""Seconds within which a new folder gets its lock; an older folder without one is removed."""

_own_folders: dict[int, tuple[Path, filelock.FileLock]] = {}
"""This process's folder and its lock, by process id, because a fork must not use its parent's folder."""


def locked_folder(root: Path) -> tuple[Path, filelock.FileLock]:
    """A new folder below ``root`` and its lock; folders of runs that were killed are removed first.

    Raises HarnessError if no folder can be made.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        sweep(root)
        while True:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
            lock = filelock.FileLock(folder / LOCK)
            with suppress(FileNotFoundError):  # another process swept it before the lock was held
                lock.acquire(timeout=LOCK_TIMEOUT)
                if (folder / LOCK).exists():
                    return folder, lock
    except OSError as error:
        raise HarnessError(f"{root}: no temporary folder can be made there ({error.strerror or error})") from None


def sweep(root: Path) -> list[Path]:
    """Remove and return the temporary folders below ``root`` whose locks no process holds."""
    removed = []
    for folder in root.glob(f"{PREFIX}*"):
        with suppress(filelock.Timeout, OSError):  # in use, or another user's
            mine = folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if mine and ((folder / LOCK).exists() or time.time() - folder.stat().st_mtime > LOCK_TIMEOUT):
                with filelock.FileLock(folder / LOCK, timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)
                removed.append(folder)
    return removed


def scratch(name: str = "") -> tempfile.TemporaryDirectory[str]:
    """A temporary folder inside this process's own, which is removed when the process ends."""
    if os.getpid() not in _own_folders:
        folder, lock = locked_folder(Path(tempfile.gettempdir()))
        _own_folders[os.getpid()] = folder, lock
        atexit.register(remove, folder, lock, os.getpid())
    return tempfile.TemporaryDirectory(prefix=name, dir=_own_folders[os.getpid()][0], ignore_cleanup_errors=True)


def remove(folder: Path, lock: filelock.FileLock, process: int | None = None) -> None:
    """Remove a folder of :func:`locked_folder`; a fork of ``process``, which made it, does nothing."""
    if process in (None, os.getpid()):
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of ``folder`` when the block ends; removed if the block raises."""
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield new
        new.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
