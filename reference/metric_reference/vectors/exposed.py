"""The exact value of a metric of all lists together: how the recommendations are spread over items and users."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations
from typing import Callable, Dict, Mapping, Sequence, Set

from metric_reference.vectors.exact import Seen, Share
from metric_reference.vectors.sums import Sum, divided, logarithm, number, plus, root, spelled, times

PATIENCE = Fraction(17, 20)


def _times_shown(users: Sequence[Seen], k: int) -> Dict[int, int]:
    """How often each recommended item is."""
    every = list(chain.from_iterable(user.listed[:k] for user in users))
    return {item: every.count(item) for item in sorted(set(every))}


def _coverage(users: Sequence[Seen], k: int, choices: Mapping[str, str]) -> str:
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


def _herfindahl(users: Sequence[Seen], k: int, choices: Mapping[str, str]) -> str:
    times_shown = list(_times_shown(users, k).values())
    index = sum((Fraction(one, sum(times_shown)) ** 2 for one in times_shown), Fraction(0))
    return str({"concentration": index, "diversity": 1 - index}[choices["value"]])


def _entropy(users: Sequence[Seen], k: int, choices: Mapping[str, str]) -> str:
    shown = _times_shown(users, k)
    every = sum(shown.values())
    information = {item: logarithm(Fraction(every, one)) for item, one in shown.items()}
    lists = [user.listed[:k] for user in users if user.listed]
    lists = {"users": lists, "recommendations": [tuple(chain.from_iterable(lists))]}[choices["over"]]
    means = [times(plus(information[item] for item in row), Fraction(1, len(row))) for row in lists]
    divisor = {"recommended_items": len(shown)}.get(choices["normalise"], 1)
    mean = times(plus(means), Fraction(1, len(means) * divisor))
    base = {"ln": "", "log2": "ln(2)"}[choices["log"]]
    if choices["normalise"] == "catalogue":
        base = f"ln({users[0].catalogue})"
    return divided(mean, base)


def _gini(users: Sequence[Seen], k: int, choices: Mapping[str, str]) -> str:
    """From the mean difference of all pairs of items, as the index is first defined."""
    exposed: Dict[int, Fraction] = {}
    for user in users:
        for rank, item in enumerate(user.listed[:k]):
            worth = {"equal": Fraction(1), "geometric": PATIENCE**rank}[choices["attention"]]
            exposed[item] = exposed.get(item, Fraction(0)) + worth
    unseen = users[0].catalogue - len(exposed)
    zeros = {"catalogue": unseen, "recommended": 0, "padded": unseen + 1}[choices["items"]]
    every = [*exposed.values(), *[Fraction(0)] * zeros]
    gaps = sum((abs(one - other) for one, other in combinations(every, 2)), Fraction(0))
    n = len(every)
    bottom = {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[choices["divide_by"]] * sum(every)
    index = Share(gaps, bottom).value
    return str({"inequality": index, "equality": 1 - index}[choices["value"]])


def _personalization(users: Sequence[Seen], k: int, choices: Mapping[str, str]) -> str:
    lists = [set(user.listed[:k]) for user in users if user.listed]
    alike = [_alike(one, other, k, choices["similarity"]) for one, other in combinations(lists, 2)]
    return spelled(plus((number(1), times(plus(alike), Fraction(-1, len(alike))))))


def _alike(one: Set[int], other: Set[int], k: int, similarity: str) -> Sum:
    common, product = len(one & other), Fraction(len(one) * len(other))
    if similarity == "cosine":
        return times(root(product), common / product)
    return number(Fraction(common, {"overlap": k, "jaccard": len(one | other)}[similarity]))


OF_ALL: Dict[str, Callable[[Sequence[Seen], int, Mapping[str, str]], str]] = {
    "coverage": _coverage,
    "personalization": _personalization,
    "entropy": _entropy,
    "gini": _gini,
    "herfindahl": _herfindahl,
}
"""The metrics that have one value for all users together."""


def reads_catalogue(name: str, choices: Mapping[str, str]) -> bool:
    """Whether the number of items that there are bears on a value, besides their training interactions."""
    return {
        "auc": choices.get("scope") == "spread",
        "coverage": choices.get("of") != "users" and choices.get("divide_by") in ("all", "padded"),
        "entropy": choices.get("normalise") == "catalogue",
        "gini": choices.get("items") in ("catalogue", "padded"),
    }.get(name, False)
