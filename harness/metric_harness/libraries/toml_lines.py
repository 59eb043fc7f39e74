"""The line number of each key of a TOML text, which tomllib does not give."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

KeyPath = tuple[str | int, ...]
"""The keys and the indices of arrays that lead to a value."""


def line_of_error(error: Exception, text: str) -> int:
    """The line that tomllib's message names; the last line if it names the end of the document."""
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else max(1, len(text.rstrip().split("\n")))


def nearest_line(lines: dict[KeyPath, int], path: Sequence[str | int]) -> int:
    """The line of a value; if it is not written, that of the closest table around it."""
    return next((lines[key] for end in range(len(path), -1, -1) if (key := tuple(path[:end])) in lines), 1)


def lines_of(text: str) -> dict[KeyPath, int]:
    """The line of every table, key and array element of a valid TOML text, counted from 1."""
    lines = text.split("\n")
    numbers: dict[KeyPath, int] = {}
    lengths: dict[KeyPath, int] = {}
    table: KeyPath = ()
    position = 0
    while position < len(lines):
        statement = lines[position].lstrip()
        if not statement or statement.startswith("#"):
            position += 1
        elif statement.startswith("["):
            table = _header(tomllib.loads(lines[position]), lengths)
            for end in range(1, len(table) + 1):
                numbers.setdefault(table[:end], position + 1)
            position += 1
        else:
            end = _end_of_statement(lines, position)
            _add(tomllib.loads("\n".join(lines[position:end])), table, lines[position:end], position + 1, numbers)
            position = end
    return numbers


def _header(parsed: dict[str, Any], lengths: dict[KeyPath, int]) -> KeyPath:
    """The path of a table's header; ``lengths`` counts the elements of each array of tables."""
    path: KeyPath = ()
    content: Any = parsed
    while isinstance(content, dict) and content:
        ((key, content),) = content.items()
        path = (*path, key)
        if isinstance(content, list):
            lengths[path] = lengths.get(path, 0) + 1
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _end_of_statement(lines: Sequence[str], start: int) -> int:
    """The index after the last line of a statement: the first one where the lines from ``start`` are valid TOML."""
    for end in range(start + 1, len(lines)):
        try:
            tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return len(lines)


def _add(value: Any, path: KeyPath, lines: Sequence[str], first: int, numbers: dict[KeyPath, int]) -> None:
    """Add the line of each key and element below ``path``, whose statement is ``lines`` from line ``first`` on."""
    if isinstance(value, dict):
        for key, item in value.items():
            numbers.setdefault((*path, key), first)
            _add(item, (*path, key), lines, first, numbers)
    elif isinstance(value, list):
        for index, line in enumerate(_lines_of_elements(lines, first, len(value))):
            numbers.setdefault((*path, index), line)
            _add(value[index], (*path, index), (), line, numbers)


def _lines_of_elements(lines: Sequence[str], first: int, length: int) -> list[int]:
    """The line of each element of an array, found by closing and parsing the array after each line."""
    numbers: list[int] = []
    for count in range(1, len(lines) + 1):
        try:
            (array,) = tomllib.loads("\n".join(lines[:count]) + "\n]").values()
        except (tomllib.TOMLDecodeError, ValueError):
            continue
        if isinstance(array, list):
            numbers += [first + count - 1] * (len(array) - len(numbers))
    last = first + max(len(lines) - 1, 0)  # the line that closes the array has the rest
    return numbers + [last] * (length - len(numbers))
