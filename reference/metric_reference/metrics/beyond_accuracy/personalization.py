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
    10.1073/pnas.1000488107), over the users who have a list; undefined for fewer than two. A list is a set of items:
    an item recommended twice is in it once.

    similarity : ``cosine``: common items over the root of the product of the lengths; ``overlap``: common items over k;
        ``jaccard``: common items over the union.
    """

    name = "personalization"
    about = "how different the lists of different users are"
    relevance = False
    similarity: str = choice("cosine", "overlap", "jaccard")

    def whole(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        listed = matches.case.recommended[matches.lengths > 0, :k]
        held = (listed != NOTHING) & ~repeated(listed)
        pairs = len(listed) * (len(listed) - 1) / 2
        if pairs == 0:
            return np.zeros(1), np.zeros(1)
        if self.similarity == "jaccard":
            alike = _jaccard(listed, held)
        else:
            # sum over pairs of common items = sum over items of pairs of lists that hold them: no users x users table
            length = held.sum(axis=1, keepdims=True) if self.similarity == "cosine" else np.array([[k]])
            weight = np.broadcast_to(1.0 / np.sqrt(length), listed.shape)[held]
            first = np.bincount(listed[held], weight, minlength=matches.case.n_items)
            second = np.bincount(listed[held], weight**2, minlength=matches.case.n_items)
            alike = float(((first**2 - second) / 2).sum())
        return np.array([pairs - alike]), np.array([pairs])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        alike = {
            "cosine": r"\frac{|L_u \cap L_v|}{\sqrt{|L_u| |L_v|}}",
            "overlap": r"\frac{|L_u \cap L_v|}{k}",
            "jaccard": r"\frac{|L_u \cap L_v|}{|L_u \cup L_v|}",
        }[self.similarity]
        return rf"1 - \frac{{2}}{{|U| (|U| - 1)}} \sum_{{u < v}} {alike}"


def _jaccard(listed: np.ndarray, held: np.ndarray) -> float:
    """Sum of Jaccard similarities over pairs of lists; one list against all later ones at a time."""
    lengths = held.sum(axis=1)
    total = 0.0
    for place in range(len(listed) - 1):
        common = (np.isin(listed[place + 1 :], listed[place, held[place]]) & held[place + 1 :]).sum(axis=1)
        total += float((common / (lengths[place] + lengths[place + 1 :] - common)).sum())
    return total
