"""SQL that converts columns by their type: ids become whole numbers or text, numbers stay as they are or text.

Scores are compared in their own type: as float64, whole numbers beyond 2^53 would be tied.
"""

from __future__ import annotations

import re

import pyarrow as pa

WHOLE_NUMBER = r"-?(?:0|[1-9][0-9]{0,18})(?:\.0+)?"
"""A whole number as text; "7.0" is 7, "07" is text."""


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
    """The type of a column's values, inside of dictionaries and lists."""
    if is_list(kind) or pa.types.is_dictionary(kind):
        return bare(kind.value_type)
    return kind


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_whole(kind: pa.DataType) -> bool:
    """Whether every value is a whole number that int64 holds."""
    return bool(pa.types.is_integer(kind) and not pa.types.is_uint64(kind))


def id_as_whole(name: str) -> str:
    """SQL: an id of a type that :func:`is_whole`."""
    return f"CAST({name} AS BIGINT)"


def id_as_text(name: str, kind: pa.DataType) -> str:
    """SQL: an id as text, NULL for NaN. 16 bytes are written as a UUID, other bytes as hexadecimal digits."""
    if is_text(kind):
        return name
    if pa.types.is_floating(kind):
        whole = f"{name} = trunc({name}) AND abs({name}) < 9.2e18"
        text = f"CASE WHEN {whole} THEN CAST(CAST({name} AS BIGINT) AS VARCHAR) ELSE CAST({name} AS VARCHAR) END"
        return f"CASE WHEN isnan({name}) THEN NULL ELSE {text} END"
    if pa.types.is_fixed_size_binary(kind) and kind.byte_width == 16:
        digits = f"lower(hex({name}))"
        return f"regexp_replace({digits}, '^(.{{8}})(.{{4}})(.{{4}})(.{{4}})', '\\1-\\2-\\3-\\4-')"
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return f"lower(hex({name}))"
    return f"CAST({name} AS VARCHAR)"


def is_odd_id(text: str) -> str:
    """SQL: whether the text of an id is not a whole number of int64. NaN, a missing id, is not odd."""
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
