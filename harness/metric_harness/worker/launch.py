"""How a worker is started: for a library, for a user's function, or as a program of the user."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROBE_TIMEOUT = 60.0
"""Seconds for a question about a tiny case."""


@dataclass(frozen=True, kw_only=True)
class Launch:
    """How a worker is started.

    python : the interpreter of the library's environment.
    staged : the folder from :func:`metric_harness.libraries.staging.stage`.
    name : the library's key; for a user's function or program, a name for the log.
    log : file to which the worker's standard error is appended, with the library's prints and tracebacks.
    memory : bytes of data that the process may hold (0: no limit); beyond them allocations fail with MemoryError.
    start_timeout : seconds for the import of the library.
    target, convention : a user's function and how it is called, instead of a library's adapter. Without a convention,
        each convention that may fit is a subject under its own name. Imports also search the current folder and
        PYTHONPATH.
    arguments : further arguments of metric_adapters/worker.py, from ``ready``.
    command : a program of any language that speaks the protocol of metric_adapters/worker.py. It runs in the current
        folder, without a memory limit. A question also holds the case (``program.as_json``); an answer needs a value.
    """

    python: Path
    staged: Path
    name: str
    log: Path
    memory: int = 8 << 30
    start_timeout: float = 300
    target: str | None = None
    convention: str | None = None
    command: Sequence[str] | None = None
    arguments: Sequence[str] = ()

    def command_line(self) -> list[str]:
        """The words of the command that starts the process."""
        if self.command:
            return list(self.command)
        program = self.staged / "metric_adapters" / "worker.py"
        apart = "-I" if self.target is None else "-s"  # -I would ignore the hash seed; no other PYTHON* is left
        command = [str(self.python), apart, str(program), self.name, "--memory", str(self.memory), *self.arguments]
        if self.target is None:
            return command
        module, _, name = self.target.rpartition(":")  # made absolute: the worker runs in another folder
        target = f"{os.path.abspath(module)}:{name}" if module.endswith(".py") else self.target
        command += ["--target", target] + (["--convention", self.convention] if self.convention else [])
        for folder in (os.getcwd(), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))):
            command += ["--folder", os.path.abspath(folder)]
        return command

    def refused(self) -> str:
        """The beginning of the message that the worker does not start."""
        if self.command:
            return f"{' '.join(self.command)} does not start"
        return f"{self.name}: its adapter does not start" if self.target is None else self.target
