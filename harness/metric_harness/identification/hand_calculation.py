"""A value worked out by hand: the lines that a person can check with pencil and paper."""

from __future__ import annotations

import math

from metric_reference.case import Case
from metric_reference.matching import Matches, match
from metric_reference.metrics.areas.auc import Auc
from metric_reference.metrics.ranking.average_precision import AveragePrecision
from metric_reference.metrics.ranking.ndcg import Ndcg
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank
from metric_reference.variant import Variant


def number(value: float) -> str:
    """Six digits, NaN as a word."""
    return "NaN" if math.isnan(value) else f"{value:.6g}"


def arithmetic(variant: Variant, case: Case, k: int) -> list[str]:
    """One line a user, and one for the mean where there are several."""
    matches = match(case)
    if isinstance(variant.metric, Auc) and variant.metric.whole():
        (won,), (pairs,) = variant.metric.parts(matches, k)
        value = number(variant.of_matches(matches, k=k))
        return [f"{number(won)} of {number(pairs)} pairs of a relevant and another candidate = {value}"]
    if variant.metric.whole():
        return [f"{variant} = {number(variant.of_matches(matches, k=k))}"]
    numerator, denominator = variant.metric.parts(matches, k)
    values = variant.metric.per_user(matches, k)
    lines = []
    for user in range(case.users):
        top = terms(variant, matches, user, k) or number(float(numerator[user]))
        who = f"user {user + 1}: " if case.users > 1 else ""
        below = number(float(denominator[user]))
        lines.append(
            f"{who}{top}" + ("" if below == "1" else f", divided by {below}") + f" = {number(float(values[user]))}"
        )
    if case.users > 1:
        how = {"micro": "sum of numerators over sum of denominators", "sum": "sum"}.get(variant.weight, "mean")
        lines.append(f"{how}: {number(variant.of_matches(matches, k=k))}")
    return lines


def terms(variant: Variant, matches: Matches, user: int, k: int) -> str:
    """The sum in the numerator, term by term, for the metrics that sum over ranks."""
    metric = variant.metric
    cut = matches.case.width if metric.made().get("cut") == "none" else min(k, matches.case.width)
    every_rank = isinstance(metric, AveragePrecision) and metric.sum_over == "all_ranks"
    cut = cut if every_rank else min(cut, int(matches.lengths[user]))
    hits, summed = matches.hits[user], matches.cumulative_hits[user]
    if isinstance(metric, AveragePrecision):
        ranks = [rank for rank in range(cut) if hits[rank] or _every_rank(metric)]
        precision = [f"{summed[rank]}/{rank + 1}" for rank in ranks]
        if metric.sum_over == "trapezoid":
            before = [f"{summed[rank] - 1}/{rank}" if rank else "1" for rank in ranks]
            precision = [f"({one} + {other})/2" for one, other in zip(before, precision, strict=True)]
        return " + ".join(precision) or "0"
    if isinstance(metric, ReciprocalRank):
        ranks = [rank for rank in range(cut) if hits[rank]][: 1 if metric.over == "first" else None]
        return " + ".join(f"1/{rank + 1}" for rank in ranks) or "0"
    if isinstance(metric, Ndcg):
        gains = metric.gain_of(matches.gains[user, :cut], hits[:cut], matches.case.threshold)
        weights = metric.rank_weights(max(cut, 1))
        parts = [f"{number(float(gains[rank]))} x {number(float(weights[rank]))}" for rank in range(cut) if gains[rank]]
        return " + ".join(parts) or "0"
    return ""


def _every_rank(metric: object) -> bool:
    return isinstance(metric, AveragePrecision) and metric.sum_over in ("all_ranks", "listed_ranks")
