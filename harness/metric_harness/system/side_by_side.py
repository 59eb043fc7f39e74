"""Parallel work in threads that is cancelled as a whole: by Ctrl-C, or by the first piece that fails."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""Linux's file with the memory limit of a container."""


class CalledOff(BaseException):
    """The work of this thread was cancelled; not an Exception, so that no ``except Exception`` catches it."""


_thread = threading.local()


def side_by_side(pieces: Sequence[Callable[[], Result]], jobs: int) -> list[Result]:
    """The results of the pieces of work, in their order; at most ``jobs`` of them run at once.

    The first exception, KeyboardInterrupt in this thread included, cancels the others: each ends at its next call of
    :func:`heed_calling_off`. The exception is raised when all have ended.
    """
    called_off = threading.Event()

    def run(piece: Callable[[], Result]) -> Result:
        _thread.called_off = called_off
        heed_calling_off()
        return piece()

    with ThreadPoolExecutor(max(1, jobs), "side-by-side") as pool:
        try:
            futures = [pool.submit(run, piece) for piece in pieces]
            ended, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in ended:
                future.result()
            return [future.result() for future in futures]
        except BaseException:
            called_off.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def in_threads(function: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """The results of a function for each piece, in their order, computed in a thread for each core.

    At most one piece more than there are threads is held at once.
    """
    threads = cores()
    with ThreadPoolExecutor(threads) as pool:
        running: deque[Future[Result]] = deque()
        for piece in pieces:
            running.append(pool.submit(function, piece))
            if len(running) > threads:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def heed_calling_off() -> None:
    """Raise CalledOff if the work of this thread was cancelled; every long wait calls this repeatedly."""
    called_off: threading.Event | None = getattr(_thread, "called_off", None)
    if called_off is not None and called_off.is_set():
        raise CalledOff


def memory_of_computer() -> int | None:
    """Bytes of memory of this computer or container; None if the system does not say."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    try:
        return min(size, int(CGROUP.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no container, or one without a limit: "max"
        return size


def jobs_within(jobs: int | None, memory: int) -> int:
    """How many workers run at once: ``jobs`` (None: one for each core), but only as many as fit into this computer's
    memory together.

    memory : bytes that each of them may hold; 0: no limit.
    """
    if jobs is None:
        jobs = cores()
    available = memory_of_computer()
    return jobs if not memory or available is None else max(1, min(jobs, available // memory))
