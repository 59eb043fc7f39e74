"""Tables larger than memory as relations of DuckDB: a parquet file, a folder of parquet parts, or a text file.

A relation has a row for each interaction and the columns ``file`` and ``place`` (number of the file, number of the row
in it), so that an error can name the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.data.column_names import match_columns, singular
from metric_harness.data.delimited import Layout, sniff, walk
from metric_harness.data.files import TableFile, files_of
from metric_harness.data.sql_types import (
    LARGEST_DECIMAL,
    IdForm,
    bare,
    column,
    is_id,
    is_list,
    is_number,
    is_text,
    literal,
    number,
    quoted,
    seconds,
    written_id,
)
from metric_harness.data.staging import stage_text
from metric_harness.system.errors import HarnessError

NESTED = (
    ": column {} holds {} values; write columns of their own for what is inside, with a row for each item or a plain "
    "list for each user"
)
ONE_HOLDS_LISTS = (
    ": of the columns {} and {} only one holds lists; write both as lists of the same length, or a row for each item"
)
UNEVEN = ": its lists have different lengths; each item needs its own number"
NO_LIST = ": its list is missing; write an empty list, or remove the row"
NO_ID = "{}: column {} holds {} values where the {} must be a whole number, text or bytes; convert the column"
TOO_LONG = "{}: column {} holds {} values, which are not read exactly; convert it to at most {} digits, or to text"


@dataclass(frozen=True, eq=False)
class Part:
    """One parquet file. ``first`` is the number of rows in the parts before it; ``types`` are Arrow's, by role."""

    path: Path
    label: str
    first: int
    types: dict[str, pa.DataType]

    @property
    def nested(self) -> bool:
        """Whether a row holds the whole list of a user."""
        return is_list(self.types["item"])


@dataclass(frozen=True, eq=False)
class Source:
    """A table on disk.

    label : its name in messages; columns : the column's name for each role; parts : in the order of the rows; rows :
    their number; text : the text file and its layout, if the parts were made from one; stored : the column's name in
    the parts, by role; ranked_by_place : a row holds a list of items without scores or ranks, in the order of ranks.
    """

    label: str
    columns: dict[str, str]
    parts: tuple[Part, ...]
    rows: int
    stored: dict[str, str]
    ranked_by_place: bool = False
    text: tuple[TableFile, Layout] | None = None

    @property
    def nested(self) -> bool:
        """Whether a row holds the whole list of a user."""
        return self.parts[0].nested

    @property
    def roles(self) -> tuple[str, ...]:
        """The columns of the relation."""
        return (*self.columns, "rank") if self.ranked_by_place else tuple(self.columns)

    def where(self, file: int, row: int) -> str:
        """The name of a file and of a row in it (both counted from 0), for messages."""
        part = self.parts[file]
        if self.text is None:
            return f"{part.label}: row {row + 1}"
        line, _ = next(islice(walk(*self.text), part.first + row, None))
        return f"{part.label}: line {line}"

    def wrong(self, file: int, row: int, role: str, problem: str) -> HarnessError:
        """The error for one row and column."""
        return HarnessError(f"{self.where(file, row)}, column {self.columns[role]}: {problem}")


def open_source(path: Path, required: Sequence[str], optional: Sequence[str], folder: Path) -> Source:
    """Find out the columns, types and number of rows of a table.

    folder : where a text file is written as parquet, which DuckDB reads in parallel.

    HarnessError names the part that is no readable parquet file, or that lacks a column of the first part.
    """
    files = files_of(path)
    if files[0].suffix == ".parquet":
        return _source(str(path), [file.path for file in files], required, optional, [file.label for file in files])
    file = files[0]
    layout = sniff(file)
    columns = match_columns(file.label, layout.names, required, optional)
    staged = stage_text(file, layout, columns, folder)
    source = _source(file.label, staged, tuple(columns), (), [file.label] * len(staged))
    names = {role: layout.names[position] for role, position in columns.items()}
    return replace(source, columns=names, text=(file, layout))


def _source(
    label: str, files: Sequence[Path], required: Sequence[str], optional: Sequence[str], labels: Sequence[str]
) -> Source:
    """The table that parquet files hold; ``labels``: their names in messages."""
    columns: dict[str, str] = {}
    parts: list[Part] = []
    rows, all_optional = 0, optional
    for file, name in zip(files, labels, strict=True):
        try:
            with pq.ParquetFile(file) as opened:
                schema, count = opened.schema_arrow, opened.metadata.num_rows
        except UnicodeEncodeError:
            raise HarnessError(f"{name}: its path is not UTF-8, which readers of parquet need; rename it") from None
        except (pa.ArrowException, OSError, ValueError) as error:
            raise HarnessError(
                f"{name}: not a readable parquet file ({first_line(error)}); it is cut off or damaged, write it again"
            ) from None
        names = [singular(field.name) if is_list(field.type) else field.name for field in schema]
        positions = match_columns(name, names, required if not columns else tuple(columns), optional)
        own_columns = {role: schema.names[position] for role, position in positions.items()}
        types = {role: schema.field(position).type for role, position in positions.items()}
        if not columns:
            columns, optional = own_columns, ()
        elif own_columns != columns or is_list(types["item"]) != parts[0].nested:
            raise HarnessError(
                f"{name}: its columns are {', '.join(own_columns.values())}; those of {labels[0]} are "
                f"{', '.join(columns.values())}; all parts must have the same"
            )
        part = Part(file, name, rows, types)
        _require_types(part, own_columns)
        parts.append(part)
        rows += count
    if not rows:
        raise HarnessError(f"{label}: there is no row below the column names; it must hold interactions")
    unordered = parts[0].nested and not {"rank", "score"} & set(columns)
    return Source(label, columns, tuple(parts), rows, columns, ranked_by_place=unordered and "rank" in all_optional)


def _require_types(part: Part, names: dict[str, str]) -> None:
    """HarnessError for a column of a part whose type does not fit its role."""
    for role, kind in part.types.items():
        name, values = names[role], bare(kind)
        if pa.types.is_nested(values):
            raise HarnessError(part.label + NESTED.format(name, kind))
        if role == "user" and is_list(kind):
            raise HarnessError(f"{part.label}: column {name} holds lists of users; write a row for each user")
        if role != "user" and is_list(kind) != part.nested:
            raise HarnessError(part.label + ONE_HOLDS_LISTS.format(names["item"], name))
        if pa.types.is_decimal(values) and values.precision > LARGEST_DECIMAL:
            raise HarnessError(TOO_LONG.format(part.label, name, values, LARGEST_DECIMAL))
        if role in ("user", "item") and not is_id(values):
            raise HarnessError(NO_ID.format(part.label, name, values, role))
        is_time = role == "timestamp" and pa.types.is_temporal(values)
        if role not in ("user", "item") and not is_number(values) and not is_text(values) and not is_time:
            raise HarnessError(
                f"{part.label}: column {name} holds {values} values where the {role} must be a number; "
                "convert the column"
            )


def uneven_lists(source: Source) -> str | None:
    """SQL: the first row of a nested table whose list is missing, or has lists of different lengths: file, place, and
    whether it is missing; None if rows hold no lists.
    """
    if not source.nested:
        return None
    names = [column(source.stored[role]) for role, kind in source.parts[0].types.items() if is_list(kind)]
    different = " OR ".join(f"len({names[0]}) IS DISTINCT FROM len({name})" for name in names[1:]) or "false"
    file, read = _files(source, range(len(source.parts)))
    return (
        f"SELECT {file}, file_row_number, {names[0]} IS NULL FROM {read} WHERE {names[0]} IS NULL OR {different} "
        "ORDER BY 1, 2 LIMIT 1"
    )


def raw_relation(source: Source, forms: Mapping[str, IdForm], empty: bool = False) -> str:
    """SQL: a column for each role, ``file`` and ``place``, and a row for each interaction.

    Ids are in their form, and as they are written in ``raw user`` and ``raw item``. Numbers stay numbers or text.
    empty : the users of a nested table whose list is empty instead, each with its ``file`` and ``place``.
    """
    groups: dict[str, list[int]] = {}
    for index, part in enumerate(source.parts):
        groups.setdefault(str([str(part.types[role]) for role in source.columns]), []).append(index)
    return " UNION ALL ".join(_same_types(source, indices, forms, empty) for indices in groups.values())


def stored_ids(source: Source, role: str) -> list[tuple[pa.DataType, str]]:
    """SQL: the distinct ids of a role as they are stored (``id``) and their number (``rows``), for each type."""
    groups: dict[pa.DataType, list[int]] = {}
    for index, part in enumerate(source.parts):
        groups.setdefault(part.types[role], []).append(index)
    found = []
    for kind, indices in groups.items():
        name = column(source.stored[role])
        name = f"unnest({name})" if is_list(kind) else name
        query = f"SELECT id, count(*) AS rows FROM (SELECT {name} AS id FROM {_files(source, indices)[1]}) GROUP BY id"
        found.append((bare(kind), query))
    return found


def _files(source: Source, indices: Sequence[int]) -> tuple[str, str]:
    """SQL: the number of a row's file, and the relation of the rows of the parts with these indices."""
    paths = ", ".join(quoted(str(source.parts[index].path)) for index in indices)
    literals = ", ".join(literal(str(source.parts[index].path)) for index in indices)
    file = (
        f'[{", ".join(map(str, indices))}][list_position([{paths}], "from file")]' if len(indices) > 1 else indices[0]
    )
    read = f"read_parquet([{literals}], hive_partitioning=false, file_row_number=true, filename='from file')"
    return str(file), read


def _same_types(source: Source, indices: Sequence[int], forms: Mapping[str, IdForm], empty: bool) -> str:
    """SQL: the parts with these indices, whose columns have the same types."""
    types = source.parts[indices[0]].types
    items = column(source.stored["item"])
    file, read = _files(source, indices)
    columns, converted = [f"{file} AS file", "file_row_number AS place"], ["file", "place"]
    for role, kind in types.items():
        if empty and role != "user":
            continue
        name = column(source.stored[role])
        name = f"unnest({name})" if source.nested and is_list(kind) else name
        columns.append(f'{name} AS "{role}"')
        converted += _value(role, bare(kind), forms)
    if source.ranked_by_place and not empty:
        columns.append(f'unnest(range(len({items}))) AS "rank"')
        converted.append('"rank"')
    where = f" WHERE len({items}) = 0" if empty else ""
    return f"SELECT {', '.join(converted)} FROM (SELECT {', '.join(columns)} FROM {read}{where})"


def _value(role: str, kind: pa.DataType, forms: Mapping[str, IdForm]) -> list[str]:
    """SQL: the columns of a role, converted as :func:`raw_relation` says."""
    name = f'"{role}"'
    if role in forms:
        return [f"{forms[role].sql(name, kind)} AS {name}", f'{written_id(name, kind)} AS "raw {role}"']
    value = name if is_text(kind) else seconds(name) if pa.types.is_temporal(kind) else number(name, kind)
    return [f"{value} AS {name}"]


def first_line(error: BaseException) -> str:
    """The first line of an error of Arrow or DuckDB, which says what is wrong."""
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__
