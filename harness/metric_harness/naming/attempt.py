"""One attempt at asking a function: a way of calling it, and what is presumed of the function."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.domain import BY_ADAPTER, Domain
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.cases.verification_cases import FEW_USERS, FUNCTION, LIBRARY, VECTORS, Limits
from metric_harness.naming.evidence import limits_of
from metric_harness.naming.identify import Identification, ProbeAnswer
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import (
    Probe,
    beyond_probes,
    core_probes_for,
    edge_probes,
    labelled_for,
    of_libraries,
    probes_at,
    probes_of,
    whole_catalogue_edges,
)
from metric_harness.naming.question import Question, Side
from metric_harness.worker.messages import OfferedCall
from metric_harness.worker.reply import Reply
from metric_reference.matching import match
from metric_reference.narrowed import of_users

NO_ZERO = "no item has the number 0"
"""The condition of a name that only the item 0 contradicts."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One way of asking a function.

    call : how it is called; for a function of a library or a program, only its name. element : the result that is
    meant, of a function that returns several. cut : the cut-off that the function's source is presumed to hold; no
    larger k is asked. full_lists : lists hold every item; with ``cut`` that is the only k, without it the function is
    presumed to look past the k that it takes. by_rank : it returns a number for each rank of a list that goes on past
    k, so that k is any rank. nan_as_zero : NaN of a user without a hit up to k is read as 0. threshold : the smallest
    gain of a relevant item that its source is presumed to hold; whole_gains : one above a number that it holds, and all
    gains are whole. from_one : items are numbered from 1, as it is presumed
    to take the number 0 for no item. needs : what library.toml says that a case must have;
    None for a function of the user.
    """

    call: OfferedCall
    element: str = ""
    cut: int | None = None
    full_lists: bool = False
    by_rank: bool = False
    nan_as_zero: bool = False
    threshold: float | None = None
    whole_gains: bool = False
    from_one: bool = False
    needs: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """``CALL`` or ``CALL#ELEMENT``, as it is printed."""
        return f"{self.call.name}#{self.element}" if self.element else self.call.name

    def claims_none(self, metric: str | None) -> bool:
        """Whether it asks for one of several results, which claims no metric. metric : the one that is claimed."""
        return metric is None and bool(self.element)

    @property
    def domain(self) -> Domain:
        """What the call can express."""
        return self.call.domain if self.needs is None else BY_ADAPTER

    @property
    def judges(self) -> bool:
        """Whether it can hand over items that were judged not relevant, and nothing beside them tells what is."""
        judged = [ROLES[role].has(Fact.JUDGED) for role in self.call.roles]
        beside = (ROLES[role] for role, judges in zip(self.call.roles, judged, strict=True) if not judges)
        return any(judged) and all(role.has(Fact.IDS | Fact.SCORES | Fact.TUPLES | Fact.GROUPS) for role in beside)

    @property
    def only_cut(self) -> bool:
        """Whether the presumed cut-off is the only k that is asked."""
        return self.full_lists and self.cut is not None

    @property
    def looks_past_k(self) -> bool:
        """Whether the function is presumed to look past the k that it takes."""
        return self.full_lists and self.cut is None

    @property
    def all_items(self) -> bool:
        """Whether lists hold every item and k is their length or the presumed cut-off."""
        if self.full_lists or self.cut is not None:
            return self.full_lists
        return self.call.full_lists == "always" and not self.by_rank

    @property
    def own_cut(self) -> int | None:
        """The cut-off that the function's source holds; None without one."""
        if self.cut is not None or self.all_items:
            return self.cut
        return max(self.call.cuts, default=None)

    def core_probes(self) -> list[Probe]:
        """The core probes that are asked: none with a k above the function's own cut-off."""
        domain, largest_k = self.call.domain, self.own_cut
        one, size = domain.relevant == "one", domain.candidates
        if self.only_cut and self.cut is not None:
            return probes_at(self.cut, one, size, domain.labels)
        if size is not None:
            return probes_of(size)
        labels = domain.labels
        probes = labelled_for(labels, self.all_items) if labels else core_probes_for(self.all_items, one)
        return [probe for probe in probes if self.all_items or largest_k is None or probe.k <= largest_k]

    def probe_answers(self, side: Side, metric: str | None) -> dict[str, ProbeAnswer]:
        """The answers to all probes that the call can express, by the name of the probe.

        Those of a library hold what its input cannot show too: they say for which inputs its name holds.
        """
        edges = whole_catalogue_edges() if self.all_items else edge_probes()
        if self.call.domain.labels:
            edges = tuple(labelled_for(self.call.domain.labels, self.all_items, at_edge=True))
        probes = [*self.core_probes(), *(edges if self.call.domain.candidates is None else ())]
        if self.needs is not None:  # the case of a user's function holds lists and relevant items alone
            probes += [*of_libraries(), *beyond_probes()]
        probes = [probe for probe in probes if probe.edge is None or probe.k <= (self.own_cut or math.inf)]
        answers = ask_probes(probes, metric, lambda probe: side(asking(probe)), needs=self.needs or ())
        if self.needs is not None:
            return answers
        return {name: answer for name, answer in answers.items() if answer.shown} or answers

    def limits(self, identified: Identification, answers: dict[str, ProbeAnswer]) -> Limits:
        """The verification cases that can be asked."""
        domain = self.call.domain
        vectors = FEW_USERS if grows_fast(self.call) else VECTORS
        every_item = self.call.vector or self.call.ends == "catalogue"
        size = LIBRARY if self.needs is not None else vectors if every_item else FUNCTION
        return replace(
            limits_of(identified, answers, size),
            candidates=domain.candidates,
            labels=domain.labels,
            whole_gains=domain.gains == "whole",
            one_k=every_item and self.call.ends != "k" and domain.k == "not given",
            most_k=self.own_cut,
            all_items=self.all_items,
        )


def grows_fast(call: OfferedCall) -> bool:
    """Whether a call passes all users in one row, or each with the items of all: time may grow with their square."""
    container = CONTAINERS.get(call.container)
    one_row = container is not None and container.has(Holds.STACKED)
    return one_row or any(ROLES[role].has(Fact.ALL_USERS) for role in call.roles)


def asking(probe: Probe) -> Question:
    """A probe as a question."""
    return Question(probe.case, probe.k, name=probe.name)


def from_gain(asked: Question, threshold: float, whole: bool = False) -> Question:
    """A question whose relevant items, and no others, have this gain or more; each keeps its own where it can.

    Every other item that is not relevant has half of it: a function that takes any gain above 0 counts that one.
    whole : all gains are whole numbers, and that one is the largest below the threshold.
    """
    case = asked.case
    gains = np.asarray(case.judged_gains, dtype=np.float64)
    largest = threshold - 1.0 if whole else threshold / 2
    gains = np.ceil(gains) if whole else gains
    below = np.where(np.arange(len(gains)) % 2, largest, np.minimum(gains, largest))
    relevant = (gains > 0) & (gains >= case.threshold)
    moved = replace(case, judged_gains=np.where(relevant, np.maximum(gains, threshold), below), threshold=threshold)
    words = "whole gains" if whole else "gains"
    return replace(asked, case=moved, name=asked.name and f"{asked.name} with {words} from {threshold:g}")


def from_one(asked: Question) -> Question:
    """A question whose items are numbered from 1; one with ids below 0 as it is."""
    ids = np.arange(asked.case.n_items, dtype=np.int64) if asked.ids is None else asked.ids
    if ids.min(initial=0) < 0:
        return asked
    return replace(asked, ids=ids + 1, name=asked.name and f"{asked.name} numbered from 1")


def without_hits_zero(reply: Reply, asked: Question, side: Side) -> Reply:
    """A reply with 0 in place of NaN for each user with relevant items, a list and no hit up to k.

    Of a mean over users it is that of the other users, whom ``side`` is asked alone, times their share.
    """
    if reply.value is None or not math.isnan(reply.value):
        return reply
    matches = match(asked.case)
    without_hit = (matches.hit_count(asked.k) == 0) & (matches.n_relevant > 0) & (matches.lengths > 0)
    if reply.users is None or reply.values is None:
        kept = np.flatnonzero(~without_hit)
        if len(kept) == asked.case.users:
            return reply
        alone = side(replace(asked, case=of_users(asked.case, kept), name="")).value if len(kept) else 0.0
        return reply if alone is None else replace(reply, value=alone * len(kept) / asked.case.users)
    values = np.where(without_hit[reply.users] & np.isnan(reply.values), 0.0, reply.values)
    return replace(reply, values=values, value=float(values.mean()))
