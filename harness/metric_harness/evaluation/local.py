"""The relational plan run by DuckDB on this machine."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.data.database import Database
from metric_harness.data.interactions import Interactions
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.counted_users import BATCH_ROWS, counted_users, gains_of_case
from metric_harness.evaluation.partial_sums import Asked, Sums, by_user_names, nothing, sums_of
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Advance, Reporter
from metric_reference.grades import MOST_GRADES

SECONDS_BETWEEN_LINES = 5.0
"""Of progress, where there is no terminal."""

TITLES = {
    "judged": "gathering the truth of each user", "listed": "counting the lists", "hits": "finding the hits",
    "ranks": "ranking the hits", "hit_lists": "gathering the hits of each user", "users": "joining lists and truth",
    "patterns": "counting users with the same values",
}  # fmt: skip
CHECKS = 2
"""Steps before and after those of the plan: looking for repeated rows, and evaluating."""

FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "no file may grow so large",
}


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


def require_distinct(database: Database, tables: Interactions) -> None:
    """HarnessError for a pair of user and item that stands twice, and for ranks that give no order."""
    for name, source in (("recs", tables.recommendations), ("truth", tables.truth)):
        pair = database.first(plan.repeated(name))
        if pair is not None:
            raise HarnessError(
                f"{source.label}: user {pair[0]} and item {pair[1]} stand in it twice; "
                "keep one row for each user and item"
            )
    label = tables.recommendations.label
    if tables.by_rank and not tables.recommendations.ranked_by_place:
        twice = database.first(plan.REPEATED_RANK)
        if twice is not None:
            raise HarnessError(
                f"{label}: user {twice[0]} has rank {twice[1]:g} twice; give each item of a list a rank of its own"
            )
        rising = database.first(plan.RISING_SCORE) if tables.has_scores else None
        if rising is not None:
            raise HarnessError(
                f"{label}: user {rising[0]} at rank {rising[1]:g}: the score is higher than at the rank before, so "
                "rank and score disagree; keep one of the two columns"
            )


def threshold_of(database: Database, tables: Interactions, threshold: float | None) -> float:
    """The smallest gain that is relevant; HarnessError if nothing can be."""
    if threshold is not None:
        return float(threshold)
    smallest = database.rows(plan.SMALLEST_GAIN)[0][0]
    if smallest is None:
        raise HarnessError(
            f"{tables.truth.label}: no rating is above 0, so no item is relevant; ratings must be positive"
        )
    return float(smallest)


def make_relations(database: Database, request: plan.Request, steps: Steps) -> None:
    """Run the plan; each relation is a table from then on."""
    for name, query in plan.steps(request, plan.DUCKDB):
        steps.begin(TITLES[name])
        if name == "users":  # it is read twice where each user's values are wanted, and else once
            database.view(name, query)
        else:
            database.table(name, query)


def sums(database: Database, request: plan.Request, asked: Sequence[Asked]) -> Sums:
    """The sums of the variants over all users."""
    total, gains = nothing(asked), case_gains(database)
    for batch in database.batches("SELECT * FROM patterns", BATCH_ROWS):
        for users, _ in counted_users(batch, request.threshold, gains):
            total.add(sums_of(users, asked)[0])
    return total


def case_gains(database: Database) -> np.ndarray | None:
    """The different gains of the relevant items of all users; None if there are many."""
    return gains_of_case([row[0] for row in database.rows(plan.distinct_gains(plan.DUCKDB, MOST_GRADES + 1))])


def exposures(database: Database, request: plan.Request, ks: Sequence[int]) -> dict[int, np.ndarray]:
    """How often each item that is recommended stands among the first k ranks, for each k."""
    longest = database.rows("SELECT max(listed) FROM listed")[0][0] or 0
    found = {}
    for k in ks:
        query = _near(request, k) if k < longest else plan.lists_in_case(request)
        if k < longest:
            database.table("near", query)
            beyond = (
                "SELECT item, -count(*) AS times FROM (SELECT item, row_number() OVER (PARTITION BY user "
                f"ORDER BY {request.order}) AS place FROM near SEMI JOIN "
                f"(SELECT user FROM near GROUP BY user HAVING count(*) > {k}) USING (user)) WHERE place > {k} "
                "GROUP BY item"
            )
            counts = (
                "SELECT sum(times) FROM (SELECT item, count(*) AS times FROM near GROUP BY item "
                f"UNION ALL {beyond}) GROUP BY item"
            )
        else:
            counts = f"SELECT count(*) FROM {query} AS lists GROUP BY item"
        found[k] = np.array([int(row[0]) for row in database.rows(counts)], dtype=np.int64)
    database.rows("DROP TABLE IF EXISTS near")
    return found


def _near(request: plan.Request, k: int) -> str:
    """SQL: the first k rows of each list, and those that are as good as the last of them.

    A window over all rows would sort them all; the k best scores of each user take a heap of k.
    """
    best, keep = ("min", "<=") if request.by_rank else ("max", ">=")
    lists, key = plan.lists_in_case(request), request.key
    last = f"SELECT user, {best}({key}, {k}) AS best FROM {lists} AS lists GROUP BY user"
    worst = "list_max" if request.by_rank else "list_min"
    columns = f"r.user, r.item, r.{key}"
    return (
        f"SELECT {columns} FROM recs r JOIN (SELECT user, {worst}(best) AS last FROM ({last})) t ON r.user = t.user "
        f"WHERE r.{key} {keep} t.last"
    )


def user_schema(asked: Sequence[Asked], kind: str) -> pa.Schema:
    """The columns of the users' own values."""
    ids = pa.int64() if kind == "whole" else pa.string()
    counts = [("relevant", pa.int64()), ("listed", pa.int64())]
    return pa.schema([("user", ids), *counts, *((name, pa.float64()) for name in by_user_names(asked))])


def user_table(
    batch: pa.RecordBatch, asked: Sequence[Asked], threshold: float, gains: np.ndarray | None, schema: pa.Schema
) -> Iterator[pa.Table]:
    """The users' own values of a batch of ``users``."""
    for users, rows in counted_users(batch, threshold, gains):
        _, values = sums_of(users, asked, own=True)
        counts = {"relevant": users.matches.n_relevant, "listed": users.matches.lengths}
        names = batch.column("user").take(pa.array(rows))
        yield pa.table({"user": names, **counts, **values}).select(schema.names).cast(schema)


def write_users(database: Database, request: plan.Request, asked: Sequence[Asked], kind: str, target: Path) -> None:
    """Each user's own values as a parquet file, which appears when all of it is written."""
    schema, gains = user_schema(asked, kind), case_gains(database)
    with writing(target) as part, pq.ParquetWriter(part, schema) as writer:
        for batch in database.batches("SELECT * FROM users", BATCH_ROWS):
            for table in user_table(batch, asked, request.threshold, gains, schema):
                writer.write_table(table)


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes its place when all is written, and is gone if anything goes wrong.

    HarnessError where the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        reason = next(
            (text for number, text in FULL.items() if number == error.errno or os.strerror(number) in str(error)), None
        )
        if reason is None:
            raise
        raise HarnessError(f"{path}: cannot be written, {reason}; nothing of it was kept. Free space and give the same "
                           "command again") from None  # fmt: skip
    finally:
        part.unlink(missing_ok=True)
