"""Diversity: how different are the items of one list from each other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Diversity(Metric):
    """Mean distance, or likeness, of the pairs of items in a list (intra-list diversity, intra-list similarity).

    ``item_vectors`` say what an item is like: features, an embedding, or the item's column of the training matrix,
    with which the cosine is that of co-occurrence. The cosine to a zero vector is 0.

    pair : of two items: ``cosine_distance``: 1 - cosine similarity; ``euclidean_distance``; ``hamming_distance``: how
        many of the vectors' entries differ; ``jaccard_distance``: those over the entries that either has, 0 where
        neither has any; ``cosine_similarity``: itself, so that a large value means a uniform list.
    divide_by : ``pairs``: their number, so that a list of fewer than two items is undefined; ``pairs_or_one``: at
        least 1, so that a list of one item has 0; ``list``: the list's length up to k.
    last : what a pair with the last item counts: ``full``, or ``half``: of all ordered pairs those whose first item is
        the last one are left out, by a loop that ends one short.
    """

    name = "diversity"
    about = "mean distance of the items in a list"
    relevance = False
    needs = ("item_vectors",)
    pair: str = choice(
        "cosine_distance", "euclidean_distance", "hamming_distance", "cosine_similarity", "jaccard_distance"
    )
    divide_by: str = choice("pairs", "pairs_or_one", "list")
    last: str = choice("full", "half")

    def parts(self, matches: Matches, k: int) -> Parts:
        vectors = vectors_of(matches, self.name)
        unit = normalised(vectors)
        total, counted = np.zeros(matches.users), np.zeros(matches.users)
        for user in range(matches.users):
            listed = matches.case.list_of(user, k)
            places, second = np.triu_indices(len(listed), 1)
            first, other = listed[places], listed[second]
            if self.pair == "euclidean_distance":
                of_pair = np.sqrt(((vectors[first] - vectors[other]) ** 2).sum(axis=1))
            elif self.pair == "hamming_distance":
                of_pair = (vectors[first] != vectors[other]).sum(axis=1)
            elif self.pair == "jaccard_distance":
                either = ((vectors[first] != 0) | (vectors[other] != 0)).sum(axis=1)
                of_pair = (vectors[first] != vectors[other]).sum(axis=1) / np.maximum(either, 1)
            else:
                of_pair = (unit[first] * unit[other]).sum(axis=1)
            weights = np.where((second == len(listed) - 1) & (self.last == "half"), 0.5, 1.0)
            total[user], counted[user] = (of_pair * weights).sum(), weights.sum()
        length = np.minimum(matches.lengths, k)
        pairs = length * (length - 1) // 2
        if self.pair == "cosine_distance":
            total = counted - total
        divisor = {"pairs": pairs, "pairs_or_one": np.where(length == 1, 1, pairs), "list": length}[self.divide_by]
        return total, divisor.astype(np.float64)

    def weights(self) -> Tuple[str, ...]:
        """A list of one item adds 0 to a sum, whether or not it counts."""
        return ("user", "micro") if self.divide_by == "pairs_or_one" else super().weights()

    def bounds(self, k: int) -> Tuple[float, float]:
        if k == 1:  # no pairs
            return 0.0, 0.0
        if self.pair in ("euclidean_distance", "hamming_distance"):
            return 0.0, float("inf")
        # Two items can point in opposite directions; of n, all pairs together have a cosine of at least -n / 2.
        if self.divide_by == "list":
            if self.pair == "jaccard_distance":
                return 0.0, (k - 1) / 2
            return (0.0, k / 2) if self.pair == "cosine_distance" else (-0.5, (k - 1) / 2)
        return {"cosine_distance": (0.0, 2.0), "jaccard_distance": (0.0, 1.0)}.get(self.pair, (-1.0, 1.0))

    def formula(self) -> str:
        of_pair = {
            "cosine_distance": r"\left(1 - \cos(v_i, v_j)\right)",
            "euclidean_distance": r"\lVert v_i - v_j \rVert",
            "hamming_distance": r"\lVert v_i - v_j \rVert_0",
            "cosine_similarity": r"\cos(v_i, v_j)",
            "jaccard_distance": r"\frac{\lVert v_i - v_j \rVert_0}{|v_i \lor v_j|}",
        }[self.pair]
        divisor = {
            "pairs": r"\binom{|L|}{2}",
            "pairs_or_one": r"\max\left(1, \binom{|L|}{2}\right)",
            "list": "|L|",
        }[self.divide_by]
        weight = r"\left(1 - \tfrac12 [j = |L|]\right) " if self.last == "half" else ""
        return rf"\frac{{1}}{{{divisor}}} \sum_{{i < j}} {weight}{of_pair}"


def vectors_of(matches: Matches, who: str) -> np.ndarray:
    """The item vectors, or ValueError that says who needs them."""
    if matches.case.item_vectors is None:
        raise ValueError(f"{who} needs item_vectors, which this case does not have")
    return matches.case.item_vectors


def normalised(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a zero row stays zero."""
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.divide(vectors, length, out=np.zeros_like(vectors, dtype=np.float64), where=length > 0)
