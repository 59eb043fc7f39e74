"""Limits of a worker's memory and time. Imports the standard library alone; kept to Python 3.8."""

from __future__ import annotations

import signal


def limit_memory(size: int) -> None:
    """Let allocations beyond ``size`` bytes raise MemoryError, where the system supports it (not on Windows)."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    size = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def limit_time(seconds: float) -> None:
    """Let the system end this process after this many seconds (0: never), in case its parent no longer can."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
