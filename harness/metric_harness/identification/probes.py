"""Probes: tiny hand-made cases. Core probes separate variants; edge probes each show one edge behaviour.

Items are numbered from 0. Every probe carries scores for its lists and for the whole catalogue, in agreement with each
other, so that subjects that rank for themselves see the same order as those that take lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

import numpy as np

from metric_reference.case import NOTHING, Case, case_from_lists
from metric_reports.types.audit import User
from metric_reports.types.run import Probe as ProbeRow
from metric_reports.types.run import ShownUser

WHOLE = " over all items"
"""How the name of a probe ends whose lists hold every candidate."""
AT = " at "
"""Separates the name of a probe from the cut-off, where it is asked at another one."""
_CUTS: list[int] = []
"""The cut-offs that :func:`probes_at` was asked for: their probes are among every probe."""


@dataclass(frozen=True)
class Probe:
    """A case with a cut-off and a purpose.

    edge : the edge behaviour that it shows, or None for a core probe.
    metrics : the metrics it is asked of; empty: of all.
    """

    name: str
    about: str
    k: int
    case: Case
    edge: str | None = None
    metrics: tuple[str, ...] = ()


def build(
    lists: Sequence[Sequence[int]],
    relevant: Sequence[Sequence[int]],
    n_items: int,
    *,
    gains: Sequence[Sequence[float]] | None = None,
    scores: Sequence[Sequence[float]] | None = None,
    offsets: Sequence[float] | None = None,
    train: Sequence[Sequence[int]] | None = None,
    threshold: float = 1.0,
) -> Case:
    """A case whose scores fall with the rank: 1.0 at the top, the step 1/64 is exact in float32.

    Items outside a list score below it, by item number, unless ``train`` takes them out of the candidates. ``scores``
    sets the scores of the lists instead; ``offsets`` adds a number to each user's scores, which only a metric that
    compares users with each other can see.
    """
    candidate = np.empty((len(lists), n_items))
    listed = []
    for user, row in enumerate(lists):
        offset = 0.0 if offsets is None else offsets[user]
        given = [1.0 - rank / 64 for rank in range(len(row))] if scores is None else list(scores[user])
        given = [score + offset for score in given]
        candidate[user] = offset + 0.25 - np.arange(n_items) / 64
        for item, score in zip(row, given, strict=True):
            candidate[user, item] = score
        candidate[user, list(train[user]) if train else []] = -np.inf
        listed.append(given)
    return case_from_lists(
        lists, relevant, n_items,
        gains=gains, scores=listed, candidate_scores=candidate, train=train, threshold=threshold,
    )  # fmt: skip


@cache
def core_probes() -> tuple[Probe, ...]:
    """The probes that tell variants apart. Every user has relevant items, a list and distinct scores (but tied_scores).

    None can be spared: each separates two variants that no other separates, or shows that a function which follows one
    definition for some users and another one for the rest follows none; tests/support/probe_search.py holds that.
    """
    return (
        Probe("plain", "hits at ranks 2, 3 and, past the cut, 6 and 7; two relevant items are not listed", 5, build(
            [[8, 3, 0, 6, 9, 1, 4, 7]], [[3, 0, 1, 4, 11, 10]], 12)),
        Probe("late_hit", "no hit up to k, the first one after it", 3, build([[2, 6, 4, 9, 1, 8]], [[9, 8, 3]], 12)),
        Probe("short_list", "a list of 3 items where k is 5; hits at ranks 1 and 3", 5, build(
            [[7, 2, 5]], [[5, 7, 0, 10]], 12)),
        Probe("graded", "gains 1, 3 and 2 at ranks 1, 2 and 4; the best gain, 5, is not listed", 4, build(
            [[1, 6, 3, 8, 2, 5]], [[1, 6, 8, 11]], 12, gains=[[1, 3, 2, 5]])),
        Probe("threshold", "ratings of 4 and 5 with the relevance threshold at 4", 3, build(
            [[3, 7, 1, 5, 0]], [[3, 1, 9, 5]], 12, gains=[[4, 5, 5, 4]], threshold=4.0)),
        Probe("two_users", "users with different numbers of relevant items, hits and candidates", 4, build(
            [[2, 5, 1, 8, 6, 10], [4, 0, 9, 3, 7, 11]], [[5, 8, 6, 3, 9, 0], [4]], 12,
            offsets=[0.0, 0.125], train=[[11], [1, 2, 5]])),
        Probe("graded_users", "graded gains; lists of 3, 5, 6 and 5 items; two users have no hit up to k", 4, build(
            [[3, 8, 1], [7, 0, 4, 2, 9], [6, 1, 5, 10, 11, 2], [9, 2, 5, 0, 3]],
            [[8, 4, 1], [7, 2, 3, 9, 8], [2, 0], [1, 6]], 12,
            gains=[[2, 4, 3], [3, 5, 2, 4, 2], [5, 2], [2, 3]], threshold=2.0)),
        Probe("one_relevant", "one relevant item a user: at rank 1, at rank 3, past the cut, not listed", 4, build(
            [[3, 8, 1, 6, 0, 2], [7, 0, 4, 2, 9, 5], [6, 1, 5, 10, 11, 2], [9, 2, 5, 0, 3, 1]],
            [[3], [4], [11], [8]], 12)),
        Probe("tied_scores", "relevant and other candidates at one score, outside the list too", 3, build(
            [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]], [[1, 4, 8], [7, 0]], 12,
            scores=[[0.9, 0.7, 0.7, 0.7, 0.5, 0.5], [0.9, 0.8, 0.7, 0.1875, 0.1, 0.05]]), metrics=("auc",)),
        Probe("full_lists", "lists of k items: nothing but hits, everything relevant found, one of two found", 3, build(
            [[2, 6, 4], [3, 5, 0], [1, 7, 8]], [[2, 6, 4, 9], [5, 0], [7, 9]], 12)),
        Probe("deep", "graded; 15 relevant items, 13 of them in a list of 15, 11 up to the cut at 12", 12, build(
            [[5, 12, 0, 9, 16, 3, 7, 14, 1, 10, 17, 6, 2, 11, 8]],
            [[0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 17]], 18,
            gains=[[2, 5, 3, 4, 3, 2, 3, 4, 5, 3, 2, 5, 4, 3, 4]], threshold=2.0)),
    )  # fmt: skip


@cache
def one_relevant_probes() -> tuple[Probe, ...]:
    """More core probes for a convention that takes exactly one relevant item a user, and can be asked no others."""
    lists = [[3, 8, 1, 6, 0, 2, 5], [7, 0, 4, 2, 9, 5, 1], [6, 1, 5, 10, 11, 2, 3], [9, 2, 5, 0, 3, 1, 8]]
    return (
        Probe("one_relevant", "one relevant item a user: at rank 1, at rank 3, past the cut, not listed", 4,
              next(probe.case for probe in core_probes() if probe.name == "one_relevant")),
        Probe("one_at_two", "one user whose relevant item is at rank 2", 3, build([lists[0]], [[8]], 12)),
        Probe("one_low", "one relevant item a user: at ranks 4 and 5", 6, build(lists[1:3], [[2], [11]], 12)),
        Probe("one_past_cut", "one relevant item a user: at ranks 2, 3, 4 and 1 where k is 2", 2, build(
            lists, [[8], [4], [10], [9]], 12)),
        Probe("one_of_three", "one relevant item a user: at ranks 2 and 5, and not listed", 5, build(
            lists[:3], [[8], [9], [0]], 12)),
    )  # fmt: skip


@cache
def edge_probes() -> tuple[Probe, ...]:
    """The probes that show edge behaviour, each beside two plain users so that a mean can be seen to lose one."""
    lists, relevant = [[2, 5, 1, 8, 6], [4, 0, 9, 3, 7]], [[5, 8, 6], [4, 7]]
    # Of three items tied around the cut, one user needs the largest and two need the smallest number to hit.
    tied, tied_relevant = [0.9, 0.5, 0.5, 0.5, 0.25], [[6, 11], [2, 11], [3]]
    return (
        Probe("no_relevant", "a third user has a list and nothing relevant", 4, build(
            [*lists, [1, 2, 3, 4, 5]], [*relevant, []], 12), edge="no_relevant"),
        Probe("no_list", "a third user has relevant items and an empty list", 4, build(
            [*lists, []], [*relevant, [1, 2]], 12), edge="no_list"),
        Probe("duplicates", "relevant items listed twice", 5, build(
            [[3, 3, 1, 7, 1, 0], *lists], [[3, 1, 9], *relevant], 12), edge="duplicates"),
        Probe("ties_ascending", "three equal scores, items in ascending order", 3, build(
            [[7, 1, 5, 6, 9], [8, 2, 3, 4, 0], [10, 3, 4, 5, 1]], tied_relevant, 12, scores=[tied] * 3), edge="ties"),
        Probe("ties_descending", "three equal scores, items in descending order", 3, build(
            [[7, 6, 5, 1, 9], [8, 4, 3, 2, 0], [10, 5, 4, 3, 1]], tied_relevant, 12, scores=[tied] * 3), edge="ties"),
        Probe("below_threshold", "ratings of 2 and 3, below the threshold, beside ratings of 4 and 5", 3, build(
            [[3, 7, 1, 5, 0], [4, 0, 9, 3, 7]], [[3, 7, 9, 5, 11], [0, 4, 8]], 12,
            gains=[[2, 4, 5, 3, 3], [5, 3, 4]], threshold=4.0), edge="threshold"),
        Probe("k_beyond_items", "k is larger than the catalogue", 15, build(
            [[3, 1, 4, 0, 2, 5, 7, 6]], [[4, 2, 6]], 8), edge="k_beyond_items"),
    )  # fmt: skip


def all_probes() -> list[Probe]:
    """Core probes first."""
    return [*core_probes(), *edge_probes()]


def core_probes_for(all_items: bool, one_relevant: bool) -> list[Probe]:
    """The core probes for a way of calling.

    all_items : it scores every item and takes no k. one_relevant : it takes exactly one relevant item a user.
    """
    if one_relevant:
        return [over_all_items(probe) for probe in one_relevant_probes()] if all_items else [*one_relevant_probes()]
    return [*(whole_catalogue_probes() if all_items else core_probes())]


@cache
def every_probe() -> tuple[Probe, ...]:
    """Every probe that is asked under some way of calling, each name once."""
    alone = one_relevant_probes()
    every = [*all_probes(), *alone, *whole_catalogue_probes(), *map(over_all_items, alone), *whole_catalogue_edges()]
    every += [at_cut(probe, k) for k in _CUTS for probe in (*whole_catalogue_probes(), *map(over_all_items, alone))]
    return tuple({probe.name: probe for probe in reversed(every)}.values())[::-1]


@cache
def core_names() -> frozenset[str]:
    """The names of the probes of the definition, under every way of calling."""
    return frozenset(probe.name for probe in every_probe() if probe.edge is None)


@cache
def one_relevant_names() -> frozenset[str]:
    """The names of the core probes in which each user has one relevant item."""
    names = {name for probe in one_relevant_probes() for name in (probe.name, f"{probe.name}{WHOLE}")}
    return frozenset(probe.name for probe in every_probe() if probe.name.partition(AT)[0] in names)


def over_all_items(probe: Probe) -> Probe:
    """A probe with lists of every candidate and k past them."""
    return replace(probe, name=f"{probe.name}{WHOLE}", k=probe.case.n_items, case=all_listed(probe.case))


@cache
def whole_catalogue_edges() -> tuple[Probe, ...]:
    """The edge probes that a function which ranks all items can be asked: a user without relevant items."""
    return tuple(over_all_items(probe) for probe in edge_probes() if probe.edge == "no_relevant")


@cache
def whole_catalogue_probes() -> tuple[Probe, ...]:
    """The core probes with lists of every candidate and k past them, for functions that score all items and take no k.

    Such a function ranks every item, so an item that is not listed would have a rank all the same.
    """
    return tuple(over_all_items(probe) for probe in core_probes())


def all_listed(case: Case) -> Case:
    """The case with every candidate in the list, by score; equal scores by item number."""
    assert case.candidate_scores is not None
    order = np.argsort(-case.candidate_scores, axis=1, kind="stable")
    scores = np.take_along_axis(case.candidate_scores, order, axis=1)
    listed = scores > -np.inf
    return replace(case, recommended=np.where(listed, order, NOTHING), scores=np.where(listed, scores, np.nan))


def probes_at(k: int, one_relevant: bool) -> list[Probe]:
    """The core probes for a function that has a cut-off of its own: lists of every candidate, asked at that k alone."""
    if k not in _CUTS:
        _CUTS.append(k)
        for known in (every_probe, core_names, one_relevant_names):
            known.cache_clear()
    return [at_cut(probe, k) for probe in core_probes_for(all_items=True, one_relevant=one_relevant)]


def at_cut(probe: Probe, k: int) -> Probe:
    """A probe asked at another cut-off."""
    return replace(probe, name=f"{probe.name}{AT}{k}", k=k)


def describe(probe: Probe) -> ProbeRow:
    """A probe as the record shows it."""
    return {"name": probe.name, "about": probe.about, "k": probe.k, "users": shown_users(probe.case)}


def shown_users(case: Case) -> list[ShownUser]:
    """:func:`users_of` as the record of a comparison holds it."""
    return cast("list[ShownUser]", users_of(case))  # an audit holds no less of a user


def users_of(case: Case) -> list[User]:
    """Each user's list with hits marked, relevant items and gains, as the record shows them."""
    users: list[User] = []
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        relevant = case.relevant_of(user)
        listed = case.list_of(user)
        users.append(
            {
                "list": [int(item) for item in listed],
                "hits": [bool(hit) for hit in np.isin(listed, relevant)],
                "relevant": [int(item) for item in relevant],
                "gains": [float(gain) for gain in case.judged_gains[part][case.relevant[part]]],
            }
        )
    return users
