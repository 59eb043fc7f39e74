"""A definition's value for a case as others can check it: the formula, and arithmetic that is written in Python."""

from __future__ import annotations

import math
import re

import numpy as np

from metric_harness.naming.findings.hand_calculation import terms
from metric_reference.case import Case
from metric_reference.matching import match
from metric_reference.metrics.ranking.average_precision import AveragePrecision
from metric_reference.metrics.ranking.ndcg import Ndcg, discounts
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank
from metric_reference.narrowed import narrowed
from metric_reference.variant import Variant
from metric_reports.record import to_json_number
from metric_reports.tolerances import COMPOSED
from metric_reports.types.common import Candidate


def candidate_of(variant: Variant, case: Case, k: int) -> Candidate:
    """A variant with its value for a case, its formula and the arithmetic of the value."""
    value = variant.value(case, k=k)
    return {
        "variant": str(variant),
        "value": to_json_number(value),
        "formula": variant.metric.formula(),
        "expression": expression(variant, case, k, value),
    }


def expression(variant: Variant, case: Case, k: int, value: float) -> str | None:
    """A value as an arithmetic expression in Python, of numbers and ``log2`` alone; None where there is none."""
    if variant.metric.needs or variant.metric.of_whole_case() or variant.weight not in ("user", "sum"):
        return None
    by_user = [share(variant, case, user, k) for user in range(case.users)]
    text = " + ".join(by_user)
    if variant.weight == "user" and len(by_user) > 1:
        text = f"({text}) / {len(by_user)}"
    return text if stands_for(text, value) else None


def share(variant: Variant, case: Case, user: int, k: int) -> str:
    """One user's value as an arithmetic expression: numerator over denominator."""
    matches, metric = narrowed(match(case), variant.only, k), variant.metric
    numerator, denominator = (float(part[user]) for part in metric.parts(matches, k))
    if denominator == 0.0:
        return repr(float(metric.per_user(matches, k)[user]))
    dividend, divisor = repr(numerator), f"{denominator:.17g}"
    if isinstance(metric, AveragePrecision | ReciprocalRank):
        dividend = terms(variant, matches, user, k)
    if isinstance(metric, Ndcg):
        ranks = None if metric.cut == "none" else k
        gains = metric.gain_of(matches.gains[user, :ranks], matches.hits[user, :ranks], case.threshold)
        dividend = discounted(gains, metric.discount)
        judged = matches.case
        best = -np.sort(-judged.judged_gains[judged.judged_indptr[user] : judged.judged_indptr[user + 1]])[:k]
        ideal = discounted(metric.gain_of(best, np.ones(len(best), dtype=bool), case.threshold), metric.discount)
        divisor = ideal if stands_for(ideal, denominator) else divisor
    if not stands_for(dividend, numerator):
        dividend = repr(numerator)
    compound = " " in divisor or "/" in divisor
    if " " in dividend or compound:
        dividend = f"({dividend})"
    if divisor == "1":
        return dividend
    return f"{dividend} / ({divisor})" if compound else f"{dividend} / {divisor}"


def discounted(gains: np.ndarray, discount: str) -> str:
    """The sum of discounted gains as an expression; logarithmic discounts are written as log2."""
    weights = discounts(discount, max(len(gains), 1))
    kept = [rank for rank, gain in enumerate(gains.tolist()) if gain]
    if discount == "log2":
        return " + ".join(f"{gains[rank]:g} / log2({rank + 2})" for rank in kept) or "0"
    return " + ".join(f"{gains[rank]:g} * {float(weights[rank]):.17g}" for rank in kept) or "0"


def stands_for(text: str, value: float) -> bool:
    """Whether an expression that this file wrote has a value."""
    if not re.fullmatch(r"(log2|[\d.e+\-*/() ])*", text):
        return False
    try:
        return abs(float(eval(text, {"__builtins__": {}, "log2": math.log2})) - value) < COMPOSED
    except (ArithmeticError, SyntaxError):
        return False
