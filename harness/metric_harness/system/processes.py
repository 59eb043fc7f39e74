"""Runs other programs and leaves no process of them: not after an error, a signal, or the end of this process."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from metric_harness.system import supervisor
from metric_harness.system.downloads import downloads
from metric_harness.system.progress import Advance, Reporter
from metric_harness.system.side_by_side import heed_calling_off

LINES = 15
"""How many of the last lines of output an error shows."""

SECONDS_BETWEEN_LINES = 30
"""Between two lines of progress if the output is no terminal."""

KILL_TIMEOUT = supervisor.KILL_TIMEOUT + 1
"""Seconds that a supervisor has to end all processes of a command."""


class BuildError(Exception):
    """A command failed; the message holds its exit code and the last lines of its output."""


class Process(subprocess.Popen[bytes]):
    """A command under :mod:`metric_harness.system.supervisor`, in a session of its own.

    All its descendants end with it, with :meth:`end`, and with this process. OSError if there is no such program.
    ``settings`` are those of Popen.
    """

    def __init__(self, command: Sequence[str], **settings: Any) -> None:
        if shutil.which(command[0]) is None:
            number = errno.EACCES if os.sep in command[0] and os.path.exists(command[0]) else errno.ENOENT
            raise OSError(number, os.strerror(number))
        read, self._lifeline = os.pipe()
        try:
            supervised = [sys.executable, "-I", "-S", supervisor.__file__, str(read), *command]
            super().__init__(supervised, pass_fds=(read,), start_new_session=True, **settings)
        except BaseException:
            os.close(self._lifeline)  # which ends the supervisor, if it was started
            raise
        finally:
            os.close(read)

    def end(self) -> None:
        """Kill the command and all its descendants, and wait until they have ended.

        No method of Popen is called: an exception from a signal handler may leave Popen's own lock taken for ever.
        """
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)
        if self.returncode is None and not self._ended_within(KILL_TIMEOUT):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            self._ended_within(KILL_TIMEOUT)

    def _ended_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            try:
                process, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # waited for already, but a signal came before Popen stored it
                process, status = self.pid, 0
            if process:
                self.returncode = os.waitstatus_to_exitcode(status)
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)


def run_logged(
    commands: Sequence[Sequence[str]],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    title: str,
    reporter: Reporter,
) -> float:
    """Run commands in a folder, one after the other, and append their output to a log; returns the seconds taken."""
    started = time.monotonic()
    with reporter.task(title) as advance:
        for command in commands:
            code = _run(command, environment, folder, log, started, advance, reporter, title)
            if code:
                shown = [Path(command[0]).stem, *(word for word in command[1:3] if not word.startswith("-"))]
                raise BuildError(f"`{' '.join(shown)}` ended with exit code {code}:\n{last_lines(log)}")
    return time.monotonic() - started


def captured(command: Sequence[str], timeout: float, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command without standard input; returns its exit code and output.

    Raises OSError if there is no such program and subprocess.TimeoutExpired after ``timeout`` seconds.
    """
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = Process(command, **streams, **settings)
    try:
        output, errors = process.communicate(timeout=timeout)
    finally:
        process.end()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    return subprocess.CompletedProcess(list(command), process.returncode, output, errors)


def last_lines(log: Path, lines: int = LINES) -> str:
    """The last lines of a text file that are not blank; empty if there is no such file."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 200 * lines - 8000))
            text = file.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join([line.rstrip() for line in text.splitlines() if line.strip()][-lines:])


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    started: float,
    advance: Advance,
    reporter: Reporter,
    title: str,
) -> int:
    """Run one command and show its progress; returns its exit code."""
    with log.open("ab") as output:
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
        process = Process(command, env=dict(environment), cwd=folder, **streams)
    reported, downloaded = 0, ""
    try:
        while True:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                heed_calling_off()
                seconds = int(time.monotonic() - started)
            advance(0, last_lines(log, 1)[:80])
            if (named := downloads(log)) != downloaded:
                downloaded = named
                reporter.say(f"{title}: downloading {downloaded}")
            if seconds >= reported + SECONDS_BETWEEN_LINES and not reporter.console.is_terminal:
                reported = seconds
                reporter.say(f"{title}: {seconds} s so far; {last_lines(log, 1)}")
    finally:
        process.end()
