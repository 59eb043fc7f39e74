"""The literal twin of the metrics that look at the relevant items of a list alone."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.support.literal.user import Share, User


def hits(user: User, depth: int) -> int:
    return sum(gain > 0 for gain in user.gains[:depth])


def hit_rate(user: User, k: int, value: str, cut: str = "k") -> Share:
    count = hits(user, {"k": k, "none": len(user.listed)}[cut])
    everything = count >= len(user.relevant)  # each copy of a repeated item is a hit where duplicates are counted
    return Share({"any": float(count > 0), "hits": float(count), "all": float(everything)}[value], 1)


def precision(user: User, k: int, divide_by: str, cut: str = "k") -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    listed, relevant = min(end, len(user.listed)), len(user.relevant)
    ranks = [rank for rank, gain in enumerate(user.gains[:end], 1) if gain > 0]
    return {
        "k": Share(len(ranks), k),
        "list": Share(len(ranks), listed),
        "min_k_relevant": Share(len(ranks), min(k, relevant)),
        "min_list_relevant": Share(len(ranks), min(listed, relevant)),
        "last_hit_rank": Share(len(ranks), max(ranks, default=0), 0.0),
    }[divide_by]


def recall(user: User, k: int, divide_by: str, cut: str = "k") -> Share:
    relevant, found = len(user.relevant), hits(user, {"k": k, "none": len(user.listed)}[cut])
    return Share(found, {"relevant": relevant, "min_k_relevant": min(k, relevant)}[divide_by])


def f1(user: User, k: int, over: str, divide_by: str, no_hits: str) -> Share:
    """One user's; the F1 of means is under :data:`WHOLE`."""
    assert over == "users"
    length = {"k": k, "list": min(k, len(user.listed)), "min_k_relevant": min(k, len(user.relevant))}[divide_by]
    nothing = not user.relevant or (no_hits == "nan" and not hits(user, k))
    return Share(0, 0) if nothing else Share(2 * hits(user, k), length + len(user.relevant))


def reciprocal_rank(user: User, k: int, over: str, cut: str, who: str = "all") -> Share | None:
    depth = {"k": k, "none": len(user.listed)}[cut]
    ranks = [rank for rank, gain in enumerate(user.gains, 1) if gain > 0 and rank <= depth]
    if {"all": False, "with_hit": not ranks}[who]:
        return None
    total = math.fsum(1 / rank for rank in ranks)
    return {
        "first": Share(1 / ranks[0] if ranks else 0.0, 1),
        "sum": Share(total, 1),
        "mean_hits": Share(total, len(ranks), 0.0),
        "mean_relevant": Share(total, len(user.relevant)),
    }[over]


def rank(user: User, k: int, missing: str, first: str, over: str, cut: str) -> Share | None:
    """One user's; medians over users are under :func:`tests.support.literal.whole`."""
    assert over in ("mean", "median", "median_floor")
    depth = {"k": k, "none": len(user.listed)}[cut]
    start = {"one": 1, "zero": 0}[first]
    for place, gain in enumerate(user.gains[:depth]):
        if gain > 0:
            return Share(place + start, 1)
    if missing == "left_out":
        return None
    listed = min(depth, len(user.listed))
    return Share({"next": depth + start, "next_listed": listed + start, "zero": 0, "minus_one": -1}[missing], 1)


def average_precision(user: User, k: int, divide_by: str, sum_over: str, cut: str) -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    total = 0.0
    for rank in range(1, end + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        counts = {
            "hits": hit,
            "all_ranks": True,
            "listed_ranks": rank <= len(user.listed),
            "trapezoid": hit,
            "relevant_ranks": hit and rank <= len(user.relevant),
        }
        if counts[sum_over]:
            precision = hits(user, rank) / rank
            before = hits(user, rank - 1) / (rank - 1) if rank > 1 else 1.0
            total += (precision + before) / 2 if sum_over == "trapezoid" else precision
    relevant = len(user.relevant)
    return {
        "min_k_relevant": Share(total, min(k, relevant)),
        "relevant": Share(total, relevant),
        "k": Share(total, k),
        "hits": Share(total, hits(user, end), 0.0),
        "min_list_relevant": Share(total, min(len(user.listed[:end]), relevant)),
        "cumulative_min": Share(total, sum(min(rank, relevant) for rank in range(1, k + 1))),
        "list": Share(total, len(user.listed[:end])),
        "list_hits": Share(total, hits(user, len(user.listed)), 0.0),
        "min_k_list_hits": Share(total, min(k, hits(user, len(user.listed))), 0.0),
        "one": Share(total, 1),
    }[divide_by]


def average_recall(user: User, k: int, sum_over: str, divide_by: str) -> Share:
    total = 0
    for rank in range(1, k + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        if {"hits": hit, "all_ranks": True}[sum_over]:
            total += hits(user, rank)
    relevant = len(user.relevant)
    divisor = {"k": k, "hits": hits(user, k), "min_k_relevant": min(k, relevant), "relevant": relevant}[divide_by]
    return Share(total, divisor * relevant, 0.0 if divide_by == "hits" else math.nan)


def r_precision(user: User, k: int, divide_by: str, cut: str, who: str) -> Share | None:
    relevant = len(user.relevant)
    count = hits(user, {"k": min(k, relevant), "none": relevant}[cut])
    if {"all": False, "with_hit": count == 0}[who]:
        return None
    listed = min(len(user.listed), {"k": min(k, relevant), "none": relevant}[cut])
    divisors = {"relevant": relevant, "min_k_relevant": min(k, relevant), "min_list_relevant": listed}
    return Share(count, divisors[divide_by])


def cumulative_hit_rate(user: User, k: int, value: str, threshold: float) -> Share:
    pairs = zip(user.gains[:k], user.scores[:k], strict=True)
    kept = sum(gain > 0 and score >= threshold for gain, score in pairs)
    return Share({"any": float(kept > 0), "hits": float(kept)}[value], 1)


def rating_hit_rate(user: User, k: int, divide_by: str, rating: float) -> Share | None:
    if {"users": False, "users_with_rating": rating not in user.relevant.values()}[divide_by]:
        return None
    return Share(float(any(gain > 0 and gain == rating for gain in user.gains[:k])), 1)


def ndcg(
    user: User, k: int, gain: str, discount: str, ideal: str, cut: str, base: float = 2.0, depth: float = 10.0
) -> Share:
    worth: dict[str, Callable[[float], float]] = {
        "binary": lambda g: 1.0,
        "linear": lambda g: g,
        "exponential": lambda g: 2**g - 1,
        "exponential_over_threshold": lambda g: 2 ** (g - user.threshold + 1) - 1,
        "exponential_plus_one": lambda g: 2 ** (g + 1) - 1,
        "squared_minus_one": lambda g: g * g - 1,
    }
    divided: dict[str, Callable[[int], float]] = {
        "log2": lambda rank: math.log2(rank + 1),
        "ln": lambda rank: math.log(rank + 1),
        "log10": lambda rank: math.log10(rank + 1),
        "max_log2": lambda rank: max(math.log2(rank), 1.0),
        "max_log": lambda rank: max(math.log(rank, base), 1.0),
        "ln_rank": lambda rank: math.log(rank) if rank > 1 else 1.0,
        "shifted_log2": lambda rank: math.log2(rank + 2),
        "none": lambda rank: 1.0,
    }

    def discounted(gains: list[float]) -> float:
        return math.fsum(g / divided[discount](rank) for rank, g in enumerate(gains, 1))

    def best_of(rank_gains: list[float]) -> list[float]:
        """The gains of hits alone, largest first; a hit may have a gain below 0."""
        return sorted((worth[gain](g) for g in rank_gains if g > 0), reverse=True)

    end = {"k": k, "none": len(user.listed)}[cut]
    own = [worth[gain](g) if g > 0 else 0.0 for g in user.gains[:end]]
    best = sorted((worth[gain](g) for g in user.relevant.values()), reverse=True)
    bottom = {
        "min_k_relevant": discounted(best[:k]),
        "list": discounted(best[: len(own)]),
        "same_ranks": discounted(best[: len(own)]),
        "relevant_ranks": discounted(best[:k]),
        "list_ranks": discounted(best[:1] * len(own)),
        "list_hits": discounted(best_of(user.gains)[:k]),
        "fixed": discounted(best[: int(depth)]),
        "k": discounted(best[:1] * k),
        "relevant": discounted(best),
        "hits": discounted(best_of(user.gains[:end])),
        "none": 1.0,
    }[ideal]
    empty = 0.0 if ideal in ("hits", "list_hits") or gain == "squared_minus_one" else math.nan
    return Share(discounted(own[: len(best)] if ideal in ("same_ranks", "relevant_ranks") else own), bottom, empty)


def rank_biased_precision(user: User, k: int, cut: str, persistence: float) -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    looked_at = [persistence**rank for rank, gain in enumerate(user.gains[:end]) if gain > 0]
    return Share((1 - persistence) * math.fsum(looked_at), 1)


def expected_reciprocal_rank(users: list[User], k: int, largest: str, cut: str, grade: float) -> list[Share]:
    """Of every user, since one may have the largest gain of all."""
    of_case = max((gain for user in users for gain in user.relevant.values()), default=0.0)
    found = []
    for user in users:
        top = {"user": max(user.relevant.values(), default=0.0), "case": of_case}.get(largest, grade)
        reader, total = 1.0, 0.0
        for rank, gain in enumerate(user.gains[: {"k": k, "none": len(user.listed)}[cut]], 1):
            stops = (2 ** (gain if largest == "uncapped" else min(gain, top)) - 1) / 2**top
            total += reader * stops / rank
            reader *= 1 - stops
        found.append(Share(total, 1))
    return found


def constant(user: User, k: int, value: str) -> Share:
    return Share({"zero": 0.0, "one": 1.0}[value], 1)
