"""Diversity: how different are the items of one list from each other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Diversity(Metric):
    """Mean distance, or similarity, of the pairs of items in a list (intra-list diversity, intra-list similarity).

    ``item_vectors`` describe the items: features, an embedding, or the item's column of the training matrix, whose
    cosine is that of co-occurrence. The cosine to a zero vector is 0.

    pair : of two items: ``cosine_distance``: 1 - cosine similarity; ``euclidean_distance``; ``hamming_distance``: the
        number of entries in which the vectors differ; ``jaccard_distance``: that number over the number of entries
        where either vector is not 0 (0 if there are none); ``cosine_similarity``, so that a large value means a
        uniform list.
    divide_by : ``pairs``: their number, so that a list of fewer than two items is undefined; ``pairs_or_one``: at
        least 1, so that a list of one item has 0; ``list``: the list's length up to k.
    last : the weight of a pair with the last item: ``full``: 1; ``half``: 1/2, from a loop over ordered pairs that ends
        before the last item comes first.
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
        total, summed_weights = np.zeros(matches.users), np.zeros(matches.users)
        for user in range(matches.users):
            listed = matches.case.list_of(user, k)
            first_rank, second_rank = np.triu_indices(len(listed), 1)
            first, second = listed[first_rank], listed[second_rank]
            if self.pair == "euclidean_distance":
                pair_values = np.sqrt(((vectors[first] - vectors[second]) ** 2).sum(axis=1))
            elif self.pair == "hamming_distance":
                pair_values = (vectors[first] != vectors[second]).sum(axis=1)
            elif self.pair == "jaccard_distance":
                either = ((vectors[first] != 0) | (vectors[second] != 0)).sum(axis=1)
                pair_values = (vectors[first] != vectors[second]).sum(axis=1) / np.maximum(either, 1)
            else:
                pair_values = (unit[first] * unit[second]).sum(axis=1)
            weights = np.where((second_rank == len(listed) - 1) & (self.last == "half"), 0.5, 1.0)
            total[user], summed_weights[user] = (pair_values * weights).sum(), weights.sum()
        length = np.minimum(matches.lengths, k)
        pairs = length * (length - 1) // 2
        if self.pair == "cosine_distance":
            total = summed_weights - total
        divisor = {"pairs": pairs, "pairs_or_one": np.where(length == 1, 1, pairs), "list": length}[self.divide_by]
        return total, divisor.astype(np.float64)

    def weights(self) -> Tuple[str, ...]:
        """A list of one item adds 0 to a sum, so ``pairs_or_one`` has no sum of its own."""
        return ("user", "micro") if self.divide_by == "pairs_or_one" else super().weights()

    def bounds(self, k: int) -> Tuple[float, float]:
        if k == 1:  # no pairs
            return 0.0, 0.0
        if self.pair in ("euclidean_distance", "hamming_distance"):
            return 0.0, float("inf")
        # Two vectors can have the cosine -1, but the cosines of all pairs of n vectors add up to at least -n / 2.
        if self.divide_by == "list":
            if self.pair == "jaccard_distance":
                return 0.0, (k - 1) / 2
            return (0.0, k / 2) if self.pair == "cosine_distance" else (-0.5, (k - 1) / 2)
        return {"cosine_distance": (0.0, 2.0), "jaccard_distance": (0.0, 1.0)}.get(self.pair, (-1.0, 1.0))

    def formula(self) -> str:
        pair_value = {
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
        return rf"\frac{{1}}{{{divisor}}} \sum_{{i < j}} {weight}{pair_value}"


def vectors_of(matches: Matches, needed_by: str) -> np.ndarray:
    """The item vectors; ValueError, naming the metric that needs them, if the case has none."""
    if matches.case.item_vectors is None:
        raise ValueError(f"{needed_by} needs item_vectors, which this case does not have")
    return matches.case.item_vectors


def normalised(vectors: np.ndarray) -> np.ndarray:
    """The rows scaled to length 1; a zero row stays zero."""
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.divide(vectors, length, out=np.zeros_like(vectors, dtype=np.float64), where=length > 0)
