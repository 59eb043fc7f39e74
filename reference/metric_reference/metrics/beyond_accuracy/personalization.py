"""Personalization: how different are the lists of different users?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches, repeated
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Personalization(Metric):
    """1 - mean similarity of the lists of all pairs of users (inter-list diversity; Zhou et al. 2010, doi
    10.1073/pnas.1000488107), over the users who have a list; undefined for fewer than two. An item recommended twice
    counts once.

    similarity : ``cosine``: common items over the root of the product of the lengths; ``overlap``: common items over k;
        ``jaccard``: common items over the union.
    """

    name = "personalization"
    about = "how different the lists of different users are"
    relevance = False
    similarity: str = choice("cosine", "overlap", "jaccard")

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        listed = matches.case.recommended[matches.lengths > 0, :k]
        filled = (listed != NOTHING) & ~repeated(listed)
        pairs = len(listed) * (len(listed) - 1) / 2
        if pairs == 0:
            return np.zeros(1), np.zeros(1)
        if self.similarity == "jaccard":
            similarity = _jaccard(listed, filled)
        else:
            # common items summed over pairs of lists = pairs of lists that hold an item, summed over items
            length = filled.sum(axis=1, keepdims=True) if self.similarity == "cosine" else np.array([[k]])
            weight = np.broadcast_to(1.0 / np.sqrt(length), listed.shape)[filled]
            weights = np.bincount(listed[filled], weight, minlength=matches.case.n_items)
            squares = np.bincount(listed[filled], weight**2, minlength=matches.case.n_items)
            similarity = float(((weights**2 - squares) / 2).sum())
        return np.array([pairs - similarity]), np.array([pairs])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        similarity = {
            "cosine": r"\frac{|L_u \cap L_v|}{\sqrt{|L_u| |L_v|}}",
            "overlap": r"\frac{|L_u \cap L_v|}{k}",
            "jaccard": r"\frac{|L_u \cap L_v|}{|L_u \cup L_v|}",
        }[self.similarity]
        return rf"1 - \frac{{2}}{{|U| (|U| - 1)}} \sum_{{u < v}} {similarity}"


def _jaccard(listed: np.ndarray, filled: np.ndarray) -> float:
    """Sum of Jaccard similarities over pairs of lists, computed for one list and all later ones at a time."""
    lengths = filled.sum(axis=1)
    total = 0.0
    for row in range(len(listed) - 1):
        common = (np.isin(listed[row + 1 :], listed[row, filled[row]]) & filled[row + 1 :]).sum(axis=1)
        total += float((common / (lengths[row] + lengths[row + 1 :] - common)).sum())
    return total
