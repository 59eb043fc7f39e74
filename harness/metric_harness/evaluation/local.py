"""The relational plan run by DuckDB on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.data.database import Database
from metric_harness.data.interactions import Interactions, choose_users, literal, require_lists
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.counted_users import BATCH_ROWS, counted_users, gains_of_case
from metric_harness.evaluation.partial_sums import Asked, Sums, nothing, sums_of
from metric_harness.evaluation.user_values import user_schema, user_tables, writing
from metric_harness.system.progress import Advance, Reporter
from metric_harness.system.side_by_side import in_threads
from metric_reference.grades import MOST_GRADES

SECONDS_BETWEEN_LINES = 5.0
"""Between two lines of progress if the output is no terminal."""

TITLES = {
    "judged": "gathering the truth of each user",
    "listed": "counting the lists",
    "ranked": "ranking the items and finding the hits",
    "hit_lists": "gathering the hits of each user",
    "users": "joining lists and truth",
    "patterns": "counting users with the same values",
}
SAMPLED_ROWS = 100_000
"""Rows of which the bounds of the parts are taken."""

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
    """One evaluation. by_user : whether each user's own values are wanted."""

    database: Database
    tables: Interactions
    request: plan.Request
    by_user: bool

    def relations(self, parts: int, steps: Steps) -> None:
        """Make "all patterns", "all lists", "all exposures" and, if wanted, "all users", one part of users at a time.

        HarnessError for a repeated pair of user and item.
        """
        conditions = self.divided(parts)
        for part, condition in enumerate(conditions):
            position = f", part {part + 1} of {len(conditions)}" if condition else ""
            choose_users(self.database, condition)
            steps.begin(f"looking for repeated rows{position}")
            require_lists(self.database, self.tables)
            for name, query in plan.steps(self.request, plan.DUCKDB):
                steps.begin(TITLES[name] + position)
                make_relation = self.database.view if name == "users" else self.database.table
                make_relation(name, query)
            self._collect("all patterns", "SELECT * FROM patterns", part == 0)
            self._collect("all lists", plan.LISTS, part == 0)
            if self.by_user:
                self._collect("all users", "SELECT * FROM users", part == 0)
            if self.request.cuts:
                steps.begin(f"counting how often items are recommended{position}")
                self._collect("all exposures", plan.exposure(self.request), part == 0)
            for name in plan.STEPS:
                if name != "users":  # room for the next part
                    self.database.rows(f"DROP TABLE {name}")

    def divided(self, parts: int) -> list[str]:
        """SQL: the conditions that divide the users by the order of their ids into about this many parts.

        A file whose users are in order is then read in pieces. The bounds come from a sample, with a fixed seed.
        """
        if parts == 1:
            return [""]
        sample = f'SELECT user FROM "checked recs" USING SAMPLE {SAMPLED_ROWS} ROWS (reservoir, 1)'
        shares = [part / parts for part in range(1, parts)]
        quantiles = self.database.rows(f"SELECT quantile_disc(user, {shares}) FROM ({sample})")[0][0]
        bounds = [literal(bound) for bound in dict.fromkeys(quantiles)]
        below = [f"user < {bound}" for bound in bounds] + ["true"]
        above = ["true"] + [f"user >= {bound}" for bound in bounds]
        return [f" WHERE {low} AND {high}" for low, high in zip(above, below, strict=True)]

    def _collect(self, name: str, query: str, first: bool) -> None:
        """Add one part's rows to a table, which the first part creates."""
        if first:
            self.database.table(name, query)
        else:
            self.database.rows(f'INSERT INTO "{name}" {query}')

    def gains(self) -> np.ndarray | None:
        """The distinct gains of the relevant items of all users; None if there are more than ``MOST_GRADES``."""
        rows = self.database.rows(plan.distinct_gains('"all patterns"', plan.DUCKDB, MOST_GRADES + 1))
        return gains_of_case([row[0] for row in rows])

    def sums(self, asked: Sequence[Asked]) -> Sums:
        """The sums of the variants over all users."""
        total, gains = nothing(asked), self.gains()

        def of_batch(batch: pa.RecordBatch) -> Sums:
            part = nothing(asked)
            for users, _ in counted_users(batch, self.request.threshold, gains):
                part.add(sums_of(users, asked)[0])
            return part

        for part in in_threads(of_batch, self.database.batches('SELECT * FROM "all patterns"', BATCH_ROWS)):
            total.add(part)
        return total

    def exposures(self) -> dict[int, np.ndarray]:
        """For each k, how often each recommended item is in the first k ranks."""
        if not self.request.cuts:
            return {}
        sums = ", ".join(f"sum(at_{k})::BIGINT AS at_{k}" for k in self.request.cuts)
        columns = self.database.arrays(f'SELECT {sums} FROM "all exposures" GROUP BY item')
        return {k: columns[f"at_{k}"] for k in self.request.cuts}

    def lists(self) -> int:
        """The number of lists."""
        return int(self.database.rows('SELECT sum(lists) FROM "all lists"')[0][0])

    def write_users(self, asked: Sequence[Asked], target: Path) -> None:
        """Write each user's own values to a parquet file, which appears when it is complete."""
        schema, gains = user_schema(asked, self.tables.kinds["user"]), self.gains()
        with writing(target) as unfinished, pq.ParquetWriter(unfinished, schema) as writer:
            for batch in self.database.batches('SELECT * FROM "all users"', BATCH_ROWS):
                for table in user_tables(batch, asked, self.request.threshold, gains, schema):
                    writer.write_table(table)
