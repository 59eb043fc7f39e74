"""SIGTERM, Ctrl-C and the end of a time limit: the first raises KeyboardInterrupt in the main thread, and the process
ends in any case.

Code may swallow the exception, a long call in C may delay it, or it may leave a lock taken; so a thread that the signal
wakes ends the process after :data:`GRACE` seconds. That closes its pipes, which ends all processes that it started
(:mod:`metric_harness.system.supervisor`).
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from types import FrameType

GRACE = 3.0
"""Seconds for closing workers and files in an orderly way."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)

TIME_IS_UP = 2
"""The exit code if a time limit ended the command: it could not do its work."""

_received: list[int] = []


def heed() -> None:
    """Make the first signal raise KeyboardInterrupt, and end the process GRACE seconds later if it still runs."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    threading.Thread(target=_watch, args=(reader,), daemon=True, name="signals").start()
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)


def end_after(seconds: float) -> None:
    """End this process in some seconds as a signal does, with exit code ``TIME_IS_UP``."""
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def exit_code() -> int | None:
    """130 after Ctrl-C, 143 after SIGTERM, ``TIME_IS_UP`` at the end of a time limit; None without a signal."""
    return _code(_received[0]) if _received else None


def _code(number: int) -> int:
    return TIME_IS_UP if number == signal.SIGALRM else 128 + number


def end_if_one_came() -> None:
    """If a signal came, end this process with its exit code, after the functions registered with atexit.

    Python itself would end by SIGINT, whatever code it is given, if an ``exec`` (as in dataclasses) was interrupted.
    """
    code = exit_code()
    if code is not None:
        atexit._run_exitfuncs()
        os._exit(code)  # what was printed has been flushed


def _interrupt(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    if len(_received) == 1:  # a second signal would interrupt the closing
        raise KeyboardInterrupt


def _watch(reader: int) -> None:
    while (number := os.read(reader, 1)[0]) not in (*SIGNALS, signal.SIGALRM):
        pass
    time.sleep(GRACE)
    os.write(2, b"The time limit is over.\n" if number == signal.SIGALRM else b"Interrupted.\n")
    os._exit(_code(number))
