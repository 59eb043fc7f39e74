"""The exact value of a definition for one user that is a fraction: two numbers, one over the other.

Arithmetic of its own, apart from the formulas of :mod:`metric_reference.metrics`: a number of the vectors rests on two
ways of computing it. :mod:`closed_forms` has the definitions where logarithms and powers enter, :mod:`scored` those of
all candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Callable, Dict, Mapping, NamedTuple, Optional, Tuple, Union

Number = Union[int, Fraction]


class Share(NamedTuple):
    """One number over another."""

    top: Number
    bottom: Number

    @property
    def value(self) -> Fraction:
        """The quotient; nothing over nothing is 0."""
        return Fraction(self.top) / self.bottom if self.bottom else Fraction(0)


class Candidate(NamedTuple):
    """An item of the catalogue as one user has it; score None: it is no candidate, only relevant."""

    score: Optional[Fraction]
    relevant: bool
    hit: bool
    """Whether it stands among the first k ranks."""


class Training(NamedTuple):
    """What the training data says of the items of the catalogue.

    counts : the interactions of each item; users : the number of users; vectors : of each item.
    """

    counts: Tuple[int, ...] = ()
    users: int = 0
    vectors: Tuple[Tuple[Fraction, ...], ...] = ()


NOTHING_KNOWN = Training()


@dataclass(frozen=True)
class Seen:
    """What a definition sees of one user.

    gains : of each rank, 0 where the item is not relevant; relevant : the gains of all relevant items; threshold : the
    smallest gain that counts as relevant; scores : of the list; candidates : the items with a score, and relevant ones
    without; catalogue : the number of items there are; ratings : the predicted and the true one of each judgement, and
    whether it is relevant; listed : the item at each rank; history : the user's items in the training data.
    """

    gains: Tuple[Fraction, ...]
    relevant: Tuple[Fraction, ...]
    threshold: Fraction
    scores: Tuple[Fraction, ...] = ()
    candidates: Tuple[Candidate, ...] = ()
    catalogue: int = 0
    ratings: Tuple[Tuple[Fraction, Fraction, bool], ...] = ()
    listed: Tuple[int, ...] = ()
    history: Tuple[int, ...] = ()
    training: Training = NOTHING_KNOWN

    def hits(self, depth: int) -> int:
        """Relevant items among the first ``depth`` ranks."""
        return sum(gain > 0 for gain in self.gains[:depth])


def depth_of(seen: Seen, k: int, choices: Mapping[str, str]) -> int:
    """How many ranks a definition looks at."""
    return {"k": k, "none": len(seen.gains)}[choices.get("cut", "k")]


def _hit_rate(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    found = seen.hits(k)
    return Share({"any": int(found > 0), "hits": found}[choices["value"]], 1)


def _precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    depth, relevant = depth_of(seen, k, choices), len(seen.relevant)
    listed = min(depth, len(seen.gains))
    last = max([rank for rank, gain in enumerate(seen.gains[:depth], 1) if gain > 0], default=0)
    bottom = {
        "k": k,
        "list": listed,
        "min_k_relevant": min(k, relevant),
        "min_list_relevant": min(listed, relevant),
        "last_hit_rank": last,
    }
    return Share(seen.hits(depth), bottom[choices["divide_by"]])


def _recall(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(seen.relevant)
    bottom = {"relevant": relevant, "min_k_relevant": min(k, relevant)}
    return Share(seen.hits(depth_of(seen, k, choices)), bottom[choices["divide_by"]])


def _f1(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(seen.relevant)
    length = {"k": k, "list": min(k, len(seen.gains)), "min_k_relevant": min(k, relevant)}[choices["divide_by"]]
    return Share(2 * seen.hits(k), length + relevant)


def _r_precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(seen.relevant)
    depth = {"k": min(k, relevant), "none": relevant}[choices["cut"]]
    return Share(seen.hits(depth), {"relevant": relevant, "min_k_relevant": min(k, relevant)}[choices["divide_by"]])


def _reciprocal_rank(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    ranks = [rank for rank, gain in enumerate(seen.gains[: depth_of(seen, k, choices)], 1) if gain > 0]
    total = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
    return {
        "first": Share(Fraction(1, ranks[0]) if ranks else 0, 1),
        "sum": Share(total, 1),
        "mean_hits": Share(total, len(ranks)),
        "mean_relevant": Share(total, len(seen.relevant)),
    }[choices["over"]]


def _average_precision(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    depth, relevant, total, before = depth_of(seen, k, choices), len(seen.relevant), Fraction(0), Fraction(1)
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
    return Share(total, bottom[choices["divide_by"]])


def _average_recall(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    total, relevant = 0, len(seen.relevant)
    for rank in range(1, k + 1):
        hit = rank <= len(seen.gains) and seen.gains[rank - 1] > 0
        total += seen.hits(rank) if {"hits": hit, "all_ranks": True}[choices["sum_over"]] else 0
    bottom = {"k": k, "hits": seen.hits(k), "min_k_relevant": min(k, relevant), "relevant": relevant}
    return Share(total, bottom[choices["divide_by"]] * relevant)


OF_LISTS: Dict[str, Callable[[Seen, int, Mapping[str, str]], Share]] = {
    "hit_rate": _hit_rate,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "r_precision": _r_precision,
    "reciprocal_rank": _reciprocal_rank,
    "average_precision": _average_precision,
    "average_recall": _average_recall,
}
"""The fractions of one user's list and relevant items."""
