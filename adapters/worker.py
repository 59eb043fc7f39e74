"""The program that runs inside a library's environment and answers for it.

    python -I STAGED/adapters/worker.py LIBRARY [--memory BYTES]

It reads one JSON object a line on its standard input and writes one a line on its standard output. Arrays travel as
.npy paths. Requests and their answers:

    {"op": "start"}
        {"ok": true, "version": str, "python": str, "packages": {name: version}, "subjects": {function: source}}
    {"op": "ask", "subject": str, "case": folder, "k": int, "out": path prefix}
        {"ok": true, "value": number, "users": path, "values": path, "seconds": number, "warnings": [str]}
    {"op": "quit"}

An exception is an answer: {"ok": false, "error": {"type": str, "message": str, "traceback": str}}. A number that JSON
cannot hold is the string "nan", "inf" or "-inf". What the library prints goes to standard error, also from C code:
the stream of answers is moved to a descriptor of its own before any of it is imported.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import inspect
import json
import math
import os
import platform
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, Dict, TextIO

STAGED = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[:] = [str(STAGED), *(path for path in sys.path if Path(path or ".").resolve() != STAGED / "adapters")]


def private_answers() -> TextIO:
    """Keep the real standard output for answers and send everything else that is printed to standard error."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stream


def limit_memory(size: int) -> None:
    """Let allocations beyond ``size`` bytes raise MemoryError, where the system can (not on Windows)."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def number(value: Any) -> Any:
    """A float as JSON can hold it."""
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def packages() -> Dict[str, str]:
    from importlib.metadata import distributions

    return {d.metadata["Name"]: d.version for d in sorted(distributions(), key=lambda d: str(d.metadata["Name"]))}


def describe_source(source: Any) -> Dict[str, Any]:
    """Where a function is written: file relative to the environment, line, and a digest of the whole file."""
    if source is None:
        return {}
    try:
        path = inspect.getsourcefile(source)
        line = inspect.getsourcelines(source)[1]
    except (OSError, TypeError):
        return {}
    if path is None:
        return {}
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    _, found, tail = path.replace(os.sep, "/").rpartition("site-packages/")
    return {"file": tail if found else Path(path).name, "line": line, "sha256": digest}


class Worker:
    """Answers requests for one library; the adapter is imported at ``start``."""

    def __init__(self, library: str) -> None:
        self.library = library
        self.subjects: Dict[str, Any] = {}

    def start(self, request: Dict[str, Any]) -> Dict[str, Any]:
        module = importlib.import_module(f"adapters.{self.library}.adapter")
        self.subjects = module.SUBJECTS
        return {
            "version": module.version(),
            "python": platform.python_version(),
            "packages": packages(),
            "subjects": {name: describe_source(subject.source) for name, subject in self.subjects.items()},
        }

    def ask(self, request: Dict[str, Any]) -> Dict[str, Any]:
        import numpy as np

        from adapters.case_files import load_case

        case = load_case(Path(request["case"]))
        subject = self.subjects[request["subject"]]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            begun = time.perf_counter()
            answer = subject.ask(case, int(request["k"]))
            seconds = time.perf_counter() - begun
        result: Dict[str, Any] = {"value": number(answer.value), "seconds": seconds}
        if answer.users is not None:
            for name, array, kind in (("users", answer.users, np.int64), ("values", answer.values, np.float64)):
                result[name] = request["out"] + f".{name}.npy"
                np.save(result[name], np.asarray(array, dtype=kind))
        result["warnings"] = list(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught))[:5]
        return result

    def answer(self, request: Dict[str, Any]) -> Dict[str, Any]:
        try:
            handler = {"start": self.start, "ask": self.ask}[request["op"]]
            return {"ok": True, **handler(request)}
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit and the like are the library's answer, not the worker's end
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            return {"ok": False, "error": {"type": type(error).__name__, "message": str(error), "traceback": text}}


def main() -> None:
    parser = argparse.ArgumentParser(description="Answer for one library: JSON lines in, JSON lines out.")
    parser.add_argument("library")
    parser.add_argument("--memory", type=int, default=0, help="bytes of data the process may hold; 0: no limit")
    options = parser.parse_args()
    answers = private_answers()
    if options.memory:
        limit_memory(options.memory)
    worker = Worker(options.library)
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "quit":
            break
        answers.write(json.dumps(worker.answer(request)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
