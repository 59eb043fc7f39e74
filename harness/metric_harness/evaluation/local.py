"""The relational plan run by DuckDB on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from metric_harness.data.database import Database
from metric_harness.data.interactions import Interactions, require_lists
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.counted_users import BATCH_ROWS, counted_users, gains_of_case
from metric_harness.evaluation.partial_sums import Asked, Sums, nothing, sums_of
from metric_harness.evaluation.user_values import user_schema, user_tables, writing
from metric_harness.system.progress import Advance, Reporter
from metric_reference.grades import MOST_GRADES

SECONDS_BETWEEN_LINES = 5.0
"""Of progress, where there is no terminal."""

TITLES = {
    "judged": "gathering the truth of each user",
    "listed": "counting the lists",
    "hits": "finding the hits",
    "ranks": "ranking the hits",
    "hit_lists": "gathering the hits of each user",
    "users": "joining lists and truth",
    "patterns": "counting users with the same values",
}
ROW_BYTES = {"whole": 40, "text": 120}
"""What a row takes while the relations are made, by the kind of ids."""


class Steps:
    """Tells which step is under way: on a terminal always, elsewhere if the last line is some seconds old."""

    def __init__(self, reporter: Reporter, advance: Advance) -> None:
        self.reporter, self.advance, self.begun = reporter, advance, time.perf_counter()
        self.last = self.begun

    def begin(self, text: str) -> None:
        """A step begins."""
        now = time.perf_counter()
        self.advance(1, text)
        if not self.reporter.console.is_terminal and now - self.last >= SECONDS_BETWEEN_LINES:
            self.last = now
            self.reporter.say(f"  {now - self.begun:,.0f} s: {text}")


def parts_for(tables: Interactions, memory: int) -> int:
    """Into how many parts the users are dealt, so that the relations of one fit the memory."""
    row = max(ROW_BYTES[tables.kinds[role]] for role in ("user", "item"))
    return max(1, -(-sum(tables.rows.values()) * row // memory))


@dataclass(frozen=True, eq=False)
class Run:
    """One evaluation. by_user : whether the users themselves are kept; cuts : where items are counted."""

    database: Database
    tables: Interactions
    request: plan.Request
    cuts: tuple[int, ...]
    by_user: bool

    def relations(self, parts: int, steps: Steps) -> None:
        """Make "all patterns", "all lists", "all exposures" and, if wanted, "all users", a part of the users at a time.

        HarnessError for a pair of user and item that stands twice.
        """
        for part in range(parts):
            here = f", part {part + 1} of {parts}" if parts > 1 else ""
            for name in ("recs", "truth"):
                chosen = f" WHERE hash(user) % {parts} = {part}" if parts > 1 else ""
                self.database.view(name, f'SELECT * FROM "checked {name}"{chosen}')
            steps.begin(f"looking for repeated rows{here}")
            require_lists(self.database, self.tables)
            for name, query in plan.steps(self.request, plan.DUCKDB):
                steps.begin(TITLES[name] + here)
                make = self.database.table if name != "users" or self.by_user else self.database.view
                make(name, query)
            self._keep("all patterns", "SELECT * FROM patterns", part == 0)
            self._keep("all lists", "SELECT count(*) AS lists FROM listed", part == 0)
            if self.by_user:
                self._keep("all users", "SELECT * FROM users", part == 0)
            for k in self.cuts:
                steps.begin(f"counting the items at {k}{here}")
                self._keep("all exposures", self._exposure(k), part == 0 and k == self.cuts[0])

    def _keep(self, name: str, query: str, first: bool) -> None:
        """Add what a part gives to a table, which the first part makes."""
        if first:
            self.database.table(name, query)
        else:
            self.database.rows(f'INSERT INTO "{name}" {query}')

    def _exposure(self, k: int) -> str:
        """SQL: item, k and how often the item stands among the first k ranks, in rows that add up."""
        longest = self.database.rows("SELECT max(listed) FROM listed")[0][0] or 0
        lists = plan.lists_in_case(self.request)
        if k >= longest:
            return f"SELECT item, {k} AS k, count(*) AS times FROM {lists} AS lists GROUP BY item"
        self.database.table("near", near(self.request, k))
        surplus = (
            f"SELECT item, row_number() OVER (PARTITION BY user ORDER BY {self.request.order}) AS place FROM near "
            f"SEMI JOIN (SELECT user FROM near GROUP BY user HAVING count(*) > {k}) USING (user)"
        )
        return (
            f"SELECT item, {k} AS k, count(*) AS times FROM near GROUP BY item "
            f"UNION ALL SELECT item, {k}, -count(*) FROM ({surplus}) WHERE place > {k} GROUP BY item"
        )

    def gains(self) -> np.ndarray | None:
        """The different gains of the relevant items of all users; None if there are many."""
        rows = self.database.rows(plan.distinct_gains('"all patterns"', plan.DUCKDB, MOST_GRADES + 1))
        return gains_of_case([row[0] for row in rows])

    def sums(self, asked: Sequence[Asked]) -> Sums:
        """The sums of the variants over all users."""
        total, gains = nothing(asked), self.gains()
        for batch in self.database.batches('SELECT * FROM "all patterns"', BATCH_ROWS):
            for users, _ in counted_users(batch, self.request.threshold, gains):
                total.add(sums_of(users, asked)[0])
        return total

    def exposures(self) -> dict[int, np.ndarray]:
        """How often each item that is recommended stands among the first k ranks, for each k."""
        query = 'SELECT sum(times) FROM "all exposures" WHERE k = {} GROUP BY item'
        return {k: np.array(self.database.rows(query.format(k)), dtype=np.int64).ravel() for k in self.cuts}

    def lists(self) -> int:
        """How many lists there are."""
        return int(self.database.rows('SELECT sum(lists) FROM "all lists"')[0][0])

    def items(self) -> int:
        """How many items there are in both tables."""
        for name in ("recs", "truth"):
            self.database.view(name, f'SELECT * FROM "checked {name}"')
        return int(self.database.rows(plan.ITEMS)[0][0])

    def write_users(self, asked: Sequence[Asked], target: Path) -> None:
        """Each user's own values as a parquet file, which appears when all of it is written."""
        schema, gains = user_schema(asked, self.tables.kinds["user"]), self.gains()
        with writing(target) as part, pq.ParquetWriter(part, schema) as writer:
            for batch in self.database.batches('SELECT * FROM "all users"', BATCH_ROWS):
                for table in user_tables(batch, asked, self.request.threshold, gains, schema):
                    writer.write_table(table)


def near(request: plan.Request, k: int) -> str:
    """SQL: the first k rows of each list, and those that are as good as the last of them.

    A window over all rows would sort them all; the k best scores of each user take a heap of k.
    """
    best, worst, keep = ("min", "list_max", "<=") if request.by_rank else ("max", "list_min", ">=")
    key = request.key
    last = f"SELECT user, {worst}({best}({key}, {k})) AS last FROM {plan.lists_in_case(request)} AS lists GROUP BY user"
    return f"SELECT r.user, r.item, r.{key} FROM recs r JOIN ({last}) t ON r.user = t.user WHERE r.{key} {keep} t.last"
