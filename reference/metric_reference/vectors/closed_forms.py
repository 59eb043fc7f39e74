"""The exact value of a definition for one user, where it has logarithms, powers or roots: a closed form, as text.

A closed form has sums such as ``3*log2(2)+log2(4,6-8)``: ``log2`` of ranks is the sum of 1 / log2(rank + 1) over these
ranks, and a number before it is their gain; :data:`DISCOUNTS` has the other words. ``^`` is a power.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import Callable, Dict, List, Mapping, Sequence

from metric_reference.vectors.exact import UserData, depth_of

DISCOUNTS = {
    "log2": "1 / log2(rank + 1)",
    "max_log2": "1 / max(log2(rank), 1)",
    "max_log10": "1 / max(log10(rank), 1)",
    "shifted_log2": "1 / log2(rank + 2)",
    "none": "1",
}
"""The weight of a rank, by its word in closed forms."""


def _ndcg(user: UserData, k: int, choices: Mapping[str, str]) -> str:
    forms: Dict[str, Callable[[Fraction], str]] = {
        "binary": lambda gain: "1",
        "linear": str,
        "exponential": _exponential,
        "exponential_over_threshold": lambda gain: _exponential(gain - user.threshold + 1),
        "exponential_plus_one": lambda gain: _exponential(gain + 1),
        "squared_minus_one": lambda gain: str(gain**2 - 1),
    }
    form = forms[choices["gain"]]
    discount = (
        f"max_log{choices['base'].removesuffix('.0')}" if choices["discount"] == "max_log" else choices["discount"]
    )
    listed = user.gains[: depth_of(user, k, choices)]
    best = sorted(user.relevant, reverse=True)
    ideal = {
        "min_k_relevant": best[:k],
        "list": best[: len(listed)],
        "same_ranks": best[: len(listed)],
        "relevant_ranks": best[:k],
        "list_ranks": best[:1] * len(listed),
        "list_hits": sorted(user.gains, reverse=True)[:k],
        "k": best[:1] * k,
        "relevant": best,
        "hits": sorted(listed, reverse=True),
        "none": None,
    }[choices["ideal"]]
    counted = listed[: len(best)] if choices["ideal"] in ("same_ranks", "relevant_ranks") else listed
    top = _discounted(counted, form, discount)
    if ideal is None or top == "0":
        return top
    bottom = _discounted(ideal, form, discount)
    return "1" if top == bottom else f"({top})/({bottom})"


def _exponential(gain: Fraction) -> str:
    return str(2**gain - 1) if gain.denominator == 1 else f"(2^{float(gain)}-1)"


def _discounted(gains: Sequence[Fraction], form: Callable[[Fraction], str], discount: str) -> str:
    """The discounted sum of gains; ranks with the same gain are one term. form : from a gain to its text."""
    if discount not in DISCOUNTS:
        raise KeyError(discount)
    ranks_of_gain: Dict[str, List[int]] = {}
    for rank, gain in enumerate(gains, 1):
        if gain > 0:
            ranks_of_gain.setdefault(form(gain), []).append(rank)
    terms = []
    for factor, ranks in ranks_of_gain.items():
        if factor == "0":
            continue
        weights = str(len(ranks)) if discount == "none" else f"{discount}({ranges(ranks)})"
        terms.append(weights if factor == "1" else f"{factor}*{weights}")
    return "+".join(terms) or "0"


def ranges(ranks: Sequence[int]) -> str:
    """``1,3-5`` for 1, 3, 4 and 5."""
    runs = ([rank for _, rank in run] for _, run in groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]))
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _rank_biased_precision(user: UserData, k: int, choices: Mapping[str, str]) -> str:
    p, depth = choices["persistence"], depth_of(user, k, choices)
    powers = "+".join(f"{p}^{rank}" for rank, gain in enumerate(user.gains[:depth]) if gain > 0)
    return f"(1-{p})*({powers})" if powers else "0"


def _expected_reciprocal_rank(user: UserData, k: int, choices: Mapping[str, str]) -> str:
    """For a fixed largest grade. The probability of reaching a hit is a product over the hits before it."""
    largest, reaches, terms = Fraction(choices["grade"]), "", []
    for rank, gain in enumerate(user.gains[: depth_of(user, k, choices)], 1):
        if gain > 0:
            counted = gain if choices["largest"] == "uncapped" else min(gain, largest)
            stops = f"{_exponential(counted)}/{2**largest}"
            terms.append(f"{reaches}{stops}/{rank}")
            reaches += f"(1-{stops})*"
    return "+".join(terms) or "0"


CLOSED: Dict[str, Callable[[UserData, int, Mapping[str, str]], str]] = {
    "ndcg": _ndcg,
    "rank_biased_precision": _rank_biased_precision,
    "expected_reciprocal_rank": _expected_reciprocal_rank,
}
"""The metrics of one user's list and relevant items whose values are closed forms."""
