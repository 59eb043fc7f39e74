"""Novelty: how surprising is it to see the recommended items? The self-information of their popularity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import exposure, item_counts, per_list_mean
from reference.matching import Matches
from reference.metric import Metric, Parts, choice
from reference.popularity import train_users


@dataclass(frozen=True)
class Novelty(Metric):
    """Mean of -log p(i) over recommended items (mean inverse user frequency; Zhou et al. 2010, doi
    10.1073/pnas.1000488107; Castells et al. 2011).

    probability : ``users``: p is the share of training users who have the item; ``interactions``: the item's share of
        all training interactions.
    log : ``log2`` or ``ln``.
    over : ``users``: each list's mean, then the mean over users; ``recommendations``: one mean over all recommended
        items, so that longer lists weigh more.
    unseen : an item without training interactions: ``one`` counts as seen once; ``skipped`` adds nothing to the sum.
    """

    name = "novelty"
    about = "self-information of the recommended items"
    relevance = False
    needs = ("item_counts",)
    probability: str = choice("users", "interactions")
    log: str = choice("log2", "ln")
    over: str = choice("users", "recommendations")
    unseen: str = choice("one", "skipped")

    def whole(self) -> bool:
        return self.over == "recommendations"

    def parts(self, matches: Matches, k: int) -> Parts:
        counts = item_counts(matches, self.name)
        total = train_users(matches) if self.probability == "users" else counts.sum()
        share = np.maximum(counts, 1) / total
        information = -(np.log2(share) if self.log == "log2" else np.log(share))
        if self.unseen == "skipped":
            information = np.where(counts > 0, information, 0.0)
        if not self.whole():
            return per_list_mean(matches, k, information, "list")
        shown = exposure(matches, k)
        return np.array([float(shown @ information)]), np.array([float(shown.sum())])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf")

    def formula(self) -> str:
        p = r"\frac{c_i}{|U_{\mathrm{train}}|}" if self.probability == "users" else r"\frac{c_i}{\sum_j c_j}"
        log = r"\log_2" if self.log == "log2" else r"\ln"
        over = (
            r"\frac{1}{|L|} \sum_{i \in L}"
            if self.over == "users"
            else r"\frac{1}{\sum_u |L_u|} \sum_u \sum_{i \in L_u}"
        )
        return rf"-{over} {log} {p}"
