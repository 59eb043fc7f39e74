"""Novelty: how surprising are the recommended items? Usually the self-information of their popularity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import (
    item_counts,
    length_formula,
    per_list,
    train_rows,
    train_users,
)


@dataclass(frozen=True)
class Novelty(Metric):
    """Mean of -log p(i) over recommended items (mean inverse user frequency; Zhou et al. 2010, doi
    10.1073/pnas.1000488107; Castells et al. 2011).

    The micro average is the mean over all recommended items, so that longer lists weigh more.

    probability : ``users``: p is the share of training users who have the item; ``interactions``: the item's share of
        all training interactions; ``own_history``: instead of the self-information, 1 for an item that is not among
        the user's training items, else 0.
    log : ``log2``; ``ln``; ``largest``: divided by the value of an item with one interaction, so that no item passes 1.
    unseen : an item without training interactions: ``one``: as if it had one; ``skipped``: adds nothing to the sum.
    length : the mean is over the items listed (``list``), over ``k``, over those with training interactions
        (``trained``: the others are not in the sum either, whatever ``unseen`` is), or over n_items (``catalogue``).
    """

    name = "novelty"
    about = "self-information of the recommended items"
    relevance = False
    probability: str = choice("users", "interactions", "own_history")
    log: str = choice("log2", "ln", "largest")
    unseen: str = choice("one", "skipped")
    length: str = choice("list", "k", "trained", "catalogue")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return {
            "users": ("item_counts", "n_train_users"),
            "interactions": ("item_counts",),
            "own_history": ("train_indptr", "train_items"),
        }[self.probability]

    def parts(self, matches: Matches, k: int) -> Parts:
        if self.probability == "own_history":
            return per_list(matches, k, _new_to_user(matches, k), "list" if self.length == "trained" else self.length)
        counts = item_counts(matches, self.name)
        total = (
            train_users(matches, "novelty(probability=users)")
            if self.probability == "users"
            else max(1, int(counts.sum()))
        )
        base = {"log2": np.log(2.0), "ln": 1.0, "largest": np.log(total)}[self.log]
        if base == 0:
            return np.zeros(matches.users), np.zeros(matches.users)  # log 1 = 0: undefined
        information = -np.log(np.maximum(counts, 1) / total) / base
        if self.unseen == "skipped":
            information = np.where(counts > 0, information, 0.0)
        return per_list(matches, k, information, self.length)

    def same_denominator(self) -> bool:
        return self.length in ("k", "catalogue")

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.log == "largest" or self.probability == "own_history" else float("inf")

    def formula(self) -> str:
        mean = rf"\frac{{1}}{{{length_formula(self.length)}}} \sum_{{i \in L}}"
        if self.probability == "own_history":
            return rf"{mean} [i \notin H]"
        p = r"\frac{c_i}{|U_{\mathrm{train}}|}" if self.probability == "users" else r"\frac{c_i}{\sum_j c_j}"
        total = r"|U_{\mathrm{train}}|" if self.probability == "users" else r"\sum_j c_j"
        log = {"log2": r"\log_2", "ln": r"\ln", "largest": rf"\log_{{{total}}}"}[self.log]
        return rf"-{mean} {log} {p}"

    def canonical(self) -> "Novelty":
        if self.probability == "own_history":
            return Novelty("own_history", length="list" if self.length == "trained" else self.length)
        return replace(self, unseen="one") if self.length == "trained" else self


def _new_to_user(matches: Matches, k: int) -> np.ndarray:
    """bool array, shape (users, width up to k): the item at this rank is not among the user's training items."""
    indptr, items = train_rows(matches, "novelty(probability=own_history)")
    n_items = matches.case.n_items
    listed = matches.case.recommended[:, :k]
    seen = np.repeat(np.arange(matches.users), np.diff(indptr)) * n_items + items
    return ~np.isin(np.arange(matches.users)[:, None] * n_items + listed, seen)
