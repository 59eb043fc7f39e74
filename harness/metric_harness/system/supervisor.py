"""Runs a command and leaves nothing of it behind: ``python -I -S supervisor.py LIFELINE COMMAND...``

It kills the command and every process that came of it, those in sessions of their own too, as soon as the command has
ended, SIGTERM comes, or the other end of the pipe with the descriptor LIFELINE is closed, which the end of the process
that started it does, however it ended. It then ends as the command ended: with its exit code or by its signal.

The command keeps standard input, output and error. SIGUSR1 is passed on. Standard library alone.

On Linux processes that were left by their parents become children of this one (PR_SET_CHILD_SUBREAPER) and are found;
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

LONGEST = 3.0
"""Seconds that killing may take: a process in the kernel ends later."""


def prctl(option: int, value: int) -> None:
    """Set a property of this process; nothing where the system is not Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def start(command: list[str]) -> int:
    """Start the command in a process group of its own; it dies with this process."""
    here = os.getpid()
    child = os.fork()
    if child:
        with suppress(OSError):  # the child has done it already
            os.setpgid(child, child)
        return child
    try:
        os.setpgid(0, 0)
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and a program would inherit that
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        if os.getppid() == here:
            os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be run: {error.strerror}\n".encode())
    os._exit(127)


def descendants() -> set[int]:
    """The processes that came of this one, as /proc has them; empty where there is none."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
                parents.setdefault(parent, []).append(int(name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        children = parents.get(waiting.pop(), [])
        waiting += children
        found.update(children)
    return found


def reap(ended: dict[int, int]) -> bool:
    """Collect the processes that have ended, with their status; whether any is left."""
    try:
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return True
            ended[process] = status
    except ChildProcessError:
        return False


def kill_all(child: int, ended: dict[int, int]) -> None:
    """Kill the command and all that came of it."""
    until = time.monotonic() + LONGEST
    while reap(ended) and time.monotonic() < until:
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for process in descendants():
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)


def watch(child: int, lifeline: int, wakeup: int, came: set[int], ended: dict[int, int]) -> None:
    """Wait for the end of the command, or for a reason to end it."""
    poller = select.poll()
    poller.register(wakeup, select.POLLIN)
    poller.register(lifeline, 0)  # its end alone is heard
    while signal.SIGTERM not in came:
        reap(ended)
        if child in ended:
            return
        if signal.SIGUSR1 in came:
            came.discard(signal.SIGUSR1)
            os.kill(child, signal.SIGUSR1)
        if any(descriptor == lifeline for descriptor, _ in poller.poll()):
            return
        with suppress(BlockingIOError):
            os.read(wakeup, 512)


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
    wakeup, woken = os.pipe()
    for end in (wakeup, woken):
        os.set_blocking(end, False)
    came: set[int] = set()
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD):
        signal.signal(number, lambda number, frame: came.add(number))
    child = start(command)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # the ends of these streams are the command's to close
    os.dup2(nothing, 1)
    ended: dict[int, int] = {}
    watch(child, lifeline, wakeup, came, ended)
    kill_all(child, ended)
    end_like(ended.get(child, signal.SIGKILL))


if __name__ == "__main__":
    main()
