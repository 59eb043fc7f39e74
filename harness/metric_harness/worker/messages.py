"""What a worker says, as types; the protocol is described in ``metric_adapters.worker``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from metric_adapters.calls.domain import ANY_DOMAIN, Domain
from metric_reports.types.run import Source


class Asked(NamedTuple):
    """What a subject is asked.

    case_folder : a case as :func:`metric_adapters.case_files.save_case` writes it. out_prefix : values of many users
    are written to ``<out_prefix>.users.npy`` and ``<out_prefix>.values.npy``. ids : an int64 array on disk, the item id
    that a user's function sees for each item number; None: the number. element : one result of a user's function that
    returns several. more : what a user's function is shown besides: ``whole`` lists, not lists that end at k, where it
    takes no k; ``everything``, judgements below the threshold of the case too; ``beside``, a smaller cut-off in a list;
    ``uneven``, fewer rows of some users in a frame of all items.
    """

    subject: str
    case_folder: Path
    k: int
    out_prefix: Path
    ids: Path | None = None
    element: str | None = None
    more: tuple[str, ...] = ()

    def request(self) -> dict[str, Any]:
        """The message to a worker."""
        places = {"case": str(self.case_folder.absolute()), "out": str(self.out_prefix.absolute())}
        named = {"ids": None if self.ids is None else str(self.ids.absolute()), "element": self.element}
        given = {name: value for name, value in named.items() if value is not None}
        return {"op": "ask", "subject": self.subject, "k": self.k, **places, **given, **dict.fromkeys(self.more, True)}


class TakenOut(TypedDict):
    """A user's function runs without the rest of its file. error : of the import of the whole file.

    ran, of : statements of the file's top level that ran, and that it has.
    """

    error: str
    ran: int
    of: int


class Started(TypedDict):
    """The answer to ``start``.

    calls : how each function is called and with which inputs, in words. compiles : a compiler is loaded that works when
    a function is first called.
    """

    version: str
    python: str
    packages: dict[str, str]
    subjects: dict[str, Source]
    calls: dict[str, str]
    taken_out: NotRequired[TakenOut | None]
    compiles: bool


class Checked(TypedDict):
    """The answer to ``check``.

    mistake : what is wrong and the remedy, None if the subject keeps the contract. changed : the case's arrays that it
    modified. place : file and line of the mistake.
    """

    mistake: dict[str, str] | None
    changed: list[str]
    place: tuple[str, int] | None


@dataclass(frozen=True)
class Missed:
    """Code of a user's function that never ran: file, first and last line."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class Branches:
    """How many branches of a function ran, how many it has, the code that never ran, and the constants of its tests.

    narrow : the bounds of the narrow types that its files name. by_process : these hold what may change with the
    process. pads : it compares something with -1 or tells numbers below 0 from others. tables : the names of its tables
    of words in which it looks for what it is given.
    """

    ran: int
    of: int
    missed: tuple[Missed, ...] = ()
    constants: tuple[int | float, ...] = ()
    narrow: tuple[int, ...] = ()
    by_process: bool = False
    pads: bool = False
    tables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """An expression in a function of a user's file, and the numbers that it had at the ends of its calls.

    line : the first one of the function, with its decorators.
    """

    function: str
    line: int
    expression: str
    numbers: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class OfferedCall:
    """A way of calling a user's function, as :func:`metric_adapters.own.calls` describes it.

    For a function of a library or a program, which is asked in one way, only its name.
    """

    name: str
    roles: tuple[str, ...] = ()
    container: str = ""
    ends: Literal["list", "k", "catalogue", "default"] = "list"
    about: str = ""
    why: str = ""
    supports: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    allowed: bool = True
    call: str | None = None
    domain: Domain = ANY_DOMAIN
    k_named: bool = True
    k_presumed: bool = False
    vector: bool = False
    full_lists: Literal["always", "past k", ""] = ""
    cuts: tuple[int, ...] = ()
    limits: tuple[int, ...] = ()
    at_one: bool = False
    thresholds: tuple[float, ...] = ()
    above: tuple[float, ...] = ()
    returned: tuple[tuple[str, ...], ...] = ()
    defaults: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()
    rare: bool = False
    zeros: tuple[str, ...] = ()
    spans: bool = False


def read_call(row: Mapping[str, Any]) -> OfferedCall:
    """A way of calling from the worker's answer."""
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    returned = tuple(map(tuple, row["returned"]))
    return OfferedCall(**{**row, **lists, "returned": returned, "domain": Domain(**row["domain"])})
