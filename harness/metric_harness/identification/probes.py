"""Probes: tiny hand-made cases. Core probes separate variants; edge probes each show one edge behaviour.

Items are numbered from 0. Every probe carries scores for its lists and for the whole catalogue, in agreement with each
other, so that subjects that rank for themselves see the same order as those that take lists.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from metric_harness.identification.equipped import equipped
from metric_harness.identification.sized import sized
from metric_reference.case import NOTHING, Case, case_from_lists
from metric_reference.variant import BEYOND
from metric_reports.types.audit import User
from metric_reports.types.run import Probe as ProbeRow
from metric_reports.types.run import ShownUser

OVER_ALL_ITEMS = " over all items"
"""How the name of a probe ends whose lists hold every candidate."""
AT_CUTOFF = " at "
"""Separates the name of a probe from the cut-off, where it is asked at another one."""
OF = " of "
"""Separates the name of a probe from the number of candidates, where every user has the same."""
_CUTS: list[int] = []
"""The cut-offs that :func:`probes_at` was asked for: their probes are among every probe."""
_SIZES: list[int] = []
"""The same for the numbers of candidates."""


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

    def asked_of(self, metric: str | None) -> bool:
        """Whether a function that claims to be a metric is asked; None: one that claims nothing."""
        if metric in BEYOND or (self.metrics and set(self.metrics) <= set(BEYOND)):
            return metric in self.metrics
        return metric is None or not self.metrics or metric in self.metrics


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
        lists,
        relevant,
        n_items,
        gains=gains,
        scores=listed,
        candidate_scores=candidate,
        train=train,
        threshold=threshold,
    )


@cache
def _table() -> dict[str, dict[str, dict[str, Any]]]:
    """The page ``probes.toml``: groups, and in each the probes by name."""
    return tomllib.loads(Path(__file__).with_name("probes.toml").read_text(encoding="utf-8"))


def _group(group: str) -> tuple[Probe, ...]:
    return tuple(_read(name, dict(row)) for name, row in _table()[group].items())


def _read(name: str, row: dict[str, Any]) -> Probe:
    """A probe from its table: what is not of the probe itself is of its case."""
    about, k, edge, metrics = row.pop("about"), row.pop("k"), row.pop("edge", None), tuple(row.pop("metrics", ()))
    more = {key: row.pop(key) for key in ("predicted", "others", "categories") if key in row}
    case = build(row.pop("lists"), row.pop("relevant"), row.pop("items"), **row)
    return Probe(name, about, k, equipped(case, **more) if more else case, edge, metrics)


@cache
def core_probes() -> tuple[Probe, ...]:
    """The probes that tell variants apart. Every user has relevant items, a list and distinct scores (but tied_scores).

    None can be spared: each separates two variants that no other separates, or shows that a function which follows one
    definition for some users and another one for the rest follows none; tests/support/probe_search.py holds that.
    """
    return _group("core")


@cache
def one_relevant_probes() -> tuple[Probe, ...]:
    """More core probes for a convention that takes exactly one relevant item a user, and can be asked no others."""
    return _group("one_relevant")


@cache
def edge_probes() -> tuple[Probe, ...]:
    """The probes that show edge behaviour, each beside two plain users so that a mean can be seen to lose one."""
    return _group("edge")


@cache
def beyond_probes() -> tuple[Probe, ...]:
    """The core probes of the metrics that read training interactions, item vectors or ratings; no other is asked."""
    return tuple(replace(probe, metrics=probe.metrics or BEYOND) for probe in _group("beyond"))


def all_probes() -> list[Probe]:
    """The probes of lists and relevant items, core probes first."""
    return [*core_probes(), *edge_probes()]


def library_probes() -> list[Probe]:
    """All probes that a library is asked, those of the metrics beyond accuracy last."""
    return [*all_probes(), *beyond_probes()]


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
    every = [
        *library_probes(),
        *alone,
        *whole_catalogue_probes(),
        *map(over_all_items, alone),
        *whole_catalogue_edges(),
    ]
    of_size = [probe for size in _SIZES for probe in sized_probes(size)]
    every += of_size
    every += [
        at_cut(probe, k) for k in _CUTS for probe in (*whole_catalogue_probes(), *map(over_all_items, alone), *of_size)
    ]
    return tuple({probe.name: probe for probe in reversed(every)}.values())[::-1]


@cache
def core_names() -> frozenset[str]:
    """The names of the probes of the definition, under every way of calling."""
    return frozenset(probe.name for probe in every_probe() if probe.edge is None)


@cache
def one_relevant_names() -> frozenset[str]:
    """The names of the core probes in which each user has one relevant item."""
    names = {name for probe in one_relevant_probes() for name in (probe.name, f"{probe.name}{OVER_ALL_ITEMS}")}
    return frozenset(probe.name for probe in every_probe() if probe.name.partition(AT_CUTOFF)[0] in names)


def over_all_items(probe: Probe) -> Probe:
    """A probe with lists of every candidate and k past them."""
    return replace(probe, name=f"{probe.name}{OVER_ALL_ITEMS}", k=probe.case.n_items, case=all_listed(probe.case))


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


def probes_at(k: int, one_relevant: bool, size: int | None = None) -> list[Probe]:
    """The core probes for a function that has a cut-off of its own: lists of every candidate, asked at that k alone."""
    asked_for(_CUTS, k)
    usual = core_probes_for(all_items=True, one_relevant=one_relevant)
    return [at_cut(probe, k) for probe in (usual if size is None else probes_of(size))]


def probes_of(size: int) -> list[Probe]:
    """The core probes with this number of candidates for each user, all of them listed."""
    asked_for(_SIZES, size)
    return sized_probes(size)


def asked_for(numbers: list[int], number: int) -> None:
    """Put the probes of a cut-off or of a number of candidates among every probe."""
    if number not in numbers:
        numbers.append(number)
        for known in (every_probe, core_names, one_relevant_names):
            known.cache_clear()


def sized_probes(size: int) -> list[Probe]:
    """Those of the core probes in which each user keeps a relevant item, with this number of candidates for each."""
    out = []
    for probe in whole_catalogue_probes():
        case = sized(probe.case, size)
        if probe.name != f"tied_scores{OVER_ALL_ITEMS}" and np.diff(case.judged_indptr).all():
            out.append(replace(probe, name=f"{probe.name}{OF}{size}", k=size, case=case))
    return out


def at_cut(probe: Probe, k: int) -> Probe:
    """A probe asked at another cut-off."""
    return replace(probe, name=f"{probe.name}{AT_CUTOFF}{k}", k=k)


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
