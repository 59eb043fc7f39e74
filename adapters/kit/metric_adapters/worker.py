"""The program that runs inside a library's environment and answers for it.

    python -I STAGED/metric_adapters/worker.py LIBRARY [--adapter MODULE] [--source DIR --release NAME] [--compiled DIR]
    python -s STAGED/metric_adapters/worker.py NAME --target TARGET [--convention NAME] [--folder DIR] [--memory BYTES]

With ``--target`` it answers for a user's function (:mod:`metric_adapters.own`) instead of a library with an adapter.

Each line of its standard input and output is one JSON object. Arrays are given as paths of .npy files, values by user
of a few users as lists. Requests and their answers:

    {"op": "start", "secret": str}
        {"ok": true, "version": str, "python": str, "packages": {name: version}, "subjects": {function: source},
         "calls": {function: how it is fed and called, in words},
         "taken_out": {"error": str, "ran": int, "of": int} or null, "compiles": bool}; of a user's function
         packages and calls are empty, and taken_out tells that its file does not import and how many of its statements
         ran for the function alone; compiles: numba is loaded
    {"op": "ask", "subject": str, "element": str, "case": folder, "k": int, "out": path prefix, "ids": path,
     "whole": bool, "everything": bool, "beside": bool, "uneven": bool}
        {"ok": true, "value": number, "users": path or [int], "values": path or [number], "seconds": number,
         "warnings": [str], "changed_input": bool, "by_rank": bool, "twice": bool,
         "put_back": [removed name that was defined again],
         "unsettled": bool, whether the number depends on what was in memory before (:mod:`metric_adapters.dirtied`)}
    {"op": "check", "subject": str, "case": folder, "k": int}
        {"ok": true, "mistake": {"what": str, "remedy": str} where the answer breaks metric_adapters.contract, or null,
         "changed": [array of the case that the function changed], "place": [file, line] of the function, or null}
    {"op": "odd_inputs"}
        {"ok": true, "answers": [{"kind": str, "function": str, "usual": number, "odd": number}]}, for a library
         whose folder has odd_inputs.py; {"error": str} instead of a number where the library raised an error
    {"op": "calls"}
        {"ok": true, "calls": [{"name": str, ...}]}: the ways in which a user's function may be called, the likeliest
         first (:func:`metric_adapters.own.calls`); empty for a library
    {"op": "wrap", "subject": str, "code": str}
        {"ok": true, "call": {"name": str, ...}}: the code defines, beside a user's function, a function of that name of
         the recommended and the relevant items of one user, and of k if it takes it, which is a subject from now on
    {"op": "measure", "subject": str}
        {"ok": true}: from now on the branches of a function that run when it is called in this way are counted
    {"op": "ran", "subject": str}
        {"ok": true, "ran": int, "of": int, "missed": [[file, first line, last line]], "constants": [number],
         "narrow": [int], "by_process": bool, "pads": bool, "tables": [str]}: how many of its branches ran and how many
         there are, the code that never ran, the constants that its tests compare (:mod:`metric_adapters.ran`), the
         bounds of narrow types, whether something may change with the process, or ids below 0 be padding, and tables
         of words in which it looks for something (:mod:`metric_adapters.hints`)
    {"op": "edited", "subject": str, "code": str, "cases": [[folder, k]], "element": str}
        {"ok": true, "values": [number or null]}: the answers of a user's function, called in this way, after the code
         has replaced definitions of its file; null where it raises
    {"op": "held", "subject": str, "case": folder, "k": int}
        {"ok": true, "held": [[function, first line, expression, [number]]]}: what the names of the functions of the
         file held when the user's function was asked (:mod:`metric_adapters.edited`)
    {"op": "quit"}

For a user's function, "element" names one result of a function that returns several, and "ids" is an int64 array, by
item number, of the ids under which items are presented; "whole" hands whole lists to a function that takes no k, which
else gets lists that end at k; "everything" shows judgements below the threshold too; "beside" adds a smaller cut-off to
a list of cut-offs; "uneven" leaves out rows of some users of a frame of all items. All six are optional. Adapters of
libraries use the item numbers.

An exception is an answer: {"ok": false, "error": {"type": str, "message": str, "place": place}};
place is the innermost [file, line] in the library's folder, or null. Its type may be AdapterMistake, with "what",
"remedy" and "about": SUBJECTS or version() is missing or not as :mod:`metric_adapters.contract` describes;
SeveralResults, with "elements", the names of the results; OtherCutoffs, with "cutoffs", the cut-offs at which the
function returned values, without k; ModuleNotFoundError, with "name", the module or null; CannotShow: the input that
the function takes cannot hold the case. A number that JSON cannot hold is the string "nan", "inf" or "-inf". A request
may have a "timeout" in seconds, after which the parent kills the worker; if it cannot, the worker ends itself ten
seconds later. The worker also ends at the end of its input.

Each answer repeats the secret of "start", so that a line that the library itself writes there is refused. The library
gets an empty standard input, and what it prints, also from C code, goes to standard error: both streams are moved to
other descriptors before any of it is imported. SIGUSR1 writes the stack of every thread to standard error.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import importlib
import json
import math
import os
import platform
import signal
import sys
import time
import traceback
import types
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, Dict, Optional, Set, TextIO, Tuple

STAGED = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[:] = [
        str(STAGED),
        *(path for path in sys.path if Path(path or ".").resolve() != STAGED / "metric_adapters"),
    ]

from metric_adapters.limits import limit_memory, limit_time  # noqa: E402 - found on the path that is set above

PACKAGE = "metric_library"
"""The import name of the asked library's folder."""

FEW_USERS = 64
"""Values of at most this many users are in the answer itself, which is faster than two files."""

PARTS_OF_ERRORS = {
    "SeveralResults": ("elements",),
    "OtherCutoffs": ("cutoffs",),
    "ModuleNotFoundError": ("name",),
    "AdapterMistake": ("what", "remedy", "about"),
}
"""By type of error, the attributes that its answer has besides the message."""


def private_streams() -> Tuple[TextIO, TextIO]:
    """The real standard input and output, for requests and answers; the library gets no input, and standard error."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # still there as sys.__stdout__
    sys.stdout = sys.stderr
    return requests, answers


def explain_crashes() -> None:
    """Write the stack to standard error on a crash and on SIGUSR1, even while C code holds the interpreter."""
    faulthandler.enable()
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1)


def number(value: Any) -> Any:
    """A float as JSON can hold it; TypeError for text, None and arrays, some of which float() would accept."""
    if isinstance(value, (str, bytes, bytearray)) or tuple(getattr(value, "shape", ())):
        raise TypeError(f"the value is no number but {type(value).__name__}: {value!r:.100}")
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def save(path: str, array: Any) -> None:
    """Write an array so that the file is complete or absent; its folder is made."""
    import numpy as np

    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}.part"
    with open(temporary, "wb") as file:
        np.save(file, array)
    os.replace(temporary, path)


def load_adapter(folder: Path, name: str) -> Any:
    """A module of a library's folder, loaded by path, so that nothing else can import it.

    The folder's files import one another relatively.
    """
    package = types.ModuleType(PACKAGE, f"The adapter's files in {folder.name}.")
    package.__path__ = [str(folder)]
    sys.modules[PACKAGE] = package
    return importlib.import_module(f"{PACKAGE}.{name}")


@functools.lru_cache(maxsize=256)
def small_case(folder: str) -> Any:
    """A case that many edits are asked, read once."""
    from metric_adapters.case_files import load_case

    return load_case(Path(folder))


class Worker:
    """Answers requests for one library; the adapter, or the user's function, is imported at ``start``."""

    def __init__(
        self, library: str, target: Optional[str] = None, convention: Optional[str] = None, adapter: str = "adapter"
    ) -> None:
        self.library = library
        self.adapter = adapter
        self.target = target
        self.convention = convention
        self.folder = STAGED / "libraries" / library
        self.subjects: Dict[str, Any] = {}
        self.measured: Dict[str, Any] = {}
        self.logged: Set[Tuple[type, Any, int]] = set()
        self.secret = ""

    def start(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters.description import describe_call, describe_sources, packages
        from metric_adapters.taken_out import TAKEN

        if self.target is None:
            from metric_adapters.contract import offered

            self.subjects, version = offered(load_adapter(self.folder, self.adapter))
            calls = {name: describe_call(subject.ask) for name, subject in self.subjects.items()}
        else:
            from metric_adapters import own

            sys.argv[:] = [self.target.rpartition(":")[0]]  # the file may parse its command line
            self.subjects, version, calls = own.subjects(self.target, self.convention), own.version(self.target), {}
        return {
            "version": version,
            "python": platform.python_version(),
            "packages": packages() if self.target is None else {},
            "subjects": describe_sources({name: subject.source for name, subject in self.subjects.items()}),
            "calls": calls,
            "taken_out": TAKEN[0]._asdict() if TAKEN else None,
            "compiles": "numba" in sys.modules,
        }

    def ask(self, request: Dict[str, Any]) -> Dict[str, Any]:
        import numpy as np

        from metric_adapters.case_files import load_case
        from metric_adapters.dirtied import depends_on_memory
        from metric_adapters.plots import leave_out_plots
        from metric_adapters.put_back import PUT_BACK
        from metric_adapters.taken_out import USED

        USED.clear()
        case, k = load_case(Path(request["case"])), int(request["k"])
        ask = self.asked(request)
        if self.target is not None:
            leave_out_plots()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")  # once for each line: a warning for every user would fill the memory
            started = time.perf_counter()
            answer = ask(case, k)
            seconds = time.perf_counter() - started
        if USED:  # the function caught the error: what it gave is not what it gives where the module is installed
            raise USED[0]
        result: Dict[str, Any] = {"value": number(answer.value), "seconds": seconds}
        if answer.users is not None:
            users, values = np.asarray(answer.users, dtype=np.int64), np.asarray(answer.values, dtype=np.float64)
            if users.ndim != 1 or users.shape != values.shape:
                raise ValueError(f"users of shape {users.shape} beside values of shape {values.shape}")
            for name, array in (("users", users), ("values", values)):
                if len(users) <= FEW_USERS:
                    result[name] = list(map(number, array.tolist())) if name == "values" else array.tolist()
                else:
                    result[name] = f"{request['out']}.{name}.npy"
                    save(result[name], array)
        result["warnings"] = list(dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught))[:5]
        result["changed_input"], result["by_rank"] = answer.changed_input, getattr(answer, "by_rank", False)
        result["twice"], result["put_back"] = getattr(answer, "twice", False), list(PUT_BACK)
        if self.target is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result["unsettled"] = depends_on_memory(ask, case, k, answer)
        return result

    def check(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters.case_files import load_case
        from metric_adapters.contract import changed, copies, mistake_of
        from metric_adapters.description import place_of_function

        case, ask = load_case(Path(request["case"])), self.subjects[request["subject"]].ask
        before = copies(case)
        mistake = mistake_of(ask(case, int(request["k"])), case.users)
        return {"mistake": mistake, "changed": changed(case, before), "place": place_of_function(ask, self.folder)}

    def asked(self, request: Dict[str, Any]) -> Any:
        """The function to ask for a subject, or for one result of a user's function."""
        ask = self.subjects[request["subject"]].ask
        named = {
            name: request[name]
            for name in ("ids", "element", "whole", "everything", "beside", "uneven")
            if request.get(name)
        }
        if self.target is None or not named:
            return ask
        import numpy as np

        if "ids" in named:
            named["ids"] = np.load(named["ids"], allow_pickle=False)
        return functools.partial(ask, **named)

    def odd_inputs(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters.odd_inputs import answered

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {"answers": answered(load_adapter(self.folder, "odd_inputs"))}

    def calls(self, request: Dict[str, Any]) -> Dict[str, Any]:
        if self.target is None:
            return {"calls": []}
        from metric_adapters import own

        return {"calls": own.calls(self.target)}

    def wrap(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters import own

        name = request["subject"]
        self.subjects[name], call = own.wrapped(self.target or "", name, request["code"])
        return {"call": call}

    def measure(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters import own
        from metric_adapters.ran import Ran, counted

        name = request["subject"]
        subject = self.subjects[name]
        if self.target is None:
            self.measured[name] = Ran(subject.source, of_library=True)
            self.subjects[name] = subject._replace(ask=counted(subject.ask, self.measured[name]))
        else:
            self.measured[name] = own.measure(subject)
        return {}

    def ran(self, request: Dict[str, Any]) -> Dict[str, Any]:
        report: Dict[str, Any] = self.measured[request["subject"]].report()
        return report

    def edited(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters import edited

        cases = [(small_case(folder), k) for folder, k in request["cases"]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = edited.answers(
                self.target or "", request["subject"], request["code"], cases, request.get("element")
            )
        return {"values": [None if value is None else number(value) for value in values]}

    def held(self, request: Dict[str, Any]) -> Dict[str, Any]:
        from metric_adapters import edited

        case, subject = small_case(request["case"]), self.subjects[request["subject"]]
        return {"held": edited.numbers_held(self.target or "", subject, case, int(request["k"]))}

    def log(self, error: BaseException) -> None:
        """Write an error's traceback to the log, once for each type and place: a search meets the same ones often."""
        frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
        place = (type(error), frame.f_code, line)
        if place not in self.logged:
            self.logged.add(place)
            traceback.print_exception(type(error), error, error.__traceback__)
            sys.stderr.flush()

    def answer(self, request: Dict[str, Any]) -> str:
        """The line that answers a request."""
        from metric_adapters.description import place_of_error

        try:
            handler = {
                "start": self.start,
                "ask": self.ask,
                "check": self.check,
                "calls": self.calls,
                "wrap": self.wrap,
                "measure": self.measure,
                "ran": self.ran,
                "edited": self.edited,
                "held": self.held,
                "odd_inputs": self.odd_inputs,
            }[request["op"]]
            limit_time(request["timeout"] + 10 if "timeout" in request else 0)
            self.secret = request.pop("secret", self.secret)
            return json.dumps({"ok": True, **handler(request), "secret": self.secret})
        except KeyboardInterrupt:
            raise
        except BaseException as raised:  # SystemExit and the like are the library's answer, not the worker's end
            from metric_adapters.imports import installable

            self.log(raised)
            error = raised if self.target is None else installable(raised)
            kind = "MemoryError" if isinstance(error, MemoryError) else type(error).__name__  # numpy has its own
            parts = {name: getattr(error, name) for name in PARTS_OF_ERRORS.get(kind, ())}
            place = place_of_error(error, self.folder) if self.target is None else None
            parts.update(message=str(error), place=place)
            return json.dumps({"ok": False, "error": {"type": kind, **parts}, "secret": self.secret})
        finally:
            limit_time(0)


def main() -> None:
    for name in [name for name in os.environ if name.startswith("PYTHON")]:  # the seed of hashes has done its work
        del os.environ[name]
    parser = argparse.ArgumentParser(description="Answer for one library: JSON lines in, JSON lines out.")
    parser.add_argument("library")
    parser.add_argument("--memory", type=int, default=0, help="bytes of data the process may hold; 0: no limit")
    parser.add_argument("--target", help="a user's function: path/to/file.py:name or package.module:name")
    parser.add_argument("--convention", help="how that function is called")
    parser.add_argument("--no-bytecode", action="store_true", help="write no compiled files beside the source")
    parser.add_argument("--folder", action="append", default=[], help="where that function's imports are looked for")
    parser.add_argument("--adapter", default="adapter", help="the module of the library's folder that asks it")
    parser.add_argument("--source", type=Path, help="the files of a release that is a git commit")
    parser.add_argument("--compiled", type=Path, help="the library's compiled part")
    parser.add_argument("--release", help="how that release is called")
    options = parser.parse_args()
    requests, answers = private_streams()
    explain_crashes()
    if options.memory:
        limit_memory(options.memory)
    sys.path[1:1] = options.folder
    sys.dont_write_bytecode = options.no_bytecode
    if options.source:
        from metric_adapters import checkout

        checkout.SOURCE, checkout.COMPILED, checkout.RELEASE = options.source, options.compiled, options.release
        # Beside the files of the commit, not among them: they are checked against their digests.
        sys.pycache_prefix = str(options.source.parent / "bytecode")
    worker = Worker(options.library, options.target, options.convention, options.adapter)
    process = os.getpid()
    with suppress(BrokenPipeError):  # the parent ended before the answer came: as if the requests had ended
        for line in requests:
            request = json.loads(line)
            if request["op"] == "quit":
                return
            answer = worker.answer(request)
            if os.getpid() != process:  # a child that the library forked and that came back here must not answer
                os._exit(0)
            answers.write(answer + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
