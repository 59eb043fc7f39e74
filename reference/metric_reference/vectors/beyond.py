"""The exact value of a metric beyond accuracy for one user; None where it is undefined: such a user leaves the mean."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from metric_reference.vectors.closed_forms import ranges
from metric_reference.vectors.exact import Number, Seen
from metric_reference.vectors.sums import Sum, logarithm, number, plus, root, times

Choices = Mapping[str, str]


class Part(NamedTuple):
    """A sum, and the number that it is divided by."""

    top: Sum
    bottom: Number


def _over_list(seen: Seen, k: int, length: str, of_item: Callable[[int], Sum]) -> Optional[Part]:
    """The mean over the first k items of a list."""
    counts = seen.training.counts
    listed = [item for item in seen.listed[:k] if length != "trained" or counts[item]]
    if not listed:
        return None
    bottom = {"list": len(listed), "trained": len(listed), "k": k, "catalogue": seen.catalogue}[length]
    return Part(plus(of_item(item) for item in listed), bottom)


def _popularity(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    counts, users, _ = seen.training
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
    return _over_list(seen, k, choices["length"], lambda item: number(value(item)))


def _hit_popularity(seen: Seen, k: int, choices: Choices) -> Part:
    hits = _hits(seen, k)
    bottom = {"relevant": len(seen.relevant), "k": k, "hits": len(hits)}[choices["divide_by"]]
    return Part(number(sum(seen.training.counts[item] for _, item in hits)), bottom or 1)


def _hits(seen: Seen, k: int) -> List[Tuple[int, int]]:
    """Rank and item of each hit."""
    return [(rank, seen.listed[rank - 1]) for rank, gain in enumerate(seen.gains[:k], 1) if gain > 0]


def _novelty(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    """In natural logarithms; :func:`base_of` has the divisor."""
    length = choices["length"]
    if choices["probability"] == "own_history":
        return _over_list(
            seen, k, "list" if length == "trained" else length, lambda item: number(item not in seen.history)
        )
    whole = total_of(seen, choices["probability"])

    def information(item: int) -> Sum:
        count = seen.training.counts[item]
        least = {"one": 1, "skipped": 0}[choices["unseen"]]
        return logarithm(Fraction(whole, max(count, least))) if count or least else {}

    return _over_list(seen, k, length, information)


def total_of(seen: Seen, probability: str) -> int:
    """What an item's interactions are a share of."""
    return {"users": seen.training.users, "interactions": sum(seen.training.counts)}[probability]


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


def _diversity(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    vectors = [seen.training.vectors[item] for item in seen.listed[:k]]
    last = {"full": Fraction(1), "half": Fraction(1, 2)}[choices["last"]]
    pairs = [
        times(PAIRS[choices["pair"]](vectors[one], vectors[other]), last if other == len(vectors) - 1 else 1)
        for one, other in combinations(range(len(vectors)), 2)
    ]
    bottom = {"pairs": len(pairs), "pairs_or_one": max(1, len(pairs)), "list": len(vectors)}[choices["divide_by"]]
    return Part(plus(pairs), bottom) if vectors and bottom else None


def _category_diversity(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    def covered(items: Sequence[int]) -> int:
        vectors = [seen.training.vectors[item] for item in items]
        return len({place for vector in vectors for place, entry in enumerate(vector) if entry})

    shown = {"listed": list(seen.listed[:k]), "hits": [item for _, item in _hits(seen, k)]}[choices["of"]]
    known = covered(range(seen.catalogue))
    bottom = {"k": k, "list": len(seen.listed[:k]), "categories": known}[choices["divide_by"]]
    return Part(number(covered(shown)), bottom) if seen.listed and bottom else None


def _most_popular(seen: Seen, k: int) -> List[int]:
    counts = seen.training.counts
    return sorted(range(len(counts)), key=lambda item: (-counts[item], item))[:k]


def _likeness(seen: Seen, item: int) -> Sum:
    """To the user's history, on average."""
    vectors = seen.training.vectors
    return times(plus(_cosine(vectors[item], vectors[one]) for one in seen.history), Fraction(1, len(seen.history)))


def _unexpectedness(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    if choices["against"] == "history" and not seen.history:
        return None
    expected: Dict[str, Callable[[int], Sum]] = {
        "popular": lambda item: number(item in _most_popular(seen, k)),
        "history": lambda item: _likeness(seen, item),
    }
    part = _over_list(seen, k, choices["length"], expected[choices["against"]])
    return part and Part(plus((number(part.bottom), times(part.top, -1))), part.bottom)


def _serendipity(seen: Seen, k: int, choices: Choices) -> Optional[Part]:
    """Information in natural logarithms; :func:`base_of` has the divisor."""
    counts, users, _ = seen.training
    if choices["unexpected"] == "unlike_history" and not seen.history:
        return None

    def above(rank: int, item: int) -> Fraction:
        higher = len({count for count in counts if count > counts[item]})
        expected = seen.catalogue - higher if counts[item] else 0
        return Fraction(max(seen.catalogue + 1 - rank - expected, 0), seen.catalogue)

    surprise: Dict[str, Callable[[int, int], Sum]] = {
        "not_popular": lambda rank, item: number(item not in _most_popular(seen, k)),
        "complement": lambda rank, item: number(1 - Fraction(counts[item], users)),
        "information": lambda rank, item: logarithm(
            Fraction(sum(counts), counts[item] or min(count for count in counts if count))
        ),
        "above_popularity": lambda rank, item: number(above(rank, item)),
        "unlike_history": lambda rank, item: plus((number(1), times(_likeness(seen, item), -1))),
    }
    hits, of_hit = _hits(seen, k), surprise[choices["unexpected"]]
    below = {
        "k": list(range(1, k + 1)),
        "list": list(range(1, len(seen.listed[:k]) + 1)),
        "hits": [rank for rank, _ in hits],
    }[choices["divide_by"]]
    if choices["discount"] == "none":
        return Part(plus(of_hit(rank, item) for rank, item in hits), len(below) or 1)
    over = f"log2({ranges(below)})"
    return Part(plus(times(of_hit(rank, item), 1, f"log2({rank})/{over}") for rank, item in hits), 1)


def base_of(name: str, seen: Seen, choices: Choices) -> str:
    """What natural logarithms are divided by, as text; empty where that is nothing."""
    log = "log2" if choices.get("unexpected") == "information" else choices.get("log", "ln")
    if log == "largest" and choices["probability"] != "own_history":
        return f"ln({total_of(seen, choices['probability'])})"
    return "ln(2)" if log == "log2" and choices.get("probability") != "own_history" else ""


PER_LIST: Dict[str, Callable[[Seen, int, Choices], Optional[Part]]] = {
    "popularity": _popularity,
    "hit_popularity": _hit_popularity,
    "novelty": _novelty,
    "diversity": _diversity,
    "category_diversity": _category_diversity,
    "unexpectedness": _unexpectedness,
    "serendipity": _serendipity,
}
"""The metrics beyond accuracy that every user has a value of."""
OF_RELEVANT = ("hit_popularity", "serendipity")
"""Those that treat users without relevant items or without a list as the case says; elsewhere these have no rule."""
