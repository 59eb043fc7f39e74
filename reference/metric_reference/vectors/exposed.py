"""The exact value of a metric of all lists together, such as the distribution of recommendations over items."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from typing import Callable, Dict, Mapping, Sequence, Set

from metric_reference.vectors.exact import Share, UserData
from metric_reference.vectors.sums import Sum, divided, logarithm, number, plus, root, spelled, times

PATIENCE = Fraction(17, 20)


def _times_shown(users: Sequence[UserData], k: int) -> Dict[int, int]:
    """How often each recommended item is recommended."""
    return dict(sorted(Counter(chain.from_iterable(user.listed[:k] for user in users)).items()))


def _coverage(users: Sequence[UserData], k: int, choices: Mapping[str, str]) -> str:
    shown, counts = set(_times_shown(users, k)), users[0].training.counts
    trained = {item for item, count in enumerate(counts) if count}
    of_users = choices["of"] == "users"
    served = {
        "items": len(shown),
        "trained_items": len(shown & trained),
        "users": sum(bool(user.listed) for user in users),
    }[choices["of"]]
    everyone = len(users) if of_users else users[0].catalogue
    bottom = {
        "all": everyone,
        "trained": everyone if of_users else len(trained),
        "none": 1,
        "padded": everyone + (not of_users),
    }[choices["divide_by"]]
    return str(Fraction(served, bottom))


def _herfindahl(users: Sequence[UserData], k: int, choices: Mapping[str, str]) -> str:
    times_shown = list(_times_shown(users, k).values())
    index = sum((Fraction(count, sum(times_shown)) ** 2 for count in times_shown), Fraction(0))
    return str({"concentration": index, "diversity": 1 - index}[choices["value"]])


def _entropy(users: Sequence[UserData], k: int, choices: Mapping[str, str]) -> str:
    shown = _times_shown(users, k)
    total = sum(shown.values())
    information = {item: logarithm(Fraction(total, count)) for item, count in shown.items()}
    lists = [user.listed[:k] for user in users if user.listed]
    lists = {"users": lists, "recommendations": [tuple(chain.from_iterable(lists))]}[choices["over"]]
    means = [times(plus(information[item] for item in row), Fraction(1, len(row))) for row in lists]
    divisor = {"recommended_items": len(shown)}.get(choices["normalise"], 1)
    mean = times(plus(means), Fraction(1, len(means) * divisor))
    base = {"ln": "", "log2": "ln(2)"}[choices["log"]]
    if choices["normalise"] == "catalogue":
        base = f"ln({users[0].catalogue})"
    return divided(mean, base)


def _gini(users: Sequence[UserData], k: int, choices: Mapping[str, str]) -> str:
    """From the mean difference of all pairs of items: the original definition of the index."""
    exposed: Dict[int, Fraction] = {}
    for user in users:
        for rank, item in enumerate(user.listed[:k]):
            attention = {"equal": Fraction(1), "geometric": PATIENCE**rank}[choices["attention"]]
            exposed[item] = exposed.get(item, Fraction(0)) + attention
    unseen = users[0].catalogue - len(exposed)
    zeros = {"catalogue": unseen, "recommended": 0, "padded": unseen + 1}[choices["items"]]
    exposures = [*exposed.values(), *[Fraction(0)] * zeros]
    gaps = sum((abs(first - second) for first, second in combinations(exposures, 2)), Fraction(0))
    n = len(exposures)
    bottom = {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[choices["divide_by"]] * sum(exposures)
    index = Share(gaps, bottom).value
    return str({"inequality": index, "equality": 1 - index}[choices["value"]])


def _personalization(users: Sequence[UserData], k: int, choices: Mapping[str, str]) -> str:
    lists = [set(user.listed[:k]) for user in users if user.listed]
    similar = [_similarity(first, second, k, choices["similarity"]) for first, second in combinations(lists, 2)]
    return spelled(plus((number(1), times(plus(similar), Fraction(-1, len(similar))))))


def _similarity(first: Set[int], second: Set[int], k: int, similarity: str) -> Sum:
    common, product = len(first & second), Fraction(len(first) * len(second))
    if similarity == "cosine":
        return times(root(product), common / product)
    return number(Fraction(common, {"overlap": k, "jaccard": len(first | second)}[similarity]))


OF_ALL: Dict[str, Callable[[Sequence[UserData], int, Mapping[str, str]], str]] = {
    "coverage": _coverage,
    "personalization": _personalization,
    "entropy": _entropy,
    "gini": _gini,
    "herfindahl": _herfindahl,
}
"""The metrics with one value for all users together."""


def reads_catalogue(name: str, choices: Mapping[str, str]) -> bool:
    """Whether a value depends on the number of items of the catalogue."""
    return {
        "auc": choices.get("scope") == "spread",
        "coverage": choices.get("of") != "users" and choices.get("divide_by") in ("all", "padded"),
        "entropy": choices.get("normalise") == "catalogue",
        "gini": choices.get("items") in ("catalogue", "padded"),
    }.get(name, False)
