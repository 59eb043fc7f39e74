"""Spark DataFrames and groups of their rows as the engine has them: ids as keys, numbers as float64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from metric_harness.data.datasets import QUIET
from metric_harness.evaluation.partial_sums import Asked
from metric_harness.evaluation.stream_ids import WHOLE_NUMBER, keyed
from metric_harness.evaluation.stream_plan import Plan
from metric_harness.evaluation.stream_read import Piece, Source
from metric_harness.evaluation.stream_work import Work
from metric_harness.system.errors import HarnessError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WHOLE = ("tinyint", "smallint", "int", "bigint")


def plan_of(
    roles: tuple[tuple[str, ...], tuple[str, ...]], kinds: dict[str, str], asked: Sequence[Asked],
    exposed: Sequence[Asked], users: str, threshold: float | None, by_user: bool, listed: int, judged: int,
) -> Plan:  # fmt: skip
    """The plan of one evaluation; tables are named by what they hold, and have no files.

    roles : the columns of recommendations and truth; listed, judged : their rows, where they are known.
    """
    lists, truth = (
        Source(name, {role: role for role in columns}, {}, (Piece(Path(), name, (), 0, rows),), 0)
        for name, columns, rows in zip(("recommendations", "truth"), roles, (listed, judged), strict=True)
    )
    cuts = tuple(dict.fromkeys(k for _, k in exposed))
    return Plan(lists, truth, kinds, 0, tuple(asked), cuts, users, threshold, by_user, 0, Work(Path()), QUIET)


def columns_of(label: str, table: pa.Table, roles: Sequence[str], kinds: dict[str, str]) -> dict[str, Any]:
    """The columns of one group: ids as keys, numbers as float64. HarnessError for what is missing."""
    found: dict[str, Any] = {}
    for role in roles:
        column = table.column(role) if table.num_rows else pa.chunked_array([], pa.int64())
        if role in ("user", "item"):
            if column.null_count:
                raise HarnessError(f"{label}: the {role} is empty in some row; fill it in or remove the row")
            empty = pa.int64() if kinds[role] == "whole" else pa.string()
            found[role] = keyed(column if table.num_rows else pa.chunked_array([], empty), kinds[role])
            continue
        values = column.cast(pa.float64()).to_numpy()
        if not np.all(np.isfinite(values)):
            raise HarnessError(f"{label}: the {role} is empty, NaN or infinite in some row; give it a number")
        found[role] = values
    return found


def kind_in(frames: Sequence[DataFrame], role: str) -> str:
    """``whole`` where both tables hold whole numbers, be it as text ("7", not "07")."""
    from pyspark.sql import functions as f

    for frame in frames:
        kind = dict(frame.dtypes)[role]
        if kind in WHOLE:
            continue
        odd = ~f.col(role).cast("string").rlike(WHOLE_NUMBER.replace("(?:", "("))
        if frame.filter(odd).limit(1).count():
            return "text"
    return "whole"


def cast_ids(frame: DataFrame, kinds: dict[str, str]) -> DataFrame:
    """Ids as long or string, which hash alike in both tables; numbers as double."""
    from pyspark.sql import functions as f

    columns = []
    for role, kind in frame.dtypes:
        column = f.col(role)
        if role not in kinds:
            column = column.cast("double")
        elif kinds[role] == "text":
            column = column.cast("string")
        else:
            column = (
                column.cast("long")
                if kind in WHOLE
                else f.regexp_replace(column.cast("string"), r"\.0+$", "").cast("long")
            )
        columns.append(column.alias(role))
    return frame.select(*columns)


def smallest_rating(truth: DataFrame) -> float:
    """The smallest rating above 0, 1 where there are no ratings; infinity if none is above 0."""
    from pyspark.sql import functions as f

    if "rating" not in truth.columns:
        return 1.0
    found = truth.filter((f.col("rating") > 0) & ~f.isnan("rating")).agg(f.min("rating")).first()
    return math.inf if found is None or found[0] is None else float(found[0])


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type that Spark takes."""
    return pa.string() if pa.types.is_large_string(kind) else kind


def spark_schema(schema: pa.Schema) -> str:
    """The schema as Spark writes it."""
    kinds = {pa.int64(): "long", pa.float64(): "double", pa.large_string(): "string"}
    return ", ".join(f"`{one.name}` {kinds[one.type]}" for one in schema)
