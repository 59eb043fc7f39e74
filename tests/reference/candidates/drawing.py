"""Random users, pools and schemes for the tests of drawn candidates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_reference.candidates.scheme import Scheme

MEASURES = (
    "hit_rate@1", "hit_rate@3", "recall@2", "precision@3", "precision@20", "ndcg@2", "ndcg@20", "ndcg",
    "reciprocal_rank@2", "reciprocal_rank", "average_precision@3", "average_precision", "auc",
)  # fmt: skip


class Drawing(NamedTuple):
    """A user: scores of all items, the relevant ones, what is not drawn, and weights (None for uniform)."""

    scheme: Scheme
    scores: np.ndarray
    relevant: np.ndarray
    excluded: np.ndarray
    weights: np.ndarray | None
    other_relevant: bool

    def pool(self, item: int) -> np.ndarray:
        """The items that may be drawn beside one relevant item."""
        barred = {item, *self.excluded.tolist(), *(() if self.other_relevant else self.relevant.tolist())}
        return np.array([other for other in range(len(self.scores)) if other not in barred])

    def weighted(self, item: int) -> list[tuple[float, float]]:
        """Score and weight of each of them."""
        weight = np.ones(len(self.scores)) if self.weights is None else self.weights
        return [(float(self.scores[other]), float(weight[other])) for other in self.pool(item)]


def drawing(rng: np.random.Generator, kind: tuple[str, bool, str, str], items: int, most: int) -> Drawing:
    """A random user for weights, replacement, per and ties; ``most`` negatives at most."""
    weights, replacement, per, ties = kind
    relevant_count = int(rng.integers(1, min(4, items - 2)))
    order = rng.permutation(items)
    relevant, excluded = order[:relevant_count], order[relevant_count : relevant_count + int(rng.integers(0, 3))]
    scores = rng.integers(0, int(rng.integers(2, 2 * items)), items) / 2.0
    left = items - relevant_count - len(excluded)
    negatives = int(rng.integers(1, min(most, left if not replacement else most) + 1))
    scheme = Scheme(negatives, weights, replacement, per, ties)
    popular = rng.integers(1, 50, items).astype(float) if weights == "popularity" else None
    return Drawing(scheme, scores, relevant, excluded, popular, per == "item" and bool(rng.integers(0, 2)))


KINDS = [
    (weights, replacement, per, ties)
    for weights, replacement in (("uniform", False), ("uniform", True), ("popularity", True))
    for per in ("item", "user")
    for ties in ("optimistic", "pessimistic", "random", "expected")
    if not (per == "user" and ties in ("random", "expected"))
]
