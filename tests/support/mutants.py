"""Planted functions: each follows a variant of the catalogue but for one departure that probes are too small to show.

A planted function sees what a user's function sees: for each user a list of item ids and a dict from relevant item id
to gain. What it computes comes from the literal twin (tests/support/literal), so that the reference has no part in it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.probes.probe import all_probes
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.catalogue import CATALOGUE
from metric_reference.variant import Variant
from tests.support.departures import INPUTS, MEANS, OUTPUTS, Gains, Listed, Planted
from tests.support.literal import PER_USER, TOGETHER
from tests.support.literal.user import User

LOOKED_AT = ("hit_rate", "precision", "recall", "reciprocal_rank", "average_precision", "ndcg", "r_precision", "f1")


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
