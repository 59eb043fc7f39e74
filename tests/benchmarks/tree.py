"""Runs a command and measures it with all its children: seconds, and the most memory that they held together."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.5


@dataclass(frozen=True)
class Measured:
    """Seconds on the clock; bytes held at most, memory that processes share counted once; load of the machine."""

    seconds: float
    peak: int
    load_before: float
    load_after: float


def run(
    command: Sequence[str], log: Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> Measured:
    """Run a command, its output into ``log``; CalledProcessError if it fails."""
    begun, before, peak = time.monotonic(), os.getloadavg()[0], 0
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=cwd, env=environment)
        while process.poll() is None:
            peak = max(peak, sum(map(held, descendants(process.pid))))
            time.sleep(EVERY)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command), output=f"see {log}")
    return Measured(time.monotonic() - begun, peak, before, os.getloadavg()[0])


def descendants(root: int) -> list[int]:
    """A process and all that came from it."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended
                continue
            parents.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += parents.get(found[-1], [])
    return found


def held(process: int) -> int:
    """Bytes of a process in memory, its share of what others hold as well; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def processor_of(root: int) -> float:
    """Seconds that a process, what came from it, and what of that has ended took of the processor."""
    ticks = 0
    for process in descendants(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
