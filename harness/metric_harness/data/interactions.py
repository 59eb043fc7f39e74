"""Two tables of interactions opened together in DuckDB: ids of one kind in both, numbers checked, pairs distinct."""

from __future__ import annotations

from dataclasses import dataclass

from metric_harness.data.database import Database
from metric_harness.data.sources import Source, raw_relation, uneven_lists
from metric_harness.data.sql_types import bare, is_odd_id, is_text, is_whole, number_of_text
from metric_harness.system.errors import HarnessError

IDS = ("user", "item")


@dataclass(frozen=True)
class Interactions:
    """Recommendations and truth as the views ``checked recs`` (user, item, score or rank or both) and ``checked truth``
    (user, item, gain).

    kinds : ``whole`` or ``text`` for user and item; rows : of each view.
    """

    recommendations: Source
    truth: Source
    kinds: dict[str, str]
    rows: dict[str, int]

    @property
    def by_rank(self) -> bool:
        """Whether lists are ordered by rank."""
        return "rank" in self.recommendations.roles

    @property
    def has_scores(self) -> bool:
        """Whether the recommendations have scores."""
        return "score" in self.recommendations.roles


def open_interactions(database: Database, recommendations: Source, truth: Source) -> Interactions:
    """Make the views. HarnessError names the first row whose id is missing or whose number is none."""
    if not {"rank", "score"} & set(recommendations.roles):
        raise HarnessError(
            f"{recommendations.label}: no column for the score or the rank, so the order of the lists is unknown; "
            "add one"
        )
    database.sources += [recommendations, truth]
    for source in (recommendations, truth):
        uneven = uneven_lists(source)
        row = None if uneven is None else database.first(uneven)
        if row is not None:
            raise HarnessError(
                f"{source.where(row[0], row[1])}: its lists have different lengths; each item needs its own number"
            )
    kinds = {role: _kind(database, (recommendations, truth), role) for role in IDS}
    rows = {}
    for name, source in (("recs", recommendations), ("truth", truth)):
        database.view(f"all {name}", _typed(database, source, kinds))
        rows[name] = _require_values(database, f"all {name}", source)
        numbers = [role for role in source.roles if role in ("score", "rank")]
        columns = ["user", "item", *(numbers if name == "recs" else [gain_of(source)])]
        database.view(f"checked {name}", f'SELECT {", ".join(columns)} FROM "all {name}"')
    return Interactions(recommendations, truth, kinds, rows)


def gain_of(truth: Source) -> str:
    """SQL: the gain of a judgement, 1 where there are no ratings."""
    return "CAST(rating AS DOUBLE) AS gain" if "rating" in truth.roles else "1.0::DOUBLE AS gain"


def _texts(source: Source) -> set[str]:
    """The roles of ids that are not whole numbers by their type."""
    return {role for role in IDS if not all(is_whole(bare(part.types[role])) for part in source.parts)}


def _kind(database: Database, sources: tuple[Source, ...], role: str) -> str:
    """``whole`` where both tables hold whole numbers alone, be it as text ("7", not "07")."""
    for source in sources:
        if role in _texts(source):
            odd = f"SELECT 1 FROM ({raw_relation(source, _texts(source))}) WHERE {is_odd_id(role)} LIMIT 1"
            if database.first(odd) is not None:
                return "text"
    return "whole"


def _typed(database: Database, source: Source, kinds: dict[str, str]) -> str:
    """SQL: the rows of a table with ids of these kinds and numbers; ``raw score`` holds a score as it is there."""
    texts = _texts(source) | {role for role, kind in kinds.items() if kind == "text"}
    raw = raw_relation(source, texts)
    columns = ["file", "place"]
    for role in source.roles:
        value = role
        if role in IDS:
            value = f"TRY_CAST({role} AS BIGINT)" if role in texts and kinds[role] == "whole" else role
        elif role in source.columns and any(is_text(bare(part.types[role])) for part in source.parts):
            every = all(is_text(bare(part.types[role])) for part in source.parts)
            role_text = role if every else f"CAST({role} AS VARCHAR)"
            odd = database.first(f"SELECT 1 FROM ({raw}) WHERE {is_odd_id(role_text)} LIMIT 1")
            value = number_of_text(role_text, whole=odd is None)
        columns += [f'{value} AS "{role}"', f'{role} AS "raw {role}"']
    return f"SELECT {', '.join(columns)} FROM ({raw})"


def _bad(role: str) -> str:
    """SQL: whether a value is missing or no finite number."""
    return f"{role} IS NULL" if role in IDS else f"{role} IS NULL OR NOT isfinite(CAST({role} AS DOUBLE))"


def _require_values(database: Database, view: str, source: Source) -> int:
    """The number of rows; HarnessError at the first one with a value that is missing or no finite number."""
    counts = ", ".join(f"count(*) FILTER (WHERE {_bad(role)})" for role in source.roles)
    rows, *bad = database.rows(f'SELECT count(*), {counts} FROM "{view}"')[0]
    for role, count in zip(source.roles, bad, strict=True):
        if count:
            # no WHERE: DuckDB skips parts of a parquet file by their smallest and largest value, which leave NaN out
            first = f'arg_min(row(file, place, {role}, "raw {role}"), row(file, place)) FILTER (WHERE {_bad(role)})'
            file, place, value, raw = database.rows(f'SELECT unnest({first}) FROM "{view}"')[0]
            raise source.wrong(file, place, role, _problem(role, value, raw))
    if not rows:
        raise HarnessError(f"{source.label}: there is no row below the column names; it must hold interactions")
    return int(rows)


def _problem(role: str, value: object, raw: object) -> str:
    if role in IDS:
        return f"the {role} is empty or NaN; fill it in or remove the row"
    if isinstance(raw, str) and value is None and raw.strip().lower() != "nan":
        return f"{raw!r} is not a number; correct it or remove the row"
    what = "is empty or NaN" if value is None or value != value else f"is {value}"
    return f"the {role} {what}; give it a number or remove the row"
