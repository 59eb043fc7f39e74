"""The judgements of many users, packed: who holds which items to be relevant, found by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metric_harness.evaluation.stream_ids import Distinct, named
from metric_harness.system.errors import HarnessError

Fail = Callable[[str], HarnessError]


@dataclass(frozen=True, eq=False)
class Truth:
    """Users in the order of their keys, each with relevant items in the order of their codes.

    users : int64 keys, shape (users,); firsts, counts : where each user's entries begin (int64), and how many they are
    (int32); codes : int32 places in ``item_keys``, one a relevant item; gains : float64, or float32 where that loses
    nothing; item_keys : int64, sorted, of all judged items, relevant or not; threshold : the smallest gain that is
    relevant; user_names, item_names : where ids are text.
    """

    users: np.ndarray
    firsts: np.ndarray
    counts: np.ndarray
    codes: np.ndarray
    gains: np.ndarray
    item_keys: np.ndarray
    threshold: float
    user_names: Distinct | None = None
    item_names: Distinct | None = None


def merge_codes(batches: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """One numbering for the items of several batches: int32 codes of all rows, and the sorted keys that occur.

    batches : codes of each row and the key behind each code, as ``local_codes`` gives them.
    """
    present = []
    for codes, keys in batches:
        held = np.zeros(len(keys), dtype=bool)
        held[codes] = True
        present.append(keys[held])
    together = distinct_keys(np.concatenate([np.empty(0, np.int64), *present]))
    if not len(together):
        return np.empty(0, np.int32), together
    return np.concatenate(
        [
            np.minimum(np.searchsorted(together, keys), len(together) - 1).astype(np.int32)[codes]
            for codes, keys in batches
        ]
    ), together


def pack(
    users: np.ndarray, codes: np.ndarray, item_keys: np.ndarray, gains: np.ndarray, threshold: float, fail: Fail,
    user_names: Distinct | None = None, item_names: Distinct | None = None,
) -> Truth:  # fmt: skip
    """From rows in any order to a :class:`Truth`; HarnessError if a pair of user and item stands twice.

    users : int64 keys; codes : places in ``item_keys``; gains : float64; one each a row.
    """
    first = np.concatenate([np.ones(min(1, len(users)), dtype=bool), users[1:] != users[:-1]])
    keys, run = users[first], np.cumsum(first, dtype=np.int64) - 1
    ordered = np.sort(keys)
    if np.all(ordered[1:] > ordered[:-1]):
        distinct, number = keys, run
    else:
        distinct, place = np.unique(keys, return_inverse=True)
        number = place[run]
    size = max(1, len(item_keys))
    pairs, code = number * size + codes, codes
    if not np.all(pairs[1:] > pairs[:-1]):
        order = argsort(pairs)
        pairs, gains = pairs[order], gains[order]
        again = np.flatnonzero(pairs[1:] == pairs[:-1])
        if len(again):
            user, item = divmod(int(pairs[again[0]]), size)
            who, what = named(distinct[[user]], user_names)[0], named(item_keys[[item]], item_names)[0]
            raise fail(f"user {who} and item {what} stand in it twice; keep one row for each user and item")
        number = pairs // size
        code = pairs - number * size
    relevant = (gains > 0) & (gains >= threshold)
    if not relevant.all():
        number, code, gains = number[relevant], code[relevant], gains[relevant]
    counts = np.bincount(number, minlength=len(distinct)).astype(np.int32)
    firsts, sorting = np.cumsum(counts, dtype=np.int64) - counts, in_order(distinct)
    return Truth(
        distinct[sorting], firsts[sorting], counts[sorting], code.astype(np.int32), gains, item_keys, threshold,
        user_names, item_names,
    )  # fmt: skip


def distinct_keys(keys: np.ndarray) -> np.ndarray:
    """The different ones of int64 keys, sorted; several times faster than numpy's ``unique``, which hashes them."""
    ordered = np.sort(keys)
    return ordered[np.concatenate([np.ones(min(1, len(keys)), dtype=bool), ordered[1:] != ordered[:-1]])]


def in_order(keys: np.ndarray) -> np.ndarray | slice:
    """What brings int64 keys in order: a slice, which costs nothing, where they are."""
    return slice(None) if np.all(keys[1:] >= keys[:-1]) else argsort(keys)


def argsort(values: np.ndarray) -> np.ndarray:
    """The order of int64 values; where they leave room, the place of each is sorted along with it, which is faster."""
    bits = max(1, len(values) - 1).bit_length()
    low = int(values.min(initial=0))
    if low < 0 or int(values.max(initial=0)).bit_length() + bits > 62:
        return np.argsort(values, kind="stable")
    packed = (values << bits) | np.arange(len(values))
    packed.sort()
    packed &= (1 << bits) - 1
    return packed
