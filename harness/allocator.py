"""How the C library hands out memory to threads."""

from __future__ import annotations

import contextlib
import ctypes

M_ARENA_MAX = -8
"""glibc's number for the setting; see mallopt(3)."""


def one_arena() -> None:
    """Let threads that begin from now on share one arena, for the rest of the process; does nothing without glibc.

    glibc gives each thread an arena of its own, which hands what numpy frees back to the system at once. To be given it
    anew, zeroed page by page, takes a third of the time of an evaluation by threads.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # no such library, no such function
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
