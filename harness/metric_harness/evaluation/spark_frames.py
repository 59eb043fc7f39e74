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
from metric_harness.data.interactions import drops_zeros
from metric_harness.data.overlap import SIDES, Conversion
from metric_harness.data.sources import NESTED, NO_ID, NO_LIST, ONE_HOLDS_LISTS, UNEVEN
from metric_harness.data.sql_types import EXACT_FLOATS, UUID_BYTES, id_of_text
from metric_harness.evaluation.counted_users import counted_users
from metric_harness.evaluation.partial_sums import Asked, nothing, sums_of
from metric_harness.evaluation.user_values import user_tables
from metric_harness.system.errors import HarnessError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WHOLE_NUMBER_TYPES = ("tinyint", "smallint", "int", "bigint")
EXACT_TYPES = (*WHOLE_NUMBER_TYPES, "decimal")
"""Types whose values are compared as they are; values of other types become double."""
FLOAT_BITS = {"float": 32, "double": 64}
UUID_DIGITS = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))
"""Where the parts of a UUID begin among its digits, and their lengths."""

Batches = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True, eq=False)
class Tables:
    """recs : user, item, score or rank or both; truth : user, item, gain; empty : user, those with an empty list in
    each; kinds : ``whole`` or ``text`` by role; conversions : of ids.
    """

    recs: DataFrame
    truth: DataFrame
    empty: tuple[DataFrame, DataFrame]
    kinds: dict[str, str]
    conversions: tuple[Conversion, ...]

    @property
    def by_rank(self) -> bool:
        """Whether lists are ordered by rank."""
        return "rank" in self.recs.columns

    @property
    def has_scores(self) -> bool:
        """Whether the recommendations have scores."""
        return "score" in self.recs.columns


def open_tables(recommendations: DataFrame, truth: DataFrame, numbers: Sequence[str] = ("score", "rank")) -> Tables:
    """The tables with a column for each role and ids of one kind in both. HarnessError for what is missing.

    numbers : the columns that may order the recommendations.
    """
    from pyspark.sql import functions as f

    opened = [
        rows_of(label, frame, optional)
        for label, frame, optional in zip(SIDES, (recommendations, truth), (numbers, ("rating",)), strict=True)
    ]
    frames = [rows for rows, _ in opened]
    if not {"rank", "score"} & set(frames[0].columns):
        raise HarnessError(
            "recommendations: no column for the score or the rank, so the order of the lists is unknown; add one"
        )
    in_file = [rows.select("user").union(users) for rows, users in opened]  # users of empty lists, too
    found = {"user": id_forms(in_file, "user"), "item": id_forms(frames, "item")}
    kinds = {role: kind for role, (kind, _, _) in found.items()}
    recs, judged = (
        typed(frame, kinds, {role: of_files[at] for role, (_, of_files, _) in found.items()})
        for at, frame in enumerate(frames)
    )
    forms = found["user"][1]
    empty = [
        typed(users, kinds, {"user": forms[at]}).distinct().join(rows, "user", "left_anti")
        for at, ((_, users), rows) in enumerate(zip(opened, (recs, judged), strict=True))
    ]
    for label, frame, users in zip(SIDES, (recs, judged), empty, strict=True):
        require_values(label, frame)
        require_values(label, users)
    gain = f.col("rating") if "rating" in judged.columns else f.lit(1.0)
    judged = judged.select("user", "item", gain.cast("double").alias("gain"))
    return Tables(
        recs, judged, (empty[0], empty[1]), kinds, tuple(one for _, _, all_of in found.values() for one in all_of)
    )


def rows_of(
    label: str, frame: DataFrame, optional: Sequence[str], required: Sequence[str] = ("user", "item")
) -> tuple[DataFrame, DataFrame]:
    """A table with a column for each role and a row for each interaction, and the users of empty lists.

    Rows that hold a user's list are split.

    Such lists without scores or ranks get the position in the list as rank, if ranks are ``optional``.
    """
    from pyspark.sql import functions as f

    names = [singular(name) if kind.startswith("array<") else name for name, kind in frame.dtypes]
    positions = match_columns(label, names, required, optional)
    frame = frame.select(*(frame[frame.columns[position]].alias(role) for role, position in positions.items()))
    kinds = dict(frame.dtypes)
    for role, kind in kinds.items():
        inner_kind = kind if role == "user" else kind.removeprefix("array<")
        if inner_kind.startswith(("array", "struct", "map")):
            raise HarnessError(label + NESTED.format(role, kind))
        if role != "user" and kind.startswith("array<") != kinds["item"].startswith("array<"):
            raise HarnessError(label + ONE_HOLDS_LISTS.format("item", role))
        if role in ("user", "item") and not is_id(inner_kind.rstrip(">")):
            raise HarnessError(NO_ID.format(label, role, kind, role))
    if not kinds["item"].startswith("array<"):
        return frame, frame.select("user").limit(0)
    if (row := frame.filter(f.col("item").isNull()).first()) is not None:
        raise HarnessError(f"{label}: user {row['user']}{NO_LIST}")
    roles = [role for role in kinds if role != "user"]
    uneven = [f.size("item") != f.size(role) for role in roles[1:]]
    if uneven and (row := frame.filter(reduce(or_, uneven)).first()) is not None:
        raise HarnessError(f"{label}: user {row['user']}{UNEVEN}")
    rows = frame.select("user", f.posexplode(f.arrays_zip(*roles)).alias("place", "row"))
    ranked = [f.col("place").alias("rank")] if "rank" in optional and not {"rank", "score"} & set(roles) else []
    empty = frame.filter(f.size("item") == 0).select("user")
    return rows.select("user", *(f.col(f"row.{role}").alias(role) for role in roles), *ranked), empty


def is_id(kind: str) -> bool:
    """Whether ids may have this type."""
    return kind.partition("(")[0] in (*EXACT_TYPES, "float", "double", "string", "binary", "void")


def id_forms(
    frames: Sequence[DataFrame], role: str, labels: Sequence[str] = SIDES
) -> tuple[str, list[str], list[Conversion]]:
    """The kind of the ids of a role, SQL for the form of each frame's ids as text, and which are converted.

    The rule is that of :class:`metric_harness.data.sql_types.IdForm`.
    """
    from pyspark.sql import functions as f

    kinds = [dict(frame.dtypes)[role].partition("(")[0] for frame in frames]
    numbers = any(kind in (*EXACT_TYPES, "float", "double") for kind in kinds)
    damaged = f"encode(decode(`{role}`, 'UTF-8'), 'UTF-8') <> `{role}`"  # Spark 4 raises an error there instead
    damaged = f"not is_valid_utf8(cast(`{role}` as string))" if hasattr(f, "is_valid_utf8") else damaged
    utf8 = not any(
        kind == "binary" and frame.filter(damaged).limit(1).count() for frame, kind in zip(frames, kinds, strict=True)
    )
    forms = [_form(f"`{role}`", kind, numbers, utf8) for kind in kinds]
    if not numbers:
        made = Relations({f"ids{at}": frame for at, frame in enumerate(frames)})
        texts = [(labels[at], f"SELECT {form} AS form FROM ids{at}") for at, form in enumerate(forms)]
        if drops_zeros(role, texts, lambda query: made.sql(query).collect()[0], _matches):
            forms = [_form(f"`{role}`", kind, True, utf8) for kind in kinds]
    conversions, odd = [], False
    for label, frame, kind, form in zip(labels, frames, kinds, forms, strict=True):
        if kind not in WHOLE_NUMBER_TYPES:
            written = f"concat('b', hex(`{role}`))" if kind == "binary" else f"cast(`{role}` as string)"
            both = frame.selectExpr(f"{form} as form", f"{written} as written")
            own_odd, rows, example = both.selectExpr(
                "max(form <> coalesce(cast(try_cast(form as bigint) as string), '') and lower(form) <> 'nan')",
                "count(case when form <> written then 1 end)",
                "min(case when form <> written then struct(written, form) end)",
            ).collect()[0]
            odd = odd or bool(own_odd)
            if rows:
                conversions.append(Conversion(role, label, rows, example["written"], example["form"]))
    return "text" if odd else "whole", forms, conversions


def _form(name: str, kind: str, numbers: bool, utf8: bool) -> str:
    """SQL: an id of a column of this type in its form, as text; null if it is missing or no id."""
    if kind in FLOAT_BITS:
        exact = f"{name} = floor({name}) and abs({name}) < {EXACT_FLOATS[FLOAT_BITS[kind]]}"
        return f"case when {exact} then cast(cast({name} as bigint) as string) end"
    if kind == "decimal":
        return f"case when {name} = floor({name}) then cast(floor({name}) as string) end"
    if kind == "binary" and not utf8:
        digits = f"lower(hex({name}))"
        uuid = f"concat_ws('-', {', '.join(f'substr({digits}, {at}, {n})' for at, n in UUID_DIGITS)})"
        return f"case when octet_length({name}) = {UUID_BYTES} then {uuid} else {digits} end"
    text = f"decode({name}, 'UTF-8')" if kind == "binary" else f"cast({name} as string)"
    return text if kind in WHOLE_NUMBER_TYPES else id_of_text(text, numbers, _matches)


def _matches(text: str, pattern: str) -> str:
    """SQL: whether a regular expression matches a whole text."""
    return f"{text} rlike '^({pattern})$'"


def typed(frame: DataFrame, kinds: dict[str, str], forms: dict[str, str]) -> DataFrame:
    """Ids as long or string, by their forms; numbers of ``EXACT_TYPES`` as they are, others as double."""
    from pyspark.sql import functions as f

    columns = []
    for role, kind in frame.dtypes:
        if role in forms:
            value = f.expr(f"try_cast({forms[role]} as bigint)" if kinds[role] == "whole" else forms[role])
        elif kind.partition("(")[0] in EXACT_TYPES:
            value = f.col(role)
        else:
            value = f.expr(f"try_cast(`{role}` as double)")
        columns.append(value.alias(role))
    return frame.select(*columns)


@dataclass(frozen=True, eq=False)
class Relations:
    """DataFrames under the names that queries give them."""

    frames: dict[str, DataFrame]

    def sql(self, query: str) -> DataFrame:
        """A query over the relations."""
        spark = next(iter(self.frames.values())).sparkSession
        for name, frame in self.frames.items():
            frame.createOrReplaceTempView(name)
        try:
            return spark.sql(query)
        finally:
            for name in self.frames:
                spark.catalog.dropTempView(name)

    def refuse(self, query: str, message: str) -> None:
        """HarnessError with the first row that a query returns, if it returns any."""
        rows = self.sql(query).take(1)
        if rows:
            raise HarnessError(message.format(*rows[0]))


def require_values(label: str, frame: DataFrame) -> None:
    """HarnessError if an id is missing, or a number is missing or not finite."""
    from pyspark.sql import functions as f

    problems = {}
    for role in frame.columns:
        value = f.col(role)
        double = value.cast("double")
        infinite = f.isnan(double) | (f.abs(double) == float("inf"))
        problems[role] = value.isNull() if role in ("user", "item") else value.isNull() | infinite
    counts = frame.agg(*(f.count(f.when(problem, 1)).alias(role) for role, problem in problems.items())).collect()[0]
    for role in frame.columns:
        if counts[role] and role in ("user", "item"):
            raise HarnessError(
                f"{label}: the {role} is empty, or no whole number that floats hold exactly, in some row; write "
                f"{role}s as whole numbers or as text"
            )
        if counts[role]:
            raise HarnessError(f"{label}: the {role} is empty, NaN or infinite in some row; give it a number")


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
