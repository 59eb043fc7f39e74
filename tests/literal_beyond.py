"""The literal twin of the metrics that are not about relevance in a list: rating error and beyond accuracy.

``WHOLE`` holds those that have one value for a case and none for a user: called with all users and their case.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

from reference.case import Case
from tests.literal_user import Share, User


def mae(user: User, k: int, over: str) -> Share | None:
    """One user's mean; None without a predicted rating. Over ratings: all users' ratings as if of one."""
    return mean([abs(predicted - truth) for predicted, truth in user.ratings])


def rmse(user: User, k: int, over: str) -> Share | None:
    squares = mean([(predicted - truth) ** 2 for predicted, truth in user.ratings])
    return squares and Share(math.sqrt(squares.value), 1)


def accuracy(user: User, k: int, over: str, match: str) -> Share | None:
    nearest: dict[str, Callable[[float], float]] = {
        "exact": lambda x: x,
        "nearest_half": lambda x: round(x * 2) / 2,
        "nearest": round,
    }
    return mean([float(nearest[match](predicted) == truth) for predicted, truth in user.ratings])


def mean(losses: list[float]) -> Share | None:
    return Share(math.fsum(losses) / len(losses), 1) if losses else None


def popularity(user: User, k: int, value: str, length: str) -> Share | None:
    of_count: dict[str, Callable[[int], float]] = {
        "count": lambda c: c,
        "share": lambda c: c / user.train_users,
        "log": lambda c: math.log(1 + c),
    }
    listed = user.listed[:k]
    total = math.fsum(of_count[value](user.counts[item]) for item in listed)
    return Share(total, {"list": len(listed), "k": k}[length]) if listed else None


def novelty(user: User, k: int, probability: str, log: str, over: str, unseen: str) -> Share | None:
    whole = {"users": user.train_users, "interactions": sum(user.counts)}[probability]
    informed = []
    for item in user.listed[:k]:
        count = {"one": max(1, user.counts[item]), "skipped": user.counts[item]}[unseen]
        informed.append(-{"log2": math.log2, "ln": math.log}[log](count / whole) if count else 0.0)
    return Share(math.fsum(informed), len(informed)) if informed else None


def diversity(user: User, k: int, distance: str) -> Share | None:
    pairs = list(itertools.combinations([user.vectors[item] for item in user.listed[:k]], 2))
    gap = {"cosine": lambda v, w: 1 - cosine(v, w), "euclidean": math.dist}[distance]
    return Share(math.fsum(gap(v, w) for v, w in pairs), len(pairs)) if pairs else None


def cosine(v: list[float], w: list[float]) -> float:
    """0 to a zero vector."""
    lengths = math.hypot(*v) * math.hypot(*w)
    return math.fsum(a * b for a, b in zip(v, w, strict=True)) / lengths if lengths else 0.0


def serendipity(user: User, k: int, unexpected: str, divide_by: str) -> Share:
    favourites = sorted(range(len(user.counts)), key=lambda item: (-user.counts[item], item))[:k]

    def surprise(item: int) -> float:
        if unexpected == "not_popular":
            return float(item not in favourites)
        if unexpected == "unpopular":
            return 1 - user.counts[item] / max(user.counts)
        assert unexpected == "unlike_history"
        alike = [cosine(user.vectors[item], user.vectors[seen]) for seen in user.train]
        return 1 - math.fsum(alike) / len(alike) if alike else 1.0

    first = list(zip(user.listed[:k], user.gains[:k], strict=True))
    total = math.fsum(surprise(item) for item, gain in first if gain > 0)
    hits = sum(gain > 0 for _, gain in first)
    return {"k": Share(total, k), "list": Share(total, len(first)), "hits": Share(total, hits, 0.0)}[divide_by]


def shown(users: list[User], case: Case, k: int) -> list[int]:
    """How often each item of the catalogue is recommended."""
    together = [item for user in users for item in user.listed[:k]]
    return [together.count(item) for item in range(case.n_items)]


def coverage(users: list[User], case: Case, k: int, of: str, among: str) -> Share:
    if of == "users":
        return Share(sum(len(user.listed) > 0 for user in users), len(users))
    assert of == "items"
    counts = users[0].counts
    catalogue = list(range(case.n_items))
    counted = {"catalogue": catalogue, "trained": [item for item in catalogue if counts[item] > 0]}[among]
    times = shown(users, case, k)
    return Share(sum(times[item] > 0 for item in counted), len(counted))


def entropy(users: list[User], case: Case, k: int, log: str, normalise: str) -> Share:
    times = [count for count in shown(users, case, k) if count]
    if not times:
        return Share(0, 0)
    logarithm = {"ln": math.log, "log2": math.log2}[log]
    bits = -math.fsum(count / sum(times) * logarithm(count / sum(times)) for count in times)
    return Share(bits, {"none": 1, "catalogue": logarithm(case.n_items), "recommended_items": len(times)}[normalise])


def gini(users: list[User], case: Case, k: int, items: str, divide_by: str) -> Share:
    times = sorted(shown(users, case, k))
    times = {"catalogue": times, "recommended": [count for count in times if count]}[items]
    n = len(times)
    total = sum((2 * place - n - 1) * count for place, count in enumerate(times, 1))
    return Share(total, {"n": n, "n_minus_one": n - 1}[divide_by] * sum(times))


def personalization(users: list[User], case: Case, k: int, similarity: str) -> Share:
    lists = [set(user.listed[:k]) for user in users if user.listed]
    alike: dict[str, Callable[[set[int], set[int]], float]] = {
        "cosine": lambda a, b: len(a & b) / math.sqrt(len(a) * len(b)),
        "overlap": lambda a, b: len(a & b) / k,
        "jaccard": lambda a, b: len(a & b) / len(a | b),
    }
    pairs = list(itertools.combinations(lists, 2))
    return Share(math.fsum(1 - alike[similarity](a, b) for a, b in pairs), len(pairs))


def recommendations(choices: Mapping[str, Any], users: list[User], k: int) -> Share:
    """Novelty over all recommended items at once: the lists laid end to end."""
    one = users[0]._replace(listed=[item for user in users for item in user.listed[:k]])
    return novelty(one, len(one.listed), **choices) or Share(0, 0)


PER_USER: dict[str, Callable[..., Share | None]] = {
    "mae": mae, "rmse": rmse, "accuracy": accuracy,
    "popularity": popularity, "novelty": novelty, "diversity": diversity, "serendipity": serendipity,
}  # fmt: skip
WHOLE: dict[str, Callable[..., Share]] = {
    "coverage": coverage, "entropy": entropy, "gini": gini, "personalization": personalization,
}  # fmt: skip
NO_RELEVANCE = ("mae", "rmse", "accuracy", "popularity", "novelty", "diversity", *WHOLE)
"""Neither relevant items nor an empty list have a rule of their own here: who is undefined leaves the mean."""
