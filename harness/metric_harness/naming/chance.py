"""Names that a function matches by chance, because the call is probably not one it is meant for. They are rejected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.choice import Called
from metric_harness.naming.probes.probe import all_listed, build
from metric_harness.naming.question import differ
from metric_harness.worker.messages import OfferedCall
from metric_reference.case import Case
from metric_reference.variant import Variant, computes, standard
from metric_reports.types.common import VERIFIED

SMALLEST_BEST = {"distances", "catalogue_ranks"}
"""Roles of which the smallest number is the best."""
JUDGED = Fact.BY_ITEM | Fact.TUPLES | Fact.FRAME
"""Roles that may show items that were judged not to be relevant."""
MOST_EARLIER = 100
"""The deepest cut-off for which smaller ones are looked at."""


@dataclass(frozen=True)
class Name:
    """A candidate name. claimed : the metric that the function's or this result's own name claims; None without one."""

    result: Called
    variant: Variant
    claimed: str | None

    @property
    def attempt(self) -> Attempt:
        """How the function was asked."""
        return self.result.attempt

    @property
    def call(self) -> OfferedCall:
        """The way of calling it."""
        return self.result.attempt.call

    @property
    def unclaimed(self) -> bool:
        """Whether its metric is not the claimed one, or no metric is claimed."""
        return not computes(self.variant, self.claimed)

    @property
    def astray(self) -> bool:
        """Whether a metric is claimed and its own metric is a different one."""
        return self.claimed is not None and self.unclaimed

    @property
    def unclaimed_precision(self) -> bool:
        """Whether it is a precision and no precision is claimed."""
        return self.variant.metric.name == "precision" != self.claimed

    @property
    def divides_labels(self) -> bool:
        """Whether it is a quotient of sums of labels under the name of an NDCG: it has no discount."""
        made = self.variant.metric.made()
        return made.get("discount") == "none" and made.get("ideal") != "none"

    @property
    def counts(self) -> bool:
        """Whether its value is a number of hits."""
        return self.variant.metric.made().get("value") == "hits"

    def has(self, fact: Fact) -> bool:
        """Whether any role has one of these facts."""
        return any(ROLES[role].has(fact) for role in self.call.roles)


def by_chance(result: Called, claimed: str | None) -> str:
    """Why a name is rejected, the words of the first of :data:`REASONS` that holds; empty if none does."""
    if result.variant is None:
        return "no definition fits"
    name = Name(result, result.variant, claimed)
    return next((words for holds, words in REASONS.items() if holds(name)), "")


def of_two_labels(name: Name) -> bool:
    """The inputs are two vectors of 0 and 1, and the metric is unclaimed or a number of hits."""
    return "y_listed" in name.call.roles and (name.unclaimed or name.counts)


def of_one_with_each(name: Name) -> bool:
    """An unclaimed precision for one relevant item: a classifier's accuracy gives the same number for a scalar."""
    return name.unclaimed_precision and {*name.call.roles} == {"recommended", "item"}


def of_any_numbers(name: Name) -> bool:
    """An unclaimed precision or hit rate that reads no k, an NDCG without discount, or another metric's number of hits.

    It is only a mean, the largest or a sum of the labels.
    """
    cut = name.call.domain.k == "given" and name.variant.metric.made().get("cut") != "none"
    if cut or not {"relevance", "relevance_graded"} & {*name.call.roles}:
        return False
    whole = name.has(Fact.SCORES) or name.variant.metric.made().get("divide_by") == "list"
    largest = name.variant.metric.name == "hit_rate" and name.claimed is None
    mean = (name.unclaimed_precision and whole) or name.divides_labels
    return mean or largest or (name.counts and name.astray)


def of_one_number(name: Name) -> bool:
    """An unclaimed metric of ranks, where nothing says that the only input is one: ``1 / x`` is one of many things."""
    return name.unclaimed and len(name.call.roles) == 1 and name.has(Fact.RANKS) and not name.call.supports


def of_given_ranks(name: Name) -> bool:
    """The rank of an item that is handed over as a rank: as it was given, with a mark of ours, or another's claim."""
    if name.variant.metric.name != "rank" or not name.has(Fact.RANKS):
        return False
    as_given = any(answer.values is not None for answer in name.result.answers.values())
    return as_given or name.astray or not name.has(Fact.RANKED)


def of_an_earlier_cut(name: Name) -> bool:
    """The claimed metric (a hit rate by default) with a smaller cut-off gives the same values for one relevant item."""
    cut = name.attempt.cut if name.attempt.only_cut and name.call.domain.relevant == "one" else None
    return cut is not None and cut_earlier(name.variant, name.claimed or "hit_rate", cut)


def of_unread_groups(name: Name) -> bool:
    """The variant ignores the groups it is given, and not every parameter's name supports the call."""
    supported = len(name.call.supports) == len(name.call.roles)
    return name.has(Fact.GROUPS) and not supported and name.variant.metric.of_whole_case()


def of_judged_items(name: Name) -> bool:
    """The variant leaves out unjudged items, and the call cannot show which items are judged."""
    return name.variant.only == "judged" and not name.has(JUDGED)


def of_hits_alone(name: Name) -> bool:
    """The only input is the ranks of hits, and the metric is a hit rate or a different one from the claimed metric."""
    of_hits = name.call.roles[0] in ("hit_ranks", "hit_positions")
    return of_hits and (name.variant.metric.name == "hit_rate" or name.astray)


def the_wrong_way_round(name: Name) -> bool:
    """An unclaimed AUC whose parameters' names contradict the call, or an inverted AUC of distances or ranks."""
    against = bool(name.call.against)
    if name.variant.metric.name == "inverted_auc" and SMALLEST_BEST & {*name.call.roles}:
        return name.claimed == "auc" or against
    return name.variant.metric.name == "auc" != name.claimed and against


def of_any_order(name: Name) -> bool:
    """The list holds every item, and its order does not change the value."""
    cut = name.attempt.only_cut and name.variant.metric.made().get("cut") != "none"
    return ((name.attempt.all_items and not cut) or bool(name.call.domain.labels)) and not looks_at_order(name)


def of_k_alone(name: Name) -> bool:
    """The variant does not use k, and all cases with the same k got the same value."""
    return not name.result.looks_at_k and not looks_at_data(name.result)


def of_few_answers(name: Name) -> bool:
    """Only the probes were answered, and most of them raised an error."""
    raised = sum(answer.shown and answer.value is None for answer in name.result.answers.values())
    return name.result.evidence.confidence != VERIFIED and raised > len(name.result.numbers)


def against_names(name: Name) -> bool:
    """Parameters' names contradict the call of an unclaimed result, or the only input of a different metric."""
    unsure = name.attempt.claims_none(name.claimed) or (len(name.call.roles) == 1 and name.astray)
    return unsure and bool(name.call.against)


def of_no_cut_off(name: Name) -> bool:
    """The parameter used as k may be no cut-off, and the variant ignores k or is not of the claimed metric.

    It may be none if the call is rare or its name is unlike k. One of several results may ignore k if another uses it.
    """
    another_does = name.attempt.looks_past_k and name.attempt.element  # it was the same for every k
    doubtful = (name.call.rare and not name.attempt.element) or not name.call.k_named
    if name.call.domain.k != "given" or another_does or not doubtful:
        return False
    return (name.astray and not name.attempt.element) or not name.result.looks_at_k


def of_one_row(name: Name) -> bool:
    """A different metric from the claimed one, or an unclaimed result of several, in a batch of one row or column.

    Several definitions agree there, but none with one of the first k relevant items, as the neighbours of a search are.
    """
    container = CONTAINERS.get(name.call.container)
    return (
        name.variant.only != "first_k_relevant"
        and (name.astray or name.attempt.claims_none(name.claimed))
        and container is not None
        and container.has(Holds.ROW | Holds.COLUMN)
    )


REASONS: dict[Callable[[Name], bool], str] = {
    of_two_labels: "two rows of 0 and 1 fit many definitions",
    of_one_with_each: "a classifier's accuracy is the same number",
    of_any_numbers: "so is a mean, the largest or a sum of any numbers",
    of_one_number: "nothing says that its only input is a rank",
    of_given_ranks: "it returns the rank that it is given",
    of_an_earlier_cut: "so are those of another metric with a smaller cut-off",
    of_unread_groups: "it does not read the groups that it is given",
    of_judged_items: "nothing shows which items are judged",
    of_hits_alone: "the ranks of hits alone tell too little",
    the_wrong_way_round: "its parameters are named the other way round",
    of_any_order: "the order of the items changes nothing",
    of_k_alone: "they depend on k alone",
    of_few_answers: "most probes raised an error",
    against_names: "the names of its parameters speak against it",
    of_no_cut_off: "what it takes as k may be no cut-off",
    of_one_row: "in a batch of one row several definitions agree",
}
"""The reasons for rejecting a name, each with what it says of the answers that fit a definition."""


def cut_earlier(variant: Variant, metric: str, cut: int) -> bool:
    """Whether a variant of another metric is, for one relevant item at each rank, the claimed one at a smaller k."""
    if variant.metric.name == metric or cut > MOST_EARLIER:
        return False
    cases = [build([list(range(cut + 1))], [[rank]], cut + 1) for rank in range(cut + 1)]
    values = [variant.value(case, k=cut) for case in cases]
    claimed = standard(metric)
    return any(values == [claimed.value(case, k=earlier) for case in cases] for earlier in range(1, cut))


def looks_at_order(name: Name) -> bool:
    """Whether the variant of an attempt that hands over every item tells two orders of them apart.

    The share of relevant items among all of them does not: a function that gives it read no score.
    """
    variant = name.variant
    probes = [probe for probe in name.attempt.core_probes() if probe.case.candidate_scores is not None]
    return not probes or any(
        differ(variant.value(each.case, k=each.k), variant.value(upside_down(each.case), k=each.k)) for each in probes
    )


def looks_at_data(result: Called) -> bool:
    """Whether two of the cases that were asked at one k got different numbers; True where no k was asked twice.

    A result that depends on k alone, such as ``1 / k``, is a precision of lists that hold a hit.
    """
    by_k: dict[int, list[float]] = {}
    for probe in result.attempt.core_probes():
        answer = result.answers.get(probe.name)
        if answer is not None and answer.value is not None:
            by_k.setdefault(probe.k, []).append(answer.value)
    several = [values for values in by_k.values() if len(values) > 1]
    return not several or any(differ(values[0], other) for values in several for other in values)


def upside_down(case: Case) -> Case:
    """The case with the items of every user in the reverse order of their scores."""
    assert case.candidate_scores is not None
    scores = np.where(np.isfinite(case.candidate_scores), -case.candidate_scores, -np.inf)
    return all_listed(replace(case, candidate_scores=scores))
