"""Probes: tiny hand-made cases. Core probes separate variants; edge probes each show one edge behaviour.

Items are numbered from 0. Every probe has scores for its lists and for all candidates. They agree with each other, so
that subjects that rank the candidates themselves see the same order as those that take lists.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.naming.cases.random_cases import labelled_case
from metric_harness.naming.probes.equipped import equipped
from metric_harness.naming.probes.sized import sized
from metric_reference.case import NOTHING, Case, case_from_lists
from metric_reference.variant import BEYOND
from metric_reports.types.common import ShownUser
from metric_reports.types.run import Probe as ProbeRow

OVER_ALL_ITEMS = " over all items"
"""Ends the name of a probe whose lists hold every candidate."""
AT_CUTOFF = " at "
"""Separates the name of a probe from a cut-off that is not its own."""
OF_SIZE = " of "
"""Separates the name of a probe from the number of candidates that every user has."""


@dataclass(frozen=True)
class Probe:
    """A case with a cut-off and a purpose.

    edge : the edge behaviour that it shows; None for a core probe.
    metrics : the metrics that are asked; empty: all. needs : only functions that need all of these are asked.
    labels : of one of :func:`labelled_probes`, its kind; its lists hold every candidate.
    """

    name: str
    about: str
    k: int
    case: Case
    edge: str | None = None
    metrics: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    labels: str = ""

    def asked_of(self, metric: str | None, needs: Collection[str] = ()) -> bool:
        """Whether a function that claims this metric (None: that claims no metric) and has these needs is asked."""
        if not set(self.needs) <= set(needs):
            return False
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
    """A case whose scores fall with the rank from 1.0 in steps of 1/64, which are exact in float32.

    Items outside a list score below it, in the order of item numbers; those of ``train`` are no candidates. ``scores``
    replaces the scores of the lists; ``offsets`` adds a number to each user's scores, which changes only a metric that
    compares scores of different users.
    """
    candidates = np.empty((len(lists), n_items))
    listed = []
    for user, row in enumerate(lists):
        offset = 0.0 if offsets is None else offsets[user]
        own = [1.0 - rank / 64 for rank in range(len(row))] if scores is None else scores[user]
        own = [score + offset for score in own]
        candidates[user] = offset + 0.25 - np.arange(n_items) / 64
        for item, score in zip(row, own, strict=True):
            candidates[user, item] = score
        candidates[user, list(train[user]) if train else []] = -np.inf
        listed.append(own)
    return case_from_lists(
        lists,
        relevant,
        n_items,
        gains=gains,
        scores=listed,
        candidate_scores=candidates,
        train=train,
        threshold=threshold,
    )


@cache
def _table() -> dict[str, dict[str, dict[str, Any]]]:
    """The tables of ``probes.toml``: by group, then by probe."""
    return tomllib.loads(Path(__file__).with_name("probes.toml").read_text(encoding="utf-8"))


def _group(group: str) -> tuple[Probe, ...]:
    return tuple(_read(name, dict(table)) for name, table in _table()[group].items())


def _read(name: str, table: dict[str, Any]) -> Probe:
    """A probe from its table; what remains after the probe's own keys are the arguments of its case."""
    about, k, edge = table.pop("about"), table.pop("k"), table.pop("edge", None)
    metrics, needs = tuple(table.pop("metrics", ())), tuple(table.pop("needs", ()))
    beyond = {key: table.pop(key) for key in ("predicted", "others", "categories") if key in table}
    case = build(table.pop("lists"), table.pop("relevant"), table.pop("items"), **table)
    return Probe(name, about, k, equipped(case, **beyond) if beyond else case, edge, metrics, needs)


@cache
def core_probes() -> tuple[Probe, ...]:
    """The probes that separate variants. Every user has relevant items, a list and, but for tied_scores, no ties.

    Each is necessary: it separates two variants that no other probe separates, or exposes a function that follows
    different definitions for different users; tests/support/probe_search.py checks that.
    """
    return _group("core")


LABELLED = (
    ((0, 0, 1, 1, 1, 0), 2),
    ((0, 0, 0, 0, 1, 1, 1), 3),
    ((0, 1, 0, 1, 2, 2, 2, 0), 1),
    ((0, 0, 1, 1, 1, 1, 1, 0, 0), 5),
    ((0, 0, 1, 1, 2, 2), 2),
    ((0, 1, 1, 0, 2, 2, 0, 1, 2, 0, 1, 2, 0, 0), 10),
    ((0, 0, 0, 1, 2, 2), 2),
)
"""The labels of the members of each labelled case, and its cut-off; the last has a member without others."""


@cache
def labelled_probes(kind: str) -> tuple[Probe, ...]:
    """The probes of users and items that share labels. kind : see :func:`random_cases.labelled_case`."""
    probes = []
    for number, (labels, k) in enumerate(LABELLED, start=1):
        alone = min(Counter(labels).values()) == 1
        if alone and kind != "set":
            continue
        case = labelled_case(np.random.default_rng(number), np.array(labels), kind)
        about = f"{len(labels)} items of {len(set(labels))} labels, for each of which those of its label are relevant"
        edge = "no_relevant" if alone else None
        probes.append(Probe(f"{kind}_{number}", about, k, case, edge, labels=kind))
    return tuple(probes)


@cache
def one_relevant_probes() -> tuple[Probe, ...]:
    """Core probes for a calling convention that takes exactly one relevant item for each user."""
    return _group("one_relevant")


@cache
def edge_probes() -> tuple[Probe, ...]:
    """The probes of edge behaviour, each with two ordinary users, so that the mean shows a skipped user."""
    return _group("edge")


@cache
def of_libraries() -> tuple[Probe, ...]:
    """Probes for libraries' functions alone: of a metric, or with a need, for which the others are not enough."""
    return _group("library")


@cache
def beyond_probes() -> tuple[Probe, ...]:
    """The core probes of the metrics beyond accuracy, which read training interactions, item vectors or ratings."""
    return tuple(replace(probe, metrics=probe.metrics or BEYOND) for probe in _group("beyond"))


def all_probes() -> list[Probe]:
    """The probes of lists and relevant items, core probes first."""
    return [*core_probes(), *edge_probes()]


def library_probes() -> list[Probe]:
    """All probes for libraries, those of the metrics beyond accuracy last."""
    return [*all_probes(), *of_libraries(), *beyond_probes()]


def core_probes_for(all_items: bool, one_relevant: bool) -> list[Probe]:
    """The core probes for a calling convention.

    all_items : it scores every item and takes no k. one_relevant : it takes exactly one relevant item for each user.
    """
    if one_relevant:
        return [_over_all_items(probe) for probe in one_relevant_probes()] if all_items else [*one_relevant_probes()]
    return [*(_whole_catalogue_probes() if all_items else core_probes())]


@cache
def probe_named(name: str) -> Probe | None:
    """The probe of a name, in every form in which a way of calling is asked it; None for an unknown name."""
    rest, _, cut = name.partition(AT_CUTOFF)
    rest, _, size = rest.partition(OF_SIZE)
    probe = _by_name().get(_base(name))
    if probe is None:
        return None
    if rest.endswith(OVER_ALL_ITEMS):
        probe = _over_all_items(probe)
    if size:
        probe = _of_size(probe, int(size))
    return _at_cut(probe, int(cut)) if cut else probe


@cache
def _by_name() -> dict[str, Probe]:
    """Every probe as the table has it."""
    last = {probe.name: probe for probe in one_relevant_probes()}
    of_labels = (*labelled_probes("set"), *labelled_probes("pairs"))
    rest = (probe for probe in (*library_probes(), *of_labels) if probe.name not in last)
    return {**{probe.name: probe for probe in rest}, **last}


def core_of(names: Iterable[str]) -> list[str]:
    """Those of some names that are core probes, in the order of the table."""
    places = {name: place for place, name in enumerate(_by_name())}
    core = [name for name in names if (probe := probe_named(name)) is not None and probe.edge is None]
    return sorted(core, key=lambda name: places[_base(name)])


def _base(name: str) -> str:
    """The name that the table has for a probe in any form."""
    return name.partition(AT_CUTOFF)[0].partition(OF_SIZE)[0].removesuffix(OVER_ALL_ITEMS)


@cache
def has_one_relevant(name: str) -> bool:
    """Whether each user of a core probe has one relevant item by design."""
    base = name.partition(AT_CUTOFF)[0].removesuffix(OVER_ALL_ITEMS)
    return base in {probe.name for probe in one_relevant_probes()}


def _over_all_items(probe: Probe) -> Probe:
    """A probe whose lists hold every item, with k their length: a vector of all scores leaves out no item."""
    case = probe.case if probe.labels else all_listed(_all_candidates(probe.case))
    return replace(probe, name=f"{probe.name}{OVER_ALL_ITEMS}", k=case.width, case=case)


def _all_candidates(case: Case) -> Case:
    """The case with every item as a candidate: those that were none score below all others, by item number."""
    assert case.candidate_scores is not None
    scores = case.candidate_scores
    lowest = np.min(scores, axis=1, where=np.isfinite(scores), initial=np.inf)
    below = lowest[:, None] - (1 + np.arange(case.n_items)) / 64
    return replace(case, candidate_scores=np.where(np.isfinite(scores), scores, below))


@cache
def whole_catalogue_edges() -> tuple[Probe, ...]:
    """The edge probes for a function that ranks all items: a user without relevant items."""
    return tuple(_over_all_items(probe) for probe in edge_probes() if probe.edge == "no_relevant")


@cache
def _whole_catalogue_probes() -> tuple[Probe, ...]:
    """The core probes with lists of every candidate, for functions that score and rank all items and take no k."""
    return tuple(_over_all_items(probe) for probe in core_probes())


def all_listed(case: Case) -> Case:
    """The case with every candidate in the lists, by falling score, equal scores by item number."""
    assert case.candidate_scores is not None
    order = np.argsort(-case.candidate_scores, axis=1, kind="stable")
    scores = np.take_along_axis(case.candidate_scores, order, axis=1)
    listed = scores > -np.inf
    return replace(case, recommended=np.where(listed, order, NOTHING), scores=np.where(listed, scores, np.nan))


def probes_at(k: int, one_relevant: bool, size: int | None = None, labels: str = "") -> list[Probe]:
    """The core probes for a function with a fixed cut-off: lists of every candidate, asked at that k.

    labels : the kind of :func:`labelled_probes`.
    """
    probes = core_probes_for(all_items=True, one_relevant=one_relevant) if size is None else probes_of(size)
    probes = labelled_for(labels) if labels else probes
    return [_at_cut(probe, k) for probe in probes]


def labelled_for(kind: str, all_items: bool = False, at_edge: bool = False) -> list[Probe]:
    """The core ones of :func:`labelled_probes`, or those of an edge; with ``all_items`` k is the lists' length."""
    probes = (probe for probe in labelled_probes(kind) if (probe.edge is not None) == at_edge)
    return [_over_all_items(probe) if all_items else probe for probe in probes]


def probes_of(size: int) -> list[Probe]:
    """The core probes with this number of candidates for each user, as far as each user keeps a relevant item."""
    whole = (probe for probe in _whole_catalogue_probes() if probe.name != f"tied_scores{OVER_ALL_ITEMS}")
    probes = (_of_size(probe, size) for probe in whole)
    return [probe for probe in probes if np.diff(probe.case.judged_indptr).all()]


def _of_size(probe: Probe, size: int) -> Probe:
    """A probe with this number of candidates for each user, all of them listed."""
    return replace(probe, name=f"{probe.name}{OF_SIZE}{size}", k=size, case=sized(probe.case, size))


def _at_cut(probe: Probe, k: int) -> Probe:
    """A probe asked at another cut-off."""
    return replace(probe, name=f"{probe.name}{AT_CUTOFF}{k}", k=k)


def describe(probe: Probe) -> ProbeRow:
    """A probe as the record shows it."""
    return {"name": probe.name, "about": probe.about, "k": probe.k, "users": users_of(probe.case)}


def users_of(case: Case) -> list[ShownUser]:
    """Each user's list with hits marked, relevant items and gains, as the record of an audit holds them.

    An item that is judged not relevant stands among them with the gain 0.
    """
    users: list[ShownUser] = []
    for user in range(case.users):
        judged = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        items, gains = case.judged_items[judged], case.judged_gains[judged]
        shown = case.relevant[judged] | (gains == 0)
        listed = case.list_of(user)
        users.append(
            {
                "list": [int(item) for item in listed],
                "hits": [bool(hit) for hit in np.isin(listed, case.relevant_of(user))],
                "relevant": [int(item) for item in items[shown]],
                "gains": [float(gain) for gain in gains[shown]],
            }
        )
    return users
