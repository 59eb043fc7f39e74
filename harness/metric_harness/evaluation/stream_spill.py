"""Evaluates tables whose users' rows stand anywhere: users are dealt out over files on disk first, then taken in turn.

Recommendations and truth are dealt out by the same hash of the user, so that all of a user meets in one partition.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from metric_harness.evaluation.exposure_sums import Exposure
from metric_harness.evaluation.stream_block import Block, lists_of, without_list
from metric_harness.evaluation.stream_clustered import NO_ITEMS, Outcome, Page, finished, keep
from metric_harness.evaluation.stream_ids import Distinct, Keyed, local_codes, union
from metric_harness.evaluation.stream_load import gains_of, smallest_positive, threshold_of
from metric_harness.evaluation.stream_plan import (
    WORKERS,
    Meter,
    Plan,
    Tally,
    block_rows,
    empty_tally,
    ids_of,
    meter,
    numbers_of,
    side_by_side,
)
from metric_harness.evaluation.stream_read import Piece, Source, ahead, read_piece
from metric_harness.evaluation.stream_truth import argsort, merge_codes, pack
from metric_harness.evaluation.stream_work import Work, writing

PARTITION_BYTES = 320
"""What a row of a partition takes while it is sorted, matched and evaluated."""

AT_ONCE = 32
"""Files whose names are brought together at a time."""

MOST_PARTITIONS = 4096


def partitions(plan: Plan) -> int:
    """Into how many the users are dealt out: a power of two, so many that those worked on together fit the memory."""
    wanted = (plan.recommendations.rows + plan.truth.rows) * PARTITION_BYTES * WORKERS / (plan.memory * 0.4)
    return min(MOST_PARTITIONS, 1 << max(0, int(np.ceil(np.log2(max(1.0, wanted))))))


def evaluate_spilled(plan: Plan, parts: int | None = None) -> Outcome:
    """Deal out, then evaluate partition after partition. ``parts``: how many, if not as many as the memory asks for."""
    parts = parts or partitions(plan)
    work, outcome = plan.work.sub(f"spilled-{parts}"), Outcome(plan)
    spilled = {name: _spill(plan, name, parts, work) for name in ("recommendations", "truth")}
    smallest = min(float(work.get(f"{mark}.json")["smallest"]) for mark in _marks(plan, "truth"))
    threshold = outcome.threshold = threshold_of(plan, smallest)
    items = _all_items(work, [file for files in spilled.values() for file in files])
    outcome.items.append(np.stack([items.keys, items.checks]))
    names = items if plan.kinds["item"] == "text" else None

    def evaluate(part: int) -> tuple[Page, bool]:
        page = finished(work, f"part-{part:06d}")
        if page is not None:
            return page, True
        return _evaluate_partition(plan, part, work, spilled, threshold, names), False

    with meter(plan.reporter, f"Evaluating {parts} partitions", plan.recommendations.rows) as done:
        for (sums, arrays), was_there in side_by_side(evaluate, range(parts)):
            (done.skip if was_there else done.done)(plan.recommendations.rows // parts)
            outcome.sums.add(sums)
            outcome.lists += int(arrays["lists"][0])
            outcome.exposures.append(Exposure(arrays["exposed_keys"], arrays["exposed_counts"]))
    return outcome


def _marks(plan: Plan, name: str) -> list[str]:
    return [f"{name}-{number:06d}" for number in range(len(_source(plan, name).pieces))]


def _source(plan: Plan, name: str) -> Source:
    return plan.recommendations if name == "recommendations" else plan.truth


def _spill(plan: Plan, name: str, parts: int, work: Work) -> list[str]:
    """Deal out a table; returns the names of the files. A piece is finished when its mark is written."""
    source, files = _source(plan, name), []
    with meter(plan.reporter, f"Dealing out {source.label} to {parts} partitions", source.rows) as done:
        for piece, mark in zip(source.pieces, _marks(plan, name), strict=True):
            page = work.get(f"{mark}.json")
            if page is None:
                page = _spill_piece(plan, name, piece, mark, parts, work, done)
                work.put(f"{mark}.json", page)
            else:
                done.skip(piece.rows)
            files += [f"{mark}-{number:04d}" for number in range(page["files"])]
    return files


def _spill_piece(
    plan: Plan, name: str, piece: Piece, mark: str, parts: int, work: Work, done: Meter
) -> dict[str, object]:
    source, smallest, files = _source(plan, name), float("inf"), 0
    roles = plan.list_roles if name == "recommendations" else plan.truth_roles

    def deal(given: tuple[int, tuple[int, pa.Table]]) -> tuple[int, float]:
        number, (at, table) = given
        least, stem = float("inf"), f"{mark}-{number:04d}"
        users, items = ids_of(plan, source, piece, table, at)
        columns = {"user": users.keys, "item": items.keys}
        if name == "truth":
            columns["rating"] = gains_of(plan, piece, table, at)
            least = smallest_positive(columns["rating"])
        else:
            columns |= {role: numbers_of(source, piece, table, at, role) for role in roles[2:]}
        _write_dealt(work.path(f"{stem}.rows.arrow"), columns, partition_of(users.keys, parts), parts)
        if users.distinct is not None:
            _write_names(work.path(f"{stem}.users.arrow"), users.distinct, parts)
        held = items.distinct if items.distinct is not None else _plain(items.keys)
        _write_names(work.path(f"{stem}.items.arrow"), held, 1)
        return table.num_rows, least

    read = ahead(read_piece(source, piece, roles, block_rows(plan, 0.3, 4 << 20)), 1)
    for rows, least in side_by_side(deal, enumerate(read)):
        smallest, files = min(smallest, least), files + 1
        done.done(rows)
    return {"files": files, "smallest": smallest}


def _plain(keys: np.ndarray) -> Distinct:
    """Distinct whole numbers: they need no names."""
    codes, values = local_codes(Keyed(keys))
    held = np.zeros(len(values), dtype=bool)
    held[codes] = True
    values = values[held]
    return Distinct(values, values, pa.nulls(len(values), pa.large_string()))


def partition_of(users: np.ndarray, parts: int) -> np.ndarray:
    """uint16: the partition of each user key; ``parts`` is a power of two."""
    mixed = users.view(np.uint64) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(48)).astype(np.uint16) & np.uint16(parts - 1)


def _write_dealt(path: Path, columns: dict[str, np.ndarray], part: np.ndarray, parts: int) -> None:
    """One file with a batch for each partition."""
    order = np.argsort(part, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=parts))])
    table = pa.record_batch({name: pa.array(values[order]) for name, values in columns.items()})
    with writing(path) as target, pa.ipc.new_file(str(target), table.schema) as file:
        for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            file.write_batch(table.slice(low, high - low))


def _write_names(path: Path, distinct: Distinct, parts: int) -> None:
    part = partition_of(distinct.keys, parts)
    order = np.argsort(part, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=parts))])
    values = distinct.values.take(pa.array(order)).cast(pa.large_string())
    table = pa.record_batch(
        {"key": pa.array(distinct.keys[order]), "check": pa.array(distinct.checks[order]), "value": values}
    )
    with writing(path) as target, pa.ipc.new_file(str(target), table.schema) as file:
        for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            file.write_batch(table.slice(low, high - low))


def _read(path: Path, part: int) -> pa.RecordBatch:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).get_batch(part)


def _names(paths: Iterator[Path], part: int) -> Distinct | None:
    """The names of one partition in several files; raises :class:`metric_harness.evaluation.stream_ids.Collision`."""
    held: list[Distinct] = []
    for path in paths:
        batch = _read(path, part)
        if batch.num_rows:
            held.append(Distinct(batch.column(0).to_numpy(), batch.column(1).to_numpy(), batch.column(2)))
        if len(held) == AT_ONCE:
            held = [one for one in (union(held),) if one is not None]
    return union(held)


def _all_items(work: Work, files: list[str]) -> Distinct:
    none = np.empty(0, np.int64)
    return _names((work.path(f"{file}.items.arrow") for file in files), 0) or Distinct(
        none, none, pa.array([], pa.large_string())
    )


def _evaluate_partition(
    plan: Plan, part: int, work: Work, spilled: dict[str, list[str]], threshold: float, item_names: Distinct | None
) -> Page:
    def rows(name: str) -> dict[str, np.ndarray]:
        batches = [_read(work.path(f"{file}.rows.arrow"), part) for file in spilled[name]]
        return {
            column: np.concatenate([batch.column(place).to_numpy() for batch in batches])
            for place, column in enumerate(batches[0].schema.names)
        }

    user_names = None
    if plan.kinds["user"] == "text":
        paths = (work.path(f"{file}.users.arrow") for files in spilled.values() for file in files)
        user_names = _names(paths, part)
    tally = tally_partition(plan, rows("recommendations"), rows("truth"), threshold, user_names, item_names)
    return keep(plan, work, f"part-{part:06d}", tally, NO_ITEMS)


def tally_partition(
    plan: Plan, listed: dict[str, np.ndarray], judged: dict[str, np.ndarray], threshold: float,
    user_names: Distinct | None, item_names: Distinct | None,
) -> Tally:  # fmt: skip
    """Evaluate all rows of some users, in any order.

    listed : user and item (keys), rank or score or both; judged : user and item (keys), rating.
    """
    codes, keys = merge_codes([local_codes(Keyed(judged["item"]))])
    fail = plan.failing(plan.truth)
    truth = pack(judged["user"], codes, keys, judged["rating"], threshold, fail, user_names, item_names)
    tally = empty_tally(plan)
    block = _block(plan, listed, user_names, item_names)
    tally.add(plan, lists_of(block, plan.by_rank, plan.failing(plan.recommendations)), truth)
    if plan.users in ("truth", "all"):
        seen = np.zeros(len(truth.users), dtype=bool)
        for places in tally.seen:
            seen[places] = True
        tally.add(plan, without_list(truth.users[~seen], user_names), truth)
    return tally


def _block(plan: Plan, rows: dict[str, np.ndarray], user_names: Distinct | None, item_names: Distinct | None) -> Block:
    by_user = argsort(rows["user"])  # in order of rank or score they are put later, where they are not
    held = {name: values.take(by_user) for name, values in rows.items()}
    codes, keys = local_codes(Keyed(held["item"]))
    order = held["rank"] if plan.by_rank else -held["score"]
    scores = held.get("score")
    return Block(held["user"], held["item"], order, scores, codes, keys, user_names, item_names)
