"""Runs a command and leaves nothing of it behind: ``python -I -S supervisor.py LIFELINE COMMAND...``

It kills the command and all its descendants, also those in sessions of their own, as soon as the command has ended,
SIGTERM arrives, or the other end of the pipe with the descriptor LIFELINE is closed. The end of the process that
started it always closes that pipe. It then ends as the command did: with its exit code or by its signal.

The command keeps standard input, output and error. SIGUSR1 is passed on to it. This file needs only the standard
library. On Linux, orphaned descendants become children of this process (PR_SET_CHILD_SUBREAPER) and are found;
elsewhere only the command's process group is.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

SUBREAPER, DEATH_SIGNAL = 36, 1
"""PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of prctl."""

KILL_TIMEOUT = 3.0
"""Seconds that killing may take; a process inside a system call may end later."""


def prctl(option: int, value: int) -> None:
    """Set a property of this process on Linux; elsewhere do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def start(command: list[str]) -> int:
    """Start the command in a process group of its own; it dies with this process."""
    supervisor = os.getpid()
    child = os.fork()
    if child:
        with suppress(OSError):  # the child has done it already
            os.setpgid(child, child)
        return child
    try:
        os.setpgid(0, 0)
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores these signals, which a program would inherit
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        if os.getppid() == supervisor:
            os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be run: {error.strerror}\n".encode())
    os._exit(127)


def descendants() -> set[int]:
    """The descendants of this process, from /proc; empty on systems without it."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
                parents.setdefault(parent, []).append(int(name))
    processes: set[int] = set()
    queue = [os.getpid()]
    while queue:
        children = parents.get(queue.pop(), [])
        queue += children
        processes.update(children)
    return processes


def reap(ended: dict[int, int]) -> bool:
    """Add the processes that have ended, with their status, to ``ended``; returns whether any is left."""
    try:
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return True
            ended[process] = status
    except ChildProcessError:
        return False


def kill_all(child: int, ended: dict[int, int]) -> None:
    """Kill the command and all its descendants."""
    deadline = time.monotonic() + KILL_TIMEOUT
    while reap(ended) and time.monotonic() < deadline:
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for process in descendants():
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)


def watch(child: int, lifeline: int, reader: int, received: set[int], ended: dict[int, int]) -> None:
    """Wait until the command has ended or is to be ended; ``received``: the signals that have arrived."""
    poller = select.poll()
    poller.register(reader, select.POLLIN)
    poller.register(lifeline, 0)  # no events but its end
    while signal.SIGTERM not in received:
        reap(ended)
        if child in ended:
            return
        if signal.SIGUSR1 in received:
            received.discard(signal.SIGUSR1)
            os.kill(child, signal.SIGUSR1)
        if any(descriptor == lifeline for descriptor, _ in poller.poll()):
            return
        with suppress(BlockingIOError):
            os.read(reader, 512)


def end_like(status: int) -> None:
    """End this process as another one ended."""
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))


def main() -> None:
    """Run the command that the arguments name."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(lifeline, False)
    prctl(SUBREAPER, 1)
    reader, writer = os.pipe()
    for end in (reader, writer):
        os.set_blocking(end, False)
    received: set[int] = set()
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD):
        signal.signal(number, lambda number, frame: received.add(number))
    child = start(command)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # only the command holds these streams, so that it alone decides when they close
    os.dup2(nothing, 1)
    ended: dict[int, int] = {}
    watch(child, lifeline, reader, received, ended)
    kill_all(child, ended)
    end_like(ended.get(child, signal.SIGKILL))


if __name__ == "__main__":
    main()
