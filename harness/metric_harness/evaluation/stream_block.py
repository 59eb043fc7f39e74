"""A block: all recommendations of some users, ordered and matched with their judgements by array operations alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.evaluation.stream_ids import Distinct, find, named
from metric_harness.evaluation.stream_truth import Fail, Truth, argsort
from metric_reference.case import NOTHING, Case
from metric_reference.matching import Hits, Matches, Relevant

_MIX = np.uint64(0x9E3779B97F4A7C15)

FILTER_CELLS = 4
"""Cells of the filter for each relevant item, at least: one in so many rows without a hit is looked at closely."""

SPREAD = 2
"""Lists of different lengths share an array while it is at most so many times as large as they are together."""


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of recommendations, all those of a user one after the other.

    users, items : int64 keys; order : float64, better ones smaller (a rank, or minus a score); scores : float64 or
    None; codes : int32, small numbers of the items; code_keys : the key behind each code; user_names, item_names :
    where ids are text.
    """

    users: np.ndarray
    items: np.ndarray
    order: np.ndarray
    scores: np.ndarray | None
    codes: np.ndarray
    code_keys: np.ndarray
    user_names: Distinct | None = None
    item_names: Distinct | None = None

    def take(self, rows: np.ndarray | slice) -> Block:
        """Some rows."""
        return replace(
            self, users=self.users[rows], items=self.items[rows], order=self.order[rows], codes=self.codes[rows],
            scores=None if self.scores is None else self.scores[rows],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Lists:
    """A block in order: the lists of its users, best item first. List i holds rows starts[i] up to starts[i + 1]."""

    block: Block
    starts: np.ndarray

    @property
    def users(self) -> np.ndarray:
        """int64: the key of the user of each list."""
        return self.block.users[self.starts[:-1]]

    @property
    def lengths(self) -> np.ndarray:
        """int64: the length of each list."""
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Matched:
    """Some lists of about the same length, matched.

    matches : the case; users : int64 keys; truth_places : each user's place in the truth, -1 for one who is not there;
    codes : int32 item codes, shape (users, width), -1 past the end; code_keys : the key behind each code.
    """

    matches: Matches
    users: np.ndarray
    truth_places: np.ndarray
    codes: np.ndarray
    code_keys: np.ndarray


def lists_of(block: Block, by_rank: bool, fail: Fail) -> Lists:
    """The lists of a block: by rank, or by score with equal scores by item id.

    HarnessError for a rank that stands twice in a list, and for scores that disagree with ranks.
    """
    starts = run_starts(block.users)
    same = np.ones(max(0, len(block.users) - 1), dtype=bool)
    same[starts[1:-1] - 1] = False
    order = block.order
    if np.any((order[1:] < order[:-1]) & same):
        run = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        by_order = np.argsort(order, kind="stable")
        block = block.take(by_order[argsort(run[by_order])])
        order = block.order
    tied = np.flatnonzero((order[1:] == order[:-1]) & same)
    if len(tied) and by_rank:
        who = named(block.users[tied[:1]], block.user_names)[0]
        raise fail(f"user {who} has rank {order[tied[0]]:g} twice; give each item of a list a rank of its own")
    if len(tied):
        block = _by_id(block, np.union1d(tied, tied + 1))
    if by_rank and block.scores is not None:
        rises = np.flatnonzero((block.scores[1:] > block.scores[:-1]) & same)
        if len(rises):
            who = named(block.users[rises[:1]], block.user_names)[0]
            raise fail(
                f"user {who} at rank {block.order[rises[0] + 1]:g}: the score is higher than at the rank before, so "
                "rank and score disagree; keep one of the two columns"
            )
    return Lists(block, starts)


def run_starts(users: np.ndarray) -> np.ndarray:
    """Where each user's rows begin, and the number of rows at the end."""
    if not len(users):
        return np.zeros(1, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(users[1:] != users[:-1]) + 1, [len(users)]])


def _by_id(block: Block, rows: np.ndarray) -> Block:
    """The block with tied rows ordered by item id; ``rows``: all of them, in order."""
    items = block.items[rows]
    rank = items if block.item_names is None else block.item_names.ranks[block.item_names.places(items)]
    run = np.cumsum(np.concatenate([[0], block.users[rows][1:] != block.users[rows][:-1]]))
    order = np.lexsort((rank, block.order[rows], run))
    if np.all(order[1:] > order[:-1]):
        return block
    place = np.arange(len(block.users))
    place[rows] = rows[order]
    return block.take(place)


def without_list(users: np.ndarray, names: Distinct | None) -> Lists:
    """Users who were recommended nothing."""
    none = np.empty(0, dtype=np.int64)
    block = Block(none, none, none.astype(float), none.astype(float), none.astype(np.int32), none, names)
    return _Empty(block, np.zeros(len(users) + 1, dtype=np.int64), users)


@dataclass(frozen=True, eq=False)
class _Empty(Lists):
    who: np.ndarray

    @property
    def users(self) -> np.ndarray:
        return self.who


def matched(lists: Lists, truth: Truth, users: str, with_scores: bool, fail: Fail, most: int) -> Iterator[Matched]:
    """Match lists with the truth.

    users : who is in the case: ``both`` or ``truth`` leave out users who are not in the truth. with_scores : whether
    the case is to hold scores; most : so many lists at a time. HarnessError for an item that stands twice in a list.
    """
    who = lists.users
    places = find(truth.users, who)
    known = places >= 0
    item_codes = find(truth.item_keys, lists.block.code_keys)
    kept = np.flatnonzero(known) if users in ("both", "truth") else np.arange(len(who))
    lengths = lists.lengths
    for group in _groups(lengths, kept, most):
        starts, sizes = lists.starts[:-1][group], lengths[group]
        everything = int(sizes.sum()) == len(lists.block.users)
        block = lists.block if everything else lists.block.take(ranges(starts, sizes))
        yield _match(block, sizes, who[group], places[group], truth, item_codes, with_scores, fail)


def _groups(lengths: np.ndarray, kept: np.ndarray, most: int) -> Iterator[np.ndarray]:
    """The lists in groups of similar length, so that an array of users x longest list is not much larger than they are.

    No group has more than ``most`` lists.
    """
    sizes = lengths[kept]
    if not len(kept):
        return
    if int(sizes.max()) * len(kept) <= SPREAD * int(sizes.sum()) + 64 * min(len(kept), most):
        groups = [kept]
    else:
        order = np.frexp(sizes.astype(np.float64))[1]
        groups = [kept[order == each] for each in np.unique(order)]
    for group in groups:
        for low in range(0, len(group), most):
            yield group[low : low + most]


def ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """starts[0], starts[0] + 1, ..., then the same for the next; so many each as ``sizes`` says."""
    before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)


def _match(
    block: Block,
    sizes: np.ndarray,
    users: np.ndarray,
    places: np.ndarray,
    truth: Truth,
    item_codes: np.ndarray,
    with_scores: bool,
    fail: Fail,
) -> Matched:
    width = max(1, int(sizes.max(initial=1)))
    before = np.cumsum(sizes) - sizes
    even = bool((sizes == width).all())

    def dense(values: np.ndarray, empty: float, kind: type) -> np.ndarray:
        if even:
            return values.reshape(len(sizes), width)
        out: np.ndarray = np.full((len(sizes), width), empty, dtype=kind)
        out[np.arange(width) < sizes[:, None]] = values
        return out

    codes = dense(block.codes, NOTHING, np.int32)
    _require_distinct(codes, users, block, fail)
    known = places >= 0
    counts = np.where(known, truth.counts[places], 0)
    entries = ranges(truth.firsts[places], counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    relevant = Relevant(truth.codes[entries].astype(np.int64), truth.gains[entries].astype(np.float64), starts)
    rows, judged, user = _hits(block, sizes, relevant, truth.item_keys, item_codes, width if even else 0)
    first = np.concatenate([[0], np.cumsum(np.bincount(user, minlength=len(sizes)))])
    hits = Hits(user, rows - before[user], np.arange(1, len(rows) + 1) - first[user], relevant.gains[judged])
    shape = np.zeros((len(sizes), width), dtype=np.int8)
    if not even:
        shape[np.arange(width) >= sizes[:, None]] = NOTHING
    scores = dense(block.scores, np.nan, float) if with_scores and block.scores is not None else None
    case = Case(
        shape, starts, relevant.items, relevant.gains, len(truth.item_keys), scores=scores, threshold=truth.threshold
    )
    return Matched(Matches(case, relevant, hits), users, places, codes, block.code_keys)


def _require_distinct(codes: np.ndarray, users: np.ndarray, block: Block, fail: Fail) -> None:
    ordered = np.sort(codes, axis=1)
    again = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOTHING)
    if not again.any():
        return
    user, place = np.argwhere(again)[0]
    who = named(users[[user]], block.user_names)[0]
    what = named(block.code_keys[[ordered[user, place]]], block.item_names)[0]
    raise fail(f"user {who} and item {what} stand in it twice; keep one row for each user and item")


def _hits(
    block: Block, sizes: np.ndarray, relevant: Relevant, item_keys: np.ndarray, item_codes: np.ndarray, even: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows that hit, the entry of ``relevant`` that each one hits, and its user.

    item_codes : the place in ``item_keys`` of each of the block's codes, -1 for an item that nobody judged; even : the
    length of all lists, 0 if they differ. A filter of one byte a cell, with as many cells for each user, says of most
    rows that they hit nothing; the few others are searched.
    """
    users = max(1, len(sizes))
    bits = min(26 - users.bit_length(), (FILTER_CELLS * len(relevant.items) // users).bit_length())
    bits, numbers = max(3, bits), np.arange(len(sizes))
    shift, size = np.uint64(64 - bits), users << bits
    cells = np.zeros(size, dtype=bool)
    judged_user = np.repeat(numbers, np.diff(relevant.starts))
    slots = ((item_keys.view(np.uint64) * _MIX) >> shift).view(np.int64).take(relevant.items)
    slots += judged_user << bits
    cells[slots] = True
    mixed = block.items.view(np.uint64) * _MIX
    mixed >>= shift
    at = mixed.view(np.int64)
    if even:
        at.reshape(-1, even)[...] += (numbers << bits)[:, None]
    else:
        at += np.repeat(numbers << bits, sizes)
    rows = np.flatnonzero(cells.take(at))
    code = item_codes.take(block.codes.take(rows))
    user = rows // even if even else np.searchsorted(np.cumsum(sizes), rows, "right")
    at = at.take(rows)
    entry = np.empty(size, dtype=np.int32)  # only cells that are set are looked at
    entry[slots] = np.arange(len(slots))
    place = entry.take(at)
    found = relevant.items.take(place) == code if len(slots) else at < 0
    lost = slots[entry[slots] != np.arange(len(slots))]  # these cells stand for several relevant items: search
    cells[:] = False
    cells[lost] = True
    unsure = np.flatnonzero(~found & cells.take(at) & (code >= 0))
    searched = find(judged_user * len(item_keys) + relevant.items, user[unsure] * len(item_keys) + code[unsure])
    place[unsure], found[unsure] = searched, searched >= 0
    return rows[found], place[found], user[found]
