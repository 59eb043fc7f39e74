"""Spark DataFrames as the tables of the relational plan, and the kernels as functions over their batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from metric_harness.data.column_names import match_columns, singular
from metric_harness.data.sources import NESTED, ONE_HOLDS_LISTS, UNEVEN
from metric_harness.data.sql_types import WHOLE_NUMBER
from metric_harness.evaluation.counted_users import counted_users
from metric_harness.evaluation.partial_sums import Asked, nothing, sums_of
from metric_harness.evaluation.user_values import user_tables
from metric_harness.system.errors import HarnessError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

WHOLE_NUMBER_TYPES = ("tinyint", "smallint", "int", "bigint")
EXACT_TYPES = (*WHOLE_NUMBER_TYPES, "decimal")
"""Types whose values are compared as they are; values of other types become double."""

Batches = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True, eq=False)
class Tables:
    """recs : user, item, score or rank or both; truth : user, item, gain; kinds : ``whole`` or ``text`` by role;
    rows : of each.
    """

    recs: DataFrame
    truth: DataFrame
    kinds: dict[str, str]
    rows: tuple[int, int]

    @property
    def by_rank(self) -> bool:
        """Whether lists are ordered by rank."""
        return "rank" in self.recs.columns

    @property
    def has_scores(self) -> bool:
        """Whether the recommendations have scores."""
        return "score" in self.recs.columns


def open_tables(recommendations: DataFrame, truth: DataFrame) -> Tables:
    """The tables with a column for each role and ids of one kind in both. HarnessError for what is missing."""
    from pyspark.sql import functions as f

    frames = [
        rows_of("recommendations", recommendations, ("score", "rank")),
        rows_of("truth", truth, ("rating",)),
    ]
    if not {"rank", "score"} & set(frames[0].columns):
        raise HarnessError(
            "recommendations: no column for the score or the rank, so the order of the lists is unknown; add one"
        )
    kinds = {role: kind_in(frames, role) for role in ("user", "item")}
    recs, judged = (typed(frame, kinds) for frame in frames)
    rows = require_values("recommendations", recs), require_values("truth", judged)
    gain = f.col("rating") if "rating" in judged.columns else f.lit(1.0)
    return Tables(recs, judged.select("user", "item", gain.cast("double").alias("gain")), kinds, rows)


def rows_of(label: str, frame: DataFrame, optional: Sequence[str]) -> DataFrame:
    """A table with a column for each role and a row for each interaction; rows that hold a user's list are split.

    Such lists without scores or ranks get the position in the list as rank, if ranks are ``optional``.
    """
    from pyspark.sql import functions as f

    names = [singular(name) if kind.startswith("array<") else name for name, kind in frame.dtypes]
    positions = match_columns(label, names, ("user", "item"), optional)
    frame = frame.select(*(frame[frame.columns[position]].alias(role) for role, position in positions.items()))
    kinds = dict(frame.dtypes)
    for role, kind in kinds.items():
        inner_kind = kind if role == "user" else kind.removeprefix("array<")
        if inner_kind.startswith(("array", "struct", "map")):
            raise HarnessError(label + NESTED.format(role, kind))
        if role != "user" and kind.startswith("array<") != kinds["item"].startswith("array<"):
            raise HarnessError(label + ONE_HOLDS_LISTS.format("item", role))
    if not kinds["item"].startswith("array<"):
        return frame
    roles = [role for role in kinds if role != "user"]
    uneven = [f.size("item") != f.size(role) for role in roles[1:]]
    if uneven and (row := frame.filter(reduce(or_, uneven)).first()) is not None:
        raise HarnessError(f"{label}: user {row['user']}{UNEVEN}")
    rows = frame.select("user", f.posexplode(f.arrays_zip(*roles)).alias("place", "row"))
    ranked = [f.col("place").alias("rank")] if "rank" in optional and not {"rank", "score"} & set(roles) else []
    return rows.select("user", *(f.col(f"row.{role}").alias(role) for role in roles), *ranked)


def kind_in(frames: Sequence[DataFrame], role: str) -> str:
    """``whole`` if both tables hold whole numbers, maybe as text ("7", not "07"); else ``text``."""
    from pyspark.sql import functions as f

    for frame in frames:
        if dict(frame.dtypes)[role] in WHOLE_NUMBER_TYPES:
            continue
        text = f.col(role).cast("string")
        odd = ~text.rlike(f"^{WHOLE_NUMBER}$".replace("(?:", "(")) | _as_long(role).isNull()
        if frame.filter(odd).limit(1).count():
            return "text"
    return "whole"


def _as_long(role: str) -> Column:
    """A column as int64; null for a value that is no whole number or does not fit."""
    from pyspark.sql import functions as f

    digits = f"regexp_replace(cast(`{role}` as string), '[.]0+$', '')"
    return f.expr(f"case when {digits} rlike '^-?[0-9]{{1,19}}$' then try_cast({digits} as bigint) end")


def typed(frame: DataFrame, kinds: dict[str, str]) -> DataFrame:
    """Ids as long or string; numbers of ``EXACT_TYPES`` as they are, others as double."""
    from pyspark.sql import functions as f

    columns = []
    for role, kind in frame.dtypes:
        value = f.col(role)
        if role not in kinds:
            value = value if kind.partition("(")[0] in EXACT_TYPES else f.expr(f"try_cast(`{role}` as double)")
        elif kinds[role] == "text":
            value = value.cast("string")
        else:
            value = value.cast("long") if kind in WHOLE_NUMBER_TYPES else _as_long(role)
        columns.append(value.alias(role))
    return frame.select(*columns)


def require_values(label: str, frame: DataFrame) -> int:
    """The number of rows; HarnessError if an id is missing, or a number is missing or not finite."""
    from pyspark.sql import functions as f

    problems = {}
    for role in frame.columns:
        value = f.col(role)
        double = value.cast("double")
        infinite = f.isnan(double) | (f.abs(double) == float("inf"))
        problems[role] = value.isNull() if role in ("user", "item") else value.isNull() | infinite
    counts = frame.agg(
        f.count("*").alias("rows"), *(f.count(f.when(problem, 1)).alias(role) for role, problem in problems.items())
    ).collect()[0]
    for role in frame.columns:
        if counts[role] and role in ("user", "item"):
            raise HarnessError(f"{label}: the {role} is empty in some row; fill it in or remove the row")
        if counts[role]:
            raise HarnessError(f"{label}: the {role} is empty, NaN or infinite in some row; give it a number")
    return int(counts["rows"])


def smallest_gain(truth: DataFrame) -> float:
    """The smallest gain above 0; HarnessError if there is none."""
    from pyspark.sql import functions as f

    smallest = truth.filter(f.col("gain") > 0).agg(f.min("gain")).collect()[0][0]
    if smallest is None:
        raise HarnessError("truth: no rating is above 0, so no item is relevant; ratings must be positive")
    return float(smallest)


def sums_of_batches(asked: Sequence[Asked], threshold: float, gains: np.ndarray | None) -> Batches:
    """A function from batches of patterns to their sums, as one text."""

    def sums(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        total = nothing(asked)
        for batch in batches:
            for users, _ in counted_users(batch, threshold, gains):
                total.add(sums_of(users, asked)[0])
        yield pa.record_batch([pa.array([total.to_text()])], names=["sums"])

    return sums


def users_of_batches(asked: Sequence[Asked], threshold: float, gains: np.ndarray | None, schema: pa.Schema) -> Batches:
    """A function from batches of users to their own values."""

    def values(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for table in user_tables(batch, asked, threshold, gains, schema):
                yield from table.to_batches()

    return values
