"""Personalization: how different are the lists of different users?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import exposure
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Personalization(Metric):
    """1 - mean similarity of the lists of all pairs of users (inter-list diversity; Zhou et al. 2010, doi
    10.1073/pnas.1000488107), over the users who have a list; undefined for fewer than two.

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
        users = np.flatnonzero(matches.lengths > 0)
        pairs = len(users) * (len(users) - 1) / 2
        if pairs == 0:
            return np.zeros(1), np.zeros(1)
        if self.similarity == "jaccard":
            alike = _jaccard(matches, users, k)
        else:
            # sum over pairs of common items = sum over items of pairs of lists that hold them: no users x users table
            lengths = np.minimum(matches.lengths, k).astype(np.float64)
            weight = 1.0 / (np.sqrt(lengths, where=lengths > 0, out=np.ones_like(lengths)))
            listed = matches.case.recommended[:, :k]
            held = listed >= 0
            if self.similarity == "overlap":
                alike = float((exposure(matches, k) * (exposure(matches, k) - 1) / 2).sum()) / k
            else:
                spread = np.broadcast_to(weight[:, None], listed.shape)[held]
                first = np.bincount(listed[held], spread, minlength=matches.case.n_items)
                second = np.bincount(listed[held], spread**2, minlength=matches.case.n_items)
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


def _jaccard(matches: Matches, users: np.ndarray, k: int) -> float:
    """Sum of Jaccard similarities over pairs of users; one user against all later ones at a time."""
    lengths = np.minimum(matches.lengths, k)
    total = 0.0
    for place, user in enumerate(users[:-1]):
        later = users[place + 1 :]
        common = np.isin(matches.case.recommended[later, :k], matches.case.list_of(user, k)).sum(axis=1)
        total += float((common / (lengths[user] + lengths[later] - common)).sum())
    return total
