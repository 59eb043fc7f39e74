"""Checks of option values: words of a list, numbers within bounds, paths that can be read or written.

Typer calls all but the first with an option's value, before any work; None means that it was not given. The
HarnessError names the option.
"""

from __future__ import annotations

import errno
import math
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer

from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import LARGEST_K, LEAST_GIB, MOST_GIB, MOST_JOBS, MOST_SECONDS

UNREADABLE = {
    errno.ELOOP: "its symbolic links lead in a circle; name the file that is meant",
    errno.ENAMETOOLONG: "the name is too long for a file; check what was pasted",
    errno.EACCES: "a folder on the way to it may not be entered; change its permissions or name another path",
}


class Writes(NamedTuple):
    """Beside the annotation of a folder: the files that the command writes in it."""

    files: tuple[str, ...]


class UnreadWith(NamedTuple):
    """Beside the annotation of a file: it is not read if this parameter is given."""

    parameter: str


def one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raise HarnessError for a value of an option that is not allowed."""
    if value not in allowed:
        raise HarnessError(f"{name} {value}: give one of {', '.join(allowed)}")


def option(param: typer.CallbackParam) -> str:
    """The name of an option, such as ``--memory``; empty for an argument."""
    return str(param.opts[0]) if getattr(param, "param_type_name", "") == "option" else ""


def gib(param: typer.CallbackParam, value: float) -> float:
    """A number of GiB, at least a MiB."""
    if not LEAST_GIB <= value < MOST_GIB:
        raise HarnessError(f"{option(param)}: {value} is no number of GiB; give one above {LEAST_GIB:.3f}, such as 2")
    return value


def gib_or_none(param: typer.CallbackParam, value: float | None) -> float | None:
    """A number of GiB, None where the option is not given."""
    return None if value is None else gib(param, value)


def seconds(param: typer.CallbackParam, value: float | None) -> float | None:
    """A number of seconds above 0."""
    if value is not None and not 0 < value <= MOST_SECONDS:
        raise HarnessError(f"{option(param)}: {value} is no number of seconds; give one above 0, such as 60")
    return value


def seconds_or_none(param: typer.CallbackParam, value: float) -> float | None:
    """A number of seconds, 0 for no limit."""
    return value if value == 0 else seconds(param, value)


def jobs(param: typer.CallbackParam, value: int | None) -> int | None:
    """A number of processes."""
    if value is not None and not 1 <= value <= MOST_JOBS:
        raise HarnessError(f"{option(param)}: {value} is no number of processes; give 1 to {MOST_JOBS}")
    return value


def rating(param: typer.CallbackParam, value: float | None) -> float | None:
    """A finite number."""
    if value is not None and not math.isfinite(value):
        raise HarnessError(f"{option(param)}: {value} is no rating; give a finite number")
    return value


def penalty(param: typer.CallbackParam, value: float) -> float:
    """A finite number above 0."""
    if not 0 < value < math.inf:
        raise HarnessError(f"{option(param)}: {value} weighs nothing; give a finite number above 0, such as 0.5")
    return value


def share(param: typer.CallbackParam, value: float | None) -> float | None:
    """A number between 0 and 1."""
    if value is not None and not 0 < value < 1:
        raise HarnessError(f"{option(param)}: {value} is no share; give a number between 0 and 1, such as 0.2")
    return value


def seed(param: typer.CallbackParam, value: int | None) -> int | None:
    """A whole number of 32 bits."""
    if value is not None and not 0 <= value < 2**32:
        raise HarnessError(f"{option(param)}: {value} is no seed; give a whole number from 0 to {2**32 - 1}")
    return value


def length(param: typer.CallbackParam, value: int | None) -> int | None:
    """The length of a list, or a cut-off."""
    if value is not None and not 1 <= value <= LARGEST_K:
        raise HarnessError(f"{option(param)}: {value} is no length of a list; give 1 to {LARGEST_K:,}")
    return value


def read_from(param: typer.CallbackParam, value: Any) -> Any:
    """One or several paths that the system lets us look at; they need not exist."""
    for path in _paths(value):
        _exists(option(param), path)
    return value


def environment(param: typer.CallbackParam, value: str) -> str:
    """``isolated``, ``current``, or a path that the system lets us look at."""
    if value not in ("isolated", "current"):
        _exists(option(param), Path(value))
    return value


def file_to_write(param: typer.CallbackParam, value: Path | None) -> Path | None:
    """The path of a file that can be written: no folder, and not below a file or a folder that may not be changed."""
    for path in _paths(value):
        if _exists(option(param), path) and path.is_dir():
            raise HarnessError(f"{option(param)} {path}: it is a folder; name a file in it, such as {path / 'FILE'}")
        _require_writable(option(param), path, path.absolute().parent)
    return value


def folder_to_write(param: typer.CallbackParam, value: Path | None) -> Path | None:
    """The path of a folder in which files can be written, or that can be made."""
    for path in _paths(value):
        _exists(option(param), path)
        _require_writable(option(param), path, path.absolute())
    return value


def _paths(value: Any) -> Iterator[Path]:
    yield from () if value is None else value if isinstance(value, Sequence) else (value,)


def _exists(name: str, path: Path) -> bool:
    """Whether a path exists; HarnessError if the system refuses to say, or if it is neither a file nor a folder."""
    try:
        mode = path.expanduser().stat().st_mode
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return False
        shown = str(path) if len(str(path)) <= 120 else f"{str(path)[:119]}…"
        reason = UNREADABLE.get(error.errno or 0, f"it cannot be read ({error.strerror}); name another path")
        raise HarnessError(f"{name} {shown}: {reason}".strip()) from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise HarnessError(f"{name} {path}: it is a pipe or a device, not a file; name a file".strip())
    return True


def _require_writable(name: str, path: Path, folder: Path) -> None:
    """HarnessError unless a folder, or its nearest parent that exists, can be written in."""
    nearest = next(parent for parent in (folder, *folder.parents) if os.path.lexists(parent))
    if not nearest.is_dir():
        why = "is a file" if nearest.is_file() else "is no folder"
        inside = "" if nearest == path.absolute() else f" {nearest}"
        raise HarnessError(f"{name} {path}:{inside or ' it'} {why}, so nothing can be written in it; name a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise HarnessError(f"{name} {path}: {nearest} may not be written in; name another place")
