"""Reads tables larger than memory: a parquet file, a folder of parquet parts, or a text file turned into such a folder.

A table is read piece by piece: a piece is some row groups of one part, small enough to do again after a crash.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from metric_harness.data.delimited import Layout, TableFile, explain, sniff
from metric_harness.data.tables import SUFFIXES, match_columns
from metric_harness.evaluation.stream_work import Work, writing
from metric_harness.system.errors import HarnessError

PIECE_ROWS = 4 << 20
"""Rows of a piece, where the row groups are not larger."""

TEXT_PART_ROWS = 4 << 20
TEXT_BLOCK = 16 << 20
"""Bytes of a text file that are parsed at a time."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Piece:
    """Some row groups of one part: ``first_row`` is the number of rows of the part before them, ``rows`` theirs."""

    path: Path
    label: str
    groups: tuple[int, ...]
    first_row: int
    rows: int


@dataclass(frozen=True)
class Source:
    """A table on disk.

    label : names it in messages; columns : its name for each role; types : Arrow's type of each role; pieces : in the
    order of the file; bytes : on disk.
    """

    label: str
    columns: dict[str, str]
    types: dict[str, pa.DataType]
    pieces: tuple[Piece, ...]
    bytes: int
    roles: tuple[str, ...] = field(default=())

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(piece.rows for piece in self.pieces)


def files_of(path: Path) -> list[Path]:
    """The file, or the parquet parts of a folder in the order of their names; HarnessError if there is none."""
    if path.is_dir():
        parts = sorted(
            part for part in path.rglob("*.parquet")
            if part.is_file() and not any(name.startswith(("_", ".")) for name in part.relative_to(path).parts)
        )  # fmt: skip
        if not parts:
            raise HarnessError(f"{path}: the folder holds no *.parquet; name a file, or a folder of parquet parts")
        return parts
    if not path.is_file():
        raise HarnessError(f"{path}: no such file or folder")
    if path.suffix.lower() not in SUFFIXES:
        raise HarnessError(f"{path}: unknown format; use {', '.join(SUFFIXES)}, or a folder of parquet parts")
    return [path]


def stamp(path: Path) -> list[list[Any]]:
    """What tells whether a table has changed: name, size and time of each file."""
    return [[str(one.resolve()), (at := one.stat()).st_size, at.st_mtime_ns] for one in files_of(path)]


def open_source(path: Path, required: Sequence[str], optional: Sequence[str], work: Work, name: str) -> Source:
    """Look at a table: its columns and pieces. A text file is turned into parquet parts in the work folder first.

    HarnessError names the part that is no readable parquet file, or that lacks a column that the first one has.
    """
    files = files_of(path)
    if files[0].suffix.lower() != ".parquet":
        layout, columns = text_columns(files[0], required, optional)
        files = stage_text(files[0], layout, columns, work, name)
        return _source(str(path), files, tuple(columns), (), [str(path)] * len(files))
    return _source(str(path), files, required, optional, [str(file) for file in files])


def _source(
    label: str, files: Sequence[Path], required: Sequence[str], optional: Sequence[str], labels: Sequence[str]
) -> Source:
    columns: dict[str, str] = {}
    types: dict[str, pa.DataType] = {}
    pieces: list[Piece] = []
    for file, name in zip(files, labels, strict=True):
        try:
            opened = pq.ParquetFile(file)
        except (pa.ArrowInvalid, OSError) as error:
            raise HarnessError(
                f"{name}: not a readable parquet file ({first_line(error)}); it is cut off or damaged, write it again"
            ) from None
        with opened:
            schema = opened.schema_arrow
            found = match_columns(name, schema.names, required if not columns else tuple(columns), optional)
            here = {role: schema.names[place] for role, place in found.items()}
            if not columns:
                columns, optional = here, ()
                types = {role: schema.field(column).type for role, column in here.items()}
            elif here != columns:
                raise HarnessError(f"{name}: its columns are {', '.join(here.values())}; those of {labels[0]} are "
                                   f"{', '.join(columns.values())}; all parts must have the same")  # fmt: skip
            pieces += _pieces(file, name, opened.metadata)
    size = sum(file.stat().st_size for file in files)
    source = Source(label, columns, types, tuple(pieces), size, tuple(columns))
    if not source.rows:
        raise HarnessError(f"{label}: there is no row below the column names; it must hold interactions")
    return source


def _pieces(path: Path, label: str, metadata: Any) -> Iterator[Piece]:
    groups: list[int] = []
    first = rows = 0
    for group in range(metadata.num_row_groups):
        count = metadata.row_group(group).num_rows
        if groups and rows + count > PIECE_ROWS:
            yield Piece(path, label, tuple(groups), first, rows)
            groups, first, rows = [], first + rows, 0
        groups.append(group)
        rows += count
    if rows:
        yield Piece(path, label, tuple(groups), first, rows)


def read_piece(source: Source, piece: Piece, roles: Sequence[str], rows: int) -> Iterator[tuple[int, pa.Table]]:
    """The piece in tables of about ``rows`` rows, columns named by role, each with the number of rows before it.

    Texts come as dictionaries. HarnessError names the part and the row groups that cannot be read.
    """
    names = [source.columns[role] for role in roles]
    texts = [source.columns[role] for role in roles if _is_text(source.types[role])]
    at, held, count = piece.first_row, [], 0
    try:
        with pq.ParquetFile(piece.path, read_dictionary=texts, pre_buffer=False) as file:
            for batch in file.iter_batches(rows, row_groups=list(piece.groups), columns=names):
                held.append(batch)
                count += batch.num_rows
                if count >= rows:
                    yield at, _table(held, names, roles)
                    at, held, count = at + count, [], 0
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OSError) as error:
        groups = f"row groups {piece.groups[0]} to {piece.groups[-1]}"
        raise HarnessError(
            f"{piece.label}: {groups} cannot be read ({first_line(error)}); it is cut off or damaged, write it again"
        ) from None
    if held:
        yield at, _table(held, names, roles)


def _table(batches: Sequence[pa.RecordBatch], names: Sequence[str], roles: Sequence[str]) -> pa.Table:
    return pa.Table.from_batches(batches).select(names).rename_columns(list(roles))


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def first_line(error: BaseException) -> str:
    """The first line of an error, which is where Arrow says what is wrong."""
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__


def ahead(items: Iterator[Item], depth: int = 2) -> Iterator[Item]:
    """The same items, made by a thread of their own, which may be so many ahead: reading goes on while we compute."""
    queue: Queue[tuple[bool, Any]] = Queue(maxsize=depth)
    stop = Event()

    def run() -> None:
        try:
            for item in items:
                queue.put((True, item))
                if stop.is_set():
                    return
            queue.put((False, None))
        except BaseException as error:  # it is raised again where the items are wanted
            queue.put((False, error))

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while True:
            more, item = queue.get()
            if more:
                yield item
            elif item is None:
                return
            else:
                raise item
    finally:
        stop.set()
        while thread.is_alive():
            while not queue.empty():
                queue.get_nowait()
            thread.join(0.05)


def text_columns(path: Path, required: Sequence[str], optional: Sequence[str]) -> tuple[Layout, dict[str, int]]:
    """The layout of a text file and the position of the column for each role."""
    layout = sniff(_text_file(path))
    return layout, match_columns(str(path), layout.names, required, optional)


def _text_file(path: Path) -> TableFile:
    return TableFile(str(path), path.suffix.lower(), lambda: path.open("rb"))


def stage_text(path: Path, layout: Layout, columns: dict[str, int], work: Work, name: str) -> list[Path]:
    """Parquet parts with the columns of a text file; parts that an earlier run finished are parsed but not written."""
    done = work.path(f"{name}-text.json")
    parts = sorted(work.folder.glob(f"{name}-text-*.parquet"))
    if done.exists():
        return parts
    names = [str(place) for place in range(len(layout.names))]
    chosen = [names[place] for place in columns.values()]
    types = {
        names[place]: pa.dictionary(pa.int32(), pa.string()) if role in ("user", "item") else pa.float64()
        for role, place in columns.items()
    }
    written: list[Path] = []
    held: list[pa.RecordBatch] = []
    try:
        with pa.csv.open_csv(
            path,
            pa.csv.ReadOptions(column_names=names, skip_rows=layout.skip, block_size=TEXT_BLOCK),
            pa.csv.ParseOptions(delimiter=layout.delimiter),
            pa.csv.ConvertOptions(
                column_types=types, include_columns=chosen, null_values=[""], strings_can_be_null=True
            ),
        ) as reader:
            for batch in reader:
                held.append(batch)
                if sum(one.num_rows for one in held) >= TEXT_PART_ROWS:
                    written.append(_write_part(held, columns, work, f"{name}-text-{len(written):06d}.parquet"))
                    held = []
    except pa.ArrowInvalid as error:
        explain(_text_file(path), layout, columns)
        raise HarnessError(f"{path}: cannot be read: {first_line(error)}") from None
    if held or not written:
        written.append(_write_part(held, columns, work, f"{name}-text-{len(written):06d}.parquet"))
    work.put(f"{name}-text.json", {"parts": len(written)})
    return written


def _write_part(batches: Sequence[pa.RecordBatch], columns: dict[str, int], work: Work, name: str) -> Path:
    path = work.path(name)
    if not path.exists():
        table = pa.Table.from_batches(batches).rename_columns(list(columns)) if batches else pa.table(
            {role: pa.array([], pa.string() if role in ("user", "item") else pa.float64()) for role in columns}
        )  # fmt: skip
        with writing(path) as part:
            pq.write_table(table, part, compression="lz4")
    return path


def available_memory() -> int:
    """Bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


Read = Callable[[Source, Piece, Sequence[str], int], Iterator[tuple[int, pa.Table]]]
