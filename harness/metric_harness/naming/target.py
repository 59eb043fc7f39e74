"""What an audit is pointed at: a library, one of its functions, a function of the user, or a program."""

from __future__ import annotations

import re
import shlex
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from metric_harness.system.errors import HarnessError
from metric_reports.types import run
from metric_reports.types.audit import Source

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library, Release, SubjectInfo


WITH_ELEMENT = re.compile(r"(?P<function>.*:[\w.]+)(?P<element>\[(?!.*\.py:).+)")
"""A target with an element; brackets in the path of a file are none."""


@dataclass(frozen=True)
class Target:
    """A parsed target.

    text : as the user wrote it. library, release : of a library. function : its name; None for all of a library.
    own : a function of the user, as ``path.py:name`` or ``package.module:name``. element : the result that is meant,
    of a function that returns several, in its brackets: ``[0]``, ``[recall@5]``; empty for all.
    command : the words of the command that starts a program which speaks the worker's protocol.
    """

    text: str
    library: Library | None = None
    release: Release | None = None
    function: str | None = None
    own: str | None = None
    element: str = ""
    command: tuple[str, ...] = ()

    def seed(self) -> int:
        """The seed of drawn cases, 0 to 65,535: another one for each function, the same while its file is the same."""
        head, _, name = (self.own or "").rpartition(":")
        source = Path(head).read_bytes() if head.endswith(".py") else head.encode()
        return zlib.crc32(name.encode(), zlib.crc32(source)) & 0xFFFF

    def needs(self, function: str) -> tuple[str, ...]:
        """What a library's function needs of a case; nothing for a function of the user."""
        return () if self.library is None else self.library.subjects[function].needs

    def documented(self, function: str) -> SubjectInfo | None:
        """What a library says of its function; None for a function of the user."""
        return None if self.library is None else self.library.subjects[function]


def read_target(text: str, adapters: Sequence[Path] = ()) -> Target:
    """Read a target as :func:`parse_target` does, with the project's libraries and those of ``adapters``.

    A function in a file and a program are recognised without reading the descriptions of the libraries.
    """
    if not adapters and (text.startswith("exec:") or ".py:" in text):
        return parse_target(text, {})
    from metric_harness.libraries.describe import find_usable

    return parse_target(text, *find_usable(adapters))


def parse_target(
    text: str, libraries: Mapping[str, Library], broken: Mapping[str, HarnessError] | None = None
) -> Target:
    """Read a target.

    ``recbole``, ``recbole==1.2.0``, ``recommenders:map_at_k``, ``recbole==1.2.0:MAP``; ``my_pkg.metrics:ndcg_at_k``,
    ``path/to/file.py:ndcg``, ``path/to/file.py:evaluate[recall@5]``; ``exec:node metrics.mjs``.

    broken : the libraries whose folders have mistakes.

    Raises HarnessError for any other text, for a function that the library does not have and for a broken library.
    """
    if text.startswith("exec:"):
        try:
            command = tuple(shlex.split(text.removeprefix("exec:")))
        except ValueError as error:
            raise HarnessError(f"{text!r}: {error}; close the quotes") from None
        if not command:
            raise HarnessError(f"{text!r}: name the program after exec:, for example exec:node metrics.mjs")
        return Target(text, command=command)
    head, _, function = text.partition(":")
    name, _, version = head.partition("==")
    if broken and name in broken:
        raise broken[name]
    if name in libraries:
        return _library_target(text, libraries[name], version, function or None)
    with_element = WITH_ELEMENT.fullmatch(text)
    own, element = with_element.group("function", "element") if with_element else (text, "")
    location, _, attribute = own.rpartition(":")
    if not location or not attribute:
        raise HarnessError(
            f"{text!r} is no target. Give a library ({', '.join(libraries)}), package.module:function, "
            "path/to/file.py:function, or exec:PROGRAM"
        )
    if location.endswith(".py"):
        file = existing_file(Path(location))
        return Target(text, own=f"{file}:{attribute}", function=attribute, element=element)
    if "==" in location or "/" in location:
        raise HarnessError(f"{text!r}: there is no adapter for {name!r}; known: {', '.join(libraries)}")
    return Target(text, own=own, function=attribute, element=element)


def in_brackets(element: str) -> str:
    """An element of a return as a target names it: ``[recall@5]``; one that is in brackets already as it is."""
    return element if element.startswith("[") or not element else f"[{element}]"


def existing_file(path: Path) -> Path:
    """The absolute path of a file; HarnessError if there is none."""
    try:
        if path.is_file():
            return path.resolve()
    except OSError as error:
        raise HarnessError(f"{str(path)[:120]}: cannot be read ({error.strerror}); name a Python file") from None
    raise HarnessError(f"{path}: no such file; name a Python file, as in path/to/file.py:function")


def _library_target(text: str, library: Library, version: str, function: str | None) -> Target:
    if function is not None and function not in library.subjects:
        offered = library.subjects_of(library.newest())
        raise HarnessError(f"{text!r}: {library.key} has no {function!r}; it has {', '.join(offered)}")
    release = at_version(library, version) if version else library.newest()
    if function is not None and not version:  # a function removed since is asked of the last release that had it
        release = next(
            candidate for candidate in reversed(library.releases) if function in library.subjects_of(candidate)
        )
    offered = library.subjects_of(release)
    if function is not None and function not in offered:
        raise HarnessError(
            f"{text!r}: {library.key} {release.version} has no {function!r}; it has {', '.join(offered)}"
        )
    return Target(text, library, release, function)


def at_version(library: Library, version: str) -> Release:
    """A release of a library at any version: as recorded, or as the newest one with the version replaced."""
    for release in library.releases:
        if release.version == version:
            return release
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    newest, distribution = library.newest(), canonicalize_name(library.distribution)

    def pinned(requirements: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            f"{library.distribution}=={version}" if canonicalize_name(Requirement(line).name) == distribution else line
            for line in requirements
        )

    return replace(
        newest,
        version=version,
        requirements=pinned(newest.requirements),
        without_dependencies=pinned(newest.without_dependencies),
        note=f"installed as {newest.version} is",
    )


def own_file(own: str) -> Path | None:
    """The file of a function of the user, given as ``path.py:name`` or ``package.module:name``; None if not there."""
    location = own.rpartition(":")[0]
    if not location:
        return None
    module = Path(*location.split("."))
    paths = [Path(location)] if location.endswith(".py") else [module.with_suffix(".py"), module / "__init__.py"]
    return next((path for path in paths if path.is_file()), None)


def module_of(location: str) -> str:
    """The name by which a module or file is imported, with the packages that hold it."""
    if not location.endswith(".py"):
        return location
    path = Path(location).resolve()  # the working folder may be a package
    packages = takewhile(lambda folder: (folder / "__init__.py").is_file(), path.parents)
    return ".".join([*reversed([folder.name for folder in packages]), path.stem])


def source_of(target: Target, described: run.Source) -> Source | None:
    """{"file", "line"} of a function, or None if it is not known.

    A user's file is named relative to the working folder, a library's relative to its environment.

    described : what the worker says of the function: file, line (or nothing).
    """
    file = described.get("file")
    if target.own is not None and (own := own_file(target.own)) is not None:
        path, folder = own.resolve(), Path.cwd()
        file = (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()
    return None if file is None else {"file": file, "line": described.get("line")}
