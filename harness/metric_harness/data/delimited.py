"""The layout of delimited text files, and the walk through one row by row that finds what a fast parser rejected."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import IO

from metric_harness.system.errors import HarnessError

HEADERLESS = (".dat", ".data")
"""Suffixes of GroupLens files without a line of column names; their columns stand in the order of HEADERLESS_ROLES."""
HEADERLESS_ROLES = ("user", "item", "rating", "timestamp")


@dataclass(frozen=True)
class TableFile:
    """A file to read, maybe inside a zip. ``label`` names it in messages."""

    label: str
    suffix: str
    open: Callable[[], IO[bytes]]

    def sha256(self) -> str:
        """Hex digest of the content."""
        with self.open() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


@dataclass(frozen=True)
class Layout:
    """How a text file is laid out: its delimiter, a name for each field, and how many lines precede the first row.

    GroupLens's "::" is read as ":", which makes every second field empty and nameless.
    """

    delimiter: str
    names: tuple[str, ...]
    skip: int


def sniff(file: TableFile) -> Layout:
    """The layout, from the first line that is not blank; HarnessError if the file is empty or lacks column names."""
    with file.open() as stream:
        lines = (
            (number, line.decode("utf-8-sig", errors="replace").strip("\r\n")) for number, line in enumerate(stream)
        )
        skip, first = next(((number, line) for number, line in lines if line.strip()), (0, ""))
    if not first:
        raise HarnessError(f"{file.label}: the file is empty; it must hold one row for each interaction")
    double = file.suffix in HEADERLESS and "::" in first
    delimiter = ":" if double else max("\t,;|", key=first.count)
    fields = next(csv.reader([first], delimiter=delimiter))
    if not any(re.fullmatch(r"\s*-?[0-9.]+\s*", name) for name in fields):
        return Layout(delimiter, tuple(fields), skip + 1)
    if file.suffix not in HEADERLESS:
        raise HarnessError(
            f"{file.label}: line {skip + 1} holds numbers, not column names: {first[:60]!r}. "
            "Add a first line such as user_id,item_id,rating,timestamp"
        )
    names = [""] * len(fields)
    for place, role in zip(range(0, len(fields), 2 if double else 1), HEADERLESS_ROLES, strict=False):
        names[place] = role
    return Layout(delimiter, tuple(names), skip)


def walk(file: TableFile, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Line number (from 1) and fields of every row that is not blank."""
    with file.open() as stream:
        rows = csv.reader(
            io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline=""), delimiter=layout.delimiter
        )
        for fields in rows:
            if fields and rows.line_num > layout.skip:
                yield rows.line_num, fields


def explain(file: TableFile, layout: Layout, columns: dict[str, int]) -> None:
    """Raise the HarnessError that names the first row that cannot be read; return if there is none.

    ``columns``: the position of the field for each role.
    """
    for line, fields in walk(file, layout):
        if len(fields) != len(layout.names):
            step = 2 if layout.delimiter == ":" and "" in layout.names else 1
            raise HarnessError(
                f"{file.label}: line {line} has {-(-len(fields) // step)} fields where "
                f"{-(-len(layout.names) // step)} are expected; correct or remove the line"
            )
        for role, position in columns.items():
            problem = _problem(role, fields[position])
            if problem:
                raise HarnessError(
                    f"{file.label}: line {line}, column {layout.names[position]}: {problem}; "
                    "correct it or remove the line"
                )


def _problem(role: str, text: str) -> str | None:
    """What is wrong with one field, or None."""
    if role in ("user", "item"):
        return f"{text!r} is not UTF-8 text" if "\ufffd" in text else None
    try:
        float(text or "nan")
    except ValueError:
        if role != "timestamp":
            return f"{text!r} is not a number"
        try:
            datetime.fromisoformat(text)
        except ValueError:
            return f"{text!r} is neither a number of seconds nor a date such as 2009-01-05 03:48:51"
    return None
