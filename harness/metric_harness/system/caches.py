"""The cache, which keeps files between runs: the platform's cache folder, or METRIC_HARNESS_CACHE."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from metric_harness.system.errors import HarnessError

VARIABLE = "METRIC_HARNESS_CACHE"
IN_USE = ".in-use"


def cache_root() -> Path:
    """The cache folder, which may not exist yet. HarnessError for a user without one."""
    try:
        return Path(os.environ.get(VARIABLE) or platformdirs.user_cache_dir("metric-harness"))
    except RuntimeError as error:  # no HOME, and no such user
        raise HarnessError(f"no cache folder: {error}; let {VARIABLE} name a folder") from None


def cache_dir(*parts: str) -> Path:
    """A folder below the cache, made if needed: ``cache_dir("environments")``.

    HarnessError if it cannot be made or written to.
    """
    folder = cache_root().joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(folder, error.strerror or str(error)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unusable(folder, "no permission to write")
    _mark_in_use(cache_root())
    return folder


def unusable(folder: Path, reason: str) -> HarnessError:
    """The error for a folder of the cache that cannot be used."""
    return HarnessError(f"{folder}: the cache cannot be kept there ({reason}); let {VARIABLE} name another folder")


_descriptors: dict[tuple[int, str], int] = {}
"""The locked file that shows that a process uses a cache, by process and folder."""


def _mark_in_use(root: Path) -> int | None:
    """Hold a shared lock on the cache until this process ends; None if the system cannot lock files."""
    key = (os.getpid(), str(root))
    if key not in _descriptors:
        try:
            descriptor = os.open(root / IN_USE, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        except OSError:
            return None
        _descriptors[key] = descriptor
    return _descriptors[key]


@contextmanager
def alone_in_cache() -> Iterator[Path]:
    """Hold the cache exclusively and yield its folder. HarnessError if another process uses it."""
    root = cache_dir()
    descriptor = _mark_in_use(root)
    if descriptor is None:
        raise unusable(root, "its files cannot be locked")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        raise HarnessError(f"{root}: another run uses the cache; nothing was removed. Try again when it ends") from None
    try:
        yield root
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
