"""Writing files, so that a crash leaves the old file or none."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from metric_reports.errors import HarnessError


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a crash or a full disk leaves the old file or none, never half a file.

    Raises HarnessError if it cannot be written.
    """
    temporary = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")  # JSON escapes lone surrogates itself
        os.replace(temporary, path)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({error.strerror}); free space, or name another place") from None
    finally:
        with suppress(OSError):
            temporary.unlink()
