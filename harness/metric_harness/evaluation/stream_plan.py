"""What one evaluation is asked to do, and the step all ways of doing it share: a batch of rows becomes a block."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pyarrow as pa

from metric_harness.evaluation.exposure_sums import Exposure, exposure_of, together
from metric_harness.evaluation.partial_sums import Asked, Sums, by_user_names, nothing, sums_of
from metric_harness.evaluation.stream_block import Block, Lists, matched
from metric_harness.evaluation.stream_ids import Keyed, OtherKind, keyed, local_codes, named, one_array
from metric_harness.evaluation.stream_read import Piece, Source
from metric_harness.evaluation.stream_truth import Truth
from metric_harness.evaluation.stream_work import Work
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter

Given = TypeVar("Given")
Made = TypeVar("Made")

BLOCK_BYTES = 400
"""What a row of a block takes while it is matched and evaluated."""

SPELL = 5.0
"""Seconds between two lines of progress where there is no terminal."""


@dataclass(frozen=True)
class Plan:
    """One evaluation.

    recommendations, truth : the tables; kinds : ``whole`` or ``text`` for user and item; seed : of the hash of texts;
    sums : the variants that sums over users give; exposed : the cut-offs at which item counts are wanted; users : who
    is in the case; threshold : as asked for; by_user : whether each user's values are kept; memory : bytes; work : the
    folder for this plan.
    """

    recommendations: Source
    truth: Source
    kinds: dict[str, str]
    seed: int
    sums: tuple[Asked, ...]
    exposed: tuple[int, ...]
    users: str
    threshold: float | None
    by_user: bool
    memory: int
    work: Work
    reporter: Reporter

    @property
    def by_rank(self) -> bool:
        """Whether lists are ordered by rank."""
        return "rank" in self.recommendations.columns

    @property
    def with_scores(self) -> bool:
        """Whether a variant needs the scores of the lists."""
        return any("scores" in variant.metric.needs for variant, _ in self.sums)

    @property
    def list_roles(self) -> tuple[str, ...]:
        """The columns to read of the recommendations."""
        return tuple(role for role in ("user", "item", "rank", "score") if role in self.recommendations.columns)

    @property
    def truth_roles(self) -> tuple[str, ...]:
        """The columns to read of the truth."""
        return tuple(role for role in ("user", "item", "rating") if role in self.truth.columns)

    def failing(self, source: Source) -> Callable[[str], HarnessError]:
        """A function from what is wrong to the error that names the table."""
        return lambda problem: HarnessError(f"{source.label}: {problem}")


def ids_of(plan: Plan, source: Source, piece: Piece, table: pa.Table, at: int) -> tuple[Keyed, Keyed]:
    """The users and items of a table; HarnessError at the first row where one is missing."""
    found = []
    for role in ("user", "item"):
        column = table.column(role)
        if column.null_count:
            missing = int(np.flatnonzero(column.is_null().to_numpy())[0])
            raise wrong(source, piece, at + missing, role, f"the {role} is empty; fill it in or remove the row")
        try:
            found.append(keyed(column, plan.kinds[role], plan.seed))
        except OtherKind:
            raise OtherKind(role) from None
    return found[0], found[1]


def numbers_of(source: Source, piece: Piece, table: pa.Table, at: int, role: str) -> np.ndarray:
    """A column of finite float64; HarnessError at the first row that holds none."""
    try:
        values = one_array(table.column(role)).cast(pa.float64()).to_numpy(zero_copy_only=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise wrong(source, piece, at, role, f"{table.schema.field(role).type} is no type of numbers") from None
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        what = "is empty or NaN" if np.isnan(values[bad[0]]) else f"is {values[bad[0]]}"
        remedy = f"the {role} {what}; give it a number or remove the row"
        raise wrong(source, piece, at + int(bad[0]), role, remedy)
    return values


def wrong(source: Source, piece: Piece, row: int, role: str, problem: str) -> HarnessError:
    """The error for one row (from 0) and column."""
    return HarnessError(f"{piece.label}: row {row + 1}, column {source.columns[role]}: {problem}")


def block_of(plan: Plan, piece: Piece, table: pa.Table, at: int) -> Block:
    """Recommendations as a block, in the order of the table."""
    source = plan.recommendations
    users, items = ids_of(plan, source, piece, table, at)
    scores = numbers_of(source, piece, table, at, "score") if "score" in table.column_names else None
    order = numbers_of(source, piece, table, at, "rank") if plan.by_rank else -scores if scores is not None else None
    assert order is not None  # a table with neither is refused when it is opened
    codes, keys = local_codes(items)
    return Block(users.keys, items.keys, order, scores, codes, keys, users.distinct, items.distinct)


@dataclass
class Tally:
    """What is kept of some users.

    sums : of the variants; exposures : of items; seen : places in the truth of those who are in it; strangers : keys of
    those who are not; tables : each user's own values; lists : how many there were, of whomever.
    """

    sums: Sums
    exposures: list[Exposure] = field(default_factory=list)
    seen: list[np.ndarray] = field(default_factory=list)
    strangers: list[np.ndarray] = field(default_factory=list)
    tables: list[pa.Table] = field(default_factory=list)
    lists: int = 0

    def add(self, plan: Plan, lists: Lists, truth: Truth) -> None:
        """Evaluate lists."""
        self.lists += int(np.count_nonzero(lists.lengths))
        fail = plan.failing(plan.recommendations)
        for part in matched(lists, truth, plan.users, plan.with_scores, fail, users_at_a_time(plan)):
            sums, values = sums_of(part.matches, plan.sums, plan.by_user)
            self.sums.add(sums)
            if plan.exposed:
                self.exposures.append(exposure_of(part, plan.exposed))
            known = part.truth_places >= 0
            self.seen.append(part.truth_places[known])
            self.strangers.append(part.users[~known])
            if plan.by_user:
                names = lists.block.user_names
                columns = {"relevant": part.matches.n_relevant, "listed": part.matches.lengths, **values}
                self.tables.append(pa.table({"user": named(part.users, names), **columns}))

    def merge(self, other: Tally) -> None:
        """Take in another part."""
        self.sums.add(other.sums)
        for name in ("exposures", "seen", "strangers", "tables"):
            getattr(self, name).extend(getattr(other, name))
        self.lists += other.lists

    def table(self, plan: Plan) -> pa.Table:
        """Each user's own values."""
        return pa.concat_tables([user_schema(plan).empty_table(), *self.tables])

    def arrays(self, plan: Plan) -> dict[str, np.ndarray]:
        """What a finished piece keeps, but for the sums and tables."""
        exposure = together(self.exposures, plan.exposed)
        none = np.empty(0, dtype=np.int64)
        return {
            "seen": np.concatenate([none, *self.seen]), "strangers": np.concatenate([none, *self.strangers]),
            "lists": np.array([self.lists]), "exposed_keys": exposure.keys, "exposed_counts": exposure.counts,
        }  # fmt: skip


def empty_tally(plan: Plan) -> Tally:
    """The tally of nobody."""
    return Tally(nothing(plan.sums))


def user_schema(plan: Plan) -> pa.Schema:
    """The columns of the users' own values."""
    ids = pa.int64() if plan.kinds["user"] == "whole" else pa.large_string()
    counts = [("relevant", pa.int64()), ("listed", pa.int64())]
    return pa.schema([("user", ids), *counts, *((name, pa.float64()) for name in by_user_names(plan.sums))])


class Meter:
    """Tells how many rows are done, and how many a second."""

    def __init__(self, reporter: Reporter, total: int, advance: Callable[..., None]) -> None:
        self.reporter, self.total, self.advance = reporter, total, advance
        self.rows, self.begun = 0, time.perf_counter()
        self.skipped, self.told = 0, self.begun

    def skip(self, rows: int) -> None:
        """So many rows were done by an earlier run."""
        self.skipped += rows
        self.advance(rows)

    def done(self, rows: int) -> None:
        """So many more rows are done."""
        self.rows += rows
        now = time.perf_counter()
        speed = f"{self.rows / max(now - self.begun, 1e-9):,.0f} rows a second"
        self.advance(rows, speed)
        if not self.reporter.console.is_terminal and now - self.told > SPELL:
            self.told = now
            self.reporter.say(f"  {self.rows + self.skipped:,} of {self.total:,} rows, {speed}")


@contextmanager
def meter(reporter: Reporter, title: str, total: int) -> Iterator[Meter]:
    """A task of so many rows."""
    with reporter.task(title, total) as advance:
        yield Meter(reporter, total, advance)


USER_BYTES = 2048
"""What a user takes while all variants are computed."""

MOST_USERS = 1 << 16


def users_at_a_time(plan: Plan) -> int:
    """So many users are evaluated together: lists may be of one row each."""
    if not plan.memory:  # Spark's own settings bound it there
        return MOST_USERS
    return int(np.clip(plan.memory * 0.1 / USER_BYTES / WORKERS, 1 << 10, MOST_USERS))


WORKERS = min(4, os.cpu_count() or 1)
"""Blocks that are worked on at the same time: numpy lets other threads run while it computes."""


def block_rows(plan: Plan, share: float = 0.25, most: int = 1 << 20) -> int:
    """Rows of a block, of which several are worked on at a time, that leave the rest of the memory to other things."""
    return int(np.clip(plan.memory * share / BLOCK_BYTES / WORKERS, 1 << 12, most))


def side_by_side(work: Callable[[Given], Made], items: Iterable[Given], workers: int = WORKERS) -> Iterator[Made]:
    """What ``work`` makes of each item, in their order; some are worked on at the same time."""
    with ThreadPoolExecutor(workers) as pool:
        under_way: deque[Future[Made]] = deque()
        try:
            for item in items:
                under_way.append(pool.submit(work, item))
                if len(under_way) > workers:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()
