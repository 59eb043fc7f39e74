"""Reading a library.toml and naming every mistake in it: those that its JSON Schema sees, and those that none can."""

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
LARGEST = 64 << 10
"""Bytes; the time that reading takes grows with the square of the parts of a key."""
TOO_MUCH = "a number with thousands of digits, or brackets hundreds deep"


def read_page(folder: Path) -> tuple[dict[str, Any], list[Mistake]]:
    """The table of a folder's library.toml and the mistakes in it, by line; the table is empty if it is not TOML."""
    file = folder / FILE
    name = _mistakes_of_name(folder)
    try:
        content = file.read_bytes()
    except OSError as error:
        return {}, [*name, Mistake(file, None, "", f"cannot be read: {error.strerror}", "make it a readable file")]
    if len(content) > LARGEST:
        what = f"{len(content) >> 10} KiB are too much for a library's description"
        return {}, [*name, Mistake(file, None, "", what, f"write it in at most {LARGEST >> 10} KiB")]
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return {}, [*name, Mistake(file, line, "", f"not UTF-8: {error.reason}", "save the file as UTF-8")]
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        remedy = "mend this line (a text is in quotes, a list in [ ], each key is written once)"
        return {}, [*name, Mistake(file, line_of_error(error, text), "", f"not TOML: {error}", remedy)]
    except (ValueError, RecursionError):
        return {}, [*name, Mistake(file, None, "", f"cannot be read: {TOO_MUCH}", "write it as the template has it")]
    try:
        found = [*schema_errors(table)] or [*_beyond_schema(folder, cast("LibraryPage", table))]
        lines = lines_of(text) if found else {}
    except RecursionError:
        return {}, [*name, Mistake(file, None, "", f"cannot be read: {TOO_MUCH}", "write it as the template has it")]
    if not found:
        return table, name
    mistakes = [Mistake(file, nearest_line(lines, path), spelled(path), what, remedy) for path, what, remedy in found]
    return table, [*name, *sorted(mistakes, key=lambda mistake: mistake.line or 0)]


def spelled(path: KeyPath) -> str:
    """A path of keys as messages write it: ``releases[0].python``."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _mistakes_of_name(folder: Path) -> list[Mistake]:
    if folder.name.isidentifier():
        return []
    what = f"{folder.name!r} cannot name a library"
    return [Mistake(folder, None, "", what, "rename the folder with letters, digits and _ alone, a letter first")]


def _beyond_schema(folder: Path, table: LibraryPage) -> Iterator[tuple[KeyPath, str, str]]:
    """The mistakes in a table that fits the schema: the path, what is wrong, and the remedy."""
    releases, subjects = table["releases"], table["subjects"]
    for index, release in enumerate(releases):
        at: KeyPath = ("releases", index)
        if not (release.get("requirements") or release.get("without_dependencies") or release.get("commit")):
            yield (*at, "requirements"), "nothing to install", "name at least the library itself, or a commit"
        adapter = release.get("adapter", "adapter")
        if not (folder / f"{adapter}.py").is_file():
            remedy = "write it: it holds SUBJECTS and version()"
            yield (*at, "adapter"), f"there is no {adapter}.py beside library.toml", remedy
        for position, name in enumerate(release.get("subjects", ())):
            if name not in subjects:
                remedy = f"write one of {', '.join(subjects)}, or add [subjects.{name}]"
                yield (*at, "subjects", position), f"{name!r} is none of the [subjects] of this file", remedy
    yield from _order(releases)
    papers = [index for index, release in enumerate(releases) if release.get("paper")]
    if len(papers) > 1:
        remedy = "the paper used one release of a library, so mark one with paper = true"
        yield ("releases", papers[1], "paper"), f"a second release of the paper, after releases[{papers[0]}]", remedy
    for name in subjects.keys() & table.get("not_asked", {}).keys():
        yield ("not_asked", name), f"[subjects.{name}] asks it", "remove it here, or there"
    feeding = table.get("feeding", {})
    for name in feeding.keys() - {"no_evaluator"} if "no_evaluator" in feeding else ():
        what = "no_evaluator says that there is none to run"
        yield ("feeding", name), what, "remove it here, or write no_evaluator no more"
    for name in feeding.get("not_run", {}).keys() - subjects.keys():
        remedy = f"write one of {', '.join(subjects)}"
        yield ("feeding", "not_run", name), f"{name!r} is none of the [subjects] of this file", remedy
    everywhere = not all(release.get("subjects") for release in releases)
    asked = {name for release in releases for name in release.get("subjects", ())}
    for name, subject in subjects.items():
        if not everywhere and name not in asked:
            yield ("subjects", name), "no release has it", "add it to the subjects of a release, or remove it"
        if (before := subject.get("formerly")) and (before not in subjects or before == name):
            remedy = f"write the name of another one: {', '.join(other for other in subjects if other != name)}"
            yield ("subjects", name, "formerly"), f"{before!r} is no other of the [subjects] of this file", remedy


def _order(releases: Sequence[ReleaseTable]) -> Iterator[tuple[KeyPath, str, str]]:
    for index, (earlier, later) in enumerate(itertools.pairwise(releases), 1):
        if not _precedes(earlier, later):
            what = f"{later['version']} stands after {earlier['version']}"
            yield ("releases", index, "version"), what, "order the releases from oldest to newest, each once"


def _precedes(earlier: ReleaseTable, later: ReleaseTable) -> bool:
    """By date where both have one (a project may change how it counts its versions), else by version."""
    if earlier.get("date") and later.get("date"):
        return bool(earlier["date"] < later["date"])
    return Version(earlier["version"]) < Version(later["version"])
