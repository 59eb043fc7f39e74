"""Reads the truth into memory, packed: batch by batch where each user's rows stand together, else all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from metric_harness.evaluation.stream_block import run_starts
from metric_harness.evaluation.stream_ids import Distinct, Keyed, find, local_codes, union
from metric_harness.evaluation.stream_plan import Plan, block_rows, ids_of, meter, numbers_of, side_by_side
from metric_harness.evaluation.stream_read import Piece, Source, ahead, read_piece
from metric_harness.evaluation.stream_truth import Truth, distinct_keys, in_order, merge_codes, pack

SHARE = 0.4
"""How much of the memory the truth may take."""

PACKED_BYTES = {"whole": 20, "text": 32}
"""What a row takes at least, by the kind of user ids; how much it really is shows on the way."""

SCATTERED_BYTES = {"whole": 72, "text": 160}
"""What a row takes while all rows are sorted together."""


class NotClustered(Exception):
    """A user's rows stand in several places: they have to be brought together first."""


def fits(plan: Plan) -> bool:
    """Whether it is worth trying to hold the truth in memory."""
    return plan.truth.rows * PACKED_BYTES[plan.kinds["user"]] <= plan.memory * SHARE


def load_truth(plan: Plan) -> Truth:
    """The whole truth; raises :class:`NotClustered` if it is too large for the memory."""
    try:
        truth = _load_clustered(plan)
    except NotClustered:
        if plan.truth.rows * SCATTERED_BYTES[plan.kinds["user"]] > plan.memory * SHARE:
            raise
        truth = _load_scattered(plan)
    return truth


def _load_clustered(plan: Plan) -> Truth:
    source = plan.truth
    parts: list[Truth] = []
    seams: list[pa.Table] = []
    smallest, size = np.inf, 0

    def load(given: tuple[Piece, int, pa.Table]) -> tuple[int, Truth, list[pa.Table], float]:
        piece, at, table = given
        users, items = ids_of(plan, source, piece, table, at)
        gains = gains_of(plan, piece, table, at)
        starts = require_clustered(users.keys)
        low, high = (int(starts[1]), int(starts[-2])) if len(starts) > 3 else (table.num_rows, table.num_rows)
        inside = slice(low, high)
        codes, keys = local_codes(items)
        part = _packed(plan, users, items, codes[inside], keys, users.keys[inside], gains[inside])
        return table.num_rows, part, [plain(table.slice(0, low)), plain(table.slice(high))], smallest_positive(gains)

    with meter(plan.reporter, f"Reading {source.label}", source.rows) as done:
        for rows, part, aside, least in side_by_side(load, ahead(tables(source, plan.truth_roles, block_rows(plan)))):
            parts.append(part)
            seams += aside
            smallest = min(smallest, least)
            size += sum(_bytes(part))
            done.done(rows)
            if size > plan.memory * SHARE:
                raise NotClustered
    rest = pa.concat_tables(seams)
    if rest.num_rows > 4 * block_rows(plan):
        raise NotClustered
    users, items = ids_of(plan, source, source.pieces[0], rest, 0)
    codes, keys = local_codes(items)
    gains = gains_of(plan, source.pieces[0], rest, 0)
    parts.append(_packed(plan, users, items, codes, keys, users.keys, gains))
    threshold = threshold_of(plan, float(smallest))
    return replace(_together(parts, [_names(plan, part.user_names) for part in parts]), threshold=threshold)


def _packed(
    plan: Plan, users: Keyed, items: Keyed, codes: np.ndarray, keys: np.ndarray, owners: np.ndarray, gains: np.ndarray
) -> Truth:
    """Rows packed, without those that cannot be relevant. Texts are kept where they will be written out alone."""
    fail = plan.failing(plan.truth)
    numbers, item_keys = merge_codes([(codes, keys)])
    threshold = 0.0 if plan.threshold is None else plan.threshold
    truth = pack(owners, numbers, item_keys, gains, threshold, fail, users.distinct, items.distinct)
    small = truth.gains.astype(np.float32)
    return replace(
        truth, gains=small if np.array_equal(small, truth.gains) else truth.gains,
        user_names=_names(plan, users.distinct), item_names=None if items.distinct is None else items.distinct.bare(),
    )  # fmt: skip


def _names(plan: Plan, names: Distinct | None) -> Distinct | None:
    written = plan.by_user and plan.users in ("truth", "all")
    return names if names is None or written else names.bare()


def _bytes(truth: Truth) -> Iterator[int]:
    for array in (truth.users, truth.firsts, truth.counts, truth.codes, truth.gains, truth.item_keys):
        yield array.nbytes
    for names in (truth.user_names, truth.item_names):
        if names is not None:
            yield names.keys.nbytes + names.checks.nbytes + (0 if names.texts is None else names.texts.nbytes)


def _together(parts: list[Truth], user_names: list[Distinct | None]) -> Truth:
    """One truth of several that share no user; raises :class:`NotClustered` if they do."""
    users = np.concatenate([part.users for part in parts])
    order = in_order(users)
    users = users[order]
    if np.any(users[1:] == users[:-1]):
        raise NotClustered
    item_keys = distinct_keys(np.concatenate([part.item_keys for part in parts]))
    before = np.cumsum([0, *(len(part.codes) for part in parts)])
    firsts = np.concatenate([part.firsts + start for part, start in zip(parts, before[:-1], strict=True)])[order]
    counts = np.concatenate([part.counts for part in parts])[order]
    codes = np.concatenate([part.codes for part in parts])
    for part, low, high in zip(parts, before[:-1], before[1:], strict=True):
        codes[low:high] = find(item_keys, part.item_keys).astype(np.int32).take(codes[low:high])
    gains = np.concatenate([part.gains for part in parts])
    names = union([one for one in user_names if one is not None])
    items = union([part.item_names for part in parts if part.item_names is not None])
    return Truth(users, firsts, counts, codes, gains, item_keys, 0.0, names, items)


def _load_scattered(plan: Plan) -> Truth:
    """All rows sorted together."""
    source = plan.truth
    users, items, gains, user_names, item_names = [], [], [], [], []
    with meter(plan.reporter, f"Reading {source.label}", source.rows) as done:
        for piece, at, table in ahead(tables(source, plan.truth_roles, block_rows(plan))):
            user, item = ids_of(plan, source, piece, table, at)
            users.append(user.keys)
            items.append(local_codes(item))
            gains.append(gains_of(plan, piece, table, at))
            user_names += [user.distinct] if user.distinct else []
            item_names += [item.distinct] if item.distinct else []
            done.done(table.num_rows)
    all_gains = np.concatenate(gains)
    codes, keys = merge_codes(items)
    threshold = threshold_of(plan, smallest_positive(all_gains))
    return pack(
        np.concatenate(users), codes, keys, all_gains, threshold, plan.failing(source), union(user_names),
        union(item_names),
    )  # fmt: skip


def require_clustered(users: np.ndarray) -> np.ndarray:
    """Where each user's rows begin; raises :class:`NotClustered` if a user's rows stand in two places."""
    starts = run_starts(users)
    ordered = np.sort(users[starts[:-1]])
    if np.any(ordered[1:] == ordered[:-1]):
        raise NotClustered
    return starts


def tables(source: Source, roles: tuple[str, ...], rows: int) -> Iterator[tuple[Piece, int, pa.Table]]:
    """All of a table, in tables of about so many rows."""
    for piece in source.pieces:
        for at, table in read_piece(source, piece, roles, rows):
            yield piece, at, table


def plain(table: pa.Table) -> pa.Table:
    """The table with dictionaries written out."""
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


def gains_of(plan: Plan, piece: Piece, table: pa.Table, at: int) -> np.ndarray:
    """The ratings of a table, or ones."""
    if "rating" not in plan.truth.columns:
        return np.ones(table.num_rows)
    return numbers_of(plan.truth, piece, table, at, "rating")


def smallest_positive(gains: np.ndarray) -> float:
    """The smallest gain above 0; infinity if there is none."""
    return float(np.min(gains, initial=np.inf, where=gains > 0))


def threshold_of(plan: Plan, smallest: float) -> float:
    """The smallest gain that is relevant; HarnessError if nothing can be."""
    if plan.threshold is not None:
        return plan.threshold
    if not np.isfinite(smallest):
        raise plan.failing(plan.truth)("no rating is above 0, so no item is relevant; ratings must be positive")
    return smallest
