"""Reading from a worker's process, and how it ended."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress

from metric_harness.worker.reply import NoAnswer


def read_part(process: subprocess.Popen[bytes], selector: selectors.BaseSelector, deadline: float) -> bytes:
    """What the process writes within 0.2 s, maybe nothing; NoAnswer if it has ended."""
    ended = process.poll() is not None  # checked before reading, so that its last output is still read
    wait = 0.0 if ended else min(0.2, max(0.0, deadline - time.monotonic()))
    if selector.select(wait):
        assert process.stdout is not None
        if data := os.read(process.stdout.fileno(), 1 << 16):
            return data
    elif not ended:
        return b""
    # A child that the library left may hold the stream open, so its end and the process's end are two signs.
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)
    raise NoAnswer("crash", ending(process.poll()))


def ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is None:
        return "closed the stream of answers"
    if code >= 0:
        return f"ended by itself with exit code {code}"
    name = signal.Signals(-code).name
    return f"crashed: {name}" + (" (the system may be out of memory)" if name == "SIGKILL" else "")


def write_stacks(process: subprocess.Popen[bytes]) -> None:
    """Make a hung worker write its stack traces to its log."""
    if hasattr(signal, "SIGUSR1"):
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.2)
