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
"""Between two lines of progress if the output is no terminal."""

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
"""Memory for each row while the relations are made, by the kind of ids."""


class Steps:
    """Reports the current step: on a terminal always, elsewhere ``SECONDS_BETWEEN_LINES`` after the last line."""

    def __init__(self, reporter: Reporter, advance: Advance) -> None:
        self.reporter, self.advance, self.started = reporter, advance, time.perf_counter()
        self.last = self.started

    def begin(self, text: str) -> None:
        """Report that a step begins."""
        now = time.perf_counter()
        self.advance(1, text)
        if not self.reporter.console.is_terminal and now - self.last >= SECONDS_BETWEEN_LINES:
            self.last = now
            self.reporter.say(f"  {now - self.started:,.0f} s: {text}")


def parts_for(tables: Interactions, memory: int) -> int:
    """The number of parts to divide the users into, so that the relations of one part fit into memory."""
    row_bytes = max(ROW_BYTES[tables.kinds[role]] for role in ("user", "item"))
    return max(1, -(-sum(tables.rows.values()) * row_bytes // memory))


@dataclass(frozen=True, eq=False)
class Run:
    """One evaluation. by_user : whether each user's own values are wanted; cuts : where items are counted."""

    database: Database
    tables: Interactions
    request: plan.Request
    cuts: tuple[int, ...]
    by_user: bool

    def relations(self, parts: int, steps: Steps) -> None:
        """Make "all patterns", "all lists", "all exposures" and, if wanted, "all users", one part of users at a time.

        HarnessError for a repeated pair of user and item.
        """
        for part in range(parts):
            position = f", part {part + 1} of {parts}" if parts > 1 else ""
            for name in ("recs", "truth"):
                condition = f" WHERE hash(user) % {parts} = {part}" if parts > 1 else ""
                self.database.view(name, f'SELECT * FROM "checked {name}"{condition}')
            steps.begin(f"looking for repeated rows{position}")
            require_lists(self.database, self.tables)
            for name, query in plan.steps(self.request, plan.DUCKDB):
                steps.begin(TITLES[name] + position)
                make_relation = self.database.table if name != "users" or self.by_user else self.database.view
                make_relation(name, query)
            self._collect("all patterns", "SELECT * FROM patterns", part == 0)
            self._collect("all lists", "SELECT count(*) AS lists FROM listed", part == 0)
            if self.by_user:
                self._collect("all users", "SELECT * FROM users", part == 0)
            for k in self.cuts:
                steps.begin(f"counting the items at {k}{position}")
                self._collect("all exposures", self._exposure(k), part == 0 and k == self.cuts[0])

    def _collect(self, name: str, query: str, first: bool) -> None:
        """Add one part's rows to a table, which the first part creates."""
        if first:
            self.database.table(name, query)
        else:
            self.database.rows(f'INSERT INTO "{name}" {query}')

    def _exposure(self, k: int) -> str:
        """SQL: item, k and how often the item is in the first k ranks; several rows of an item add up."""
        longest = self.database.rows("SELECT max(listed) FROM listed")[0][0] or 0
        lists = plan.lists_in_case(self.request)
        if k >= longest:
            return f"SELECT item, {k} AS k, count(*) AS times FROM {lists} AS lists GROUP BY item"
        self.database.table("top_rows", top_rows(self.request, k))
        surplus = (
            f"SELECT item, row_number() OVER (PARTITION BY user ORDER BY {self.request.order}) AS place FROM top_rows "
            f"SEMI JOIN (SELECT user FROM top_rows GROUP BY user HAVING count(*) > {k}) USING (user)"
        )
        return (
            f"SELECT item, {k} AS k, count(*) AS times FROM top_rows GROUP BY item "
            f"UNION ALL SELECT item, {k}, -count(*) FROM ({surplus}) WHERE place > {k} GROUP BY item"
        )

    def gains(self) -> np.ndarray | None:
        """The distinct gains of the relevant items of all users; None if there are more than ``MOST_GRADES``."""
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
        """For each k, how often each recommended item is in the first k ranks."""
        query = 'SELECT sum(times) FROM "all exposures" WHERE k = {} GROUP BY item'
        return {k: np.array(self.database.rows(query.format(k)), dtype=np.int64).ravel() for k in self.cuts}

    def lists(self) -> int:
        """The number of lists."""
        return int(self.database.rows('SELECT sum(lists) FROM "all lists"')[0][0])

    def items(self) -> int:
        """The number of items in both tables together."""
        for name in ("recs", "truth"):
            self.database.view(name, f'SELECT * FROM "checked {name}"')
        return int(self.database.rows(plan.ITEMS)[0][0])

    def write_users(self, asked: Sequence[Asked], target: Path) -> None:
        """Write each user's own values to a parquet file, which appears when it is complete."""
        schema, gains = user_schema(asked, self.tables.kinds["user"]), self.gains()
        with writing(target) as unfinished, pq.ParquetWriter(unfinished, schema) as writer:
            for batch in self.database.batches('SELECT * FROM "all users"', BATCH_ROWS):
                for table in user_tables(batch, asked, self.request.threshold, gains, schema):
                    writer.write_table(table)


def top_rows(request: plan.Request, k: int) -> str:
    """SQL: the first k rows of each list, and all rows with the same score as the last of them.

    A window function would sort all rows; the k best scores of each user need only a heap of size k.
    """
    best, worst, keep = ("min", "list_max", "<=") if request.by_rank else ("max", "list_min", ">=")
    key = request.key
    last = f"SELECT user, {worst}({best}({key}, {k})) AS last FROM {plan.lists_in_case(request)} AS lists GROUP BY user"
    return f"SELECT r.user, r.item, r.{key} FROM recs r JOIN ({last}) t ON r.user = t.user WHERE r.{key} {keep} t.last"
