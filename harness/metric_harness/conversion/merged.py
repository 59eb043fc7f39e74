"""Lists of few hits, of which only those are kept that have the smallest or the largest sum of the other definition.

Lists are made rank by rank. To those that agree in the number of hits, the divisors and the sum of the first
definition, whatever follows adds the same, so that two of them stand for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_harness.conversion.sums import Sums

MOST_LISTS = 2**20
MOST_STEPS = 4_000_000
"""Lists times the ranks that are left, at most, for all tables of what hits add."""
EQUAL = 1e-12
"""Sums that are nearer than this are one."""


class Lists(NamedTuple):
    """Lists: arrays of shape (lists,), but for ``packed``, the ranks that are hits as bits.

    first, second : the keys of the divisors. start, goal : the sums.
    """

    packed: np.ndarray
    hits: np.ndarray
    first: np.ndarray
    second: np.ndarray
    start: np.ndarray
    goal: np.ndarray

    def take(self, chosen: np.ndarray) -> Lists:
        """Some of the lists."""
        return Lists(*(column[chosen] for column in self))


def merged(start: Sums, goal: Sums, place: int) -> tuple[Lists, int]:
    """The lists of users with at most a number of relevant items, and up to how many hits all are there: ``depth``
    where none are left out."""
    _, depth, most = goal.adds.shape
    limit, complete = min(int(start.numbers[place]), most), depth
    steps = MOST_STEPS // max(len(start.adds), len(goal.adds))
    none = np.zeros(1, dtype=np.int64)
    lists = Lists(np.zeros((1, -(-depth // 8)), np.uint8), none, none, none, np.zeros(1), np.zeros(1))
    for rank in range(depth):
        longer = _with_hit(lists.take(lists.hits < limit), (start, goal), place, rank)
        lists = _thinned(Lists(*map(np.concatenate, zip(lists, longer, strict=True))), depth)
        counts = np.cumsum(np.bincount(lists.hits))
        few = (counts <= MOST_LISTS) & (counts * (depth - 1 - rank) <= steps)
        if not few.all():
            limit = complete = int(few.sum()) - 1
            lists = lists.take(lists.hits <= limit)
    return lists, complete


def _with_hit(lists: Lists, both: tuple[Sums, Sums], place: int, rank: int) -> Lists:
    """The lists with one more hit, at a rank (from 0)."""
    packed = lists.packed.copy()
    packed[:, rank // 8] |= 128 >> rank % 8
    keys, sums = [], []
    for each, key, total in zip(both, (lists.first, lists.second), (lists.start, lists.goal), strict=True):
        counts = each.divides() and rank < each.cut
        keys.append(np.full(len(key), rank + 1) if counts and each.last else key + counts)
        sums.append(total + each.adds[min(place, len(each.adds) - 1), rank, lists.hits])
    return Lists(packed, lists.hits + 1, *keys, *sums)


def _thinned(lists: Lists, depth: int) -> Lists:
    """Of the lists that only the sum of goal tells apart, the one with the smallest and the one with the largest."""
    code = (lists.hits * (depth + 1) + lists.first) * (depth + 1) + lists.second
    start = np.rint(lists.start / EQUAL).astype(np.int64)
    order = np.lexsort((lists.goal, start, code))
    new = (np.diff(code[order], prepend=-1) != 0) | (np.diff(start[order], prepend=-1) != 0)
    end = np.append(new[1:], True)
    smallest, largest = order[new], order[end]
    return lists.take(np.concatenate((smallest, largest[lists.goal[largest] > lists.goal[smallest] + EQUAL])))
