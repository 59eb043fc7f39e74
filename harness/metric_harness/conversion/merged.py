"""Lists of few hits; of those with equal sums of ``start`` only the ones with the smallest and largest sum of ``goal``.

Lists are made rank by rank. Those with equal numbers of hits, keys of the divisors and sums of start can go on in the
same ways, so the two extreme ones stand for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_harness.conversion.sums import Sums
from metric_reports.tolerances import EXACT

MOST_LISTS = 2**20
MOST_STEPS = 4_000_000
"""Most lists * remaining ranks, over all tables of ``Sums.adds``."""


class Lists(NamedTuple):
    """Lists: arrays of shape (lists,), but for ``packed``, the ranks of the hits as bits.

    start_key, goal_key : the keys of the divisors. start, goal : the sums.
    """

    packed: np.ndarray
    hits: np.ndarray
    start_key: np.ndarray
    goal_key: np.ndarray
    start: np.ndarray
    goal: np.ndarray

    def take(self, chosen: np.ndarray) -> Lists:
        """Some of the lists."""
        return Lists(*(column[chosen] for column in self))


def merged(start: Sums, goal: Sums, relevant_index: int) -> tuple[Lists, int]:
    """The lists of users with at most ``start.relevant[relevant_index]`` relevant items, and the largest number of hits
    up to which no list is left out: ``depth`` where none is."""
    _, depth, most = goal.adds.shape
    limit, complete = min(int(start.relevant[relevant_index]), most), depth
    steps = MOST_STEPS // max(len(start.adds), len(goal.adds))
    zero = np.zeros(1, dtype=np.int64)
    lists = Lists(np.zeros((1, -(-depth // 8)), np.uint8), zero, zero, zero, np.zeros(1), np.zeros(1))
    for rank in range(depth):
        longer = _with_hit(lists.take(lists.hits < limit), (start, goal), relevant_index, rank)
        lists = _thinned(Lists(*map(np.concatenate, zip(lists, longer, strict=True))), depth)
        counts = np.cumsum(np.bincount(lists.hits))
        few = (counts <= MOST_LISTS) & (counts * (depth - 1 - rank) <= steps)
        if not few.all():
            limit = complete = int(few.sum()) - 1
            lists = lists.take(lists.hits <= limit)
    return lists, complete


def _with_hit(lists: Lists, both: tuple[Sums, Sums], relevant_index: int, rank: int) -> Lists:
    """The lists with one more hit, at a rank (from 0)."""
    packed = lists.packed.copy()
    packed[:, rank // 8] |= 128 >> rank % 8
    keys, sums = [], []
    for definition, key, total in zip(both, (lists.start_key, lists.goal_key), (lists.start, lists.goal), strict=True):
        counts = definition.divides() and rank < definition.cut
        keys.append(np.full(len(key), rank + 1) if counts and definition.last else key + counts)
        sums.append(total + definition.adds[min(relevant_index, len(definition.adds) - 1), rank, lists.hits])
    return Lists(packed, lists.hits + 1, *keys, *sums)


def _thinned(lists: Lists, depth: int) -> Lists:
    """Of lists that differ in the sum of goal alone, the one with the smallest and the one with the largest."""
    code = (lists.hits * (depth + 1) + lists.start_key) * (depth + 1) + lists.goal_key
    start = np.rint(lists.start / EXACT).astype(np.int64)
    order = np.lexsort((lists.goal, start, code))
    new = (np.diff(code[order], prepend=-1) != 0) | (np.diff(start[order], prepend=-1) != 0)
    end = np.append(new[1:], True)
    smallest, largest = order[new], order[end]
    return lists.take(np.concatenate((smallest, largest[lists.goal[largest] > lists.goal[smallest] + EXACT])))
