"""Relevant items and where they stand among the items that may be drawn, from files, as a relation of DuckDB or Spark.

The relation ``places`` has a row for each relevant item: ``user``; ``above`` and ``pool``, how many items of the pool
score above it and how many there are; ``weight_above`` and ``weight``, the same in training interactions, where they
are known. A user's other relevant items are not in the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metric_harness.data.database import Database
from metric_harness.data.interactions import (
    hashes_differ,
    open_interactions,
    open_tables,
    require_distinct,
    threshold_of,
)
from metric_harness.data.overlap import Overlap
from metric_harness.data.sources import Source, open_source
from metric_harness.system.errors import HarnessError

WEIGHTS = ("weight_above", "weight")
RANK_CHECKS = (
    (
        "rank",
        "rank < 1 OR rank > candidates OR rank != floor(rank)",
        "the rank must be a whole number from 1 to the candidates",
    ),
    ("candidates", "candidates != floor(candidates)", "the candidates must be whole"),
)
WEIGHT_CHECKS = (
    (
        "weight_above",
        "weight_above < 0 OR weight_above > weight OR weight <= 0",
        "the weight above must be from 0 to the weight, which is above 0",
    ),
)
"""Column, SQL of what it must not be, and what it must be."""
UNEVEN = "SELECT user FROM ranks GROUP BY user HAVING min(candidates) < max(candidates) ORDER BY 1 LIMIT 1"
UNEVEN_USER = "user {} has different numbers of candidates; give one number"
RELEVANT = "SELECT user, item FROM truth WHERE gain >= {!r} AND gain > 0"
NO_SCORE = (
    "SELECT user, item FROM relevant AS r WHERE user IN (SELECT user FROM all_scores) AND NOT EXISTS (SELECT 1 FROM "
    "all_scores AS s WHERE s.user = r.user AND s.item = r.item) ORDER BY 1, 2 LIMIT 1"
)
NO_SCORE_OF = (
    "user {} has no score for the relevant item {}; give the scores of all candidates, the relevant items among them"
)
POPULARITY = "SELECT item, CAST(count(*) AS DOUBLE) AS times FROM train GROUP BY item"
PLACED = """
SELECT user, relevant, row_number() OVER best - sum(relevant) OVER best AS above,
    count(*) OVER everything - sum(relevant) OVER everything AS pool,
    sum(drawable) OVER best AS weight_above, sum(drawable) OVER everything AS weight
FROM (
    SELECT s.user, s.item, s.score, CAST(t.user IS NOT NULL AS INTEGER) AS relevant,
        CASE WHEN t.user IS NULL THEN {weight} ELSE 0.0 END AS drawable
    FROM all_scores AS s LEFT JOIN relevant AS t ON s.user = t.user AND s.item = t.item {weights}
    WHERE s.user IN (SELECT user FROM relevant)
)
WINDOW best AS (PARTITION BY user ORDER BY score DESC, item ROWS UNBOUNDED PRECEDING),
    everything AS (PARTITION BY user)
"""


@dataclass(frozen=True)
class RankedItems:
    """The relation ``places`` in numbers.

    weighted : whether it has weights; ties : the order of equal scores; overlap : how ids of scores and truth match.
    """

    rows: int
    users: int
    pools: tuple[int, int]
    weighted: bool
    ties: str
    overlap: Overlap | None = None

    @property
    def single(self) -> bool:
        """Whether each user has one relevant item."""
        return self.rows == self.users


def from_ranks(database: Database, path: Path) -> RankedItems:
    """From the rank of each relevant item among all candidates: columns user, item, rank and candidates.

    The candidates are counted with the item itself and the user's other relevant items. HarnessError names a row whose
    rank is not from 1 to the candidates, and users with two different numbers of candidates.
    """
    source = open_source(path, ("user", "item", "rank", "candidates"), WEIGHTS, database.folder / "ranks")
    if source.nested:
        raise HarnessError(f"{source.label}: write a row for each relevant item, not lists")
    weighted = set(WEIGHTS) <= set(source.columns)
    if not weighted and set(WEIGHTS) & set(source.columns):
        raise HarnessError(f"{source.label}: weight_above and weight go together; add the other one")
    open_tables(database, {"ranks": source})
    for role, wrong, what in RANK_CHECKS + (WEIGHT_CHECKS if weighted else ()):
        _require(database, source, role, wrong, what)
    database.view("ranks", 'SELECT * FROM "all ranks"')
    # Comparing hashes takes a tenth of the time of counting users; that two users share one costs time, no more.
    alone = hashes_differ(database, "ranks", "0")
    if not alone:
        for by in ("item", "rank"):
            require_distinct(database, "ranks", source, by=by)
        if (user := database.first(UNEVEN)) is not None:
            raise HarnessError(f"{source.label}: {UNEVEN_USER.format(*user)}")
    database.view("places", of_ranks(alone, weighted))
    return counted(database.rows, source.label, alone, weighted, "input_order")


def from_scores(
    database: Database, scores: Path, truth: Path, train: Path | None, threshold: float | None, *, strict: bool = False
) -> RankedItems:
    """From the scores of all candidates: columns user, item and score; equal scores stand by item id, ascending.

    truth : user, item, and rating if there is one. train : the interactions that count an item's popularity. The
    candidates of a user are the rows that it has in ``scores``. HarnessError names a relevant item that is not among
    them.
    """
    scored = open_source(scores, ("user", "item", "score"), (), database.folder / "scores")
    judged = open_source(truth, ("user", "item"), ("rating",), database.folder / "truth")
    tables = open_interactions(database, scored, judged, strict=strict)
    database.view("all_scores", 'SELECT * FROM "all recs"')
    require_distinct(database, "recs", scored)
    require_distinct(database, "truth", judged)
    database.table("relevant", RELEVANT.format(threshold_of(database, tables, threshold)))
    if (missing := database.first(NO_SCORE)) is not None:
        raise HarnessError(f"{scored.label}: {NO_SCORE_OF.format(*missing)}")
    as_text = False
    if train is not None:
        known = open_source(train, ("user", "item"), (), database.folder / "train")
        as_text = open_tables(database, {"train": known}).kinds["item"] != tables.kinds["item"]
        database.view("train", 'SELECT * FROM "all train"')
        database.table("popularity", POPULARITY)
    database.table("places", of_scores(train is not None, as_text))
    return counted(database.rows, scored.label, False, train is not None, "id_ascending", tables.overlap)


def of_ranks(alone: bool, weighted: bool) -> str:
    """SQL: places from the relation ``ranks``. alone : each user has one relevant item."""
    before, relevant = ("1", "1") if alone else ("row_number() OVER own", "count(*) OVER all_of_user")
    weights = ", CAST(weight_above AS DOUBLE) AS weight_above, CAST(weight AS DOUBLE) AS weight" if weighted else ""
    return (
        f"SELECT user, CAST(rank AS BIGINT) - {before} AS above, CAST(candidates AS BIGINT) - {relevant} AS pool"
        f"{weights} FROM ranks WINDOW own AS (PARTITION BY user ORDER BY rank), all_of_user AS (PARTITION BY user)"
    )


def of_scores(weighted: bool, as_text: bool) -> str:
    """SQL: places from the relations ``all_scores``, ``relevant`` and, if weighted, ``popularity``.

    as_text : items of scores and popularity are of two kinds and are compared as text.
    """
    weight, weights = "1.0", ""
    if weighted:
        item, known = ("CAST(s.item AS STRING)", "CAST(p.item AS STRING)") if as_text else ("s.item", "p.item")
        weight, weights = "coalesce(p.times, 0.0)", f"LEFT JOIN popularity AS p ON {item} = {known}"
    placed = PLACED.format(weight=weight, weights=weights)
    columns = "".join(f", CAST({name} AS DOUBLE) AS {name}" for name in WEIGHTS) if weighted else ""
    return (
        f"SELECT user, CAST(above AS BIGINT) AS above, CAST(pool AS BIGINT) AS pool{columns} FROM ({placed}) AS placed "
        "WHERE relevant = 1"
    )


def _require(database: Database, source: Source, role: str, wrong: str, what: str) -> None:
    """HarnessError for the first row of ``all ranks`` that a condition holds for."""
    if database.rows(f'SELECT count(*) FILTER (WHERE {wrong}) FROM "all ranks"')[0][0]:
        file, place = database.rows(f'SELECT file, place FROM "all ranks" WHERE {wrong} ORDER BY file, place LIMIT 1')[
            0
        ]
        raise source.wrong(file, place, role, what)


def counted(
    rows_of: Callable[[str], Sequence[Sequence[Any]]],
    label: str,
    alone: bool,
    weighted: bool,
    ties: str,
    overlap: Overlap | None = None,
) -> RankedItems:
    """The relation ``places`` in numbers; ``rows_of`` runs a query. HarnessError for a user with nothing to draw."""
    rows, low, high = rows_of("SELECT count(*), min(pool), max(pool) FROM places")[0]
    if not rows:
        raise HarnessError(f"{label}: none of its users has a relevant item")
    if low < 1:
        user = rows_of("SELECT min(user) FROM places WHERE pool < 1")[0][0]
        raise HarnessError(f"{label}: user {user} has no candidate beside the relevant items")
    if weighted and (user := rows_of("SELECT min(user) FROM places WHERE weight <= 0")[0][0]) is not None:
        raise HarnessError(
            f"{label}: none of the items that may be drawn for user {user} is in --train, so none has a popularity"
        )
    users = rows if alone else rows_of("SELECT count(DISTINCT user) FROM places")[0][0]
    return RankedItems(int(rows), int(users), (int(low), int(high)), weighted, ties, overlap)
