"""Planted functions: each follows a variant of the catalogue but for one departure that probes are too small to show.

A planted function sees what a user's function sees: for each user a list of item ids and a dict from relevant item id
to gain. What it computes comes from the literal twin (tests/support/literal), so that the reference has no part in it.
"""

from __future__ import annotations

import bisect
import dataclasses
import math
import statistics
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from metric_harness.identification.identify import ProbeAnswer
from metric_harness.identification.probes import all_probes
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.catalogue import CATALOGUE
from metric_reference.variant import Variant
from tests.support.literal import PER_USER, TOGETHER
from tests.support.literal.user import User

Listed = list[int]
Gains = dict[int, float]
Input = Callable[[Listed, Gains, int], tuple[Listed, Gains, int]]
"""What a planted function takes in place of its input."""
Output = Callable[[float, Listed, Gains, int, int], float]
"""What it makes of a user's value; the last argument counts its calls."""
Mean = Callable[[list[float], list[Listed], list[Gains]], float]
"""How it averages the users."""
LOOKED_AT = ("hit_rate", "precision", "recall", "reciprocal_rank", "average_precision", "ndcg", "r_precision", "f1")


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


def catalogue() -> list[Variant]:
    """The variants of the catalogue that look at lists alone and are averaged over users."""
    found = [
        entry.variant
        for entry in CATALOGUE
        if entry.variant.metric.name in LOOKED_AT
        and entry.variant.weight == "user"
        and entry.variant.metric.name in PER_USER
        and entry.variant.metric.name not in TOGETHER
        and not entry.variant.metric.of_whole_case()
        and entry.variant.metric.made().get("who", "all") == "all"
    ]
    return list(dict.fromkeys(found))


def planted(turns: int = 7) -> Iterator[Planted]:
    """Each kind of departure with ``turns`` variants of the catalogue, taken in turn so that all of them occur."""
    variants = catalogue()
    number = 0
    for kinds, place in ((INPUTS, "input"), (OUTPUTS, "output"), (MEANS, "mean")):
        for kind, departure in kinds.items():
            for _ in range(turns):
                yield Planted(variants[number % len(variants)], kind, **{place: departure})
                number += 1


class Asked:
    """A planted function as something that answers; it counts its calls, as functions with state do."""

    def __init__(self, plant: Planted) -> None:
        self.plant = plant
        self.twin = PER_USER[plant.variant.metric.name]
        metric = plant.variant.metric
        self.choices = {field.name: getattr(metric, field.name) for field in dataclasses.fields(metric)}
        self.calls = 0

    def __call__(self, case: Case, k: int, ids: np.ndarray | None = None) -> Reply:
        """Mean, and values by user unless it averages them itself."""
        lists, truths = seen(case, ids)
        values = [self.of_user(row, own, k, case.threshold) for row, own in zip(lists, truths, strict=True)]
        if self.plant.mean is not None:
            return Reply(self.plant.mean(values, list(lists), list(truths)))
        return Reply(math.fsum(values) / len(values), np.arange(len(values)), np.array(values))

    def of_user(self, listed: Listed, gains: Gains, k: int, threshold: float) -> float:
        self.calls += 1
        if not gains:
            return 0.0
        row, own, cut = self.plant.input(listed, gains, k) if self.plant.input else (listed, gains, k)
        user = User(row, [own.get(item, 0.0) for item in row], [], own, {}, [], threshold, [], [], 0, [])
        share = self.twin(user, max(1, cut), **self.choices)
        value = 0.0 if share is None or math.isnan(share.value) else share.value
        return self.plant.output(value, listed, gains, k, self.calls) if self.plant.output else value


def probe_answers(asked: Asked) -> dict[str, ProbeAnswer]:
    """The answers of a planted function to all probes."""
    answers = {}
    for probe in all_probes():
        reply = asked(probe.case, probe.k)
        answers[probe.name] = ProbeAnswer(reply.value, None, reply.users, reply.values)
    return answers


@lru_cache(maxsize=64)
def _seen(case: Case, ids: tuple[int, ...] | None) -> tuple[list[Listed], list[Gains]]:
    names = list(range(case.n_items)) if ids is None else list(ids)
    lists = [[names[item] for item in case.list_of(user).tolist()] for user in range(case.users)]
    truths = []
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        pairs = zip(case.judged_items[part].tolist(), case.judged_gains[part].tolist(), strict=True)
        truths.append({names[item]: gain for item, gain in pairs if gain >= case.threshold})
    return lists, truths


def seen(case: Case, ids: np.ndarray | None) -> tuple[list[Listed], list[Gains]]:
    """What a user's function sees of a case: lists of ids, dicts from id to gain."""
    return _seen(case, None if ids is None else tuple(ids.tolist()))


@lru_cache(maxsize=1)
def ordinary_data() -> tuple[Case, np.ndarray]:
    """Data as people have them, made apart from the verification cases: the case and its item ids.

    400 users with lists of 50 over 800 items, 1 to about 80 relevant items, half stars from 1 to 5, ids up to 2^33.
    """
    rng = np.random.default_rng(7)
    users, items, depth = 400, 800, 50
    popularity = 1.0 / np.arange(1, items + 1) ** 0.7
    lists, indptr, judged, gains = [], [0], [], []
    for _ in range(users):
        order = np.argsort(-(np.log(popularity) + rng.gumbel(size=items)))
        count = min(1 + int(rng.geometric(1 / 14)), 90)
        lists.append(order[:depth])
        chosen = np.argsort(-(np.log(popularity) + rng.gumbel(size=items)))[:count]
        judged.append(chosen)
        gains.append(rng.integers(2, 11, count) / 2)
        indptr.append(indptr[-1] + count)
    ids = np.sort(rng.choice(2**33, items, replace=False)).astype(np.int64)
    ids[0] = 0
    case = Case(np.array(lists), np.array(indptr), np.concatenate(judged), np.concatenate(gains), items).check()
    return case, ids
