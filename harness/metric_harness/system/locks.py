"""One run at a time in a folder; the error of a second run names the process that holds it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import filelock

from metric_harness.system.errors import HarnessError

LOCK, HOLDER = ".lock", ".lock-holder.json"


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Lock a folder, made if needed, for one run. The system releases the lock whenever and however the process ends.

    Raises HarnessError if another process holds it (and names that process), or if the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / LOCK)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise HarnessError(
            f"{folder}: another run is under way there ({holder_of(folder)}); wait for its end or choose another folder"
        ) from None
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise HarnessError(f"{folder}: cannot be used as a folder for results ({reason}); choose another one") from None
    try:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": f"{datetime.now():%Y-%m-%d %H:%M:%S}"}
        with suppress(OSError):  # needed only for a message
            (folder / HOLDER).write_text(json.dumps(holder), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            (folder / HOLDER).unlink(missing_ok=True)
        lock.release()


def holder_of(folder: Path) -> str:
    """The process that holds a folder, in words."""
    try:
        holder = json.loads((folder / HOLDER).read_text(encoding="utf-8"))
        return f"process {int(holder['pid'])} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):  # the process has just begun or just ended
        return "by a process that has just begun"
