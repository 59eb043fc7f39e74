"""Which of two verified attempts names a function, and whether an attempt fits by chance: then it names nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.choice import Called
from metric_harness.naming.precedence import restricts, reversed_order, same_of_candidates, stacks
from metric_harness.naming.probes.probe import all_listed, build
from metric_harness.naming.question import differ
from metric_harness.naming.trial import FEWEST_NUMBERS, Trial
from metric_harness.worker.messages import OfferedCall
from metric_reference.case import Case
from metric_reference.variant import Variant, computes, standard, twins, unusual
from metric_reports.types.common import VERIFIED

SMALLEST_BEST = {"distances", "catalogue_ranks"}
"""Roles of which the smallest number is the best."""
JUDGED = Fact.BY_ITEM | Fact.TUPLES | Fact.FRAME
"""Roles that may show items that were judged not to be relevant."""
MOST_EARLIER = 100
"""The deepest cut-off for which smaller ones are looked at."""


def by_chance(result: Called, metric: str | None) -> bool:
    """Whether a name rests on a call that the function is hardly meant for.

    It is another metric than the function claims, in a batch of one row or one column: there definitions agree that
    differ for several, a mean over columns and a sum over rows. Or it is not cut at the k that the function takes and
    reads, or is another metric than it claims, and the call is rare or the parameter is not named like k: then
    something else was cut, or it was no k, but for one of several results, of which another looks at k. Or it is one
    result of several that claims no metric, and the parameters' names speak against the call. Or it is known on the
    probes alone, and most of these raised an error. Or every order of a whole list has the same number. Or it counts
    pairs the wrong way round where it is given distances or ranks: the right way, of scores, if it claims an AUC or the
    names speak against these; if it claims none and they speak against scores, the right way is the wrong one. Or it
    asks of the ranks of hits alone whether there are any, or is of another metric than the function claims. Or what it
    claims, a hit rate where it claims nothing, is the same number for one relevant item if cut earlier. Or it is
    another metric than the function claims, and the name of the only input speaks against it. Or it leaves out items
    that nobody judged, which the call does not show. Or names speak against it, and it does not look at the groups that
    it is given. Or it is not cut at k, and is the same number for all cases that are asked at one k. Or it is another
    metric than the function claims, or a number of hits, of two vectors of labels: a function of other numbers was
    asked of 0 and 1. Or it is a precision that claims none, of one relevant item or of labels in rank order without ids
    and k: one item is compared with each entry, as labels of a classifier are with each other, and of any numbers it is
    the mean. Or it is the sum of such labels, which claims another metric.
    """
    call, variant = result.attempt.call, result.variant
    another = variant is not None and not computes(variant, metric)
    counted = variant is not None and variant.metric.made().get("value") == "hits"
    if (another or counted) and "y_listed" in call.roles:
        return True
    precise = variant is not None and variant.metric.name == "precision" != metric
    scored = any(ROLES[role].has(Fact.SCORES) for role in call.roles)
    mean = precise and variant is not None and (scored or variant.metric.made().get("divide_by") == "list")
    if precise and {*call.roles} == {"recommended", "item"}:
        return True
    of_labels = "relevance" in call.roles and call.domain.k != "given"
    if of_labels and (mean or (counted and another and metric is not None)):
        return True
    cut = result.attempt.cut if result.attempt.only_cut and call.domain.relevant == "one" else None
    if variant is not None and cut is not None and cut_earlier(variant, metric or "hit_rate", cut):
        return True
    grouped = any(ROLES[role].has(Fact.GROUPS) for role in call.roles)
    if grouped and call.against and variant is not None and variant.metric.of_whole_case():
        return True
    if variant is not None and variant.only == "judged" and not any(ROLES[role].has(JUDGED) for role in call.roles):
        return True
    any_hit = variant is not None and variant.metric.name == "hit_rate"
    if (any_hit or (another and metric is not None)) and call.roles[0] in ("hit_ranks", "hit_positions"):
        return True
    if variant is not None and variant.metric.name == "inverted_auc" and SMALLEST_BEST & {*call.roles}:
        return metric == "auc" or bool(call.against)
    if variant is not None and variant.metric.name == "auc" != metric and call.against:
        return True
    uncut = variant is not None and variant.metric.made().get("cut") == "none"
    every_item = (result.attempt.all_items and (uncut or not result.attempt.only_cut)) or call.domain.labels
    if every_item and not looks_at_order(result):
        return True
    if not looks_at_k(result) and not looks_at_data(result):
        return True
    raised = sum(answer.shown and answer.value is None for answer in result.answers.values())
    if result.evidence.confidence != VERIFIED and raised > len(result.numbers):
        return True
    if result.attempt.claims_none(metric) and call.against:
        return True
    alone = len(call.roles) == 1 and bool(call.against)
    if alone and metric is not None and variant is not None and not computes(variant, metric):
        return True
    other_result = result.attempt.looks_past_k and result.attempt.element  # it was the same for every k
    rare = call.rare and not result.attempt.element
    doubtful = call.domain.k == "given" and (rare or not call.k_named) and not other_result
    astray = another and metric is not None and not result.attempt.element
    if doubtful and (astray or not looks_at_k(result)):
        return True
    container = call.container
    if metric is None or variant is None or not container or not CONTAINERS[container].has(Holds.ROW | Holds.COLUMN):
        return False
    return not computes(variant, metric)


def cut_earlier(variant: Variant, metric: str, cut: int) -> bool:
    """Whether a variant of another metric is, for one relevant item at each rank, the claimed one at a smaller k."""
    if variant.metric.name == metric or cut > MOST_EARLIER:
        return False
    cases = [build([list(range(cut + 1))], [[rank]], cut + 1) for rank in range(cut + 1)]
    values = [variant.value(case, k=cut) for case in cases]
    claimed = standard(metric)
    return any(values == [claimed.value(case, k=earlier) for case in cases] for earlier in range(1, cut))


def looks_at_order(result: Called) -> bool:
    """Whether the variant of an attempt that hands over every item tells two orders of them apart.

    The share of relevant items among all of them does not: a function that gives it read no score.
    """
    variant = result.variant
    probes = [probe for probe in result.attempt.core_probes() if probe.case.candidate_scores is not None]
    if variant is None or not probes:
        return True
    return any(
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


def misread(trial: Trial, trials: Sequence[Trial]) -> bool:
    """Whether other trials show that one is no reading of the function, though a variant fits it."""
    return turned(trial, trials) or of_classes(trial, trials)


def turned(trial: Trial, trials: Sequence[Trial]) -> bool:
    """Whether a trial gives distances where a likelier one gives scores, and it is an AUC of which that one is 1 less.

    Then the function counts the pairs of scores in the wrong order, whatever the metric that it claims.
    """
    call = trial.attempt.call
    of_scores = (tuple("y_score" if role == "distances" else role for role in call.roles), call.container)
    if "distances" not in call.roles or not any(variant.metric.name == "auc" for variant in trial.fitting):
        return False
    likelier = (other for other in trials if other.order < trial.order)
    same = [other for other in likelier if (other.attempt.call.roles, other.attempt.call.container) == of_scores]
    both = [(other.values, name) for other in same for name in other.values if name in trial.values]
    return bool(both) and all(math.isclose(lost[name] + trial.values[name], 1.0) for lost, name in both)


def of_classes(trial: Trial, trials: Sequence[Trial]) -> bool:
    """Whether a trial hands over rows of labels, and the same labels of one user alone give numbers that fit nothing.

    Such a function counts the classes of a classifier, of which rows of 0 and 1 are a special case.
    """
    call, container = trial.attempt.call, CONTAINERS.get(trial.attempt.call.container)
    if "y_listed" not in call.roles or container is None or container.has(Holds.USER):
        return False
    alone = (other for other in trials if other.attempt.call.roles == call.roles and not other.fitting)
    of_one = (other for other in alone if CONTAINERS[other.attempt.call.container or "lists"].has(Holds.USER))
    return any(other.values and not other.constant for other in of_one)


def better(result: Called, best: Called, metric: str | None) -> bool:
    """Whether a verified attempt replaces the best one so far: it shows the same and more."""
    if restricted(result, best):
        return without_gains(result, best, metric)
    if raises_more(result, best):
        return False
    if plainer_start(result, best):
        return True
    if stacks(best.attempt.call, result.attempt.call) or (divides(best) and not divides(result)):
        return True
    if restricted(best, result):
        return not without_gains(best, result, metric)
    return len(result.numbers) > 2 * len(best.numbers)


def rival(result: Called, best: Called, metric: str | None) -> bool:
    """Whether a verified attempt is another reading of the function, as good as the best one.

    Names decide between two orders of the arguments, unless the other order alone is the claimed metric. Ranks begin
    where the definition is the plainer one. A call that makes a parameter up, or leaves it at its default, is none
    beside one that has data for each.
    """
    fewer = 2 * len(result.numbers) < len(best.numbers) or len(set(result.numbers)) < FEWEST_NUMBERS
    if restricted(result, best) or restricted(best, result) or fewer or divides(result) or raises_more(result, best):
        return False
    assert result.variant is not None
    assert best.variant is not None
    call, chosen = result.attempt.call, best.attempt.call
    if len(call.filled) > len(chosen.filled) or leaves_data_out(call, chosen):
        return False
    if same_of_candidates(call.roles, chosen.roles) and passes_candidates(result.attempt) and not counts_ties(result):
        return False
    told = len(chosen.supports) == len(chosen.roles) == len(call.against) and reversed_order(call, chosen)
    if told and (best.variant.metric.name == metric or result.variant.metric.name != metric):
        return False
    if plainer_start(best, result):
        return False
    if best.variant in twins(replace(result.variant, weight=best.variant.weight)):
        return False
    return replace(result.variant, weight="user") != replace(best.variant, weight="user")


def leaves_data_out(call: OfferedCall, other: OfferedCall) -> bool:
    """Whether a call leaves a parameter at its default for which another one has data."""
    return len(call.roles) < len(other.roles) and not {*call.defaults} <= {*other.defaults}


def plainer_start(result: Called, other: Called) -> bool:
    """Whether two attempts differ in where ranks begin, and the first one is the plainer definition."""
    calls = [each.attempt.call for each in (result, other)]
    if not all(len(call.roles) == 1 and ROLES[call.roles[0]].has(Fact.RANKS) for call in calls):
        return False
    if result.variant is None or other.variant is None or len(calls[0].supports) < len(calls[1].supports):
        return False
    return unusual(result.variant) < unusual(other.variant)


def restricted(narrow: Called, wide: Called) -> bool:
    """Whether one attempt shows less of the same function than another one."""
    if reversed_order(narrow.attempt.call, wide.attempt.call):  # swapped, k cuts something that is no list
        return looks_at_k(wide) and not looks_at_k(narrow)
    same = same_of_candidates(narrow.attempt.call.roles, wide.attempt.call.roles)
    if same and counts_ties(wide) and not passes_candidates(narrow.attempt):
        return not stacks(wide.attempt.call, narrow.attempt.call)
    sums = [result.variant is not None and result.variant.weight == "sum" for result in (narrow, wide)]
    return restricts(narrow.attempt.call, wide.attempt.call, *sums)


def part_of(trial: Trial, best: Called, metric: str | None) -> bool:
    """Whether a trial can only show a part of what the best call was asked: it neither replaces nor rivals that."""
    call, wide = trial.attempt.call, best.attempt.call
    if reversed_order(call, wide) or counts_ties(best) or (metric != "ndcg" and gain_of(best) not in (None, "binary")):
        return False
    return restricts(call, wide, wide_sums=best.variant is not None and best.variant.weight == "sum")


def without_gains(plain: Called, graded: Called, metric: str | None) -> bool:
    """Whether ``plain`` is a metric without gains, and ``graded`` one with gains that the function does not claim.

    With gains of 1 the listed share of the gains is the recall, so a function that is called recall has no gains.
    """
    return metric != "ndcg" and gain_of(plain) is None and gain_of(graded) not in (None, "binary")


def gain_of(result: Called) -> str | None:
    """The gain in the variant of an attempt; None for a metric without gains."""
    return None if result.variant is None else result.variant.metric.made().get("gain")


def raises_more(result: Called, best: Called) -> bool:
    """Whether a function raises for ordinary users under one call, and for none under another with the same inputs."""
    call, chosen = result.attempt.call, best.attempt.call
    same = (call.domain.relevant, len(call.roles)) == (chosen.domain.relevant, len(chosen.roles))
    return same and result.evidence.raised is not None and best.evidence.raised is None


def divides(result: Called) -> bool:
    """Whether a number that is not named like k was given k and cuts nothing: lists ended at k before the call."""
    return result.attempt.call.k_presumed and result.attempt.call.ends == "k"


def renamed(call: OfferedCall, best: OfferedCall) -> bool:
    """Whether the parameters' names speak against one way of calling and not against the best one.

    They do not decide between two orders of the same arguments.
    """
    return bool(call.against) and not best.against and not reversed_order(call, best)


def by_names(trial: Trial, best: Called) -> bool:
    """Whether a trial has the arguments in the order that their names ask for, where the best call has them swapped."""
    call, chosen = trial.attempt.call, best.attempt.call
    named = bool(call.supports and not call.against and chosen.against) and not trial.attempt.element
    return named and reversed_order(call, chosen)


def may_show_ties(trial: Trial, best: Called) -> bool:
    """Whether a trial shows tied candidates to a function that was asked for the whole catalogue, which has none."""
    same = same_of_candidates(trial.attempt.call.roles, best.attempt.call.roles) and not passes_candidates(best.attempt)
    return same and any("candidate_scores" in variant.metric.needs for variant in trial.fitting)


def counts_ties(result: Called) -> bool:
    """Whether an attempt that passes candidates shows what a tie of theirs counts."""
    of_scores = result.variant is not None and "candidate_scores" in result.variant.metric.needs
    return of_scores and passes_candidates(result.attempt) and result.identification.edges.ties != "unspecified"


def passes_candidates(attempt: Attempt) -> bool:
    """Whether an attempt passes candidates alone, which may be tied; a vector of the whole catalogue has no ties."""
    return any(ROLES[role].has(Fact.CANDIDATES) for role in attempt.call.roles)


def looks_at_k(result: Called) -> bool:
    """Whether the variant of an attempt looks at k."""
    if result.variant is None:
        return False
    metric = result.variant.metric
    return metric.made().get("cut", "k") != "none" and (metric.lists or "within" in metric.made())
