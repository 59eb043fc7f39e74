"""Opens tables of interactions in DuckDB: ids of one kind, numbers checked, pairs distinct."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from metric_harness.data.database import Database
from metric_harness.data.overlap import SIDES, Conversion, Overlap, overlap_of, require_matching
from metric_harness.data.sources import (
    NO_LIST,
    UNEVEN,
    Source,
    open_source,
    raw_relation,
    stored_ids,
    uneven_lists,
)
from metric_harness.data.sql_types import (
    PADDED,
    IdForm,
    bare,
    full_match,
    is_bytes,
    is_number,
    is_odd_id,
    is_odd_number,
    is_text,
    is_uuid,
    is_whole,
    number_of_text,
    quoted,
    seconds_of_text,
    spellings,
    whole_seconds,
    written_id,
)
from metric_harness.system.errors import HarnessError

IDS = ("user", "item")
SIDE_OF = dict(zip(("recs", "truth"), SIDES, strict=True))

SMALLEST_GAIN = "SELECT min(gain) FROM {} WHERE gain > 0"
"""SQL: the smallest gain above 0, NULL if there is none."""

RISING_SCORE = (
    "SELECT user, rank FROM (SELECT user, rank, score, lag(score) OVER (PARTITION BY user ORDER BY rank) AS before "
    "FROM recs) AS neighbours WHERE score > before ORDER BY user, rank LIMIT 1"
)


def repeated(table: str, second: str = "item") -> str:
    """SQL: the first pair of user and item (or rank) that a table holds twice."""
    return f"SELECT user, {second} FROM {table} GROUP BY user, {second} HAVING count(*) > 1 ORDER BY 1, 2 LIMIT 1"


@dataclass(frozen=True)
class Interactions:
    """Recommendations and truth as the views ``checked recs`` (user, item, score or rank or both) and ``checked truth``
    (user, item, gain).

    ``checked empty_recs`` and ``checked empty_truth`` (user) hold the users of an empty list. kinds : ``whole`` or
    ``text`` for user and item; rows : of each view; overlap : how the ids of both files match.
    """

    recommendations: Source
    truth: Source
    kinds: dict[str, str]
    rows: dict[str, int]
    overlap: Overlap

    @property
    def by_rank(self) -> bool:
        """Whether lists are ordered by rank."""
        return "rank" in self.recommendations.roles

    @property
    def has_scores(self) -> bool:
        """Whether the recommendations have scores."""
        return "score" in self.recommendations.roles

    def source(self, name: str) -> Source:
        """The table of the view ``checked <name>``."""
        return self.recommendations if name == "recs" else self.truth


class Opened(NamedTuple):
    """Opened tables. kinds : ``whole`` or ``text``, by role; rows : by table; conversions : of ids."""

    kinds: dict[str, str]
    rows: dict[str, int]
    conversions: tuple[Conversion, ...]


def open_interactions(
    database: Database, recommendations: Source, truth: Source, *, strict: bool = False
) -> Interactions:
    """Make the views. HarnessError names the first row with a missing id or an invalid number.

    strict : HarnessError also if few users or items of the two tables match.
    """
    if not {"rank", "score"} & set(recommendations.roles):
        raise HarnessError(
            f"{recommendations.label}: no column for the score or the rank, so the order of the lists is unknown; "
            "add one"
        )
    kinds, rows, conversions = open_tables(database, {"recs": recommendations, "truth": truth})
    numbers = [role for role in recommendations.roles if role in ("score", "rank")]
    gain = "CAST(rating AS DOUBLE) AS gain" if "rating" in truth.roles else "1.0::DOUBLE AS gain"
    for name, columns in (("recs", numbers), ("truth", [gain])):
        database.view(f"checked {name}", f'SELECT {", ".join([*IDS, *columns])} FROM "all {name}"')
        database.view(f"checked empty_{name}", f'SELECT user FROM "empty {name}"')
    choose_users(database)
    overlap = overlap_of(database.rows, conversions)
    require_matching(overlap.warnings, strict)
    return Interactions(recommendations, truth, kinds, rows, overlap)


def choose_users(database: Database, condition: str = "") -> None:
    """Make the relations ``recs``, ``truth``, ``empty_recs`` and ``empty_truth``: all users, or some by a condition."""
    for name in ("recs", "truth", "empty_recs", "empty_truth"):
        database.view(name, f'SELECT * FROM "checked {name}"{condition}')


def open_files(database: Database, recommendations: Path, truth: Path, *, strict: bool = False) -> Interactions:
    """Open two files as :func:`open_interactions`; HarnessError also for a file that cannot be read."""
    lists = open_source(recommendations, ("user", "item"), ("score", "rank"), database.folder / "recs")
    judged = open_source(truth, ("user", "item"), ("rating",), database.folder / "truth")
    return open_interactions(database, lists, judged, strict=strict)


def open_tables(database: Database, sources: Mapping[str, Source]) -> Opened:
    """Make a view ``all <name>`` of each table: a column for each role, and ``file`` and ``place`` of each row.

    A view ``empty <name>`` holds the users of a nested table that have an empty list and nothing else.
    """
    database.sources += sources.values()
    for source in sources.values():
        uneven = uneven_lists(source)
        if uneven is not None and (row := database.first(uneven)) is not None:
            raise HarnessError(source.where(row[0], row[1]) + (NO_LIST if row[2] else UNEVEN))
    found = {role: id_form(database, sources, role) for role in IDS}
    forms = {role: form for role, (form, _) in found.items()}
    rows = {}
    for name, source in sources.items():
        database.view(f"all {name}", _typed(database, source, forms))
        rows[name] = _require_values(database, f"all {name}", source)
        _empty_lists(database, name, source, forms)
    return Opened(
        {role: form.kind for role, form in forms.items()},
        rows,
        tuple(one for _, all_of in found.values() for one in all_of),
    )


def _empty_lists(database: Database, name: str, source: Source, forms: dict[str, IdForm]) -> None:
    """Make the view ``empty <name>``. HarnessError for an empty list without a user."""
    if not source.nested:
        database.view(f"empty {name}", f'SELECT user FROM "all {name}" WHERE false')
        return
    rows = raw_relation(source, forms, empty=True)
    no_user = database.first(f'SELECT file, place, "raw user" FROM ({rows}) WHERE user IS NULL ORDER BY 1, 2 LIMIT 1')
    if no_user is not None:
        raise source.wrong(no_user[0], no_user[1], "user", _problem("user", None, no_user[2]))
    listed = f'SELECT user FROM "all {name}"'
    database.table(f"empty {name}", f"SELECT user FROM ({rows}) EXCEPT {listed}")


def require_distinct(database: Database, name: str, source: Source, among: str | None = None, by: str = "item") -> None:
    """HarnessError for a pair of user and item (or rank) that the view ``all <name>`` holds twice.

    among : a relation with only some of its users, which is searched instead.
    """
    table = among or f'"all {name}"'
    pair = None if hashes_differ(database, table, by) else database.first(repeated(table, by))
    if pair is None:
        return
    first, second = seen_again(database, name, source, {"user": pair[0], by: pair[1]}, 2)
    if by not in source.columns:
        raise HarnessError(
            f"{source.where(*second)}, column {source.columns['user']}: user {pair[0]} has a list in "
            f"{source.where(*first).removeprefix(source.label + ': ')} already; keep one list, or add ranks or scores"
        )
    raise HarnessError(
        f"{source.where(*second)}, columns {source.columns['user']} and {source.columns[by]}: user {pair[0]} and "
        f"{by} {pair[1]} stand in {source.where(*first).removeprefix(source.label + ': ')} already; keep one row for "
        f"each user and {by}"
    )


def hashes_differ(database: Database, table: str, by: str) -> bool:
    """Whether all pairs have different hashes, so that none is repeated; two pairs may share a hash by chance.

    Sorting one hash for each row takes about a quarter of the time that DuckDB needs to group the pairs.
    """
    hashes = database.arrays(f"SELECT hash(user, {by}) AS pair FROM {table}")["pair"]
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()


def seen_again(
    database: Database, name: str, source: Source, values: Mapping[str, object], count: int
) -> list[tuple[int, int]]:
    """File and place of the first ``count`` rows of the view ``all <name>`` with some values, which are known to exist.

    A query with WHERE trusts a file's statistics: HarnessError if they hide some of these rows.
    """
    where = " AND ".join(f"{column} = {literal(value)}" for column, value in values.items())
    query = f'SELECT file, place FROM "all {name}" WHERE {where} ORDER BY file, place LIMIT {count}'
    rows = [] if None in values.values() else database.rows(query)
    if len(rows) < count:
        raise HarnessError(f"{source.label}: its statistics contradict its rows, it is damaged; write it again")
    return rows


def literal(value: object) -> str:
    """SQL: a number or a text."""
    return quoted(value) if isinstance(value, str) else str(value)


def require_lists(database: Database, tables: Interactions) -> None:
    """HarnessError for a repeated pair of user and item, and for ranks that give no order.

    Searches the relations ``recs`` and ``truth``, which hold all users or some of them.
    """
    for name in ("recs", "truth"):
        require_distinct(database, name, tables.source(name), name)
    require_ranks(database, tables)


def require_ranks(database: Database, tables: Interactions) -> None:
    """HarnessError for ranks in the relation ``recs`` that give no order."""
    lists = tables.recommendations
    if not tables.by_rank:
        return
    require_distinct(database, "recs", lists, "recs", "rank")
    rising = database.first(RISING_SCORE) if tables.has_scores else None
    if rising is not None:
        ((file, place),) = seen_again(database, "recs", lists, {"user": rising[0], "rank": rising[1]}, 1)
        raise lists.wrong(
            file,
            place,
            "score",
            "the score is higher than at the rank before, so rank and score disagree; keep one of the two columns",
        )


def threshold_of(database: Database, tables: Interactions, threshold: float | None) -> float:
    """The smallest gain that is relevant: the one given, else the smallest positive one.

    HarnessError if nothing can be relevant, and for a threshold that is not finite.
    """
    if threshold is not None:
        return finite_threshold(threshold)
    smallest = database.rows(SMALLEST_GAIN.format('"checked truth"'))[0][0]
    if smallest is None:
        raise HarnessError(
            f"{tables.truth.label}: no rating is above 0, so no item is relevant; ratings must be positive"
        )
    return float(smallest)


def finite_threshold(threshold: float) -> float:
    """The threshold; HarnessError if it is not finite."""
    if not math.isfinite(threshold):
        raise HarnessError(f"--threshold: {threshold} is no rating; give a finite number")
    return float(threshold)


def nobody(database: Database, tables: Interactions) -> HarnessError:
    """The error for tables that share no user."""
    examples = [database.rows(f'SELECT min(user) FROM "checked {name}"')[0][0] for name in ("recs", "truth")]
    return HarnessError(
        f"no user stands in both {tables.recommendations.label} (such as {examples[0]}) and {tables.truth.label} "
        f"(such as {examples[1]}); are these the same users?"
    )


def nothing_relevant(truth: str, users: str, threshold: float) -> HarnessError:
    """The error if no user has a relevant item."""
    return HarnessError(
        f"{truth}: none of the users kept ({users}) has an item with a rating of at least {threshold:g}; "
        "use a lower threshold or other users"
    )


def id_form(database: Database, sources: Mapping[str, Source], role: str) -> tuple[IdForm, list[Conversion]]:
    """The one form of the ids of a role in all tables, by the types of their columns, and which ids are converted."""
    columns = [(name, kind, ids) for name, source in sources.items() for kind, ids in stored_ids(source, role)]
    kinds = [kind for _, kind, _ in columns]
    if all(is_whole(kind) for kind in kinds):
        return IdForm("whole"), []
    no_utf8 = any(
        database.first(f"SELECT 1 FROM ({ids}) WHERE id IS NOT NULL AND TRY(decode(id)) IS NULL LIMIT 1") is not None
        for _, kind, ids in columns
        if is_bytes(kind) and not is_uuid(kind)
    )
    numbers = any(is_number(kind) and not pa.types.is_null(kind) for kind in kinds)
    form, odd = IdForm("text", numbers, utf8=not no_utf8), False
    if not numbers:
        texts = [(name, f"SELECT {form.sql('id', kind)} AS form FROM ({ids})") for name, kind, ids in columns]
        form = replace(form, numbers=drops_zeros(role, texts, lambda query: database.rows(query)[0]))
    conversions = []
    for name, kind, ids in columns:
        if not is_whole(kind):
            other = "form IS DISTINCT FROM written AND form IS NOT NULL"
            query = (
                f"SELECT bool_or({is_odd_id('form')}), sum(rows) FILTER (WHERE {other}), "
                f"min([written, form]) FILTER (WHERE {other}) "
                f"FROM (SELECT {form.sql('id', kind)} AS form, {written_id('id', kind)} AS written, rows FROM ({ids}))"
            )
            own_odd, rows, example = database.rows(query)[0]
            odd = odd or bool(own_odd)
            if rows:
                conversions.append(Conversion(role, SIDE_OF.get(name, name), int(rows), *example))
    return replace(form, kind="text" if odd else "whole", converted=bool(conversions)), conversions


def drops_zeros(
    role: str,
    texts: Sequence[tuple[str, str]],
    first_row: Callable[[str], Sequence[Any]],
    matches: Callable[[str, str], str] = full_match,
) -> bool:
    """Whether ids that are all text are compared without leading zeros: "007" and "7" match only then, and no table
    has both.

    texts : the name of each table, and SQL of its ids in their form. HarnessError where ids would match and a table
    has both.
    """
    every = " UNION ALL ".join(of for _, of in texts)
    padded = f"SELECT count(*) FROM ({every}) AS every WHERE {matches('form', PADDED)}"
    if len({name for name, _ in texts}) < 2 or not first_row(padded)[0]:
        return False
    helps, merges, number = first_row(spellings(texts, matches))
    if helps and merges:
        raise HarnessError(
            f"the {role} {number} is written with and without leading zeros in one file, and the files do not match as "
            "they are; write ids in one way"
        )
    return bool(helps)


def _typed(database: Database, source: Source, forms: dict[str, IdForm]) -> str:
    """SQL: the rows of a table with typed ids and numbers; ``raw score`` is the score as the table holds it."""
    raw = raw_relation(source, forms)
    columns = ["file", "place"]
    for role in source.roles:
        if role in IDS:
            columns += [f'"{role}"', f'"raw {role}"']
            continue
        value = role
        if role in source.columns and any(is_text(bare(part.types[role])) for part in source.parts):
            all_text = all(is_text(bare(part.types[role])) for part in source.parts)
            text = role if all_text else f"CAST({role} AS VARCHAR)"
            odd = database.first(f"SELECT 1 FROM ({raw}) WHERE {is_odd_number(text)} LIMIT 1")
            to_number = seconds_of_text if role == "timestamp" else number_of_text
            value = to_number(text, whole=odd is None)
        elif role == "timestamp":
            value = whole_seconds(role)
        columns += [f'{value} AS "{role}"', f'{role} AS "raw {role}"']
    return f"SELECT {', '.join(columns)} FROM ({raw})"


def _invalid(role: str) -> str:
    """SQL: whether a value is missing or no finite number."""
    return f"{role} IS NULL" if role in IDS else f"{role} IS NULL OR NOT isfinite(CAST({role} AS DOUBLE))"


def _require_values(database: Database, view: str, source: Source) -> int:
    """The number of rows; HarnessError for the first one with a value that is missing or no finite number."""
    counts = ", ".join(f"count(*) FILTER (WHERE {_invalid(role)})" for role in source.roles)
    rows, *invalid_counts = database.rows(f'SELECT count(*), {counts} FROM "{view}"')[0]
    for role, count in zip(source.roles, invalid_counts, strict=True):
        if count:
            # no WHERE: DuckDB skips row groups by their smallest and largest value, which leave out NaN
            first = f'arg_min(row(file, place, {role}, "raw {role}"), row(file, place)) FILTER (WHERE {_invalid(role)})'
            file, place, value, raw = database.rows(f'SELECT unnest({first}) FROM "{view}"')[0]
            raise source.wrong(file, place, role, _problem(role, value, raw))
    if not rows:
        raise HarnessError(f"{source.label}: there is no row below the column names; it must hold interactions")
    return int(rows)


def _problem(role: str, value: object, raw: object) -> str:
    """What is wrong with an invalid value and what to do; ``raw`` is the value as the table holds it."""
    if role in IDS and raw is not None and str(raw).lower() != "nan":
        return (
            f"the {role} {raw} is no whole number that floats hold exactly; write {role}s as whole numbers or as text"
        )
    if role in IDS:
        return f"the {role} is empty or NaN; fill it in or remove the row"
    if isinstance(raw, str) and value is None and raw.strip().lower() != "nan":
        expected = "neither a number of seconds nor a date such as 2009-01-05 03:48:51"
        return f"{raw!r} is {expected if role == 'timestamp' else 'not a number'}; correct it or remove the row"
    shown = raw if value is None and not isinstance(raw, str) else value
    what = "is empty or NaN" if shown is None or shown != shown else f"is {shown}"
    return f"the {role} {what}; give it a number or remove the row"
