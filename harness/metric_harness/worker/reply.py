"""The outcome of asking a subject: an answer, or one of the ways in which a library fails."""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from metric_harness.system.errors import HarnessError
from metric_reports.distributions import distribution_of

Kind = Literal["answer", "cannot_show", "exception", "crash", "timeout", "garbage", "memory"]
CANNOT_SHOW = "CannotShow"
"""The type of the error that means that an input cannot hold a case (``metric_adapters.subject``)."""


@dataclass(frozen=True, eq=False)
class Reply:
    """The outcome of one question. Only the kind ``answer`` has a value; NaN is a value, not an error.

    value : the library's number, or None.
    users, values : int64 and float64 arrays of one length, or None if the library gives no values by user.
    seconds : time inside the adapter and the library, or None.
    warnings : up to five distinct warnings of the library, "Category: text".
    error : one line, e.g. "ValueError: k must be positive"; None for an answer.
    missing : the module that is not installed, if that is the error.
    elements : if the function returned several numbers, their names, by which each is asked.
    kind : answer, cannot_show (the input that the function takes cannot hold the case), exception (raised), crash (the
        process ended), timeout, memory (beyond the limit), garbage (output that is no answer).
    changed_input : a user's function changed what it was given. by_rank : it returned a number for each rank, of which
        this is the one at k. twice : it raised for the only user and was asked with that user twice. put_back : the
        removed names of other packages that were defined again so that it runs. unsettled : the number depends on what
        was in memory before.
    """

    value: float | None = None
    users: np.ndarray | None = None
    values: np.ndarray | None = None
    seconds: float | None = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    missing: str | None = None
    kind: Kind = "answer"
    elements: tuple[str, ...] = ()
    changed_input: bool = False
    by_rank: bool = False
    twice: bool = False
    put_back: tuple[str, ...] = ()
    unsettled: bool = False

    @property
    def failed(self) -> bool:
        """Whether the process crashed, hung, or wrote something else than an answer."""
        return self.kind not in ("answer", "cannot_show", "exception")


Place = tuple[str, int]
"""A file, relative to the library's folder, and a line number."""


class NoAnswer(Exception):
    """A question without an answer: the kind of failure, a line about it, and the place in the adapter that failed.

    error_type : of the error that was raised, if any. missing : the module that is not installed, if that is the error.
    mistake : what is wrong in an adapter that breaks its contract, the remedy, and the name that it is about.
    """

    def __init__(
        self,
        kind: Kind,
        line: str,
        elements: tuple[str, ...] = (),
        place: Place | None = None,
        *,
        error_type: str = "",
        missing: str | None = None,
        mistake: tuple[str, str, str] | None = None,
    ) -> None:
        super().__init__(line)
        self.kind: Kind = kind
        self.line, self.elements, self.place = line, elements, place
        self.error_type, self.missing, self.mistake = error_type, missing, mistake


class StartFailure(HarnessError):
    """A worker did not start: its adapter or library cannot be imported in this environment.

    ``cause`` is why: its line is the message without the name of the library or function. ``try_with`` is the
    requirement of an environment in which the function may start, if one is known.
    """

    def __init__(self, message: str, cause: NoAnswer, try_with: str | None = None) -> None:
        super().__init__(message)
        self.cause, self.try_with = cause, try_with
        self.passing = try_with is not None or cause.error_type in ("ModuleNotFoundError", "ImportError")

    @property
    def needs(self) -> str | None:
        """The requirement with which the function may start: of an older package, or of one that is not installed."""
        return self.try_with or (None if self.cause.missing is None else distribution_of(self.cause.missing))


def parse_line(line: bytes, secret: str | None = None) -> dict[str, Any]:
    """The JSON object of an answer; NoAnswer unless ``ok`` is true, or false beside an ``error`` with its type.

    secret : the value that the answer must have as ``secret``; None: none is needed.
    """
    try:
        answer = json.loads(line)
        if not isinstance(answer["ok"], bool) or not (answer["ok"] or str(answer["error"]["type"])):
            raise ValueError
        if not answer["ok"]:
            failure(answer, 0)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise NoAnswer("garbage", f"something else than an answer came: {line[:80]!r}") from None
    if secret is not None and not hmac.compare_digest(str(answer.pop("secret", "")).encode(), secret.encode()):
        raise NoAnswer("garbage", f"an answer came that is not the worker's own: {line[:80]!r}")
    return answer


def failure(answer: dict[str, Any], memory: int) -> NoAnswer:
    """The failure that an answer with an error describes."""
    error = answer["error"]
    line = one_line(f"{error['type']}: {error.get('message', '')}").removesuffix(":")
    # torch reports a refused allocation as a RuntimeError
    if error["type"] == "MemoryError" or "can't allocate memory" in line:
        return NoAnswer("memory", f"{line} (the limit is {memory / 2**30:.3g} GiB)" if memory else line)
    kind: Kind = "cannot_show" if error["type"] == CANNOT_SHOW else "exception"
    elements, missing = tuple(map(str, error.get("elements", ()))), error.get("name")
    error_type, missing = str(error["type"]), None if missing is None else str(missing)
    parts = [error.get(name) for name in ("what", "remedy", "about")]
    mistake = (str(parts[0]), str(parts[1]), str(parts[2])) if all(parts) else None
    return NoAnswer(kind, line, elements, place_in(error), error_type=error_type, missing=missing, mistake=mistake)


def place_in(answer: dict[str, Any]) -> Place | None:
    """The place that an answer or an error names, if any."""
    place = answer.get("place")
    return (str(place[0]), int(place[1])) if place else None


def read_reply(answer: dict[str, Any], memory: int) -> Reply:
    """The Reply of an answer to ``ask``; NoAnswer if it is an error or lacks what the protocol promises."""
    if not answer["ok"]:
        raise failure(answer, memory)
    try:
        users = values = None
        if "users" in answer:
            users, values = by_user(answer["users"], np.int64), by_user(answer["values"], np.float64)
            if users.ndim != 1 or users.shape != values.shape:
                raise ValueError(f"users {users.shape} and values {values.shape} do not fit")
        warnings = tuple(one_line(str(text)) for text in answer.get("warnings", ()))
        changed, put_back = bool(answer.get("changed_input")), tuple(map(str, answer.get("put_back", ())))
        return Reply(
            float(answer["value"]),
            users,
            values,
            float(answer["seconds"]),
            warnings,
            changed_input=changed,
            by_rank=bool(answer.get("by_rank")),
            twice=bool(answer.get("twice")),
            put_back=put_back,
            unsettled=bool(answer.get("unsettled")),
        )
    except Exception as error:  # numpy raises many kinds for a damaged file
        raise NoAnswer("garbage", f"an answer without its parts came: {type(error).__name__}: {error}") from None


def by_user(source: str | list[Any], dtype: type[np.int64 | np.float64]) -> np.ndarray:
    """The users or values of an answer: the path of an array, or a list, in which NaN and infinity are texts."""
    if isinstance(source, list):
        return np.array(source if dtype is np.int64 else [float(number) for number in source], dtype=dtype)
    return np.asarray(np.load(Path(source), allow_pickle=False))


def one_line(text: str, limit: int = 300) -> str:
    """A text on one line, cut at ``limit`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
