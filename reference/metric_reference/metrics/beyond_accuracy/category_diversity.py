"""Diversity by category: how many categories does a list cover?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.diversity import vectors_of


@dataclass(frozen=True)
class CategoryDiversity(Metric):
    """Number of different categories among the first k items of a list. An empty list is undefined.

    An item has category c if entry c of its vector is not 0.

    divide_by : ``k``; ``list``: the length of the list up to k; ``categories``: the categories that any item has, which
        gives subtopic recall (Zhai et al. 2003, doi 10.1145/860435.860440).
    of : the items whose categories count: all ``listed`` ones, or the ``hits``.
    """

    name = "category_diversity"
    about = "number of categories that a list covers"
    relevance = False
    needs = ("item_vectors",)
    divide_by: str = choice("k", "list", "categories")
    of: str = choice("listed", "hits")

    def parts(self, matches: Matches, k: int) -> Parts:
        has_category = vectors_of(matches, self.name) != 0
        length = np.minimum(matches.lengths, k)
        covered = np.zeros(matches.users)
        for user in range(matches.users):
            listed = matches.case.list_of(user, k)
            shown = listed if self.of == "listed" else listed[matches.hits[user, : len(listed)]]
            covered[user] = has_category[shown].any(axis=0).sum()
        categories = int(has_category.any(axis=0).sum())
        divisor = {"k": np.full(matches.users, k), "list": length, "categories": np.full(matches.users, categories)}
        return covered, np.where(length > 0, divisor[self.divide_by], 0).astype(np.float64)

    def same_denominator(self) -> bool:
        return self.divide_by in ("k", "categories")

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.divide_by == "categories" else float("inf")

    def formula(self) -> str:
        shown = "L" if self.of == "listed" else r"\{i \in L : \mathrm{rel}_i = 1\}"
        divisor = {"k": "k", "list": "|L|", "categories": "|C|"}[self.divide_by]
        return rf"\frac{{1}}{{{divisor}}} \left| \bigcup_{{i \in {shown}}} C_i \right|"
