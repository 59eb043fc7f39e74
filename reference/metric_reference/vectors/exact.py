"""The exact value of a definition for one user: a fraction, or a closed form where logarithms enter.

Arithmetic of its own, apart from the formulas of :mod:`metric_reference.metrics`: a number of the vectors rests on two
ways of computing it. A closed form is a quotient of sums such as ``3*log2(2)+log2(4,6-8)``: ``log2`` of ranks is the
sum of 1 / log2(rank + 1) over these ranks, a number before it is their gain; :data:`DISCOUNTS` names the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

from metric_reference.variant import Variant

DISCOUNTS = {
    "log2": "1 / log2(rank + 1)",
    "max_log2": "1 / max(log2(rank), 1)",
    "max_log10": "1 / max(log10(rank), 1)",
    "shifted_log2": "1 / log2(rank + 2)",
    "none": "1",
}
"""What a rank weighs in a closed form, by its word."""


@dataclass(frozen=True)
class Seen:
    """What a definition sees of one user.

    gains : of each rank, 0 where the item is not relevant; relevant : the gains of all relevant items; threshold : the
    smallest gain that counts as relevant.
    """

    gains: Tuple[Fraction, ...]
    relevant: Tuple[Fraction, ...]
    threshold: Fraction

    def hits(self, depth: int) -> int:
        """Relevant items among the first ``depth`` ranks."""
        return sum(gain > 0 for gain in self.gains[:depth])


def exact(variant: Variant, seen: Seen, k: int) -> str:
    """The value of a variant for a user with relevant items, as text.

    Raises KeyError for a metric or a choice that has no exact form here.
    """
    choices = {name: str(value) for name, value in variant.metric.made().items()}
    if variant.metric.name == "ndcg":
        return _ndcg(seen, k, choices)
    return str(_RATIONAL[variant.metric.name](seen, k, choices))


def _over(top: "Fraction | int", bottom: "Fraction | int") -> Fraction:
    """A quotient; nothing over nothing is 0."""
    return Fraction(top) / bottom if bottom else Fraction(0)


def _depth(seen: Seen, k: int, choices: Mapping[str, str]) -> int:
    return {"k": k, "none": len(seen.gains)}[choices.get("cut", "k")]


def _hit_rate(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    found = seen.hits(k)
    return Fraction({"any": int(found > 0), "hits": found}[choices["value"]])


def _precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    depth, relevant = _depth(seen, k, choices), len(seen.relevant)
    listed = min(depth, len(seen.gains))
    last = max([rank for rank, gain in enumerate(seen.gains[:depth], 1) if gain > 0], default=0)
    bottom = {
        "k": k,
        "list": listed,
        "min_k_relevant": min(k, relevant),
        "min_list_relevant": min(listed, relevant),
        "last_hit_rank": last,
    }
    return _over(seen.hits(depth), bottom[choices["divide_by"]])


def _recall(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    relevant = len(seen.relevant)
    bottom = {"relevant": relevant, "min_k_relevant": min(k, relevant)}
    return _over(seen.hits(_depth(seen, k, choices)), bottom[choices["divide_by"]])


def _f1(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    relevant = len(seen.relevant)
    length = {"k": k, "list": min(k, len(seen.gains)), "min_k_relevant": min(k, relevant)}[choices["divide_by"]]
    return _over(2 * seen.hits(k), length + relevant)


def _r_precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    relevant = len(seen.relevant)
    depth = {"k": min(k, relevant), "none": relevant}[choices["cut"]]
    return _over(seen.hits(depth), {"relevant": relevant, "min_k_relevant": min(k, relevant)}[choices["divide_by"]])


def _reciprocal_rank(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    ranks = [rank for rank, gain in enumerate(seen.gains[: _depth(seen, k, choices)], 1) if gain > 0]
    total = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
    return {
        "first": Fraction(1, ranks[0]) if ranks else Fraction(0),
        "sum": total,
        "mean_hits": _over(total, len(ranks)),
        "mean_relevant": _over(total, len(seen.relevant)),
    }[choices["over"]]


def _average_precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Fraction:
    depth, relevant, total, before = _depth(seen, k, choices), len(seen.relevant), Fraction(0), Fraction(1)
    for rank in range(1, depth + 1):
        hit = rank <= len(seen.gains) and seen.gains[rank - 1] > 0
        share = Fraction(seen.hits(rank), rank)
        counted = {
            "hits": share if hit else 0,
            "all_ranks": share,
            "listed_ranks": share if rank <= len(seen.gains) else 0,
            "trapezoid": (share + before) / 2 if hit else 0,
        }
        total, before = total + counted[choices["sum_over"]], share
    listed = min(depth, len(seen.gains))
    bottom = {
        "min_k_relevant": min(k, relevant),
        "relevant": relevant,
        "k": k,
        "hits": seen.hits(depth),
        "min_list_relevant": min(listed, relevant),
        "cumulative_min": sum(min(rank, relevant) for rank in range(1, k + 1)),
        "list": listed,
        "min_k_list_hits": min(k, seen.hits(len(seen.gains))),
        "one": 1,
    }
    return _over(total, bottom[choices["divide_by"]])


_RATIONAL: Dict[str, Callable[[Seen, int, Mapping[str, str]], Fraction]] = {
    "hit_rate": _hit_rate,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "r_precision": _r_precision,
    "reciprocal_rank": _reciprocal_rank,
    "average_precision": _average_precision,
}
METRICS = (*_RATIONAL, "ndcg")
"""The metrics that have an exact form here."""


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
    own, whole = seen.gains[: _depth(seen, k, choices)], seen.gains
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
        weights = str(len(places)) if discount == "none" else f"{discount}({_ranges(places)})"
        terms.append(weights if factor == "1" else f"{factor}*{weights}")
    return "+".join(terms) or "0"


def _ranges(ranks: Sequence[int]) -> str:
    """``1,3-5`` for 1, 3, 4 and 5."""
    runs = ([rank for _, rank in run] for _, run in groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]))
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
