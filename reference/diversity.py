"""Diversity: how different are the items of one list from each other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Diversity(Metric):
    """Mean distance of the pairs of items in a list (intra-list diversity; Ziegler et al. 2005, doi
    10.1145/1060745.1060754), undefined for lists of fewer than two items. Needs ``item_vectors``.

    distance : ``cosine``: 1 - cosine similarity (1 to a zero vector); ``euclidean``.
    """

    name = "diversity"
    about = "mean distance of the items in a list"
    relevance = False
    needs = ("item_vectors",)
    distance: str = choice("cosine", "euclidean")

    def parts(self, matches: Matches, k: int) -> Parts:
        vectors = vectors_of(matches, self.name)
        total, pairs = np.zeros(matches.users), np.zeros(matches.users)
        for user in range(matches.users):
            listed = vectors[matches.case.list_of(user, k)]
            upper = np.triu_indices(len(listed), 1)
            if self.distance == "cosine":
                unit = normalised(listed)
                gaps = 1.0 - (unit @ unit.T)[upper]
            else:
                gaps = np.sqrt(((listed[upper[0]] - listed[upper[1]]) ** 2).sum(axis=1))
            total[user], pairs[user] = gaps.sum(), len(gaps)
        return total, pairs

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 2.0 if self.distance == "cosine" else float("inf")

    def formula(self) -> str:
        gap = r"1 - \cos(v_i, v_j)" if self.distance == "cosine" else r"\lVert v_i - v_j \rVert"
        return rf"\frac{{2}}{{|L| (|L| - 1)}} \sum_{{i < j}} \left({gap}\right)"


def vectors_of(matches: Matches, who: str) -> np.ndarray:
    """The item vectors, or ValueError that says who needs them."""
    if matches.case.item_vectors is None:
        raise ValueError(f"{who} needs item_vectors, which this case does not have")
    return matches.case.item_vectors


def normalised(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a zero row stays zero."""
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.divide(vectors, length, out=np.zeros_like(vectors, dtype=np.float64), where=length > 0)
