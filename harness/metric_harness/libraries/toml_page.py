"""Reads a library.toml and names every mistake in it: those that its JSON Schema finds, and those beyond a schema."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from packaging.version import Version

from metric_harness.libraries.mistake import Mistake
from metric_harness.libraries.page_types import LibraryPage, ReleaseTable
from metric_harness.libraries.schema import schema_errors
from metric_harness.libraries.toml_lines import KeyPath, line_of_error, lines_of, nearest_line

FILE = "library.toml"
LARGEST_FILE = 64 << 10
"""Bytes; the reading time grows with the square of the number of parts of a key."""
TOO_COMPLEX = "a number with thousands of digits, or brackets hundreds deep"


def read_page(folder: Path) -> tuple[dict[str, Any], list[Mistake]]:
    """The table of a folder's library.toml and the mistakes in it, by line; the table is empty if it is not TOML."""
    file = folder / FILE
    name_mistakes = _mistakes_of_name(folder)

    def refused(line: int | None, what: str, remedy: str) -> tuple[dict[str, Any], list[Mistake]]:
        return {}, [*name_mistakes, Mistake(file, line, "", what, remedy)]

    if file.exists() and not (file.is_file() or file.is_dir()):
        return refused(None, "is no regular file", "make it a text file")
    try:
        content = file.read_bytes()
    except OSError as error:
        return refused(None, f"cannot be read: {error.strerror}", "make it a readable file")
    if len(content) > LARGEST_FILE:
        what = f"{len(content) >> 10} KiB are too much for a library's description"
        return refused(None, what, f"write it in at most {LARGEST_FILE >> 10} KiB")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return refused(line, f"not UTF-8: {error.reason}", "save the file as UTF-8")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        remedy = "mend this line (a text is in quotes, a list in [ ], each key is written once)"
        return refused(line_of_error(error, text), f"not TOML: {error}", remedy)
    except (ValueError, RecursionError):
        return refused(None, f"cannot be read: {TOO_COMPLEX}", "write it as the template has it")
    try:
        problems = [*schema_errors(table)] or [*_beyond_schema(folder, cast("LibraryPage", table))]
        lines = lines_of(text) if problems else {}
    except RecursionError:
        return refused(None, f"cannot be read: {TOO_COMPLEX}", "write it as the template has it")
    if not problems:
        return table, name_mistakes
    mistakes = [Mistake(file, nearest_line(lines, path), spelled(path), *problem) for path, *problem in problems]
    return table, [*name_mistakes, *sorted(mistakes, key=lambda mistake: mistake.line or 0)]


def spelled(path: KeyPath) -> str:
    """A path of keys as messages write it: ``releases[0].python``."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _mistakes_of_name(folder: Path) -> list[Mistake]:
    """The mistake of a folder whose name is no identifier."""
    if folder.name.isidentifier():
        return []
    what = f"{folder.name!r} cannot name a library"
    return [Mistake(folder, None, "", what, "rename the folder with letters, digits and _ alone, a letter first")]


def _beyond_schema(folder: Path, table: LibraryPage) -> Iterator[tuple[KeyPath, str, str]]:
    """The mistakes in a table that fits the schema: the path, what is wrong, and the remedy."""
    releases, subjects = table["releases"], table["subjects"]
    for index, release in enumerate(releases):
        path: KeyPath = ("releases", index)
        if not (release.get("requirements") or release.get("without_dependencies") or release.get("commit")):
            yield (*path, "requirements"), "nothing to install", "name at least the library itself, or a commit"
        adapter = release.get("adapter", "adapter")
        if not (folder / f"{adapter}.py").is_file():
            remedy = "write it: it holds SUBJECTS and version()"
            yield (*path, "adapter"), f"there is no {adapter}.py beside library.toml", remedy
        for position, name in enumerate(release.get("subjects", ())):
            if name not in subjects:
                remedy = f"write one of {', '.join(subjects)}, or add [subjects.{name}]"
                yield (*path, "subjects", position), f"{name!r} is none of the [subjects] of this file", remedy
    yield from _wrong_order(releases)
    papers = [index for index, release in enumerate(releases) if release.get("paper")]
    if len(papers) > 1:
        remedy = "the paper used one release of a library, so mark one with paper = true"
        yield ("releases", papers[1], "paper"), f"a second release of the paper, after releases[{papers[0]}]", remedy
    for name in sorted(subjects.keys() & table.get("not_asked", {}).keys()):
        yield ("not_asked", name), f"[subjects.{name}] asks it", "remove it here, or there"
    feeding = table.get("feeding", {})
    for name in sorted(feeding.keys() - {"no_evaluator"}) if "no_evaluator" in feeding else ():
        what = "no_evaluator says that there is none to run"
        yield ("feeding", name), what, "remove it here, or remove no_evaluator"
    for name in sorted(feeding.get("not_run", {}).keys() - subjects.keys()):
        remedy = f"write one of {', '.join(subjects)}"
        yield ("feeding", "not_run", name), f"{name!r} is none of the [subjects] of this file", remedy
    some_have_all = any(not release.get("subjects") for release in releases)
    listed = {name for release in releases for name in release.get("subjects", ())}
    for name, subject in subjects.items():
        if not some_have_all and name not in listed:
            yield ("subjects", name), "no release has it", "add it to the subjects of a release, or remove it"
        if (former := subject.get("formerly")) and (former not in subjects or former == name):
            remedy = f"write the name of another one: {', '.join(other for other in subjects if other != name)}"
            yield ("subjects", name, "formerly"), f"{former!r} is no other of the [subjects] of this file", remedy


def _wrong_order(releases: Sequence[ReleaseTable]) -> Iterator[tuple[KeyPath, str, str]]:
    """The releases that are not newer than the one before them, as mistakes."""
    for index, (earlier, later) in enumerate(itertools.pairwise(releases), 1):
        if not _precedes(earlier, later):
            what = f"{later['version']} stands after {earlier['version']}"
            yield ("releases", index, "version"), what, "order the releases from oldest to newest, each once"


def _precedes(earlier: ReleaseTable, later: ReleaseTable) -> bool:
    """Whether one release is older: by date if both have one (versioning schemes may change), else by version."""
    if earlier.get("date") and later.get("date"):
        return bool(earlier["date"] < later["date"])
    return Version(earlier["version"]) < Version(later["version"])
