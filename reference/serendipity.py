"""Serendipity: how many of the hits could not have been expected?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.case import NOTHING
from reference.diversity import normalised, vectors_of
from reference.exposure import item_counts
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Serendipity(Metric):
    """Unexpected hits among the first k ranks (Ge et al. 2010, doi 10.1145/1864708.1864761).

    unexpected : ``not_popular``: 1 for an item that is none of the k most popular in training, else 0; ``unpopular``:
        1 - c / the largest c; ``unlike_history``: 1 - mean cosine similarity to the user's training items.
    divide_by : ``k``; ``list``: the length of the list up to k; ``hits``: the number of hits (0 without a hit).
    """

    name = "serendipity"
    about = "hits that could not have been expected"
    unexpected: str = choice("not_popular", "unpopular", "unlike_history")
    divide_by: str = choice("k", "list", "hits")

    def parts(self, matches: Matches, k: int) -> Parts:
        listed, hits = matches.case.recommended[:, :k], matches.hits[:, :k]
        surprise = self._surprise(matches, k)
        if surprise.ndim == 1:
            total = np.where(listed == NOTHING, 0.0, surprise[listed] * hits).sum(axis=1)
        else:
            total = (surprise * hits).sum(axis=1)
        divisor = {
            "k": np.full(matches.users, k),
            "list": np.minimum(k, matches.lengths),
            "hits": np.maximum(matches.hit_count(k), 1),
        }[self.divide_by]
        return total, divisor.astype(np.float64)

    def _surprise(self, matches: Matches, k: int) -> np.ndarray:
        """Of each item, shape (n_items,), or of each rank of each list, shape (users, up to k)."""
        if self.unexpected == "unlike_history":
            return self._unlike_history(matches, k)
        counts = item_counts(matches, self.name)
        if self.unexpected == "unpopular":
            return 1.0 - counts / max(1, counts.max(initial=0))
        surprise = np.ones(len(counts))
        surprise[np.lexsort((np.arange(len(counts)), -counts))[:k]] = 0.0
        return surprise

    def _unlike_history(self, matches: Matches, k: int) -> np.ndarray:
        case = matches.case
        if case.train_indptr is None or case.train_items is None:
            raise ValueError("serendipity(unexpected=unlike_history) needs train_items, which this case does not have")
        unit = normalised(vectors_of(matches, self.name))
        surprise = np.ones(case.recommended[:, :k].shape)
        for user in range(case.users):
            seen = case.train_items[case.train_indptr[user] : case.train_indptr[user + 1]]
            listed = case.list_of(user, k)
            if len(seen) and len(listed):
                surprise[user, : len(listed)] = 1.0 - unit[listed] @ unit[seen].mean(axis=0)
        return surprise

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 2.0 if self.unexpected == "unlike_history" else 1.0

    def formula(self) -> str:
        surprise = {
            "not_popular": r"[i_j \notin \mathrm{top}_k]",
            "unpopular": r"\left(1 - \frac{c_{i_j}}{\max c}\right)",
            "unlike_history": r"\left(1 - \frac{1}{|H|} \sum_{h \in H} \cos(v_{i_j}, v_h)\right)",
        }[self.unexpected]
        divisor = {"k": "k", "list": r"\min(k, |L|)", "hits": r"\sum_j \mathrm{rel}_j"}[self.divide_by]
        return rf"\frac{{1}}{{{divisor}}} \sum_{{j=1}}^{{k}} \mathrm{{rel}}_j \, {surprise}"
