"""The search behind the core probes: do they separate all that can be separated, and which of them are needed?

    python -m tests.probe_search [--cases N] [--seed N]

Two variants are *distinguishable* if some case of a pool gives them different numbers. The pool holds the core probes
and many random small cases: 1 to 4 users with relevant items and lists of 1 to 8 items, binary and graded, with
training items, tied scores for AUC alone, as in the core probes themselves.

Separating what is known takes few cases, but a function may follow none of the known definitions, and then some probe
has to say so. Stand-ins for such functions are *mixtures*: one definition for users of one kind, another for the rest.
A probe is needed if without it two variants are not separated or a mixture passes for a variant.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from metric_harness.naming.probes.probe import Probe, build, core_probes
from metric_reference.averaging import averages, user_values
from metric_reference.edges import STANDARD
from metric_reference.matching import Matches, match
from metric_reference.variant import RANKING, Variant, space, unusual
from metric_reports.tolerances import FLOAT32

CASES, SEED = 1000, 20211
N_ITEMS = 12
METRICS_OF_TIES = ("auc",)
"""Ties in the scores are an edge behaviour of every other metric; so that only AUC is asked for them."""


class Table(NamedTuple):
    """Which cases separate which pairs of variants.

    probes : the cases. pairs : indices into :func:`variants`, shape (2, pairs). apart : booleans, cases x pairs.
    """

    probes: list[Probe]
    pairs: np.ndarray
    apart: np.ndarray


@cache
def variants() -> tuple[Variant, ...]:
    """The whole space of choices: every variant of every metric that probes identify, without those of a parameter."""
    return tuple(variant for name in RANKING for variant in space(name))


def random_probe(rng: np.random.Generator, name: str) -> Probe:
    """A small case in which, as in every core probe, each user has relevant items and a list."""
    users, graded, tied = int(rng.integers(1, 5)), rng.random() < 0.5, rng.random() < 0.15
    threshold = float(rng.integers(1, 5)) if graded else 1.0
    rows = []
    for _ in range(users):
        order = rng.permutation(N_ITEMS).tolist()
        seen, candidates = (order[:2], order[2:]) if rng.random() < 0.3 else ([], order)
        listed = candidates[: int(rng.integers(1, 9))]
        relevant = rng.permutation(candidates)[: int(rng.integers(1, 8))].tolist()
        gains = rng.integers(threshold, 6, len(relevant)).astype(float).tolist() if graded else [1.0] * len(relevant)
        scores = np.sort(rng.integers(4, 12, len(listed)) / 16)[::-1].tolist()
        rows.append((listed, relevant, gains, seen, scores, float(rng.integers(0, 4)) / 32))
    lists, relevants, gains, train, scores, offsets = (list(column) for column in zip(*rows, strict=True))
    case = build(
        lists, relevants, N_ITEMS, gains=gains, train=train if any(train) else None, offsets=offsets,
        threshold=threshold, scores=scores if tied else None,
    )  # fmt: skip
    return Probe(name, "random", int(rng.integers(1, 7)), case, metrics=METRICS_OF_TIES if tied else ())


def pool(cases: int = CASES, seed: int = SEED) -> list[Probe]:
    """The core probes, then random cases."""
    rng = np.random.default_rng(seed)
    return [*core_probes(), *(random_probe(rng, f"random {number}") for number in range(cases))]


def values(probe: Probe) -> np.ndarray:
    """What each variant gives for a probe."""
    matches = match(probe.case)
    metrics = dict.fromkeys(variant.metric for variant in variants())
    given = {metric: averages(metric, matches, probe.k, STANDARD) for metric in metrics}
    return np.array([given[variant.metric][variant.weight] for variant in variants()])


def separates(probe: Probe, pairs: np.ndarray) -> np.ndarray:
    """Which pairs a probe separates; one for some metrics alone separates only pairs of such metrics."""
    given = values(probe)
    one, two = given[pairs[0]], given[pairs[1]]
    with np.errstate(invalid="ignore"):
        far = np.abs(one - two) > FLOAT32 * np.maximum(1.0, np.maximum(np.abs(one), np.abs(two)))
    far |= np.isnan(one) != np.isnan(two)
    if probe.metrics:
        asked = np.array([variant.metric.name in probe.metrics for variant in variants()])
        far &= asked[pairs[0]] & asked[pairs[1]]
    return far


def table(probes: Sequence[Probe]) -> Table:
    """Every pair of variants against every probe."""
    pairs = np.array(np.triu_indices(len(variants()), 1))
    return Table(list(probes), pairs, np.array([separates(probe, pairs) for probe in probes]))


def named(pairs: np.ndarray) -> list[tuple[str, str]]:
    """Pairs as printed forms."""
    return [(str(variants()[one]), str(variants()[two])) for one, two in pairs.T]


def missed(found: Table, chosen: Sequence[int]) -> list[tuple[str, str]]:
    """The pairs that some case separates and the chosen ones do not."""
    return named(found.pairs[:, found.apart.any(axis=0) & ~found.apart[list(chosen)].any(axis=0)])


def own_pairs(found: Table, chosen: Sequence[int], one: int) -> list[tuple[str, str]]:
    """The pairs that no other of the chosen cases separates."""
    others = [other for other in chosen if other != one]
    return named(found.pairs[:, found.apart[one] & ~found.apart[others].any(axis=0)])


def greedy(found: Table, among: Sequence[int], rng: np.random.Generator | None = None) -> list[int]:
    """A cover: again and again the case that separates most of what is left, then none that others make needless.

    rng : breaks near ties at random, for another cover at each call.
    """
    open_pairs = found.apart[list(among)].any(axis=0)
    columns, rows = np.flatnonzero(open_pairs), list(among)
    left = found.apart[np.ix_(rows, columns)]
    chosen: list[int] = []
    while left.shape[1]:
        gain = left.sum(axis=1).astype(float)
        if rng is not None:
            gain *= 1.0 - 0.1 * rng.random(len(gain))
        best = int(np.argmax(gain))
        chosen.append(rows[best])
        left = left[:, ~left[best]]
    for one in list(chosen):
        if not own_pairs(found, chosen, one):
            chosen.remove(one)
    return chosen


def smallest(found: Table, among: Sequence[int], tries: int = 30) -> list[int]:
    """The smallest cover of many greedy ones."""
    rng = np.random.default_rng(SEED)
    return min((greedy(found, among, rng if attempt else None) for attempt in range(tries)), key=len)


def smallest_exactly(found: Table, among: Sequence[int]) -> list[int]:
    """The smallest cover among few cases: every subset is tried, smaller ones first."""
    open_pairs = found.apart[:, found.apart[list(among)].any(axis=0)]
    hard = np.unique(open_pairs[list(among)], axis=1)
    for size in range(len(among) + 1):
        for subset in combinations(range(len(among)), size):
            if hard[list(subset)].any(axis=0).all():
                return [among[one] for one in subset]
    raise AssertionError("all of them cover")


def hits_up_to(matches: Matches, k: int) -> np.ndarray:
    """Hits in each user's first k ranks."""
    return matches.hit_count(min(k, matches.case.width))


KINDS: dict[str, Callable[[Matches, int], np.ndarray]] = {
    "more relevant items than k": lambda m, k: m.n_relevant > k,
    "as many relevant items as k": lambda m, k: m.n_relevant == k,
    "one relevant item": lambda m, k: m.n_relevant == 1,
    "no hit": lambda m, k: hits_up_to(m, k) == 0,
    "one hit": lambda m, k: hits_up_to(m, k) == 1,
    "two hits": lambda m, k: hits_up_to(m, k) == 2,
    "all hits": lambda m, k: hits_up_to(m, k) == np.minimum(k, m.lengths),
    "everything found": lambda m, k: hits_up_to(m, k) == m.n_relevant,
    "a hit at rank 1": lambda m, k: m.hits[:, 0],
    "a hit at the last rank": lambda m, k: m.hits[:, min(k, m.case.width) - 1],
    "a list shorter than k": lambda m, k: m.lengths < k,
    "a list of k": lambda m, k: m.lengths == k,
    "the first user": lambda m, k: np.arange(m.users) == 0,
    "the only user": lambda m, k: np.full(m.users, m.users == 1),
    "graded relevance": lambda m, k: np.full(m.users, len(np.unique(m.case.judged_gains)) > 1),
    "a relevance threshold": lambda m, k: np.full(m.users, m.case.threshold > 1),
    "training items": lambda m, k: np.full(m.users, m.case.train_items is not None),
    "a large k": lambda m, k: np.full(m.users, k > 3),
}
"""Users for whom a mixture follows its first definition."""


def mixtures(name: str, probes: Sequence[Probe]) -> np.ndarray:
    """What functions that mix two of a metric's plainer variants give for each probe, shape (probes, mixtures)."""
    plainer = [
        v for v in space(name) if not v.metric.of_whole_case() and v.weight == "user" and unusual(v) <= 1
        and not v.metric.pooled()
    ]  # fmt: skip
    rows = []
    for probe in probes:
        matches = match(probe.case)
        found = [user_values(v.metric, matches, probe.k, STANDARD) for v in plainer]
        given = np.array([np.where(counted, np.nan_to_num(value), 0.0) for value, counted in found])
        counts = np.array([counted for _, counted in found], dtype=float)
        row = []
        for kind in KINDS.values():
            first = kind(matches, probe.k).astype(float)
            sums = (given @ first)[:, None] + (given @ (1 - first))[None]
            users = (counts @ first)[:, None] + (counts @ (1 - first))[None]
            with np.errstate(invalid="ignore", divide="ignore"):
                row.append((sums / users)[~np.eye(len(plainer), dtype=bool)])
        rows.append(np.concatenate(row))
    return np.array(rows)


def passing(name: str, probes: Sequence[Probe], mixed: np.ndarray) -> np.ndarray:
    """Which mixtures give the same as some variant of the metric on all of these probes."""
    passed = np.zeros(mixed.shape[1], dtype=bool)
    asked = [number for number, probe in enumerate(probes) if not probe.metrics or name in probe.metrics]
    matched = [match(probes[number].case) for number in asked]
    for variant in space(name):
        same = np.ones(mixed.shape[1], dtype=bool)
        for number, matches in zip(asked, matched, strict=True):
            value = variant.of_matches(matches, k=probes[number].k)
            same &= np.isclose(mixed[number], value, rtol=0, atol=FLOAT32, equal_nan=True)
        passed |= same
    return passed


def exposed(one: int, probes: Sequence[Probe]) -> int:
    """How many mixtures pass for a variant without a probe, and do not with it."""
    without = [number for number in range(len(probes)) if number != one]
    count = 0
    for name in RANKING:
        mixed = mixtures(name, probes)
        fewer = passing(name, [probes[number] for number in without], mixed[without])
        count += int((fewer & ~passing(name, probes, mixed)).sum())
    return count


def main() -> None:
    """Print what the search finds."""
    parser = argparse.ArgumentParser(description="Search for the smallest set of probes that separates all variants.")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    found = table(pool(options.cases, options.seed))
    core = range(len(core_probes()))
    print(f"{len(variants())} variants, {found.pairs.shape[1]} pairs, {len(found.probes)} cases")
    for one, two in named(found.pairs[:, ~found.apart.any(axis=0)]):
        print(f"separated by no case: {one} | {two}")
    for one, two in missed(found, core):
        print(f"NOT separated by the core probes: {one} | {two}")
    for one in core:
        pairs, mixed = len(own_pairs(found, core, one)), exposed(one, core_probes())
        print(f"{found.probes[one].name}: needed for {pairs} pairs and {mixed} mixtures")
    needed = smallest_exactly(found, core)
    print(f"smallest cover among the core probes: {', '.join(found.probes[one].name for one in needed)}")
    best = smallest(found, range(len(found.probes)))
    print(f"smallest cover found in the whole pool: {len(best)} cases")
    for one in best:
        print(f"  {found.probes[one].name}: k = {found.probes[one].k}, {found.probes[one].case.users} users")


if __name__ == "__main__":
    main()
