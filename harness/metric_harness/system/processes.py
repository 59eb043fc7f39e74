"""Runs an installer: its output goes to a log, a person sees what is being done and for how long."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from metric_harness.system.progress import Advance, Reporter

LINES = 15
"""How many of the last lines of output an error shows."""

SPELL = 30
"""Seconds between two lines of progress where there is no terminal."""


class BuildError(Exception):
    """A command failed; the message holds its exit code and the last lines of its output."""


def run_logged(
    commands: Sequence[Sequence[str]],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    title: str,
    reporter: Reporter,
) -> float:
    """Run commands one after the other in a folder, their output appended to a log; returns the seconds they took."""
    begun = time.monotonic()
    with reporter.task(title) as advance:
        for command in commands:
            code = _run(command, environment, folder, log, begun, advance, reporter, title)
            if code:
                words = [Path(command[0]).stem, *(word for word in command[1:3] if not word.startswith("-"))]
                raise BuildError(f"`{' '.join(words)}` ended with exit code {code}:\n{last_lines(log)}")
    return time.monotonic() - begun


def last_lines(log: Path, lines: int = LINES) -> str:
    """The last lines of a text file that are not blank; empty if there is no such file."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 200 * lines - 8000))
            text = file.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join([line.rstrip() for line in text.splitlines() if line.strip()][-lines:])


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group of its own, with all that is in the group, and wait for it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # already gone
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    begun: float,
    advance: Advance,
    reporter: Reporter,
    title: str,
) -> int:
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    told = 0
    try:
        while True:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                seconds = int(time.monotonic() - begun)
            advance(0, last_lines(log, 1)[:80])
            if seconds >= told + SPELL and not reporter.console.is_terminal:
                told = seconds
                reporter.say(f"{title}: {seconds} s so far; {last_lines(log, 1)}")
    finally:
        if process.poll() is None:
            end_group(process)
