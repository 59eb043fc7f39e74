"""The literal twin of drawn candidates: every draw, one by one, and the metric of each list from its definition."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Draw(NamedTuple):
    """A way of drawing, as :class:`metric_reference.candidates.scheme.Scheme` names it."""

    negatives: int
    replacement: bool
    ties: str


def moments(draw: Draw, relevant: Sequence[float], pool: Sequence[tuple[float, float]], name: str, k: int | None):
    """Expectation and variance of one user's value.

    relevant : the scores of the relevant items, ranked together. pool : score and weight of each item that is drawn.
    """
    mean = square = 0.0
    for chance, negatives in draws(draw, pool):
        values = list(values_of(draw.ties, relevant, negatives, name, k))
        if draw.ties == "expected":
            values = [math.fsum(values) / len(values)]
        mean += chance * math.fsum(values) / len(values)
        square += chance * math.fsum(value * value for value in values) / len(values)
    return mean, square - mean * mean


def rank_chances(draw: Draw, score: float, pool: Sequence[tuple[float, float]]) -> list[float]:
    """The chance of each rank of one relevant item."""
    chances = [0.0] * (draw.negatives + 1)
    for chance, negatives in draws(draw, pool):
        places = list(ranks_of(draw.ties, [score], negatives))
        for (rank,) in places:
            chances[rank - 1] += chance / len(places)
    return chances


def draws(draw: Draw, pool: Sequence[tuple[float, float]]) -> Iterator[tuple[float, list[float]]]:
    """Each draw in order: its chance and the scores drawn."""
    total = math.fsum(weight for _, weight in pool)
    if draw.replacement:
        for drawn in itertools.product(pool, repeat=draw.negatives):
            yield math.prod(weight / total for _, weight in drawn), [score for score, _ in drawn]
    else:
        for drawn in itertools.combinations(pool, draw.negatives):
            yield 1 / math.comb(len(pool), draw.negatives), [score for score, _ in drawn]


def ranks_of(ties: str, relevant: Sequence[float], negatives: Sequence[float]) -> Iterator[list[int]]:
    """The ranks of the relevant items in each order that the tie rule allows, all equally likely."""
    if ties in ("random", "expected"):
        (score,) = relevant
        above = sum(other > score for other in negatives)
        for passed in range(sum(other == score for other in negatives) + 1):
            yield [1 + above + passed]
        return
    wins = ties == "optimistic"
    listed = [(score, wins, True) for score in relevant] + [(score, not wins, False) for score in negatives]
    listed.sort(key=lambda entry: (-entry[0], not entry[1]))
    yield [rank for rank, (_, _, hit) in enumerate(listed, 1) if hit]


def values_of(
    ties: str, relevant: Sequence[float], negatives: Sequence[float], name: str, k: int | None
) -> Iterator[float]:
    for ranks in ranks_of(ties, relevant, negatives):
        yield value(name, k, ranks, len(negatives))


def value(name: str, k: int | None, ranks: Sequence[int], negatives: int) -> float:
    """The metric of a list with relevant items at these ranks, in rising order."""
    relevant, cut = len(ranks), math.inf if k is None else k
    hits = [rank for rank in ranks if rank <= cut]
    most = int(min(relevant, cut))
    if name == "hit_rate":
        return float(len(hits) > 0)
    if name == "recall":
        return len(hits) / relevant
    if name == "precision":
        return len(hits) / k
    if name == "ndcg":
        ideal = math.fsum(1 / math.log2(rank + 1) for rank in range(1, most + 1))
        return math.fsum(1 / math.log2(rank + 1) for rank in hits) / ideal
    if name == "reciprocal_rank":
        return 1 / hits[0] if hits else 0.0
    if name == "average_precision":
        return math.fsum(number / rank for number, rank in enumerate(hits, 1)) / most
    assert name == "auc"
    lost = math.fsum(rank - number for number, rank in enumerate(ranks, 1))
    return 1 - lost / (relevant * negatives)
