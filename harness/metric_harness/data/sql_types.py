"""SQL that converts columns by their type: ids become whole numbers or text, numbers stay as they are or text.

Scores are compared in their own type: as float64, whole numbers beyond 2^53 would be tied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa

WHOLE_NUMBER = r"-?(?:0|[1-9][0-9]{0,18})(?:\.0+)?"
"""A whole number as text; "7.0" is 7, "07" is text."""

UUID = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
UUID_BYTES = 16
EXACT_FLOATS = {16: 1 << 11, 32: 1 << 24, 64: 1 << 53}
"""By the bits of a float: from here on a whole number may be another one that was rounded."""
LARGEST_DECIMAL = 38
"""Digits of a decimal up to which DuckDB keeps it exact; longer ones it reads as doubles."""


def quoted(text: str) -> str:
    """SQL: a text."""
    return "'" + text.replace("'", "''") + "'"


def literal(path: str) -> str:
    """SQL: the one file of a path, which DuckDB else takes for a pattern if it holds ``*``, ``?`` or ``[``."""
    return quoted(re.sub(r"([*?\[])", r"[\1]", path))


def column(name: str) -> str:
    """SQL: the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def is_list(kind: pa.DataType) -> bool:
    """Whether a column holds a list in each row."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def bare(kind: pa.DataType) -> pa.DataType:
    """The type of a column's values, inside of a list and of a dictionary."""
    kind = kind.value_type if is_list(kind) else kind
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_whole(kind: pa.DataType) -> bool:
    """Whether every value is a whole number that int64 holds."""
    return bool(pa.types.is_integer(kind) and not pa.types.is_uint64(kind))


def is_bytes(kind: pa.DataType) -> bool:
    """Whether a column holds bytes."""
    types = pa.types
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind))


def is_uuid(kind: pa.DataType) -> bool:
    """Whether a column holds UUIDs as 16 bytes."""
    return bool(pa.types.is_fixed_size_binary(kind) and kind.byte_width == UUID_BYTES)


def is_id(kind: pa.DataType) -> bool:
    """Whether ids may have this type."""
    return is_text(kind) or is_bytes(kind) or (is_number(kind) and not pa.types.is_boolean(kind))


@dataclass(frozen=True)
class IdForm:
    """The one form in which the ids of all columns of a role are compared.

    kind : ``whole`` or ``text``; numbers : whether a column is of a type of numbers, so that "007" is 7; utf8 : whether
    all bytes are UTF-8; converted : whether a text differs from its form.
    """

    kind: str = "text"
    numbers: bool = False
    utf8: bool = True
    converted: bool = True

    def sql(self, name: str, kind: pa.DataType) -> str:
        """SQL: an id of a column of this type in its form, NULL if it is missing or no id."""
        if is_whole(kind) or pa.types.is_null(kind):
            return f"CAST({name} AS {'BIGINT' if self.kind == 'whole' else 'VARCHAR'})"
        text = self._text(name, kind)
        return text if self.kind == "text" else f"TRY_CAST({text} AS BIGINT)"

    def _text(self, name: str, kind: pa.DataType) -> str:
        if is_text(kind):
            return id_of_text(name, self.numbers) if self.converted else name
        if pa.types.is_floating(kind):
            exact = f"{name} = trunc({name}) AND abs({name}) < {EXACT_FLOATS[kind.bit_width]}"
            return f"CASE WHEN {exact} THEN CAST(TRY_CAST({name} AS BIGINT) AS VARCHAR) END"
        if pa.types.is_decimal(kind):
            return f"CASE WHEN {name} = trunc({name}) THEN CAST(TRY_CAST({name} AS HUGEINT) AS VARCHAR) END"
        if not is_bytes(kind):
            return f"CAST({name} AS VARCHAR)"
        digits = f"lower(hex({name}))"
        uuid = f"regexp_replace({digits}, '^(.{{8}})(.{{4}})(.{{4}})(.{{4}})', '\\1-\\2-\\3-\\4-')"
        if is_uuid(kind):
            return uuid
        if self.utf8:
            return id_of_text(f"decode({name})", self.numbers)
        return f"CASE WHEN octet_length({name}) = {UUID_BYTES} THEN {uuid} ELSE {digits} END"


def written_id(name: str, kind: pa.DataType) -> str:
    """SQL: an id as it is written in a column of this type, as text."""
    return f"'b' || chr(39) || CAST({name} AS VARCHAR) || chr(39)" if is_bytes(kind) else f"CAST({name} AS VARCHAR)"


def full_match(text: str, pattern: str) -> str:
    """SQL: whether a regular expression matches a whole text."""
    return f"regexp_full_match({text}, '{pattern}')"


def id_of_text(text: str, numbers: bool, matches: Callable[[str, str], str] = full_match) -> str:
    """SQL: a text as an id: "7.0" is "7", the letters of a UUID are small, and with ``numbers`` "007" is "7" too.

    matches : the function of the engine, DuckDB's or Spark's.
    """
    whole = "-?[0-9]{1,37}([.]0+)?" if numbers else "(0|-?[1-9][0-9]*)[.]0+"
    likely = f"right({text}, 1) = '0' AND contains({text}, '.')"  # cheaper than the pattern
    likely += f" OR left({text}, 1) IN ('0', '-')" if numbers else ""
    number = (
        f"CAST(TRY_CAST({text} AS DECIMAL(38, 0)) AS STRING)" if numbers else f"regexp_replace({text}, '[.]0+$', '')"
    )
    return (
        f"CASE WHEN ({likely}) AND {matches(text, whole)} THEN {number} "
        f"WHEN length({text}) = 36 AND {text} <> lower({text}) AND {matches(text, UUID)} THEN lower({text}) "
        f"ELSE {text} END"
    )


PADDED = "-?0[0-9]{1,36}"
"""A whole number with leading zeros."""


def spellings(ids: Sequence[tuple[str, str]], matches: Callable[[str, str], str] = full_match) -> str:
    """SQL: whether dropping leading zeros makes ids of several tables match, whether it makes two ids of one table
    one, and a number that is written in two ways.

    ids : the name of a table, and SQL of its ids in their form (``form``).
    """
    number = id_of_text("form", True, matches)
    rows = (f"SELECT {quoted(name)} AS side, form, {number} AS number FROM ({of})" for name, of in ids)
    few = f"number IN (SELECT number FROM written WHERE {matches('form', PADDED)})"
    groups = (
        "SELECT number, count(*) AS n, count(DISTINCT form) AS forms, count(DISTINCT side) AS sides "
        f"FROM (SELECT DISTINCT side, form, number FROM written WHERE {few}) AS few GROUP BY number"
    )
    return (
        f"WITH written AS ({' UNION ALL '.join(rows)}) SELECT max(CASE WHEN n < forms * sides THEN 1 ELSE 0 END), "
        "max(CASE WHEN n > sides THEN 1 ELSE 0 END), min(CASE WHEN n > sides THEN number END) "
        f"FROM ({groups}) AS groups"
    )


def is_odd_id(text: str) -> str:
    """SQL: whether an id in its form is not a whole number of int64. NaN, a missing id, is not odd."""
    return (
        f"{text} IS NOT NULL AND {text} IS DISTINCT FROM CAST(TRY_CAST({text} AS BIGINT) AS VARCHAR) "
        f"AND lower({text}) <> 'nan'"
    )


def is_odd_number(text: str) -> str:
    """SQL: whether a text is not a whole number of int64, such as 7 or 7.0. NaN, a missing number, is not odd."""
    whole = f"regexp_full_match({text}, {quoted(WHOLE_NUMBER)}) AND TRY_CAST({text} AS BIGINT) IS NOT NULL"
    same = f"CAST(TRY_CAST({text} AS BIGINT) AS VARCHAR) IS NOT DISTINCT FROM {text}"
    return f"{text} IS NOT NULL AND NOT ({same}) AND NOT ({whole}) AND lower({text}) <> 'nan'"


def is_number(kind: pa.DataType) -> bool:
    """Whether DuckDB can order the values and compute with them; a column of nulls counts."""
    numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return bool(numeric or pa.types.is_boolean(kind) or pa.types.is_null(kind))


def number(name: str, kind: pa.DataType) -> str:
    """SQL: a number in a type that keeps its order exactly."""
    if pa.types.is_boolean(kind):
        return f"CAST({name} AS TINYINT)"
    return f"CAST({name} AS DOUBLE)" if pa.types.is_floating(kind) or pa.types.is_null(kind) else name


def number_of_text(text: str, whole: bool) -> str:
    """SQL: a text as a number, NULL if it is none. DuckDB's own cast would read 1_0 as 10."""
    kind = "BIGINT" if whole else "DOUBLE"
    return f"CASE WHEN contains({text}, '_') THEN NULL ELSE TRY_CAST({text} AS {kind}) END"


def seconds(name: str) -> str:
    """SQL: whole seconds since 1970 of a date or time, in UTC if it names no time zone."""
    return f"CAST(floor(epoch({name})) AS BIGINT)"


def seconds_of_text(text: str, whole: bool) -> str:
    """SQL: whole seconds since 1970 of a text with a number of seconds or a date, NULL if it is neither."""
    number = number_of_text(text, whole)
    return f"coalesce({whole_seconds(number)}, {seconds(f'TRY_CAST({text} AS TIMESTAMPTZ)')})"


def whole_seconds(number: str) -> str:
    """SQL: a number without its fraction, NULL if it is not finite."""
    return f"TRY_CAST(floor({number}) AS BIGINT)"
