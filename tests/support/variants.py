"""What tests over all variants share: the metrics in groups, their values for a case, and how close is equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import METRICS, UNINTENDED, Variant, prepare, space

CLOSE = 1e-12
Choices = dict[str, str]
LARGE = ("average_precision", "ndcg", "auc")
FAMILIES: dict[str, list[str]] = {
    **{name: [name] for name in LARGE},
    "other metrics of relevance": [n for n, metric in METRICS.items() if metric.relevance and n not in LARGE],
    "metrics without relevance": [n for n, metric in METRICS.items() if not metric.relevance],
}
"""Every metric, in groups that are tested over the same random cases."""

RANKED = {
    "average_precision": FAMILIES["average_precision"],
    "ndcg": FAMILIES["ndcg"],
    "auc": FAMILIES["auc"],
    "others": [
        n
        for n in FAMILIES["other metrics of relevance"]
        if n not in ("cumulative_hit_rate", "serendipity", "hit_popularity", *UNINTENDED)
    ],
}
"""Metrics of what is relevant that look at nothing but the list and, for AUC, the candidates."""

NOT_MONOTONE: dict[str, Callable[[Choices], bool]] = {
    "precision": lambda c: c["divide_by"] == "last_hit_rank" and c["cut"] == "k",
    "reciprocal_rank": lambda c: c["over"] == "mean_hits" and c["cut"] == "k",
    "average_precision": lambda c: c["divide_by"] == "hits" and c["cut"] == "k",
    "average_recall": lambda c: c["divide_by"] == "hits" and c["sum_over"] == "all_ranks",
    "ndcg": lambda c: (
        c["discount"] == "ln_rank" or (c["ideal"] == "hits" and c["cut"] == "k" and c["discount"] != "none")
    ),
    "fall_out": lambda c: True,
    "rank": lambda c: True,
    "auc": lambda c: c["scope"] == "top_k",
}
"""Variants that a better list can make smaller: they divide by what the list itself holds, weigh rank 2 more than
rank 1, count what is not relevant, or are ranks."""


RANKED_NAMES = [name for names in RANKED.values() for name in names]


def every(names: Iterable[str]) -> Iterator[Variant]:
    for name in names:
        yield from space(name)


def values(case: Case, k: int, names: Iterable[str], edges: Edges = STANDARD) -> dict[Variant, float]:
    matches = prepare(case, edges)
    return {variant: variant.of_matches(matches, edges, k) for variant in every(names)}


def differing(before: dict[Variant, float], after: dict[Variant, float]) -> list[str]:
    old, new = np.array(list(before.values())), np.array([after[variant] for variant in before])
    far = ~np.isclose(old, new, rtol=CLOSE, atol=CLOSE, equal_nan=True)
    return [f"{v}: {before[v]!r} became {after[v]!r}" for v, is_far in zip(before, far, strict=True) if is_far]


def same(here: float, there: float, what: str = "") -> None:
    assert np.isclose(here, there, rtol=CLOSE, atol=CLOSE, equal_nan=True), f"{what} {here!r} is not {there!r}"
