"""SIGTERM and Ctrl-C: the first one is KeyboardInterrupt in the main thread, and the process ends soon in any case.

The exception may be lost in code that swallows it, wait behind a long call in C, or leave a lock taken; so a thread
that the signal itself wakes ends the process after :data:`GRACE` seconds. Its pipes close then, which ends all that it
started (:mod:`metric_harness.system.supervisor`).
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from types import FrameType

GRACE = 3.0
"""Seconds for closing workers and files in good order."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_came: list[int] = []


def heed() -> None:
    """Let the first signal raise KeyboardInterrupt and end the process if it has not ended GRACE seconds later."""
    woken, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    threading.Thread(target=_watch, args=(woken,), daemon=True, name="signals").start()
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)


def exit_code() -> int | None:
    """130 after Ctrl-C, 143 after SIGTERM; None where no signal came."""
    return 128 + _came[0] if _came else None


def end_if_one_came() -> None:
    """End this process with the code of the signal that came, if one did, after what is registered with atexit.

    An interrupted ``exec`` of a text, as dataclasses uses it, makes Python end by SIGINT whatever code it is given.
    """
    code = exit_code()
    if code is not None:
        atexit._run_exitfuncs()
        os._exit(code)  # what was printed has been flushed


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    if len(_came) == 1:  # a second one would interrupt the closing
        raise KeyboardInterrupt


def _watch(woken: int) -> None:
    while (number := os.read(woken, 1)[0]) not in SIGNALS:
        pass
    time.sleep(GRACE)
    os.write(2, b"Interrupted.\n")
    os._exit(128 + number)
