"""The exact value of a metric beyond accuracy for one user; None where it is undefined: the user is not in the mean."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from metric_reference.vectors.closed_forms import ranges
from metric_reference.vectors.exact import Number, UserData
from metric_reference.vectors.sums import Sum, logarithm, number, plus, root, times

Choices = Mapping[str, str]


class Quotient(NamedTuple):
    """A sum over a number."""

    top: Sum
    bottom: Number


def _over_list(user: UserData, k: int, length: str, of_item: Callable[[int], Sum]) -> Optional[Quotient]:
    """The mean over the first k items of a list."""
    counts = user.training.counts
    listed = [item for item in user.listed[:k] if length != "trained" or counts[item]]
    if not listed:
        return None
    bottom = {"list": len(listed), "trained": len(listed), "k": k, "catalogue": user.catalogue}[length]
    return Quotient(plus(of_item(item) for item in listed), bottom)


def _popularity(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    counts, users, _ = user.training
    trained = sorted((count, item) for item, count in enumerate(counts) if count)
    tail = [item for _, item in trained[: max(1, len(trained) // 10)]]

    def quantile(item: int) -> Fraction:
        ranks = [rank for rank, (count, _) in enumerate(trained, 1) if count == counts[item]]
        return Fraction(sum(ranks), len(ranks) * len(trained)) if ranks else Fraction(0)

    values: Dict[str, Callable[[int], Fraction]] = {
        "count": lambda item: Fraction(counts[item]),
        "share": lambda item: Fraction(counts[item], users),
        "interaction_share": lambda item: Fraction(counts[item], sum(counts)),
        "relative": lambda item: Fraction(counts[item], max(counts)),
        "quantile": quantile,
        "tail": lambda item: Fraction(item in tail),
    }
    value = values[choices["value"]]
    return _over_list(user, k, choices["length"], lambda item: number(value(item)))


def _hit_popularity(user: UserData, k: int, choices: Choices) -> Quotient:
    hits = _hits(user, k)
    bottom = {"relevant": len(user.relevant), "k": k, "hits": len(hits)}[choices["divide_by"]]
    return Quotient(number(sum(user.training.counts[item] for _, item in hits)), bottom or 1)


def _hits(user: UserData, k: int) -> List[Tuple[int, int]]:
    """Rank and item of each hit."""
    return [(rank, user.listed[rank - 1]) for rank, gain in enumerate(user.gains[:k], 1) if gain > 0]


def _novelty(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    """In natural logarithms; :func:`base_of` gives the divisor."""
    length = choices["length"]
    if choices["probability"] == "own_history":
        return _over_list(
            user, k, "list" if length == "trained" else length, lambda item: number(item not in user.history)
        )
    total = total_of(user, choices["probability"])

    def information(item: int) -> Sum:
        count = user.training.counts[item]
        least = {"one": 1, "skipped": 0}[choices["unseen"]]
        return logarithm(Fraction(total, max(count, least))) if count or least else {}

    return _over_list(user, k, length, information)


def total_of(user: UserData, probability: str) -> int:
    """The number of which an item's interactions are a share."""
    return {"users": user.training.users, "interactions": sum(user.training.counts)}[probability]


def _cosine(first: Sequence[Fraction], second: Sequence[Fraction]) -> Sum:
    squares = sum(x * x for x in first) * sum(x * x for x in second)
    product = sum((x * y for x, y in zip(first, second)), Fraction(0))
    return times(root(Fraction(squares)), product / squares) if squares else {}


def _differing(first: Sequence[Fraction], second: Sequence[Fraction]) -> int:
    return sum(x != y for x, y in zip(first, second))


def _jaccard(first: Sequence[Fraction], second: Sequence[Fraction]) -> Sum:
    either = sum(x != 0 or y != 0 for x, y in zip(first, second))
    return number(Fraction(_differing(first, second), either or 1))


PAIRS: Dict[str, Callable[[Sequence[Fraction], Sequence[Fraction]], Sum]] = {
    "cosine_distance": lambda first, second: plus((number(1), times(_cosine(first, second), -1))),
    "cosine_similarity": _cosine,
    "euclidean_distance": lambda first, second: root(sum(((x - y) ** 2 for x, y in zip(first, second)), Fraction(0))),
    "hamming_distance": lambda first, second: number(_differing(first, second)),
    "jaccard_distance": _jaccard,
}


def _diversity(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    vectors = [user.training.vectors[item] for item in user.listed[:k]]
    last = {"full": Fraction(1), "half": Fraction(1, 2)}[choices["last"]]
    pairs = [
        times(PAIRS[choices["pair"]](vectors[first], vectors[second]), last if second == len(vectors) - 1 else 1)
        for first, second in combinations(range(len(vectors)), 2)
    ]
    bottom = {"pairs": len(pairs), "pairs_or_one": max(1, len(pairs)), "list": len(vectors)}[choices["divide_by"]]
    return Quotient(plus(pairs), bottom) if vectors and bottom else None


def _category_diversity(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    def covered(items: Sequence[int]) -> int:
        vectors = [user.training.vectors[item] for item in items]
        return len({category for vector in vectors for category, entry in enumerate(vector) if entry})

    shown = {"listed": list(user.listed[:k]), "hits": [item for _, item in _hits(user, k)]}[choices["of"]]
    categories = covered(range(user.catalogue))
    bottom = {"k": k, "list": len(user.listed[:k]), "categories": categories}[choices["divide_by"]]
    return Quotient(number(covered(shown)), bottom) if user.listed and bottom else None


def _most_popular(user: UserData, k: int) -> List[int]:
    counts = user.training.counts
    return sorted(range(len(counts)), key=lambda item: (-counts[item], item))[:k]


def _likeness(user: UserData, item: int) -> Sum:
    """The mean cosine similarity of an item to the user's history."""
    vectors = user.training.vectors
    return times(plus(_cosine(vectors[item], vectors[other]) for other in user.history), Fraction(1, len(user.history)))


def _unexpectedness(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    if choices["against"] == "history" and not user.history:
        return None
    expected: Dict[str, Callable[[int], Sum]] = {
        "popular": lambda item: number(item in _most_popular(user, k)),
        "history": lambda item: _likeness(user, item),
    }
    mean = _over_list(user, k, choices["length"], expected[choices["against"]])
    return mean and Quotient(plus((number(mean.bottom), times(mean.top, -1))), mean.bottom)


def _serendipity(user: UserData, k: int, choices: Choices) -> Optional[Quotient]:
    """Information in natural logarithms; :func:`base_of` gives the divisor."""
    counts, users, _ = user.training
    if choices["unexpected"] == "unlike_history" and not user.history:
        return None

    def above_popularity(rank: int, item: int) -> Fraction:
        more_popular = len({count for count in counts if count > counts[item]})
        expected = user.catalogue - more_popular if counts[item] else 0
        return Fraction(max(user.catalogue + 1 - rank - expected, 0), user.catalogue)

    surprise: Dict[str, Callable[[int, int], Sum]] = {
        "not_popular": lambda rank, item: number(item not in _most_popular(user, k)),
        "complement": lambda rank, item: number(1 - Fraction(counts[item], users)),
        "information": lambda rank, item: logarithm(
            Fraction(sum(counts), counts[item] or min(count for count in counts if count))
        ),
        "above_popularity": lambda rank, item: number(above_popularity(rank, item)),
        "unlike_history": lambda rank, item: plus((number(1), times(_likeness(user, item), -1))),
    }
    hits, of_hit = _hits(user, k), surprise[choices["unexpected"]]
    ranks = {
        "k": list(range(1, k + 1)),
        "list": list(range(1, len(user.listed[:k]) + 1)),
        "hits": [rank for rank, _ in hits],
    }[choices["divide_by"]]
    if choices["discount"] == "none":
        return Quotient(plus(of_hit(rank, item) for rank, item in hits), len(ranks) or 1)
    divisor = f"log2({ranges(ranks)})"
    return Quotient(plus(times(of_hit(rank, item), 1, f"log2({rank})/{divisor}") for rank, item in hits), 1)


def base_of(name: str, user: UserData, choices: Choices) -> str:
    """The divisor of natural logarithms, as text; empty where there is none."""
    log = "log2" if choices.get("unexpected") == "information" else choices.get("log", "ln")
    if log == "largest" and choices["probability"] != "own_history":
        return f"ln({total_of(user, choices['probability'])})"
    return "ln(2)" if log == "log2" and choices.get("probability") != "own_history" else ""


PER_LIST: Dict[str, Callable[[UserData, int, Choices], Optional[Quotient]]] = {
    "popularity": _popularity,
    "hit_popularity": _hit_popularity,
    "novelty": _novelty,
    "diversity": _diversity,
    "category_diversity": _category_diversity,
    "unexpectedness": _unexpectedness,
    "serendipity": _serendipity,
}
"""The metrics beyond accuracy that have a value for each user."""
OF_RELEVANT = ("hit_popularity", "serendipity")
"""Those to which the case's edge behaviours for users without relevant items or without a list apply."""
