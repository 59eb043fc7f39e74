"""The layout of delimited text files, and the walk through one row by row that finds what a fast parser rejected."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from metric_harness.data.files import TableFile
from metric_harness.system.errors import HarnessError

HEADERLESS = (".dat", ".data")
"""Suffixes of GroupLens files without a line of column names; their columns stand in the order of HEADERLESS_ROLES."""
HEADERLESS_ROLES = ("user", "item", "rating", "timestamp")

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The encoding that the first bytes of a file name; that of UTF-32 begins with that of UTF-16 and is tried first."""

HEADER_CHARACTERS = 1 << 16


@dataclass(frozen=True)
class Layout:
    """How a text file is laid out: its delimiter, a name for each field, and how many lines precede the first row.

    GroupLens's "::" is read as ":", which makes every second field empty and nameless. ``encoding`` is what Python and
    pyarrow call it.
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
        start = stream.read(4)
    encoding = next((name for mark, name in MARKS.items() if start.startswith(mark)), "utf-8-sig")
    with file.open() as stream, io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="") as text:
        head = text.read(HEADER_CHARACTERS)
    if "\0" in head or head.count("\ufffd") > len(head) // 10:
        raise HarnessError(f"{file.label}: not text but binary data; name a text file, or end the name in .parquet")
    lines = io.StringIO(head, newline="").readlines()
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    if blank == len(lines):
        raise HarnessError(f"{file.label}: the file is empty; it must hold one row for each interaction")
    double = file.suffix in HEADERLESS and "::" in lines[blank]
    delimiter = ":" if double else _delimiter(lines[blank:])
    rows = csv.reader(lines[blank:], delimiter=delimiter)
    try:
        fields = next(rows)
    except csv.Error as error:
        raise HarnessError(f"{file.label}: the column names cannot be read ({error}); correct the first line") from None
    if not any(re.fullmatch(r"\s*-?[0-9.]+\s*", name) for name in fields):
        return Layout(delimiter, tuple(fields), blank + rows.line_num, encoding)
    if file.suffix not in HEADERLESS:
        raise HarnessError(
            f"{file.label}: line {blank + 1} holds numbers, not column names: {lines[blank].strip()[:60]!r}. "
            "Add a first line such as user_id,item_id,rating,timestamp"
        )
    names = [""] * len(fields)
    for place, role in zip(range(0, len(fields), 2 if double else 1), HEADERLESS_ROLES, strict=False):
        names[place] = role
    return Layout(delimiter, tuple(names), blank, encoding)


def _delimiter(lines: list[str]) -> str:
    """The delimiter that stands most often in the first row; inside quotes it does not count."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", "".join(lines)).lstrip("\r\n") or "".join(lines)
    return max("\t,;|", key=io.StringIO(bare, newline=None).readline().count)


def walk(file: TableFile, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Line number (from 1) and fields of every row that is not blank."""
    with file.open() as stream:
        text = io.TextIOWrapper(stream, encoding=layout.encoding, errors="replace", newline="")
        rows = csv.reader(text, delimiter=layout.delimiter)
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
        for position in columns.values():
            if "\ufffd" in fields[position]:
                raise HarnessError(
                    f"{file.label}: line {line}, column {layout.names[position]}: {fields[position]!r} is not UTF-8 "
                    "text; correct it or remove the line"
                )
