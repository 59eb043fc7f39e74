"""The exact value of a definition for one user, where it is a fraction.

This arithmetic is independent of :mod:`metric_reference.metrics`: every number of the vectors is computed in two ways.
:mod:`closed_forms` has the definitions with logarithms and powers, :mod:`scored` those that read all candidates.
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
        """The quotient; 0 where the denominator is 0."""
        return Fraction(self.top) / self.bottom if self.bottom else Fraction(0)


class Candidate(NamedTuple):
    """An item of the catalogue for one user.

    score : None for a relevant item that is no candidate. place : the number of the user, and of the item.
    """

    score: Optional[Fraction]
    relevant: bool
    hit: bool
    """Whether the item is among the first k ranks."""
    place: Tuple[int, int]


class Training(NamedTuple):
    """The training data.

    counts : interactions of each item; users : number of users; vectors : the vector of each item.
    """

    counts: Tuple[int, ...] = ()
    users: int = 0
    vectors: Tuple[Tuple[Fraction, ...], ...] = ()


NO_TRAINING = Training()


@dataclass(frozen=True)
class UserData:
    """The data of one user that a definition reads.

    gains : of each rank, 0 where the item is not relevant; relevant : the gains of all relevant items; threshold : the
    smallest relevant gain; scores : of the list; candidates : the items with a score, and relevant items without one;
    catalogue : the number of items; ratings : for each judgement the predicted rating, the true one and whether it is
    relevant; listed : the item at each rank; history : the user's items in the training data.
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
    training: Training = NO_TRAINING

    def hits(self, depth: int) -> int:
        """Relevant items among the first ``depth`` ranks."""
        return sum(gain > 0 for gain in self.gains[:depth])


def depth_of(user: UserData, k: int, choices: Mapping[str, str]) -> int:
    """The number of ranks that a definition reads."""
    return {"k": k, "none": len(user.gains)}[choices.get("cut", "k")]


def _hit_rate(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    hits = user.hits(depth_of(user, k, choices))
    return Share({"any": int(hits > 0), "hits": hits, "all": int(hits >= len(user.relevant))}[choices["value"]], 1)


def _precision(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    depth, relevant = depth_of(user, k, choices), len(user.relevant)
    listed = min(depth, len(user.gains))
    last = max([rank for rank, gain in enumerate(user.gains[:depth], 1) if gain > 0], default=0)
    bottom = {
        "k": k,
        "list": listed,
        "min_k_relevant": min(k, relevant),
        "min_list_relevant": min(listed, relevant),
        "last_hit_rank": last,
    }
    return Share(user.hits(depth), bottom[choices["divide_by"]])


def _recall(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(user.relevant)
    bottom = {"relevant": relevant, "min_k_relevant": min(k, relevant)}
    return Share(user.hits(depth_of(user, k, choices)), bottom[choices["divide_by"]])


def _f1(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(user.relevant)
    length = {"k": k, "list": min(k, len(user.gains)), "min_k_relevant": min(k, relevant)}[choices["divide_by"]]
    return Share(2 * user.hits(k), length + relevant)


def _r_precision(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(user.relevant)
    depth = {"k": min(k, relevant), "none": relevant}[choices["cut"]]
    divisors = {
        "relevant": relevant,
        "min_k_relevant": min(k, relevant),
        "min_list_relevant": min(depth, len(user.gains)),
    }
    return Share(user.hits(depth), divisors[choices["divide_by"]])


def _reciprocal_rank(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    ranks = [rank for rank, gain in enumerate(user.gains[: depth_of(user, k, choices)], 1) if gain > 0]
    total = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
    return {
        "first": Share(Fraction(1, ranks[0]) if ranks else 0, 1),
        "sum": Share(total, 1),
        "mean_hits": Share(total, len(ranks)),
        "mean_relevant": Share(total, len(user.relevant)),
    }[choices["over"]]


def _rank(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    depth, start = depth_of(user, k, choices), {"one": 1, "zero": 0}[choices["first"]]
    ranks = [rank for rank, gain in enumerate(user.gains[:depth], start) if gain > 0]
    listed = min(depth, len(user.gains))
    without = {"left_out": 0, "next": depth + start, "next_listed": listed + start, "zero": 0, "minus_one": -1}
    return Share(ranks[0] if ranks else without[choices["missing"]], 1)


def _average_precision(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    depth, relevant, total, before = depth_of(user, k, choices), len(user.relevant), Fraction(0), Fraction(1)
    for rank in range(1, depth + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        precision = Fraction(user.hits(rank), rank)
        counted = {
            "hits": precision if hit else 0,
            "all_ranks": precision,
            "listed_ranks": precision if rank <= len(user.gains) else 0,
            "trapezoid": (precision + before) / 2 if hit else 0,
            "relevant_ranks": precision if hit and rank <= relevant else 0,
        }
        total, before = total + counted[choices["sum_over"]], precision
    listed = min(depth, len(user.gains))
    bottom = {
        "min_k_relevant": min(k, relevant),
        "relevant": relevant,
        "k": k,
        "hits": user.hits(depth),
        "min_list_relevant": min(listed, relevant),
        "cumulative_min": sum(min(rank, relevant) for rank in range(1, k + 1)),
        "list": listed,
        "list_hits": user.hits(len(user.gains)),
        "min_k_list_hits": min(k, user.hits(len(user.gains))),
        "one": 1,
    }
    return Share(total, bottom[choices["divide_by"]])


def _average_recall(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    total, relevant = 0, len(user.relevant)
    for rank in range(1, k + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        total += user.hits(rank) if {"hits": hit, "all_ranks": True}[choices["sum_over"]] else 0
    bottom = {"k": k, "hits": user.hits(k), "min_k_relevant": min(k, relevant), "relevant": relevant}
    return Share(total, bottom[choices["divide_by"]] * relevant)


OF_LISTS: Dict[str, Callable[[UserData, int, Mapping[str, str]], Share]] = {
    "hit_rate": _hit_rate,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "r_precision": _r_precision,
    "reciprocal_rank": _reciprocal_rank,
    "rank": _rank,
    "average_precision": _average_precision,
    "average_recall": _average_recall,
}
"""The metrics of one user's list and relevant items whose values are fractions."""
