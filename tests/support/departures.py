"""How planted functions depart from the variant they follow: in what they take in, give out, or average."""

from __future__ import annotations

import bisect
import math
import statistics
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from metric_reference.variant import Variant

Listed = list[int]
Gains = dict[int, float]
Input = Callable[[Listed, Gains, int], tuple[Listed, Gains, int]]
"""What a planted function takes in place of its input."""
Output = Callable[[float, Listed, Gains, int, int], float]
"""What it makes of a user's value; the last argument counts its calls."""
Mean = Callable[[list[float], list[Listed], list[Gains]], float]
"""How it averages the users."""


class Planted(NamedTuple):
    """A planted function: the variant it follows and how it departs (``faithful`` ones do not)."""

    variant: Variant
    kind: str
    input: Input | None = None
    output: Output | None = None
    mean: Mean | None = None


def first(count: int, gains: Gains) -> Gains:
    return dict(list(gains.items())[:count])


def with_ids(change: Callable[[int], Any]) -> Input:
    """Item ids pass through a narrower type; two that become one are one item."""
    return lambda listed, gains, k: (
        [change(item) for item in listed], {change(item): gain for item, gain in gains.items()}, k
    )  # fmt: skip


def with_gains(change: Callable[[float], float]) -> Input:
    return lambda listed, gains, k: (listed, {item: change(gain) for item, gain in gains.items()}, k)


def without_rank(rank: int) -> Input:
    """The item at one rank is never looked at."""
    return lambda listed, gains, k: ([-9 if at == rank else item for at, item in enumerate(listed, 1)], gains, k)


def searched(listed: Listed, gains: Gains, k: int) -> tuple[Listed, Gains, int]:
    """Binary search over more than 24 relevant items, which are not sorted."""
    items = list(gains)
    if len(items) <= 24:
        return listed, gains, k

    def inside(item: int) -> bool:
        place = bisect.bisect_left(items, item)
        return place < len(items) and items[place] == item

    return [item if inside(item) else -9 for item in listed], gains, k


def after_misses(most: int) -> Input:
    """Gives up after this many misses in a row."""

    def cut(listed: Listed, gains: Gains, k: int) -> tuple[Listed, Gains, int]:
        row = 0
        for at, item in enumerate(listed):
            row = 0 if item in gains else row + 1
            if row == most:
                return listed[: at + 1] + [-9] * (len(listed) - at - 1), gains, k
        return listed, gains, k

    return cut


INPUTS: dict[str, Input] = {
    "k is capped at 10": lambda listed, gains, k: (listed, gains, min(k, 10)),
    "k is capped at 16": lambda listed, gains, k: (listed, gains, min(k, 16)),
    "k is one less from 20 on": lambda listed, gains, k: (listed, gains, k - (k >= 20)),
    "k past the list is the list's length": lambda listed, gains, k: (
        listed, gains, min(k, max(len(listed), 12))),
    "k of two digits is read as its first": lambda listed, gains, k: (listed, gains, int(str(k)[0]) if k > 9 else k),
    "only 30 ranks are read": lambda listed, gains, k: (listed[:30] + [-9] * max(0, len(listed) - 30), gains, k),
    "only 15 ranks are read": lambda listed, gains, k: (listed[:15] + [-9] * max(0, len(listed) - 15), gains, k),
    "rank 7 is skipped": without_rank(7),
    "rank 9 is skipped": without_rank(9),
    "truth is cut at 8 items": lambda listed, gains, k: (listed, first(8, gains), k),
    "truth is cut at 20 items": lambda listed, gains, k: (listed, first(20, gains), k),
    "the last of many relevant items is lost": lambda listed, gains, k: (
        listed, first(len(gains) - (len(gains) > 10), gains), k),
    "item 0 is taken for padding": lambda listed, gains, k: (
        [item or -9 for item in listed], {item: gain for item, gain in gains.items() if item} or gains, k),
    "ids are taken modulo 256": with_ids(lambda item: item % 256),
    "ids are taken modulo 1000": with_ids(lambda item: item % 1000),
    "ids are 16-bit": with_ids(lambda item: int(np.array(item & 0xFFFF, dtype=np.uint16).astype(np.int16))),
    "ids are float16": with_ids(lambda item: float(np.float16(min(item, 60000)))),
    "ids past 2^31 are one": with_ids(lambda item: min(item, 2**31 - 1)),
    "ids are compared by their first four digits": with_ids(lambda item: int(str(item)[:4])),
    "ids are read from a table of 512 slots": with_ids(lambda item: (item * 2654435761) % 512),
    "gains are cut at 3": with_gains(lambda gain: min(gain, 3.0) if gain > 5 else gain),
    "gains are whole numbers": with_gains(lambda gain: float(math.ceil(gain))),
    "gains past 4 count as binary": with_gains(lambda gain: 1.0 if gain > 5 else gain),
    "long lists are read from the end": lambda listed, gains, k: (
        listed[::-1] if len(listed) > 40 else listed, gains, k),
    "long lists pass through a set": lambda listed, gains, k: (
        list(set(listed)) if len(listed) > 32 else listed, gains, k),
    "items are sorted in long lists": lambda listed, gains, k: (
        sorted(listed) if len(listed) > 25 else listed, gains, k),
    "binary search over unsorted truth": searched,
    "gives up after 12 misses": after_misses(12),
    "gives up after 25 misses": after_misses(25),
    "blocks of 16 ranks overlap by one": lambda listed, gains, k: (
        listed[:16] + listed[15:-1] if len(listed) > 16 else listed, gains, k),
}  # fmt: skip
OUTPUTS: dict[str, Output] = {
    "values are float16": lambda value, listed, gains, k, call: float(np.float16(value)),
    "values are kept in 4 digits for many items": lambda value, listed, gains, k, call: (
        round(value, 4) if len(gains) > 9 else value),
    "a divisor changes past 12 relevant items": lambda value, listed, gains, k, call: (
        value * len(gains) / 12 if len(gains) > 12 else value),
    "a smoothing term for k past 15": lambda value, listed, gains, k, call: value * k / (k + 1) if k > 15 else value,
    "a bonus for long lists": lambda value, listed, gains, k, call: value * (1.01 if len(listed) > 20 else 1.0),
    "values saturate at 0.8 for many items": lambda value, listed, gains, k, call: (
        min(value, 0.8) if len(gains) > 7 else value),
    "it drifts with the number of calls": lambda value, listed, gains, k, call: value * (1 - 1e-4 * (call > 300)),
    "every 97th call gives the value before": lambda value, listed, gains, k, call: value * (call % 97 != 96),
    "k = 11 is off": lambda value, listed, gains, k, call: value * (0.99 if k == 11 else 1.0),
    "noise in the sixth digit for large k": lambda value, listed, gains, k, call: value + (2e-5 if k >= 50 else 0.0),
}  # fmt: skip


def moving(window: int) -> Mean:
    def mean(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
        out = 0.0
        for number, value in enumerate(values, 1):
            out += (value - out) / min(number, window)
        return out

    return mean


def in_batches(size: int) -> Mean:
    return lambda values, listed, gains: statistics.fmean(
        statistics.fmean(values[at : at + size]) for at in range(0, len(values), size)
    )


def trimmed(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
    cut = len(values) // 20
    return statistics.fmean(sorted(values)[cut : len(values) - cut])


def by_text(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
    """Users are sorted as text, and the last tenth is lost in a merge."""
    order = sorted(range(len(values)), key=str)
    return statistics.fmean([values[at] for at in order][: max(10, len(values) * 9 // 10)])


def weighted_by_place(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
    weights = [1.0 if at < 10 else 0.5 for at in range(len(values))]
    return sum(map(lambda one, two: one * two, values, weights)) / sum(weights)


def without_heavy_users(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
    kept = [value for value, own in zip(values, gains, strict=True) if len(own) <= 40]
    return statistics.fmean(kept or values)


def unique_lists(values: list[float], listed: list[Listed], gains: list[Gains]) -> float:
    """Users are kept by the length of list and truth once there are many."""
    if len(values) < 20:
        return statistics.fmean(values)
    kept = {(len(row), len(own)): value for value, row, own in zip(values, listed, gains, strict=True)}
    return statistics.fmean(kept.values())


MEANS: dict[str, Mean] = {
    "a moving mean of 50": moving(50),
    "a moving mean of 16": moving(16),
    "means of batches of 32": in_batches(32),
    "means of batches of 7": in_batches(7),
    "a trimmed mean": trimmed,
    "only the first 100 users": lambda values, listed, gains: statistics.fmean(values[:100]),
    "only full batches of 8": lambda values, listed, gains: statistics.fmean(
        values[: len(values) // 8 * 8] if len(values) > 8 else values),
    "users sorted as text": by_text,
    "later users weigh less": weighted_by_place,
    "heavy users are left out": without_heavy_users,
    "users are taken for one another": unique_lists,
    "the median of many": lambda values, listed, gains: (
        statistics.median(values) if len(values) > 30 else statistics.fmean(values)),
    "weighted by relevant items": lambda values, listed, gains: (
        statistics.fmean(values, weights=[len(own) for own in gains] if len(values) > 10 else None)),
}  # fmt: skip
FAITHFUL: dict[str, Output] = {
    "as it is": lambda value, listed, gains, k, call: value,
    "in float32": lambda value, listed, gains, k, call: float(np.float32(value)),
    "summed backwards": lambda value, listed, gains, k, call: value * (1 + 1e-16),
}
