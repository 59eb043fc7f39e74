"""Entropy of the exposure: are recommendations spread over many items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import exposure, per_list


@dataclass(frozen=True)
class Entropy(Metric):
    """Shannon entropy of the items' shares p of all recommendations at k: the mean of -log p.

    log : ``ln`` or ``log2``.
    normalise : ``none``; ``catalogue``: divided by the log of n_items, so that equal exposure of all items gives 1;
        ``recommended_items``: divided by the number of distinct recommended items.
    over : ``recommendations``: the mean over all recommendations, which is the entropy; ``users``: the mean over each
        list, then over the users with a list. The two differ where lists differ in length.
    """

    name = "entropy"
    about = "Shannon entropy of the exposure of items"
    relevance = False
    log: str = choice("ln", "log2")
    normalise: str = choice("none", "catalogue", "recommended_items")
    over: str = choice("recommendations", "users")

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        shown = exposure(matches, k)
        if not shown.any():
            return np.zeros(1), np.zeros(1)
        log = np.log if self.log == "ln" else np.log2
        information = -log(np.maximum(shown, 1) / shown.sum())
        if self.over == "recommendations":
            mean = float(shown @ information) / shown.sum()
        else:
            total, length = per_list(matches, k, information, "list")
            mean = float((total[length > 0] / length[length > 0]).mean())
        divisor = {
            "none": 1.0,
            "catalogue": float(log(len(shown))),
            "recommended_items": float((shown > 0).sum()),
        }[self.normalise]
        return np.array([mean]), np.array([divisor])

    def bounds(self, k: int) -> Tuple[float, float]:
        if self.over == "users" or self.normalise == "none":
            return 0.0, float("inf")
        if self.normalise == "catalogue":
            return 0.0, 1.0
        return 0.0, float(np.log(3.0) if self.log == "ln" else np.log2(3.0)) / 3  # log n / n is largest at n = 3

    def formula(self) -> str:
        log = r"\ln" if self.log == "ln" else r"\log_2"
        divisor = {
            "none": "",
            "catalogue": rf"\frac{{1}}{{{log} |I|}}",
            "recommended_items": r"\frac{1}{|\bigcup_u L_u|}",
        }[self.normalise]
        weight = "p_i" if self.over == "recommendations" else r"\frac{1}{|U|} \sum_u \frac{[i \in L_u]}{|L_u|}"
        return rf"-{divisor} \sum_i \left({weight}\right) {log} p_i"

    def canonical(self) -> "Entropy":
        """With ``catalogue`` the base of the logarithm cancels."""
        return Entropy(normalise="catalogue", over=self.over) if self.normalise == "catalogue" else self
