"""Processes as /proc has them."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path


def marked(mark: str, environment: bool = False) -> list[int]:
    """The processes whose command line, or environment, holds a text; zombies and this process are left out."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with suppress(OSError):
                text = (folder / ("environ" if environment else "cmdline")).read_bytes()
                state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
                if mark.encode() in text and state != b"Z":
                    found.append(int(folder.name))
    return found


def ended_within(seconds: float, mark: str, environment: bool = False) -> bool:
    """Whether no process with a mark is left after some seconds."""
    until = time.monotonic() + seconds
    while marked(mark, environment):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
