"""Which of two verified attempts names a function, and which attempts the answers of others rule out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.role import ROLES, Fact
from metric_harness.naming.attempt import Attempt
from metric_harness.naming.choice import Called
from metric_harness.naming.precedence import restricts, reversed_order, same_of_candidates, stacks
from metric_harness.naming.trial import FEWEST_NUMBERS, Trial
from metric_harness.worker.messages import OfferedCall
from metric_reference.variant import twins, unusual


def misread(trial: Trial, trials: Sequence[Trial]) -> bool:
    """Whether other trials show that a trial calls the function wrongly, although a variant fits it."""
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
        return wide.looks_at_k and not narrow.looks_at_k
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
