"""Unhandled errors: one line for the user, and a log with the traceback."""

from __future__ import annotations

import errno
import os
import platform
import shlex
import sys
import tempfile
import traceback
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.version import __version__

EXTRAS = {
    "duckdb": "evaluate",
    "pandas": "evaluate",
    "pyarrow": "evaluate",
    "scipy": "evaluate",
    "jinja2": "report",
    "latex2mathml": "report",
    "pooch": "compare",
    "uv": "compare",
}
"""The extra that brings each package that ``pip install metric-harness`` alone does not."""
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def line_about(error: Exception) -> str:
    """An unhandled error on one line that says what to do."""
    if isinstance(error, HarnessError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (extra := EXTRAS.get((error.name or "").partition(".")[0])):
        return f"this needs {error.name}, which is not installed: pip install 'metric-harness[{extra}]', or [all]"
    log = write_log(error)
    log_note = f"the log is {log}" if log else "no log could be written"
    text = " ".join(str(error).split())[:300]
    if isinstance(error, OSError):
        name = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        remedy = "free space, or choose another folder (--out, METRIC_HARNESS_CACHE, TMPDIR)"
        message = f"{error.strerror}; {remedy}" if error.errno in NO_SPACE else error.strerror or text
        return f"{name}{message}; {log_note}"
    if isinstance(error, MemoryError):
        return f"not enough memory ({text or 'an allocation was refused'}); take less data or more memory; {log_note}"
    return f"a mistake of metric-harness: {type(error).__name__}: {text}; {log_note}; please report it with that log"


def write_log(error: Exception) -> Path | None:
    """Write an error's traceback to a new file in the cache, else to a temporary file; None if neither is possible."""
    heading = (
        f"metric-harness {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}\n"
        f"{shlex.join(sys.argv)}\n\n"
    )
    text = heading + "".join(traceback.format_exception(error))
    prefix = f"error-{datetime.now():%Y%m%d-%H%M%S}-"
    for in_cache in (True, False):
        with suppress(OSError, HarnessError):  # the next folder is tried
            folder = cache_dir("logs") if in_cache else None
            descriptor, path = tempfile.mkstemp(prefix=prefix, suffix=".txt", dir=folder)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
            return Path(path)
    return None
