"""Unexpectedness: how unexpected are the items of a list, relevant or not?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.diversity import normalised, vectors_of
from metric_reference.metrics.beyond_accuracy.exposure import (
    item_counts,
    length_formula,
    most_popular,
    per_list,
    train_rows,
)


@dataclass(frozen=True)
class Unexpectedness(Metric):
    """1 - the mean expectedness of the first k items of a list.

    against : the expectedness of an item: ``popular``: 1 for one of the k most popular items in training (equal items
        by item number), else 0; ``history``: its mean cosine similarity to the user's training items (Zhang et al.
        2012, doi 10.1145/2124295.2124300); a user without training items is undefined.
    length : the mean is over the listed items (``list``) or over ``k``.
    """

    name = "unexpectedness"
    about = "share of a list that could not have been expected"
    relevance = False
    against: str = choice("popular", "history")
    length: str = choice("list", "k")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("item_counts",) if self.against == "popular" else ("item_vectors", "train_indptr", "train_items")

    def parts(self, matches: Matches, k: int) -> Parts:
        printed = f"{self.name}(against={self.against})"
        if self.against == "popular":
            expected = most_popular(item_counts(matches, printed), k).astype(np.float64)
        else:
            expected = likeness_to_history(matches, k, printed)
        total, divisor = per_list(matches, k, expected, self.length)
        divisor = np.where(np.isnan(total), 0.0, divisor)
        return np.where(divisor > 0, divisor - total, 0.0), divisor

    def same_denominator(self) -> bool:
        return self.length == "k"

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.against == "popular" else 2.0

    def formula(self) -> str:
        expected = {
            "popular": r"[i \in \mathrm{top}_k]",
            "history": r"\frac{1}{|H|} \sum_{h \in H} \cos(v_i, v_h)",
        }[self.against]
        return rf"1 - \frac{{1}}{{{length_formula(self.length)}}} \sum_{{i \in L}} {expected}"


def likeness_to_history(matches: Matches, k: int, needed_by: str) -> np.ndarray:
    """Mean cosine similarity of the item at each rank to the user's training items; the cosine to a zero vector is 0.

    Returns a float64 array, shape (users, width up to k), NaN for a user without training items, 0 at empty ranks.
    """
    indptr, items = train_rows(matches, needed_by)
    unit = normalised(vectors_of(matches, needed_by))
    likeness = np.zeros(matches.case.recommended[:, :k].shape)
    for user in range(matches.users):
        seen = items[indptr[user] : indptr[user + 1]]
        listed = matches.case.list_of(user, k)
        likeness[user, : len(listed)] = unit[listed] @ unit[seen].mean(axis=0) if len(seen) else np.nan
    return likeness
