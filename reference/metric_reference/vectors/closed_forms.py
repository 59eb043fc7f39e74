"""The exact value of a definition for one user where logarithms, powers or roots enter: a closed form, as text.

A closed form is made of sums such as ``3*log2(2)+log2(4,6-8)``: ``log2`` of ranks is the sum of 1 / log2(rank + 1) over
these ranks, a number before it is their gain; :data:`DISCOUNTS` names the others. ``^`` is a power.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import Callable, Dict, List, Mapping, Sequence

from metric_reference.vectors.exact import Seen, depth_of

DISCOUNTS = {
    "log2": "1 / log2(rank + 1)",
    "max_log2": "1 / max(log2(rank), 1)",
    "max_log10": "1 / max(log10(rank), 1)",
    "shifted_log2": "1 / log2(rank + 2)",
    "none": "1",
}
"""What a rank weighs in a closed form, by its word."""


def _ndcg(seen: Seen, k: int, choices: Mapping[str, str]) -> str:
    forms: Dict[str, Callable[[Fraction], str]] = {
        "binary": lambda gain: "1",
        "linear": str,
        "exponential": _exponential,
        "exponential_over_threshold": lambda gain: _exponential(gain - seen.threshold + 1),
    }
    worth = forms[choices["gain"]]
    discount = (
        f"max_log{choices['base'].removesuffix('.0')}" if choices["discount"] == "max_log" else choices["discount"]
    )
    own, whole = seen.gains[: depth_of(seen, k, choices)], seen.gains
    best = sorted(seen.relevant, reverse=True)
    ideal = {
        "min_k_relevant": best[:k],
        "list": best[: len(own)],
        "list_ranks": best[:1] * len(own),
        "list_hits": sorted(whole, reverse=True)[:k],
        "k": best[:1] * k,
        "relevant": best,
        "hits": sorted(own, reverse=True),
        "none": None,
    }[choices["ideal"]]
    top = _discounted(own, worth, discount)
    if ideal is None or top == "0":
        return top
    bottom = _discounted(ideal, worth, discount)
    return "1" if top == bottom else f"({top})/({bottom})"


def _exponential(gain: Fraction) -> str:
    return str(2**gain - 1) if gain.denominator == 1 else f"(2^{float(gain)}-1)"


def _discounted(gains: Sequence[Fraction], worth: Callable[[Fraction], str], discount: str) -> str:
    """The sum of gains by rank, the ranks of one gain together."""
    if discount not in DISCOUNTS:
        raise KeyError(discount)
    ranks: Dict[str, List[int]] = {}
    for rank, gain in enumerate(gains, 1):
        if gain > 0:
            ranks.setdefault(worth(gain), []).append(rank)
    terms = []
    for factor, places in ranks.items():
        weights = str(len(places)) if discount == "none" else f"{discount}({ranges(places)})"
        terms.append(weights if factor == "1" else f"{factor}*{weights}")
    return "+".join(terms) or "0"


def ranges(ranks: Sequence[int]) -> str:
    """``1,3-5`` for 1, 3, 4 and 5."""
    runs = ([rank for _, rank in run] for _, run in groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]))
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _rank_biased_precision(seen: Seen, k: int, choices: Mapping[str, str]) -> str:
    p, depth = choices["persistence"], depth_of(seen, k, choices)
    powers = "+".join(f"{p}^{rank}" for rank, gain in enumerate(seen.gains[:depth]) if gain > 0)
    return f"(1-{p})*({powers})" if powers else "0"


def _expected_reciprocal_rank(seen: Seen, k: int, choices: Mapping[str, str]) -> str:
    """Of a fixed largest grade: the readers who are left at a hit are a product over the hits before it."""
    top, left, terms = Fraction(choices["grade"]), "", []
    for rank, gain in enumerate(seen.gains[: depth_of(seen, k, choices)], 1):
        if gain > 0:
            stops = f"{_exponential(min(gain, top))}/{2**top}"
            terms.append(f"{left}{stops}/{rank}")
            left += f"(1-{stops})*"
    return "+".join(terms) or "0"


CLOSED: Dict[str, Callable[[Seen, int, Mapping[str, str]], str]] = {
    "ndcg": _ndcg,
    "rank_biased_precision": _rank_biased_precision,
    "expected_reciprocal_rank": _expected_reciprocal_rank,
}
"""The closed forms of one user's list and relevant items."""
