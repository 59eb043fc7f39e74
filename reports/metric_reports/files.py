"""Reading files within bounds, and writing them so that a crash leaves the old file or none."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import threading
from contextlib import suppress
from pathlib import Path

from metric_reports.errors import HarnessError

LARGEST_DOCUMENT = 256 << 20
"""Bytes of the largest text, such as a record or a declaration, that is read as a whole."""


def read_document(path: Path) -> str:
    """The text of a file in UTF-8. OSError for one that is no regular file or is larger than ``LARGEST_DOCUMENT``."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    if status.st_size > LARGEST_DOCUMENT:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST_DOCUMENT >> 20} MiB", str(path))
    return path.read_text(encoding="utf-8")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, a text in UTF-8, so that a crash or a full disk leaves the old file or none, never half a file.

    A file that is replaced keeps its mode. Raises HarnessError if it cannot be written.
    """
    temporary = path.with_name(f".{path.name[:200]}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.encode("utf-8", errors="backslashreplace")  # JSON escapes lone surrogates itself
        temporary.write_bytes(content)
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({error.strerror}); free space, or name another place") from None
    finally:
        with suppress(OSError):
            temporary.unlink()
