"""A name that rests on a call which the function is hardly meant for: then it names nothing."""

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
    """The name that an attempt would give. claimed : the metric that the function, or this result, claims, if any."""

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
        """Whether it is of another metric than is claimed, or none is."""
        return not computes(self.variant, self.claimed)

    @property
    def astray(self) -> bool:
        """Whether it is of another metric than the one that is claimed."""
        return self.claimed is not None and self.unclaimed

    @property
    def counts(self) -> bool:
        """Whether it is of a number of hits."""
        return self.variant.metric.made().get("value") == "hits"

    def has(self, fact: Fact) -> bool:
        """Whether one of these facts is true of some role."""
        return any(ROLES[role].has(fact) for role in self.call.roles)


def by_chance(result: Called, claimed: str | None) -> bool:
    """Whether a name rests on a call that the function is hardly meant for; so does what has no name."""
    return result.variant is None or any(reason(Name(result, result.variant, claimed)) for reason in REASONS)


def of_two_labels(name: Name) -> bool:
    """Two vectors of labels, of what is not claimed or a number of hits: it is of other numbers, asked of 0 and 1."""
    return "y_listed" in name.call.roles and (name.unclaimed or name.counts)


def of_one_with_each(name: Name) -> bool:
    """A precision of one item that is not claimed: labels of a classifier are compared entry by entry."""
    precise = name.variant.metric.name == "precision" != name.claimed
    return precise and {*name.call.roles} == {"recommended", "item"}


def of_any_numbers(name: Name) -> bool:
    """A precision of labels without k that is not claimed, or their sum: of any numbers it is their mean."""
    if "relevance" not in name.call.roles or name.call.domain.k == "given":
        return False
    whole = name.has(Fact.SCORES) or name.variant.metric.made().get("divide_by") == "list"
    return (name.variant.metric.name == "precision" != name.claimed and whole) or (name.counts and name.astray)


def of_an_earlier_cut(name: Name) -> bool:
    """What is claimed, a hit rate if nothing is, is the same number for one relevant item if cut earlier."""
    cut = name.attempt.cut if name.attempt.only_cut and name.call.domain.relevant == "one" else None
    return cut is not None and cut_earlier(name.variant, name.claimed or "hit_rate", cut)


def of_unread_groups(name: Name) -> bool:
    """Not all names tell the call, and the variant does not look at the groups that are handed over."""
    told = len(name.call.supports) == len(name.call.roles)
    return name.has(Fact.GROUPS) and not told and name.variant.metric.of_whole_case()


def of_judged_items(name: Name) -> bool:
    """It leaves out items that nobody judged, which the call does not show."""
    return name.variant.only == "judged" and not name.has(JUDGED)


def of_hits_alone(name: Name) -> bool:
    """Of the ranks of hits alone it asks whether there are any, or it is another metric than is claimed."""
    of_hits = name.call.roles[0] in ("hit_ranks", "hit_positions")
    return of_hits and (name.variant.metric.name == "hit_rate" or name.astray)


def the_wrong_way_round(name: Name) -> bool:
    """An AUC that names speak against, or that counts distances or ranks as scores where an AUC is claimed."""
    against = bool(name.call.against)
    if name.variant.metric.name == "inverted_auc" and SMALLEST_BEST & {*name.call.roles}:
        return name.claimed == "auc" or against
    return name.variant.metric.name == "auc" != name.claimed and against


def of_any_order(name: Name) -> bool:
    """Every order of a whole list has the same number."""
    cut = name.attempt.only_cut and name.variant.metric.made().get("cut") != "none"
    return ((name.attempt.all_items and not cut) or bool(name.call.domain.labels)) and not looks_at_order(name)


def of_k_alone(name: Name) -> bool:
    """It is not cut at k, and is the same number for all cases that are asked at one k."""
    return not name.result.looks_at_k and not looks_at_data(name.result)


def of_few_answers(name: Name) -> bool:
    """It is known on the probes alone, and most of these raised an error."""
    raised = sum(answer.shown and answer.value is None for answer in name.result.answers.values())
    return name.result.evidence.confidence != VERIFIED and raised > len(name.result.numbers)


def against_names(name: Name) -> bool:
    """Names speak against the call of a result that claims nothing, or against the only input of another metric."""
    told = name.attempt.claims_none(name.claimed) or (len(name.call.roles) == 1 and name.astray)
    return told and bool(name.call.against)


def of_no_cut_off(name: Name) -> bool:
    """It does not look at the k that the function takes, or is astray, and nothing says that this is a cut-off.

    The call is rare or the parameter is not named like k; but for one of several results, of which another looks at k.
    """
    another_does = name.attempt.looks_past_k and name.attempt.element  # it was the same for every k
    doubtful = (name.call.rare and not name.attempt.element) or not name.call.k_named
    if name.call.domain.k != "given" or another_does or not doubtful:
        return False
    return (name.astray and not name.attempt.element) or not name.result.looks_at_k


def of_one_row(name: Name) -> bool:
    """Another metric than is claimed, of one row or column: definitions agree there that differ for several."""
    container = CONTAINERS.get(name.call.container)
    return name.astray and container is not None and container.has(Holds.ROW | Holds.COLUMN)


REASONS: tuple[Callable[[Name], bool], ...] = (
    of_two_labels,
    of_one_with_each,
    of_any_numbers,
    of_an_earlier_cut,
    of_unread_groups,
    of_judged_items,
    of_hits_alone,
    the_wrong_way_round,
    of_any_order,
    of_k_alone,
    of_few_answers,
    against_names,
    of_no_cut_off,
    of_one_row,
)
"""Why a name that was verified, or fits the probes, is none."""


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
