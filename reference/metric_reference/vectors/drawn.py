"""Exact expectation and variance of a user's value among drawn negatives: every draw, its chance as a fraction.

This arithmetic is independent of :mod:`metric_reference.candidates`, whose closed forms it is held against.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any, DefaultDict, Dict, Iterator, List, Sequence, Tuple

import numpy as np

from metric_reference.candidates.choice import WORD, Candidates
from metric_reference.candidates.measures import measure
from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import Places
from metric_reference.candidates.scheme import Scheme
from metric_reference.candidates.together import moments_together
from metric_reference.vectors.rounded import nearest

MEASURES = (
    "hit_rate@2",
    "recall@2",
    "precision@3",
    "ndcg@2",
    "ndcg",
    "reciprocal_rank@2",
    "reciprocal_rank",
    "average_precision@2",
    "average_precision",
    "auc",
)
Json = Dict[str, Any]
Ranks = Tuple[int, ...]
Values = Dict[str, List[Tuple[str, float]]]
"""By measure: expectation and variance, each as exact text and as the nearest float64."""


def scheme_of(spec: Json) -> Scheme:
    """How the negatives of a case are drawn."""
    match = WORD.fullmatch(spec["candidates"])
    kind, negatives = (spec["candidates"], None) if match is None else (match["kind"], match["negatives"])
    made = Candidates(kind, None if negatives is None else int(negatives), spec["replacement"], spec["per"])
    return made.scheme(spec["ties"])


def values(spec: Json) -> Values:
    """Expectation and variance of each measure. ValueError, with the case, where the closed forms differ."""
    scheme = scheme_of(spec)
    outcomes: DefaultDict[Tuple[Ranks, ...], Fraction] = defaultdict(Fraction)
    for chance, scores in _draws(scheme, spec["pool"]):
        orders = tuple(_orders(scheme.ties, spec["relevant"], scores))
        if scheme.ties == "expected":
            outcomes[orders] += chance
        else:
            for order in orders:
                outcomes[(order,)] += chance / len(orders)
    closed = _closed(scheme, spec)
    found: Values = {}
    for text in MEASURES:
        weighed: DefaultDict[str, Fraction] = defaultdict(Fraction)
        for orders, chance in outcomes.items():
            weighed[_mean_text(text, orders, scheme.negatives)] += chance
        mean = _sum([(chance, value) for value, chance in weighed.items()])
        square = _sum([(chance, f"({value})^2") for value, chance in weighed.items()])
        exact = [mean, _sum([(Fraction(1), square), (Fraction(-1), f"({mean})^2")])]
        found[text] = [(each, nearest(each)) for each in exact]
        for (each, number), other in zip(found[text], closed[text]):
            if not math.isclose(number, other, rel_tol=1e-12, abs_tol=1e-13):
                raise ValueError(f"case {spec['name']}: {text} is {other!r}, but exactly {each}")
    return found


def _draws(scheme: Scheme, pool: Sequence[Sequence[int]]) -> Iterator[Tuple[Fraction, List[int]]]:
    """Each draw: its chance and the scores drawn. pool : score and weight of each item."""
    total = sum(weight for _, weight in pool)
    if scheme.replacement:
        for drawn in itertools.product(pool, repeat=scheme.negatives):
            chance = Fraction(math.prod(weight for _, weight in drawn), total**scheme.negatives)
            yield chance, [score for score, _ in drawn]
        return
    every = list(itertools.combinations(pool, scheme.negatives))
    for drawn in every:
        yield Fraction(1, len(every)), [score for score, _ in drawn]


def _orders(ties: str, relevant: Sequence[int], drawn: Sequence[int]) -> Iterator[Ranks]:
    """The ranks of the relevant items in each order of equal scores that the tie rule allows."""
    if ties in ("random", "expected"):
        (score,) = relevant
        above = sum(other > score for other in drawn)
        yield from ((1 + above + passed,) for passed in range(drawn.count(score) + 1))
        return
    ahead = [
        sum(other > score or (other == score and ties == "pessimistic") for other in drawn)
        for score in sorted(relevant, reverse=True)
    ]
    yield tuple(number + above for number, above in enumerate(ahead, 1))


def _mean_text(text: str, orders: Sequence[Ranks], negatives: int) -> str:
    """The mean of the values of some orders, as exact text."""
    shares = Counter(_value_text(text, ranks, negatives) for ranks in orders)
    return _sum([(Fraction(times, len(orders)), value) for value, times in shares.items()])


def _value_text(text: str, ranks: Ranks, negatives: int) -> str:
    """The value of a list with relevant items at some ranks, as exact text."""
    name, k = measure(text)
    last = negatives + len(ranks) if k is None else k
    hits, best = [rank for rank in ranks if rank <= last], min(len(ranks), last)
    if name == "ndcg":
        ideal = "" if best == 1 else f"/log2(1-{best})"
        return f"log2({','.join(map(str, hits))}){ideal}" if hits else "0"
    if name == "auc":
        lost = sum(rank - number for number, rank in enumerate(ranks, 1))
        return str(1 - Fraction(lost, len(ranks) * negatives))
    if name == "average_precision":
        return str(sum((Fraction(number, rank) for number, rank in enumerate(hits, 1)), Fraction(0)) / best)
    if name == "reciprocal_rank":
        return str(Fraction(1, hits[0]) if hits else 0)
    if name == "hit_rate":
        return str(int(bool(hits)))
    return str(Fraction(len(hits), len(ranks) if name == "recall" else last))


def _sum(terms: Sequence[Tuple[Fraction, str]]) -> str:
    """A sum of values times factors: one fraction, or an expression where a value holds a logarithm."""
    if all("log" not in value for _, value in terms):
        return str(sum((factor * _fraction(value) for factor, value in terms), Fraction(0)))
    parts = [(factor, value) for factor, value in terms if value != "0" and factor]
    text = "+".join(f"({value})" if factor == 1 else f"{factor}*({value})" for factor, value in parts)
    return text.replace("+-1*", "-")


def _fraction(value: str) -> Fraction:
    return Fraction(value[1:-3]) ** 2 if value.endswith(")^2") else Fraction(value)


def _closed(scheme: Scheme, spec: Json) -> Dict[str, Tuple[float, float]]:
    """Expectation and variance by the closed forms."""
    scores, weights = (np.array(column) for column in zip(*spec["pool"]))
    rows = np.array(spec["relevant"])[:, None]
    places = Places((weights * (scores > rows)).sum(1), int(weights.sum()), (weights * (scores == rows)).sum(1))
    if scheme.per == "item":
        found = moments(scheme, places, MEASURES)
    else:
        _, found = moments_together(scheme, places, np.zeros(len(places), np.int64), MEASURES)
    return {text: (float(each.mean[0]), float(each.variance[0])) for text, each in found.items()}
