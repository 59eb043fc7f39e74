"""Tables of interactions: a GroupLens zip or folder, or a delimited or parquet file with named columns.

pyarrow parses. Where it fails, the file is walked again row by row so that the error names the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from metric_harness.data.delimited import Layout, TableFile, explain, sniff, walk
from metric_harness.data.zips import members_of, open_member
from metric_harness.system.errors import HarnessError

# What a column may be called, without case, "_", "-", spaces and RecBole's ":type"; the first that is found counts.
NAMES = {
    "user": ("userid", "user", "uid"),
    "item": ("itemid", "item", "movieid", "movie", "iid"),
    "rating": ("rating", "relevance", "gain"),
    "timestamp": ("timestamp", "time"),
    "score": ("score", "prediction", "relevance"),
    "rank": ("rank", "position"),
}
IDS = ("user", "item")
SUFFIXES = (".csv", ".tsv", ".dat", ".data", ".inter", ".parquet")
RATINGS_FILES = ("ratings.csv", "ratings.dat", "u.data")
WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(?:\.0+)?")


@dataclass(frozen=True, eq=False)
class Ids:
    """A column of ids: row r holds ``distinct[codes[r]]``; ``distinct`` is sorted, int64 or text."""

    codes: np.ndarray
    distinct: np.ndarray


@dataclass(eq=False)
class Table:
    """Columns by role: :class:`Ids` for user and item, int64 for timestamp, float64 for the others.

    ``header`` is the name in the file for each role; ``layout`` is None for parquet.
    """

    file: TableFile
    header: dict[str, str]
    layout: Layout | None
    ids: dict[str, Ids] = field(default_factory=dict)
    numbers: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows below the column names."""
        return len(self.ids["user"].codes)

    def place(self, row: int) -> str:
        """Where a row (from 0) stands: its line in a text file, its row (from 1) in a parquet file."""
        if self.layout is None:
            return f"row {row + 1}"
        return f"line {next(line for index, (line, _) in enumerate(walk(self.file, self.layout)) if index == row)}"

    def fail(self, row: int, role: str, problem: str) -> NoReturn:
        """Raise the HarnessError for one row and column."""
        raise HarnessError(f"{self.file.label}: {self.place(row)}, column {self.header[role]}: {problem}")

    def require_finite(self, role: str) -> None:
        """HarnessError at the first row whose number is missing, NaN or infinite."""
        bad = np.flatnonzero(~np.isfinite(self.numbers[role]))
        if len(bad):
            value = self.numbers[role][bad[0]]
            what = "is empty or NaN" if np.isnan(value) else f"is {value}"
            self.fail(int(bad[0]), role, f"the {role} {what}; give it a number or remove the row")

    def require_distinct(self, first: str, second: str) -> None:
        """HarnessError at the first row that repeats an earlier row's pair of values in two columns."""
        codes, size = self._codes(second)
        pairs = self._codes(first)[0].astype(np.int64) * size + codes
        ordered = np.sort(pairs)
        if not np.any(ordered[1:] == ordered[:-1]):
            return
        row = int(np.flatnonzero(pd.Series(pairs).duplicated())[0])
        earlier = int(np.flatnonzero(pairs == pairs[row])[0])
        raise HarnessError(
            f"{self.file.label}: {self.place(row)}, columns {self.header[first]} and {self.header[second]}: "
            f"{first} {self._value(first, row)} and {second} {self._value(second, row)} stand in {self.place(earlier)} "
            f"already; keep one row for each {first} and {second}"
        )

    def _codes(self, role: str) -> tuple[np.ndarray, int]:
        if role in self.ids:
            return self.ids[role].codes, len(self.ids[role].distinct)
        values, codes = np.unique(self.numbers[role], return_inverse=True)
        return codes, len(values)

    def _value(self, role: str, row: int) -> str:
        return str(self.ids[role].distinct[self.ids[role].codes[row]] if role in self.ids else self.numbers[role][row])


def find_table(path: Path) -> TableFile:
    """The file to read for a path: the file itself, or the ratings in a GroupLens (or RecBole) zip or folder."""
    if path.is_dir():
        found = [file for name in RATINGS_FILES for file in (path / name, *sorted(path.glob(f"*/{name}")))]
        found = [file for file in (*found, *sorted(path.glob("*.inter"))) if file.is_file()]
        if not found:
            raise HarnessError(f"{path}: the folder holds none of {', '.join(RATINGS_FILES)}, *.inter; name a file")
        return TableFile(str(found[0]), found[0].suffix.lower(), partial(_open_file, found[0]))
    if not path.is_file():
        raise HarnessError(f"{path}: no such file or folder")
    suffix = path.suffix.lower()
    if suffix != ".zip" and suffix not in SUFFIXES:
        raise HarnessError(f"{path}: unknown format; use a zip, a folder or a file ending in {', '.join(SUFFIXES)}")
    if suffix != ".zip":
        return TableFile(str(path), suffix, partial(_open_file, path))
    members = members_of(path)
    for wanted in RATINGS_FILES:
        for member in members:
            if member.rpartition("/")[2] == wanted:
                return TableFile(f"{path}:{member}", Path(wanted).suffix, partial(open_member, path, member))
    raise HarnessError(f"{path}: the zip holds none of {', '.join(RATINGS_FILES)}; name the unpacked file itself")


def _open_file(path: Path) -> IO[bytes]:
    return path.open("rb")


def read_table(file: TableFile, required: Sequence[str], optional: Sequence[str] = ()) -> Table:
    """Read the columns of these roles (keys of ``NAMES``).

    HarnessError names file, line, column and remedy: no rows, a missing column, a row with too few or too many fields,
    a missing id or time, text where a number belongs. Other missing numbers are NaN: see :meth:`Table.require_finite`.
    """
    read = _read_parquet if file.suffix == ".parquet" else _read_text
    try:
        table = read(file, required, optional)
    except OSError as error:
        raise HarnessError(f"{file.label}: cannot be read ({str(error).partition(chr(10))[0]})") from None
    if not table.rows:
        raise HarnessError(f"{file.label}: there is no row below the column names; it must hold interactions")
    return table


def match_columns(label: str, found: Sequence[str], required: Sequence[str], optional: Sequence[str]) -> dict[str, int]:
    """Position of the column for each role that the file has.

    HarnessError if a required one is missing, or if two columns of one name could be it.
    """
    plain = [re.sub(r"[_\s-]", "", name.partition(":")[0].lower()) for name in found]
    columns = {}
    for role in (*required, *optional):
        name = next((name for name in NAMES[role] if name in plain), None)
        if name is not None and plain.count(name) > 1:
            same = ", ".join(repr(given) for given, own in zip(found, plain, strict=True) if own == name)
            raise HarnessError(f"{label}: several columns for the {role} ({same}); rename or remove all but one")
        if name is not None:
            columns[role] = plain.index(name)
        elif role in required:
            raise HarnessError(
                f"{label}: no column for the {role} (looked for {', '.join(NAMES[role])}; case and _ do not matter) "
                f"among {', '.join(filter(None, found))}; rename or add the column"
            )
    return columns


def _read_text(file: TableFile, required: Sequence[str], optional: Sequence[str]) -> Table:
    layout = sniff(file)
    columns = match_columns(file.label, layout.names, required, optional)
    table = Table(file, {role: layout.names[position] for role, position in columns.items()}, layout)
    names = [str(position) for position in range(len(layout.names))]
    problem = None
    for time_type in (pa.int64(), pa.float64(), pa.timestamp("ns"))[: 3 if "timestamp" in columns else 1]:
        types = {names[position]: _arrow_type(role, time_type) for role, position in columns.items()}
        try:
            with file.open() as stream:
                arrow = pa.csv.read_csv(
                    stream,
                    pa.csv.ReadOptions(column_names=names, skip_rows=layout.skip, encoding=layout.arrow_encoding),
                    pa.csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
                    pa.csv.ConvertOptions(
                        column_types=types, include_columns=list(types), null_values=[""], strings_can_be_null=True
                    ),
                )
        except pa.ArrowInvalid as error:
            problem = error
            continue
        for role, position in columns.items():
            _keep(table, role, arrow.column(names[position]))
        return table
    explain(file, layout, columns)
    raise HarnessError(f"{file.label}: cannot be read: {problem}")


def _arrow_type(role: str, time_type: pa.DataType) -> pa.DataType:
    if role in IDS:
        return pa.dictionary(pa.int32(), pa.string())
    return time_type if role == "timestamp" else pa.float64()


def _read_parquet(file: TableFile, required: Sequence[str], optional: Sequence[str]) -> Table:
    try:
        with file.open() as stream:
            source = pa.parquet.ParquetFile(stream)
            found = source.schema_arrow.names
            columns = match_columns(file.label, found, required, optional)
            arrow = source.read([found[position] for position in columns.values()])
    except pa.ArrowInvalid as error:
        raise HarnessError(f"{file.label}: not a readable parquet file ({error})") from None
    table = Table(file, {role: found[position] for role, position in columns.items()}, None)
    for role, name in table.header.items():
        column = arrow.column(name)
        if pa.types.is_dictionary(column.type):  # its dictionary may hold values that no row has
            column = column.cast(column.type.value_type)
        _keep(table, role, column)
    return table


def _keep(table: Table, role: str, column: pa.ChunkedArray) -> None:
    """Turn an arrow column into the form that :class:`Table` holds."""
    if role in (*IDS, "timestamp") and column.null_count:
        missing = int(np.flatnonzero(column.is_null().to_numpy())[0])
        table.fail(missing, role, f"the {role} is empty; fill it in or remove the row")
    if role in IDS:
        table.ids[role] = _to_ids(column)
        return
    if role == "timestamp" and pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("s", column.type.tz), safe=False).cast(pa.int64())
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)):
        raise HarnessError(
            f"{table.file.label}: column {table.header[role]} holds {column.type} values where the {role} must be a "
            "number; convert the column"
        )
    if role == "timestamp" and pa.types.is_integer(column.type):
        table.numbers[role] = column.to_numpy().astype(np.int64)
        return
    table.numbers[role] = column.cast(pa.float64()).to_numpy()
    if role == "timestamp":
        table.require_finite(role)
        table.numbers[role] = np.floor(table.numbers[role]).astype(np.int64)


def _to_ids(column: pa.ChunkedArray) -> Ids:
    """Distinct ids and their codes. Ids that are all whole numbers ("7", "7.0" but not "07") become int64."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    encoded = encoded.unify_dictionaries()
    if not encoded.num_chunks:
        return Ids(np.empty(0, np.int32), np.empty(0, np.int64))
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks])
    texts = encoded.chunk(0).dictionary.cast(pa.string()).to_pylist()
    whole = [WHOLE.fullmatch(text) for text in texts]
    given = np.array([int(match[1]) for match in whole if match]) if all(whole) else np.array(texts)
    values, place = np.unique(given, return_inverse=True)
    return Ids(place.astype(np.int32)[codes], values)
