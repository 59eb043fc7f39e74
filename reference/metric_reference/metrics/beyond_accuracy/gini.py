"""Gini index of the exposure: how unequally are recommendations spread over items?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import exposure

PATIENCE = 0.85
"""The share of the attention at a rank that reaches the next rank."""


@dataclass(frozen=True)
class Gini(Metric):
    """Gini index of the exposure of items at k: 0 if all items have the same exposure.

    items : ``catalogue``: all, with exposure 0 for items never recommended; ``recommended``: only recommended items;
        ``padded``: the catalogue and one more item with exposure 0, which pads lists.
    divide_by : with n items sorted by exposure x, sum (2j - n - 1) x_j over ``n`` sum x (the usual sample Gini), over
        ``n_minus_one`` sum x (reaches 1 when one item gets everything), or over ``n_plus_one`` sum x.
    attention : an item's x: ``equal``: its recommendations, each 1; ``geometric``: each 0.85^(j-1), at rank j.
    value : ``inequality``: the index; ``equality``: 1 - the index.
    """

    name = "gini"
    about = "inequality of the exposure of items"
    relevance = False
    items: str = choice("catalogue", "recommended", "padded")
    divide_by: str = choice("n", "n_minus_one", "n_plus_one")
    attention: str = choice("equal", "geometric")
    value: str = choice("inequality", "equality")

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        weights = PATIENCE ** np.arange(matches.case.width) if self.attention == "geometric" else None
        shown = np.sort(exposure(matches, k, weights))
        if self.items == "recommended":
            shown = shown[shown > 0]
        if self.items == "padded":
            shown = np.concatenate([np.zeros(1), shown])
        n = len(shown)
        divisor = float(shown.sum()) * {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[self.divide_by]
        spread = float((2 * np.arange(1, n + 1) - n - 1) @ shown)
        return np.array([spread if self.value == "inequality" else divisor - spread]), np.array([divisor])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        divisor = {"n": "n", "n_minus_one": "(n - 1)", "n_plus_one": "(n + 1)"}[self.divide_by]
        index = rf"\frac{{\sum_{{j=1}}^{{n}} (2j - n - 1) x_{{(j)}}}}{{{divisor} \sum_j x_j}}"
        return index if self.value == "inequality" else f"1 - {index}"
