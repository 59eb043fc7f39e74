"""The layout of delimited text files, and a row-by-row reader that finds the row a fast parser rejected."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from metric_harness.data.files import TableFile
from metric_harness.system.errors import HarnessError

HEADERLESS = (".dat", ".data")
"""Suffixes of GroupLens files without a line of column names; their columns are in the order of HEADERLESS_ROLES."""
HEADERLESS_ROLES = ("user", "item", "rating", "timestamp")

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Encodings by mark; UTF-32 is tried first, because its mark begins with that of UTF-16."""

HEADER_CHARACTERS = 1 << 16


@dataclass(frozen=True)
class Layout:
    """How a text file is laid out: its delimiter, a name for each field, and how many lines precede the first row.

    GroupLens's "::" is read as ":", so that every second field is empty and nameless. ``encoding`` is its name in
    Python and pyarrow.
    """

    delimiter: str
    names: tuple[str, ...]
    skip: int
    encoding: str = "utf-8-sig"

    @property
    def arrow_encoding(self) -> str:
        """The encoding for pyarrow, which skips the mark of UTF-8 by itself."""
        return "utf8" if self.encoding == "utf-8-sig" else self.encoding


def sniff(file: TableFile) -> Layout:
    """The layout, from the first row that is not blank; HarnessError if the file is empty or lacks column names."""
    with file.open() as stream:
        mark_bytes = stream.read(4)
    encoding = next((name for mark, name in BYTE_ORDER_MARKS.items() if mark_bytes.startswith(mark)), "utf-8-sig")
    with file.open() as stream, io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="") as text:
        head = text.read(HEADER_CHARACTERS)
    if "\0" in head or head.count("\ufffd") > len(head) // 10:
        raise HarnessError(f"{file.label}: not text but binary data; name a text file, or end the name in .parquet")
    lines = io.StringIO(head, newline="").readlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        raise HarnessError(f"{file.label}: the file is empty; it must hold one row for each interaction")
    double_colon = file.suffix in HEADERLESS and "::" in lines[first]
    delimiter = ":" if double_colon else _delimiter(lines[first:])
    rows = csv.reader(lines[first:], delimiter=delimiter)
    try:
        fields = next(rows)
    except csv.Error as error:
        raise HarnessError(f"{file.label}: the column names cannot be read ({error}); correct the first line") from None
    if not any(re.fullmatch(r"\s*-?[0-9.]+\s*", name) for name in fields):
        return Layout(delimiter, tuple(fields), first + rows.line_num, encoding)
    if file.suffix not in HEADERLESS:
        raise HarnessError(
            f"{file.label}: line {first + 1} holds numbers, not column names: {lines[first].strip()[:60]!r}. "
            "Add a first line such as user_id,item_id,rating,timestamp"
        )
    names = [""] * len(fields)
    for position, role in zip(range(0, len(fields), 2 if double_colon else 1), HEADERLESS_ROLES, strict=False):
        names[position] = role
    return Layout(delimiter, tuple(names), first, encoding)


def _delimiter(lines: list[str]) -> str:
    """The most frequent delimiter in the first row, quoted fields left out."""
    unquoted = re.sub(r'"(?:[^"]|"")*"', "", "".join(lines)).lstrip("\r\n") or "".join(lines)
    return max("\t,;|", key=io.StringIO(unquoted, newline=None).readline().count)


def walk(file: TableFile, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Line number (from 1) and fields of every row that is not blank."""
    with file.open() as stream:
        text = io.TextIOWrapper(stream, encoding=layout.encoding, errors="replace", newline="")
        rows = csv.reader(text, delimiter=layout.delimiter)
        for fields in rows:
            if fields and rows.line_num > layout.skip:
                yield rows.line_num, fields


def explain_break(file: TableFile, layout: Layout, columns: dict[str, int]) -> NoReturn:
    """Raise the HarnessError for the first value that holds a line break: its quotation mark swallowed whole rows.

    ``columns``: the position of the field for each role.
    """
    for line, fields in walk(file, layout):
        for position in columns.values():
            if position < len(fields) and "\n" in fields[position]:
                first = line - fields[position].count("\n")
                raise HarnessError(
                    f"{file.label}: line {first}, column {layout.names[position]}: a quotation mark is closed only in "
                    f'line {line}, so the rows between would be lost; remove it, or write "" for each that is meant'
                )
    raise HarnessError(f"{file.label}: a value holds a line break; remove it")


def explain(file: TableFile, layout: Layout, columns: dict[str, int]) -> None:
    """Raise the HarnessError that names the first row that cannot be read; return if all can.

    ``columns``: the position of the field for each role.
    """
    for line, fields in walk(file, layout):
        if len(fields) != len(layout.names):
            step = 2 if layout.delimiter == ":" and "" in layout.names else 1
            raise HarnessError(
                f"{file.label}: line {line} has {-(-len(fields) // step)} fields where "
                f"{-(-len(layout.names) // step)} are expected; correct or remove the line"
            )
        for position in columns.values():
            if "\ufffd" in fields[position]:
                raise HarnessError(
                    f"{file.label}: line {line}, column {layout.names[position]}: {fields[position]!r} is not UTF-8 "
                    "text; correct it or remove the line"
                )
