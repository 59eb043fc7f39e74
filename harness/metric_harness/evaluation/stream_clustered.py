"""Evaluates a table in which each user's rows stand together, piece by piece, with the truth in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.evaluation.exposure_sums import Exposure
from metric_harness.evaluation.partial_sums import Sums
from metric_harness.evaluation.stream_block import Block, lists_of, without_list
from metric_harness.evaluation.stream_ids import Collision, Distinct, find
from metric_harness.evaluation.stream_load import NotClustered, load_truth, plain, require_clustered
from metric_harness.evaluation.stream_plan import (
    Meter,
    Plan,
    Tally,
    block_of,
    block_rows,
    empty_tally,
    meter,
    side_by_side,
)
from metric_harness.evaluation.stream_read import Piece, ahead, read_piece
from metric_harness.evaluation.stream_truth import Truth
from metric_harness.evaluation.stream_work import Work, writing

Page = tuple[Sums, dict[str, np.ndarray]]
"""What is kept of a piece: its sums, and arrays by name."""

NO_ITEMS = np.empty((2, 0), dtype=np.int64)


class Outcome:
    """What all pieces together give: sums, exposures, who of the truth was seen."""

    def __init__(self, plan: Plan) -> None:
        self.sums = empty_tally(plan).sums
        self.exposures: list[Exposure] = []
        self.items: list[np.ndarray] = []
        self.lists = 0
        self.threshold = 0.0


def evaluate_clustered(plan: Plan) -> Outcome:
    """Evaluate piece after piece; raises :class:`NotClustered` as soon as a user turns up in two places."""
    truth = load_truth(plan)
    work, outcome = plan.work.sub("clustered"), Outcome(plan)
    seen, count = np.zeros(len(truth.users), dtype=bool), 0
    strangers: list[np.ndarray] = []

    def take(page: Page) -> None:
        nonlocal count
        sums, arrays = page
        outcome.sums.add(sums)
        outcome.exposures.append(Exposure(arrays["exposed_keys"], arrays["exposed_counts"]))
        outcome.items.append(arrays["items"])
        outcome.lists += int(arrays["lists"][0])
        strangers.append(arrays["strangers"])
        seen[arrays["seen"]] = True
        count += len(arrays["seen"])
        if np.count_nonzero(seen) < count:
            raise NotClustered

    title = f"Evaluating {plan.recommendations.label}"
    with meter(plan.reporter, title, plan.recommendations.rows) as done:
        left = []
        for number, piece in enumerate(plan.recommendations.pieces):
            page = finished(work, _name(number))
            if page is None:
                left.append((number, piece))
            else:
                done.skip(piece.rows)
                take(page)
        for page in _evaluate_pieces(plan, truth, left, work, done):
            take(page)
    rests = [_rest(work, _name(number)) for number in range(len(plan.recommendations.pieces))]
    take(_evaluate_rests(plan, truth, rests, work))
    if plan.users in ("truth", "all"):
        tally = empty_tally(plan)
        missing = np.flatnonzero(~seen)
        tally.add(plan, without_list(truth.users[missing], truth.user_names), truth)
        take(keep(plan, work, "unseen", tally, NO_ITEMS))
    apart = np.concatenate(strangers)
    if len(np.unique(apart)) < len(apart):
        raise NotClustered
    checks = truth.item_keys if truth.item_names is None else truth.item_names.checks
    outcome.items.append(np.stack([truth.item_keys, checks]))
    outcome.threshold = truth.threshold
    return outcome


def _name(number: int) -> str:
    return f"piece-{number:06d}"


def _evaluate_pieces(
    plan: Plan, truth: Truth, pieces: Sequence[tuple[int, Piece]], work: Work, done: Meter
) -> Iterator[Page]:
    """Evaluate the users whose rows lie inside a table; the first and the last user of each are put aside.

    While a piece is written, the tables of the next one are worked on.
    """

    def evaluate(given: tuple[int, Piece, int, pa.Table]) -> tuple[int, int, Tally, list[pa.Table], np.ndarray]:
        number, piece, at, table = given
        block, found = block_of(plan, piece, table, at), empty_tally(plan)
        check_names(block.user_names, truth.user_names)
        check_names(block.item_names, truth.item_names)
        shown = present(block) if plan.exposed else NO_ITEMS
        starts = require_clustered(block.users)
        first, last = (int(starts[1]), int(starts[-2])) if len(starts) > 3 else (table.num_rows, table.num_rows)
        inside = lists_of(block.take(slice(first, last)), plan.by_rank, plan.failing(plan.recommendations))
        found.add(plan, inside, truth)
        return number, table.num_rows, found, [plain(table.slice(0, first)), plain(table.slice(last))], shown

    read = (
        (number, piece, at, table)
        for number, piece in pieces
        for at, table in read_piece(plan.recommendations, piece, plan.list_roles, block_rows(plan))
    )
    for number, parts in groupby(side_by_side(evaluate, ahead(read)), lambda part: part[0]):
        tally, rest, items = empty_tally(plan), [], [NO_ITEMS]
        for _, rows, found, aside, shown in parts:
            tally.merge(found)
            rest += aside
            items.append(shown)
            done.done(rows)
        with writing(work.path(f"{_name(number)}.rest.arrow")) as part:
            seams = pa.concat_tables(rest)
            with pa.ipc.new_file(str(part), seams.schema) as file:
                file.write_table(seams)
        yield keep(plan, work, _name(number), tally, _distinct(items))


def present(block: Block) -> np.ndarray:
    """The items of a block: keys and checks, int64, shape (2, items)."""
    held = np.zeros(len(block.code_keys), dtype=bool)
    held[block.codes] = True
    checks = block.code_keys if block.item_names is None else block.item_names.checks
    return np.stack([block.code_keys[held], checks[held]])


def _distinct(items: list[np.ndarray]) -> np.ndarray:
    keys, checks = np.concatenate(items, axis=1)
    order = np.lexsort((checks, keys))
    pairs = np.stack([keys[order], checks[order]])
    first = np.ones(pairs.shape[1], dtype=bool)
    first[1:] = (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)
    return pairs[:, first]


def check_names(here: Distinct | None, truth: Distinct | None) -> None:
    """Raise :class:`Collision` where an id has the key of another id of the truth; those of the truth are sorted."""
    if here is None or truth is None:
        return
    place = find(truth.keys, here.keys)
    known = place >= 0
    if np.any(truth.checks[place[known]] != here.checks[known]):
        raise Collision


def _rest(work: Work, name: str) -> pa.Table:
    with pa.memory_map(str(work.path(f"{name}.rest.arrow"))) as file:
        return pa.ipc.open_file(file).read_all()


def _evaluate_rests(plan: Plan, truth: Truth, rests: list[pa.Table], work: Work) -> Page:
    """Evaluate the users at the seams of the tables, whose rows are brought together here."""
    page = finished(work, "rest")
    if page is not None:
        return page
    table = pa.concat_tables(rests)
    if table.num_rows > 4 * block_rows(plan):
        raise NotClustered
    block = block_of(plan, plan.recommendations.pieces[0], table, 0)
    check_names(block.user_names, truth.user_names)
    check_names(block.item_names, truth.item_names)
    block = block.take(np.argsort(block.users, kind="stable"))
    tally = empty_tally(plan)
    tally.add(plan, lists_of(block, plan.by_rank, plan.failing(plan.recommendations)), truth)
    return keep(plan, work, "rest", tally, NO_ITEMS)


def keep(plan: Plan, work: Work, name: str, tally: Tally, items: np.ndarray) -> Page:
    """Write what a piece gave: the users' own values first, so that a piece with sums is a finished one."""
    if plan.by_user:
        with writing(work.path(f"{name}.users.parquet")) as part:
            pq.write_table(tally.table(plan), part)
    arrays = {**tally.arrays(plan), "items": items}
    text = json.dumps(tally.sums.to_json()).encode()
    work.put_arrays(f"{name}.npz", {**arrays, "sums": np.frombuffer(text, np.uint8)})
    return tally.sums, arrays


def finished(work: Work, name: str) -> Page | None:
    """What a piece gave in an earlier run, or None."""
    arrays = work.get_arrays(f"{name}.npz")
    if arrays is None:
        return None
    return Sums.from_json(json.loads(arrays.pop("sums").tobytes())), arrays
