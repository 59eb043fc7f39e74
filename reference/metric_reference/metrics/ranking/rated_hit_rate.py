"""Hit rates that read ratings: the cumulative hit rate (cHR) and the hit rate by rating (rHR)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ones, parameter


@dataclass(frozen=True)
class CumulativeHitRate(Metric):
    """Cumulative hit rate at k: hits count only if their predicted rating (score) is at least ``threshold``.

    value : ``any``: 1 if a hit counts, else 0; ``hits``: the number of hits that count.
    threshold : smallest score that counts.
    """

    name = "cumulative_hit_rate"
    about = "hit rate of hits with a high predicted rating"
    needs = ("scores",)
    value: str = choice("any", "hits")
    threshold: float = parameter(0.0)

    def parts(self, matches: Matches, k: int) -> Parts:
        scores = matches.case.scores
        if scores is None:
            raise ValueError("cumulative_hit_rate needs scores, which this case does not have")
        counted = (matches.hits & (scores >= self.threshold))[:, :k].sum(axis=1)
        return (counted > 0 if self.value == "any" else counted).astype(np.float64), ones(matches)

    def same_denominator(self) -> bool:
        return True

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.value == "any" else float(k)

    def formula(self) -> str:
        hits = rf"\sum_{{j=1}}^{{k}} \mathrm{{rel}}_j \, [\hat{{g}}_j \ge {self.threshold:g}]"
        return rf"\left[ {hits} > 0 \right]" if self.value == "any" else hits


@dataclass(frozen=True)
class RatingHitRate(Metric):
    """Hit rate by rating at k: 1 if a hit is an item that the user rated exactly ``rating``, else 0.

    divide_by : ``users``: all users; ``users_with_rating``: users who have a relevant item with that rating.
    rating : the rating value.
    """

    name = "rating_hit_rate"
    about = "hit rate broken down by the rating of the item that was hit"
    divide_by: str = choice("users", "users_with_rating")
    rating: float = parameter(5.0)

    def parts(self, matches: Matches, k: int) -> Parts:
        hit = ((matches.gains == self.rating) & matches.hits)[:, :k].any(axis=1).astype(np.float64)
        if self.divide_by == "users":
            return hit, ones(matches)
        users = matches.relevant.users[matches.relevant.gains == self.rating]
        return hit, (np.bincount(users, minlength=matches.users) > 0).astype(np.float64)

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        return self.parts(matches, k)[1] > 0

    def same_denominator(self) -> bool:
        return True

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        return rf"\left[ \sum_{{j=1}}^{{k}} \mathrm{{rel}}_j \, [g_j = {self.rating:g}] > 0 \right]"
