"""Asks a library's subjects through a worker process, so that a failure costs only the question that caused it."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

import numpy as np

from metric_adapters.case_files import load_case
from metric_harness.system.processes import Process, last_lines
from metric_harness.system.scratch import scratch
from metric_harness.system.side_by_side import heed_calling_off
from metric_harness.worker.launch import Launch
from metric_harness.worker.messages import Asked, Branches, Checked, Held, Missed, OfferedCall, Started, read_call
from metric_harness.worker.pipe import read_part, write_stacks
from metric_harness.worker.program import as_json, read_started
from metric_harness.worker.reply import NoAnswer, Reply, StartFailure, failure, parse_line, read_reply
from metric_reports.types.odd import OddAnswer

__all__ = ["Reply", "StartFailure", "Worker"]

INSIDE = "METRIC_HARNESS_WORKER"
"""Set in the environment of every worker, so that a file which it imports cannot start an audit."""
GRACE = 5.0
"""Seconds that a worker has to end after ``quit``."""
LONGEST_ANSWER = 64 << 20
"""Bytes of the longest answer: a list of packages or a traceback takes thousands."""


class _Running(NamedTuple):
    process: Process
    folder: tempfile.TemporaryDirectory[str]
    selector: selectors.BaseSelector
    secret: str
    log: IO[bytes]


class Worker:
    """The process that answers for one library; it starts on first use, and again after it had to be killed.

        with Worker(Launch(python=python, staged=stage([library]), name=library.key, log=log)) as worker:
            info = worker.start()
            reply = worker.ask("ndcg", case_folder, 20, out_prefix, timeout=60)

    It runs in a session and a scratch folder of its own; leaving the ``with`` block, also by Ctrl-C, kills it and all
    its descendants. One thread asks at a time. The hash seeds of the processes for a user's function are 1, 2, 3 and so
    on, so that an audit can be repeated. Each process gets a secret before it imports the library; output without
    the secret is no answer.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self._running: _Running | None = None
        self._prepared: _Running | None = None
        self._start_failure: StartFailure | None = None
        self._processes = 0
        self._posted: dict[Asked, float] = {}
        self._unread = b""

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close(GRACE if kind is None and self.launch.target is None else 0)  # a user's function has nothing to end
        prepared, self._prepared = self._prepared, None
        ended(prepared)

    def prepare(self) -> None:
        """Let the process of the next :meth:`start` import the library while the present one answers."""
        with suppress(NoAnswer):  # the start itself says why
            self._prepared = self._prepared or self._asked_to_start()

    def start(self) -> Started:
        """Start the process and import the library; returns version, python, packages and subjects.

        Raises StartFailure if the import raised, ended the process, or took longer than ``start_timeout``.
        """
        self.close(0)
        try:
            self._running, self._prepared = self._prepared or self._asked_to_start(), None
            answer = self._received(self.launch.start_timeout)
            if not answer["ok"]:
                raise failure(answer, self.launch.memory)
        except BaseException as error:
            self.close(0)
            if not isinstance(error, NoAnswer):
                raise
            message = f"{self.launch.refused()}: {error.line}"
            self._start_failure = StartFailure(message, error)
            raise self._start_failure from None
        self._start_failure = None
        return read_started(answer)

    def calls(self) -> list[OfferedCall]:
        """The calls that may fit the target, most likely first; none for a library.

        Raises StartFailure if the target cannot be loaded.
        """
        if self.launch.target is None:
            return []
        rows = self._request("calls", self.launch.start_timeout, self.launch.refused())["calls"]
        return list(map(read_call, rows))

    def wrap(self, subject: str, code: str) -> OfferedCall:
        """Define a wrapper beside the user's function; it is a subject from now on, under its name.

        Raises StartFailure if it cannot be defined.
        """
        row = self._request("wrap", self.launch.start_timeout, subject, subject=subject, code=code)["call"]
        return read_call(row)

    def measure(self, subject: str) -> None:
        """Count from now on which branches of a function run when it is called in this way."""
        self._request("measure", self.launch.start_timeout, subject, subject=subject)

    def ran(self, subject: str) -> Branches:
        """The branches that ran since :meth:`measure`."""
        answer = self._request("ran", self.launch.start_timeout, subject, subject=subject)
        counts = {name: answer[name] for name in ("ran", "of", "by_process", "pads")}
        listed: dict[str, Any] = {name: tuple(answer[name]) for name in ("constants", "narrow", "tables")}
        return Branches(**counts, **listed, missed=tuple(Missed(*place) for place in answer["missed"]))

    def edited(
        self,
        subject: str,
        code: str,
        cases: Sequence[tuple[Path, int]],
        timeout: float,
        element: str | None = None,
    ) -> list[float | None]:
        """What a user's function returns for each case once ``code`` replaces definitions of its file.

        A None among the values: it raised, or the code does not run. The file is not touched.

        Raises StartFailure for a function that ends the worker or its time.
        """
        arguments: dict[str, Any] = {"code": code, "cases": [[str(folder.absolute()), k] for folder, k in cases]}
        arguments |= {} if element is None else {"element": element}
        values = self._request("edited", timeout, subject, subject=subject, **arguments)["values"]
        return [None if value is None else float(value) for value in values]

    def held(self, subject: str, case_folder: Path, k: int, timeout: float) -> list[Held]:
        """What the names of the functions of a user's file held when the function was asked. StartFailure as above."""
        folder = str(case_folder.absolute())
        rows = self._request("held", timeout, subject, subject=subject, case=folder, k=k)["held"]
        return [Held(function, line, expression, tuple(numbers)) for function, line, expression, numbers in rows]

    def post(self, asked: Asked, timeout: float) -> None:
        """Let the process begin with a question that :meth:`answer` asks soon, unless that is posted already.

        Several are answered in their order; one that is not asked in its turn is answered for nothing.
        """
        if self._running is not None and not self.launch.command and asked not in self._posted:
            sent(self._running, {**asked.request(), "timeout": timeout})
            self._posted[asked] = timeout

    def ask(self, subject: str, case_folder: Path, k: int, out_prefix: Path, timeout: float) -> Reply:
        """Ask one subject about a case at a cut-off; see :meth:`answer`."""
        return self.answer(Asked(subject, case_folder, k, out_prefix), timeout)

    def answer(self, asked: Asked, timeout: float) -> Reply:
        """The answer to a question; failures of the library are in the reply, never raised.

        timeout : seconds, after which the worker is killed.
        """
        if not self._ready(asked):
            try:
                if self._start_failure is not None:  # it failed before; do not wait for it again
                    raise self._start_failure
                self.start()
            except StartFailure as error:  # not the subject's fault, so not the kind "exception"
                return Reply(kind="timeout" if error.cause.kind == "timeout" else "crash", error=str(error))
        assert self._running is not None
        request = asked.request()
        if self.launch.command:
            asked.out_prefix.parent.mkdir(parents=True, exist_ok=True)
            case, ids = load_case(asked.case_folder), request.pop("ids", None)
            request |= {"users": as_json(case, None if ids is None else np.load(ids))}
            request |= {"n_items": case.n_items, "threshold": case.threshold}
        begun = time.monotonic()
        title = f"== {self.launch.name}:{asked.subject} k={asked.k} {asked.case_folder.name}\n"
        self._running.log.write(title.encode())
        try:
            answer = self._exchange(request, timeout)
            if self.launch.command:
                answer.setdefault("seconds", time.monotonic() - begun)
            return read_reply(answer, self.launch.memory)
        except BaseException as error:
            # After an exception the worker goes on. After any other failure its state is unknown, and after a refused
            # allocation the memory that the library still holds would be missing for the next subject.
            if not isinstance(error, NoAnswer) or error.kind not in ("exception", "cannot_show"):
                self.close(0)
            if not isinstance(error, NoAnswer):
                raise
            return Reply(kind=error.kind, error=error.line, missing=error.missing, elements=error.elements)

    def check(self, subject: str, case_folder: Path, k: int, timeout: float) -> Checked:
        """Check a subject's answer against the contract of adapters.

        Raises NoAnswer if there is no answer, StartFailure if the adapter does not start.
        """
        if not self._ready():
            self.start()
        request = {"op": "check", "subject": subject, "case": str(case_folder.absolute()), "k": k}
        try:
            answer = self._exchange(request, timeout)
        except NoAnswer:  # the worker's state is unknown
            self.close(0)
            raise
        if not answer["ok"]:
            raise failure(answer, self.launch.memory)
        return {"mistake": answer["mistake"], "changed": answer["changed"], "place": answer["place"]}

    def odd_inputs(self, timeout: float) -> list[OddAnswer]:
        """The library's answers to the inputs in its folder's odd_inputs.py.

        Raises StartFailure if it does not start, if that file fails, or if no answer comes in time.
        """
        return list(self._request("odd_inputs", timeout, f"{self.launch.refused()}: odd_inputs.py")["answers"])

    def tail(self, lines: int = 15) -> str:
        """The last lines of the log."""
        return last_lines(self.launch.log, lines)

    def close(self, grace: float = GRACE) -> None:
        """End the process and all its descendants; with ``grace``, it first has that many seconds to quit by itself."""
        running, self._running = self._running, None
        self._posted, self._unread = {}, b""
        ended(running, grace)

    def _request(self, op: str, timeout: float, title: str, **arguments: Any) -> dict[str, Any]:
        """The answer to a request; if there is none, a StartFailure with a message ``title: why``."""
        if not self._ready():
            self.start()
        try:
            answer = self._exchange({"op": op, **arguments}, timeout)
            if not answer["ok"]:
                raise failure(answer, self.launch.memory)
        except NoAnswer as error:
            self.close(0)
            raise StartFailure(f"{title}: {error.line}", error) from None
        return answer

    def _asked_to_start(self) -> _Running:
        """A new process, asked to import the library; NoAnswer if there is no such program."""
        self.launch.log.parent.mkdir(parents=True, exist_ok=True)
        command, environment = self.launch.command_line(), dict(os.environ)
        if not self.launch.command:
            environment = {name: value for name, value in environment.items() if not name.startswith("PYTHON")}
        if self.launch.target is not None:
            self._processes += 1
            environment |= {"PYTHONHASHSEED": str(self._processes), "PYTHONSAFEPATH": "1"}
            environment["JOBLIB_MULTIPROCESSING"] = "0"  # thousands of small questions: a pool for each takes minutes
            environment["MPLBACKEND"] = "agg"  # no window for each plot
        environment[INSIDE] = "1"
        folder = scratch("worker-")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
        log = self.launch.log.open("ab", buffering=0)
        try:
            cwd = None if self.launch.command else folder.name
            process = Process(command, stderr=log, env=environment, cwd=cwd, **pipes)
        except OSError as error:
            folder.cleanup()
            log.close()
            raise NoAnswer("crash", f"{command[0]} cannot be run: {error.strerror}") from None
        selector = selectors.DefaultSelector()
        running = _Running(process, folder, selector, secrets.token_hex(16), log)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        selector.register(process.stdout, selectors.EVENT_READ)
        known = {} if self.launch.command else {"secret": running.secret}
        sent(running, {"op": "start", "timeout": self.launch.start_timeout, **known})
        return running

    def _ready(self, asked: Asked | None = None) -> bool:
        """Whether the process is running and has no unread output, which would be taken for the next answer.

        asked : the next question; those that were posted before it are answered for nothing.
        """
        try:
            while self._posted and (first := next(iter(self._posted))) != asked:
                self._received(self._posted.pop(first))
        except NoAnswer:  # nobody asks for it, and its process has ended or hangs
            self.close(0)
        if self._running is None:
            return False
        return self._running.process.poll() is None and (bool(self._posted) or not self._running.selector.select(0))

    def _exchange(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Send a request, unless it was posted, and return its answer; NoAnswer if there is none."""
        assert self._running is not None
        if self._posted:
            del self._posted[next(iter(self._posted))]
        else:
            sent(self._running, {**request, "timeout": timeout})
        return self._received(timeout)

    def _received(self, timeout: float) -> dict[str, Any]:
        """The answer to the next request that has none; NoAnswer if there is none."""
        assert self._running is not None
        process, selector, secret = self._running.process, self._running.selector, self._running.secret
        deadline = time.monotonic() + timeout
        line, self._unread = self._unread, b""
        while b"\n" not in line:
            heed_calling_off()
            if time.monotonic() >= deadline:
                write_stacks(process)
                raise NoAnswer("timeout", f"timed out after {timeout:g} s")
            line += read_part(process, selector, deadline)
            if len(line) > LONGEST_ANSWER:
                raise NoAnswer("garbage", f"over {LONGEST_ANSWER >> 20} MiB came without a line's end: {line[:80]!r}")
        first, _, more = line.partition(b"\n")
        answer = parse_line(first, None if self.launch.command else secret)
        if more and not self._posted:
            raise NoAnswer("garbage", f"more than one answer came: {more[:80]!r}")
        self._unread = more
        return answer


def sent(running: _Running, request: dict[str, Any]) -> None:
    """Send a request to a process."""
    assert running.process.stdin is not None
    with suppress(BrokenPipeError):  # it has ended; reading finds out how
        running.process.stdin.write(json.dumps(request).encode() + b"\n")


def ended(running: _Running | None, grace: float = 0.0) -> None:
    """End a process and all its descendants; with ``grace``, it first has that many seconds to quit by itself."""
    if running is None:
        return
    process, folder, selector, _, log = running
    try:
        if grace and process.stdin is not None:
            with suppress(OSError):  # it has ended already
                process.stdin.write(b'{"op": "quit"}\n')
            with suppress(subprocess.TimeoutExpired):
                process.wait(grace)
    finally:
        process.end()
        selector.close()
        for pipe in (process.stdin, process.stdout, log):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        folder.cleanup()
