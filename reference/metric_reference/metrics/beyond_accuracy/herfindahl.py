"""Herfindahl index of the exposure: how likely are two recommendations of the same item?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import exposure


@dataclass(frozen=True)
class Herfindahl(Metric):
    """Herfindahl index at k: the sum over items of their squared shares of all recommendations.

    value : ``concentration``: the index; ``diversity``: 1 - the index, large where the shares are equal.
    """

    name = "herfindahl"
    about = "concentration of the exposure of items"
    relevance = False
    value: str = choice("concentration", "diversity")

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        shown = exposure(matches, k).astype(np.float64)
        squares, total = float(shown @ shown), float(shown.sum()) ** 2
        return np.array([squares if self.value == "concentration" else total - squares]), np.array([total])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        return {"concentration": "", "diversity": "1 - "}[self.value] + r"\sum_i p_i^2"
