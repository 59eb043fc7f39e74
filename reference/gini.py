"""Gini index of the exposure: how unequally are recommendations spread over items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import exposure
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Gini(Metric):
    """Gini index of the numbers of recommendations of items at k: 0 when all are equal.

    items : ``catalogue``: items never recommended count as 0; ``recommended``: only those that are.
    divide_by : with n items sorted by exposure x, sum (2j - n - 1) x_j over ``n`` sum x (the usual sample Gini) or over
        ``n_minus_one`` sum x (reaches 1 when one item gets everything).
    """

    name = "gini"
    about = "inequality of the exposure of items"
    relevance = False
    items: str = choice("catalogue", "recommended")
    divide_by: str = choice("n", "n_minus_one")

    def whole(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        shown = np.sort(exposure(matches, k))
        if self.items == "recommended":
            shown = shown[shown > 0]
        n, total = len(shown), float(shown.sum())
        divisor = total * (n if self.divide_by == "n" else n - 1)
        return np.array([float((2 * np.arange(1, n + 1) - n - 1) @ shown)]), np.array([divisor])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        divisor = "n" if self.divide_by == "n" else "(n - 1)"
        return rf"\frac{{\sum_{{j=1}}^{{n}} (2j - n - 1) x_{{(j)}}}}{{{divisor} \sum_j x_j}}"
