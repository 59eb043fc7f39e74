"""Serendipity: how unexpected are the hits?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import item_counts, most_popular, train_rows, train_users
from metric_reference.metrics.beyond_accuracy.unexpectedness import likeness_to_history


@dataclass(frozen=True)
class Serendipity(Metric):
    """Surprise of the hits among the first k ranks.

    unexpected : the surprise of an item with c training interactions: ``not_popular``: 0 if it is one of the k most
        popular in training (equal items by item number), else 1 (Ge et al. 2010, doi 10.1145/1864708.1864761, with the
        most popular items as the primitive recommender); ``complement``: 1 - c over the number of training users;
        ``information``: -log2 of its share of all training interactions, an untrained item like the rarest trained one;
        ``above_popularity``: (n + 1 - rank) / n - (n + 1 - popularity rank) / n, at least 0, with n = n_items, dense
        popularity ranks (equally popular items share one, the next rank follows) and without the second term for an
        untrained item; ``unlike_history``: 1 - mean cosine similarity to the user's training items (Zhang et al. 2012,
        doi 10.1145/2124295.2124300); users without training items are not in the mean.
    divide_by : ``k``; ``list``: the length of the list up to k; ``hits``: the number of hits (0 without a hit).
    discount : rank j weighs 1 (``none``) or 1 / log2(j + 1) (``log2``), in numerator and denominator.
    """

    name = "serendipity"
    about = "hits that could not have been expected"
    unexpected: str = choice("not_popular", "complement", "information", "above_popularity", "unlike_history")
    divide_by: str = choice("k", "list", "hits")
    discount: str = choice("none", "log2")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        if self.unexpected == "unlike_history":
            return ("item_vectors", "train_indptr", "train_items")
        return ("item_counts", "n_train_users") if self.unexpected == "complement" else ("item_counts",)

    def parts(self, matches: Matches, k: int) -> Parts:
        hits = matches.hits[:, :k]
        ranks = np.arange(1, k + 1)
        weights = np.ones(k) if self.discount == "none" else 1.0 / np.log2(ranks + 1.0)
        listed_weights = weights[: hits.shape[1]]
        total = (np.where(hits, self._surprise(matches, k), 0.0) * listed_weights).sum(axis=1)
        summed_weights = np.concatenate([[0.0], np.cumsum(weights)])
        divisor = {
            "k": np.full(matches.users, summed_weights[k]),
            "list": summed_weights[np.minimum(k, matches.lengths)],
            "hits": (hits * listed_weights).sum(axis=1),
        }[self.divide_by]
        return total, divisor

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        if self.unexpected != "unlike_history":
            return super().counted(matches, k)
        return np.diff(train_rows(matches, self._printed())[0]) > 0

    def _surprise(self, matches: Matches, k: int) -> np.ndarray:
        """Surprise of the item at each rank: float64, shape (users, width up to k); arbitrary at empty ranks."""
        if self.unexpected == "unlike_history":
            return 1.0 - likeness_to_history(matches, k, self._printed())
        listed = matches.case.recommended[:, :k]
        counts = item_counts(matches, self._printed())
        if self.unexpected == "not_popular":
            return 1.0 - most_popular(counts, k)[listed]
        if self.unexpected == "complement":
            return 1.0 - counts[listed] / train_users(matches, self._printed())
        n = matches.case.n_items
        if self.unexpected == "information":
            rarest = counts[counts > 0].min(initial=max(1, counts.max(initial=0)))
            return -np.log2(np.where(counts > 0, counts, rarest) / max(1, counts.sum()))[listed]
        popularity_rank = np.searchsorted(np.unique(-counts[counts > 0]), -counts) + 1
        expected = np.where(counts > 0, (n + 1 - popularity_rank) / n, 0.0)
        ranks = np.arange(1, listed.shape[1] + 1)
        return np.maximum((n + 1 - ranks) / n - expected[listed], 0.0) * (listed != NOTHING)

    def _printed(self) -> str:
        return f"{self.name}(unexpected={self.unexpected})"

    def same_denominator(self) -> bool:
        return self.divide_by == "k"

    def divides_by_hits(self) -> bool:
        return self.divide_by == "hits"

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, {"unlike_history": 2.0, "information": float("inf")}.get(self.unexpected, 1.0)

    def formula(self) -> str:
        surprise = {
            "not_popular": r"[i_j \notin \mathrm{top}_k]",
            "complement": r"\left(1 - \frac{c_{i_j}}{|U_{\mathrm{train}}|}\right)",
            "information": r"\left(-\log_2 \frac{c_{i_j}}{\sum_i c_i}\right)",
            "above_popularity": r"\max\left(\frac{n + 1 - j}{n} - \frac{n + 1 - \mathrm{pop}_{i_j}}{n}, 0\right)",
            "unlike_history": r"\left(1 - \frac{1}{|H|} \sum_{h \in H} \cos(v_{i_j}, v_h)\right)",
        }[self.unexpected]
        if self.discount == "none":
            divisor = {"k": "k", "list": r"\min(k, |L|)", "hits": r"\sum_j \mathrm{rel}_j"}[self.divide_by]
            return rf"\frac{{1}}{{{divisor}}} \sum_{{j=1}}^{{k}} \mathrm{{rel}}_j \, {surprise}"
        weight = r"\frac{1}{\log_2(j + 1)}"
        below = {"k": r"_{j=1}^{k}", "list": r"_{j=1}^{\min(k, |L|)}", "hits": r"_{j=1}^{k} \mathrm{rel}_j"}
        above = rf"\sum_{{j=1}}^{{k}} {weight} \mathrm{{rel}}_j \, {surprise}"
        return rf"\frac{{{above}}}{{\sum{below[self.divide_by]} {weight}}}"
