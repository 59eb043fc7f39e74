"""A value worked out by hand, in lines that a person can check with pencil and paper."""

from __future__ import annotations

import math

from metric_reference.case import Case
from metric_reference.matching import Matches, match
from metric_reference.metrics.areas.auc import Auc
from metric_reference.metrics.ranking.average_precision import AT_HITS, AveragePrecision
from metric_reference.metrics.ranking.ndcg import Ndcg
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank
from metric_reference.narrowed import narrowed
from metric_reference.variant import Variant

USERS_WORKED_OUT = 6
"""If a case has more than twice as many users, only the values of the first 6 are worked out."""


def number(value: float) -> str:
    """A number with six significant digits."""
    return "NaN" if math.isnan(value) else f"{value:.6g}"


def arithmetic(variant: Variant, case: Case, k: int) -> list[str]:
    """One line for each user, and one for their average where there are several."""
    matches = match(case)
    value = number(variant.of_matches(matches, k=k))
    if variant.metric.of_whole_case():
        if not isinstance(variant.metric, Auc):
            return [f"{variant} = {value}"]
        (won,), (pairs,) = variant.metric.parts(matches, k)
        return [f"{number(won)} of {number(pairs)} pairs of a relevant and another candidate = {value}"]
    matches = narrowed(matches, variant.only, k)
    numerators, denominators = variant.metric.parts(matches, k)
    values = variant.metric.per_user(matches, k)
    lines = []
    worked_out = case.users if case.users <= 2 * USERS_WORKED_OUT else USERS_WORKED_OUT
    for user in range(worked_out):
        label = f"user {user + 1}: " if case.users > 1 else ""
        numerator = terms(variant, matches, user, k) or number(float(numerators[user]))
        denominator = number(float(denominators[user]))
        division = "" if denominator == "1" else f", divided by {denominator}"
        lines.append(f"{label}{numerator}{division} = {number(float(values[user]))}")
    if worked_out < case.users:
        lines.append(f"{case.users - worked_out} more users")
    if case.users > 1:
        average = {"micro": "sum of numerators over sum of denominators", "sum": "sum"}.get(variant.weight, "mean")
        lines.append(f"{average}: {value}")
    return lines


def terms(variant: Variant, matches: Matches, user: int, k: int) -> str:
    """The sum in a user's numerator, term by term; empty for a metric that does not sum over ranks."""
    metric = variant.metric
    cut = matches.case.width if metric.made().get("cut") == "none" else min(k, matches.case.width)
    past_list = isinstance(metric, AveragePrecision) and metric.sum_over == "all_ranks"
    cut = cut if past_list else min(cut, int(matches.lengths[user]))
    hits, hits_so_far = matches.hits[user], matches.cumulative_hits[user]
    if isinstance(metric, AveragePrecision):
        every_rank = metric.sum_over not in AT_HITS
        depth = int(matches.n_relevant[user]) if metric.ends_at_relevant() else cut
        ranks = [rank for rank in range(min(cut, depth)) if hits[rank] or every_rank]
        precisions = [f"{hits_so_far[rank]}/{rank + 1}" for rank in ranks]
        if metric.sum_over == "trapezoid":
            before = [f"{hits_so_far[rank] - 1}/{rank}" if rank else "1" for rank in ranks]
            precisions = [f"({left} + {right})/2" for left, right in zip(before, precisions, strict=True)]
        return " + ".join(precisions) or "0"
    if isinstance(metric, ReciprocalRank):
        ranks = [rank for rank in range(cut) if hits[rank]][: 1 if metric.over == "first" else None]
        return " + ".join(f"1/{rank + 1}" for rank in ranks) or "0"
    if isinstance(metric, Ndcg):
        gains = metric.gain_of(matches.gains[user, :cut], hits[:cut], matches.case.threshold)
        weights = metric.rank_weights(max(cut, 1))
        ranks = [rank for rank in range(cut) if gains[rank]]
        return " + ".join(f"{number(float(gains[rank]))} x {number(float(weights[rank]))}" for rank in ranks) or "0"
    return ""
