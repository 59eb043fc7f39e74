"""The line at which each key of a TOML text is written; tomllib itself gives none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

KeyPath = tuple[str | int, ...]
"""The keys and the indices of arrays that lead to a value."""


def line_of_error(error: Exception, text: str) -> int:
    """The line that tomllib's message names; the last one where it names the end of the document."""
    found = re.search(r"at line (\d+)", str(error))
    return int(found[1]) if found else max(1, len(text.rstrip().split("\n")))


def nearest_line(lines: dict[KeyPath, int], path: Sequence[str | int]) -> int:
    """The line of a value, or of the closest table around it where it is not written."""
    return next((lines[key] for end in range(len(path), -1, -1) if (key := tuple(path[:end])) in lines), 1)


def lines_of(text: str) -> dict[KeyPath, int]:
    """The line of every table, key and array element of a valid TOML text, counted from 1."""
    lines = text.split("\n")
    found: dict[KeyPath, int] = {}
    lengths: dict[KeyPath, int] = {}
    table: KeyPath = ()
    at = 0
    while at < len(lines):
        begin = lines[at].lstrip()
        if not begin or begin.startswith("#"):
            at += 1
        elif begin.startswith("["):
            table = _header(tomllib.loads(lines[at]), lengths)
            for end in range(1, len(table) + 1):
                found.setdefault(table[:end], at + 1)
            at += 1
        else:
            end = _end_of_statement(lines, at)
            _add(tomllib.loads("\n".join(lines[at:end])), table, lines[at:end], at + 1, found)
            at = end
    return found


def _header(parsed: dict[str, Any], lengths: dict[KeyPath, int]) -> KeyPath:
    """The path of a table's header; ``lengths`` counts the elements of each array of tables."""
    path: KeyPath = ()
    inside: Any = parsed
    while isinstance(inside, dict) and inside:
        ((key, inside),) = inside.items()
        path = (*path, key)
        if isinstance(inside, list):
            lengths[path] = lengths.get(path, 0) + 1
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _end_of_statement(lines: Sequence[str], begin: int) -> int:
    """The line after the statement that begins at a line: the first one up to which the lines are TOML."""
    for end in range(begin + 1, len(lines)):
        try:
            tomllib.loads("\n".join(lines[begin:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return len(lines)


def _add(value: Any, path: KeyPath, lines: Sequence[str], first: int, found: dict[KeyPath, int]) -> None:
    if isinstance(value, dict):
        for key, inside in value.items():
            found.setdefault((*path, key), first)
            _add(inside, (*path, key), lines, first, found)
    elif isinstance(value, list):
        for index, line in enumerate(_lines_of_elements(lines, first, len(value))):
            found.setdefault((*path, index), line)
            _add(value[index], (*path, index), (), line, found)


def _lines_of_elements(lines: Sequence[str], first: int, length: int) -> list[int]:
    """The line of each element of an array: the array is closed after each line and parsed."""
    at: list[int] = []
    for count in range(1, len(lines) + 1):
        try:
            (array,) = tomllib.loads("\n".join(lines[:count]) + "\n]").values()
        except (tomllib.TOMLDecodeError, ValueError):
            continue
        if isinstance(array, list):
            at += [first + count - 1] * (len(array) - len(at))
    last = first + max(len(lines) - 1, 0)  # the line that closes the array holds the rest
    return at + [last] * (length - len(at))
