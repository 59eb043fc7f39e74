"""Relevant items and where they stand among the items that may be drawn, from files, as a relation of DuckDB.

The relation ``places`` has a row for each relevant item: ``user``; ``above`` and ``pool``, how many items of the pool
score above it and how many there are; ``weight_above`` and ``weight``, the same in training interactions, where they
are known. A user's other relevant items are not in the pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from metric_harness.data.database import Database
from metric_harness.data.interactions import (
    hashes_differ,
    open_interactions,
    open_tables,
    require_distinct,
    threshold_of,
)
from metric_harness.data.sources import Source, open_source
from metric_harness.system.errors import HarnessError

WEIGHTS = ("weight_above", "weight")
PLACED = """
SELECT user, relevant, row_number() OVER best - sum(relevant) OVER best AS above,
    count(*) OVER everything - sum(relevant) OVER everything AS pool,
    sum(drawable) OVER best AS weight_above, sum(drawable) OVER everything AS weight
FROM (
    SELECT s.user, s.item, s.score, CAST(t.user IS NOT NULL AS INTEGER) AS relevant,
        CASE WHEN t.user IS NULL THEN {weight} ELSE 0.0 END AS drawable
    FROM "all scores" AS s LEFT JOIN relevant AS t ON s.user = t.user AND s.item = t.item {weights}
    WHERE s.user IN (SELECT user FROM relevant)
)
WINDOW best AS (PARTITION BY user ORDER BY score DESC, item ROWS UNBOUNDED PRECEDING),
    everything AS (PARTITION BY user)
"""


@dataclass(frozen=True)
class RankedItems:
    """The relation ``places`` in numbers. weighted : whether it has weights; ties : the order of equal scores."""

    rows: int
    users: int
    pools: tuple[int, int]
    weighted: bool
    ties: str

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
    _require(
        database,
        source,
        "rank",
        "rank < 1 OR rank > candidates OR rank != floor(rank)",
        "the rank must be a whole number from 1 to the candidates",
    )
    _require(database, source, "candidates", "candidates != floor(candidates)", "the candidates must be whole")
    if weighted:
        _require(
            database,
            source,
            "weight_above",
            "weight_above < 0 OR weight_above > weight OR weight <= 0",
            "the weight above must be from 0 to the weight, which is above 0",
        )
    weights = ", CAST(weight_above AS DOUBLE) AS weight_above, CAST(weight AS DOUBLE) AS weight" if weighted else ""
    # Comparing hashes takes a tenth of the time of counting users; that two users share one costs time, no more.
    alone = hashes_differ(database, '"all ranks"', "0")
    if alone:
        above, pool = "CAST(rank AS BIGINT) - 1", "CAST(candidates AS BIGINT) - 1"
    else:
        for by in ("item", "rank"):
            require_distinct(database, "ranks", source, by=by)
        uneven = "SELECT user FROM {} GROUP BY user HAVING min(candidates) < max(candidates) ORDER BY 1 LIMIT 1"
        if (user := database.first(uneven.format('"all ranks"'))) is not None:
            raise HarnessError(f"{source.label}: user {user[0]} has different numbers of candidates; give one number")
        above = "CAST(rank AS BIGINT) - row_number() OVER (PARTITION BY user ORDER BY rank)"
        pool = "CAST(candidates AS BIGINT) - count(*) OVER (PARTITION BY user)"
    database.view("places", f'SELECT user, {above} AS above, {pool} AS pool{weights} FROM "all ranks"')
    return _counted(database, source.label, alone, weighted, "input_order")


def from_scores(
    database: Database, scores: Path, truth: Path, train: Path | None, threshold: float | None
) -> RankedItems:
    """From the scores of all candidates: columns user, item and score; equal scores stand by item id, ascending.

    truth : user, item, and rating if there is one. train : the interactions that count an item's popularity. The
    candidates of a user are the rows that it has in ``scores``. HarnessError names a relevant item that is not among
    them.
    """
    scored = open_source(scores, ("user", "item", "score"), (), database.folder / "scores")
    judged = open_source(truth, ("user", "item"), ("rating",), database.folder / "truth")
    tables = open_interactions(database, scored, judged)
    database.view("all scores", 'SELECT * FROM "all recs"')
    require_distinct(database, "recs", scored)
    require_distinct(database, "truth", judged)
    limit = threshold_of(database, tables, threshold)
    database.table("relevant", f'SELECT user, item FROM "checked truth" WHERE gain >= {limit!r} AND gain > 0')
    missing = database.first(
        'SELECT user, item FROM relevant ANTI JOIN "all scores" USING (user, item) '
        'WHERE user IN (SELECT user FROM "all scores") ORDER BY 1, 2 LIMIT 1'
    )
    if missing is not None:
        raise HarnessError(
            f"{scored.label}: user {missing[0]} has no score for the relevant item {missing[1]}; give the scores "
            "of all candidates, the relevant items among them"
        )
    weight, weights = "1.0", ""
    if train is not None:
        known = open_source(train, ("user", "item"), (), database.folder / "train")
        kinds = open_tables(database, {"train": known}).kinds
        as_text = "CAST({} AS VARCHAR)" if kinds["item"] != tables.kinds["item"] else "{}"
        database.table("popularity", 'SELECT item, CAST(count(*) AS DOUBLE) AS times FROM "all train" GROUP BY item')
        weight = "coalesce(p.times, 0.0)"
        weights = f"LEFT JOIN popularity AS p ON {as_text.format('s.item')} = {as_text.format('p.item')}"
    placed = PLACED.format(weight=weight, weights=weights)
    columns = ", weight_above, weight" if train is not None else ""
    database.table(
        "places",
        f"SELECT user, CAST(above AS BIGINT) AS above, CAST(pool AS BIGINT) AS pool{columns} FROM ({placed}) "
        "WHERE relevant = 1",
    )
    return _counted(database, scored.label, False, train is not None, "id_ascending")


def _require(database: Database, source: Source, role: str, wrong: str, what: str) -> None:
    """HarnessError for the first row of ``all ranks`` that a condition holds for."""
    if database.rows(f'SELECT count(*) FILTER (WHERE {wrong}) FROM "all ranks"')[0][0]:
        file, place = database.rows(f'SELECT file, place FROM "all ranks" WHERE {wrong} ORDER BY file, place LIMIT 1')[
            0
        ]
        raise source.wrong(file, place, role, what)


def _counted(database: Database, label: str, alone: bool, weighted: bool, ties: str) -> RankedItems:
    rows, low, high = database.rows("SELECT count(*), min(pool), max(pool) FROM places")[0]
    if not rows:
        raise HarnessError(f"{label}: none of its users has a relevant item")
    if low < 1:
        user = database.first("SELECT user FROM places WHERE pool < 1 ORDER BY 1 LIMIT 1")
        raise HarnessError(f"{label}: user {user and user[0]} has no candidate beside the relevant items")
    users = rows if alone else database.rows("SELECT count(DISTINCT user) FROM places")[0][0]
    return RankedItems(int(rows), int(users), (int(low), int(high)), weighted, ties)
