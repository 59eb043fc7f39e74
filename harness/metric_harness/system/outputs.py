"""The files that commands write: none takes the place of a file that metric-harness did not write.

The digest of each file is kept in the cache before it is written, and that of a comparison's files beside them too. A
file whose content is not among them was written by someone else, or changed since.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from metric_harness.system.caches import cache_dir, cache_root
from metric_harness.system.errors import HarnessError
from metric_reports.files import write_atomically

MARKER = ".written.json"
"""In the folder of a comparison: the digests of its files by name, below the key ``files``."""

WRITTEN = "written"
"""The folder of the cache that holds an empty file for each file written."""


def write_output(path: Path, text: str, *, force: bool = False) -> None:
    """Write a text file that the user named, whole or not at all; folders are made.

    HarnessError for a file that we did not write, unless ``force``, and if it cannot be written.
    """
    require_ours(path, force=force)
    content = text.encode("utf-8", errors="backslashreplace")
    _keep(len(content), hashlib.sha256(content).hexdigest())
    write_atomically(path, text)


def keep_output(path: Path) -> None:
    """Let a file that is already written, as one of parquet is, count as ours."""
    _keep(path.stat().st_size, _digest(path))


def require_ours(path: Path, *, force: bool = False, named: str = "") -> None:
    """HarnessError for a file that we did not write or that was changed since, unless ``force``.

    An empty file may be taken. named : the option that names the file, for the message.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise HarnessError(f"{named} {path}: it is no regular file; name one".strip())
    if not force and not is_ours(path):
        raise HarnessError(
            f"{named} {path}: metric-harness did not write this file, or it was changed since; name another one, or "
            "give --force to replace it".strip()
        )


def is_ours(path: Path) -> bool:
    """Whether a file is empty, or holds what we wrote."""
    try:
        size = path.stat().st_size
        kept = cache_root() / WRITTEN  # sizes first: a large file of the user is not read
        if not size or (any(kept.glob(f"{size}-*")) and (kept / f"{size}-{_digest(path)}").exists()):
            return True
        marked = json.loads((path.parent / MARKER).read_text(encoding="utf-8"))["files"]
        return bool(marked[path.name] == _digest(path))
    except (OSError, ValueError, KeyError, TypeError):  # no marker, or one of someone else
        return False


def _keep(size: int, digest: str) -> None:
    with suppress(HarnessError, OSError):  # without a cache the next run asks for --force
        (cache_dir(WRITTEN) / f"{size}-{digest}").touch()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
