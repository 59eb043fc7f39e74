"""Popularity: how popular are the recommended items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import item_counts, per_list_mean
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Popularity(Metric):
    """Mean popularity of the first k items of a list, then the mean over users (average recommendation popularity).

    value : of an item with c training interactions: ``count`` c; ``share`` c over the number of training users;
        ``log`` ln(1 + c).
    length : the mean is over the items really listed (``list``) or over ``k``.
    """

    name = "popularity"
    about = "mean popularity of the recommended items"
    relevance = False
    needs = ("item_counts",)
    value: str = choice("count", "share", "log")
    length: str = choice("list", "k")

    def parts(self, matches: Matches, k: int) -> Parts:
        counts = item_counts(matches, self.name).astype(np.float64)
        if self.value == "log":
            counts = np.log1p(counts)
        elif self.value == "share":
            counts = counts / train_users(matches)
        return per_list_mean(matches, k, counts, self.length)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.value == "share" else float("inf")

    def formula(self) -> str:
        value = {"count": "c_i", "share": r"\frac{c_i}{|U_{\mathrm{train}}|}", "log": r"\ln(1 + c_i)"}[self.value]
        return rf"\frac{{1}}{{{'|L|' if self.length == 'list' else 'k'}}} \sum_{{i \in L}} {value}"


def train_users(matches: Matches) -> int:
    """Number of training users, or ValueError where the case does not say."""
    if matches.case.n_train_users is None:
        raise ValueError("a share of users needs n_train_users, which this case does not have")
    return matches.case.n_train_users
