"""A constant: what faulty code returns that reads nothing of the lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ones


@dataclass(frozen=True)
class Constant(Metric):
    r"""The same number for every user, whatever is recommended and whatever is relevant.

    The cause is a comparison that never or always holds: of an item with a set of items, or of a number with a text.

    value : ``zero`` or ``one``.
    """

    name = "constant"
    about = "the same number whatever is recommended"
    relevance = False
    lists = False
    intended = False
    weighs = False
    sums = False
    value: str = choice("zero", "one")

    def parts(self, matches: Matches, k: int) -> Parts:
        return np.full(matches.users, float(self.value == "one")), ones(matches)

    def bounds(self, k: int) -> Tuple[float, float]:
        number = float(self.value == "one")
        return number, number

    def formula(self) -> str:
        return {"zero": "0", "one": "1"}[self.value]
