"""Entropy of the exposure: are recommendations spread over many items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import exposure
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Entropy(Metric):
    """Shannon entropy of the share p that each item has of all recommendations at k.

    log : ``ln`` or ``log2``.
    normalise : ``none``; ``catalogue``: over the log of n_items, at most 1; ``recommended_items``: over the number of
        distinct recommended items.
    """

    name = "entropy"
    about = "Shannon entropy of the exposure of items"
    relevance = False
    log: str = choice("ln", "log2")
    normalise: str = choice("none", "catalogue", "recommended_items")

    def whole(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        shown = exposure(matches, k)
        shown = shown[shown > 0]
        if not len(shown):
            return np.zeros(1), np.zeros(1)
        share = shown / shown.sum()
        log = np.log if self.log == "ln" else np.log2
        divisor = {
            "none": 1.0, "catalogue": float(log(matches.case.n_items)), "recommended_items": float(len(shown)),
        }[self.normalise]  # fmt: skip
        return np.array([-float(share @ log(share))]), np.array([divisor])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.normalise == "catalogue" else float("inf")

    def formula(self) -> str:
        log = r"\ln" if self.log == "ln" else r"\log_2"
        divisor = {
            "none": "",
            "catalogue": rf"\frac{{1}}{{{log} |I|}}",
            "recommended_items": r"\frac{1}{|\bigcup_u L_u|}",
        }
        return rf"-{divisor[self.normalise]} \sum_i p_i {log} p_i"

    def canonical(self) -> "Entropy":
        """Over the log of the catalogue the base cancels."""
        return Entropy(normalise="catalogue") if self.normalise == "catalogue" else self
