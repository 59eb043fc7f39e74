"""Coverage: which share of the catalogue, or of the users, is served?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from reference.exposure import exposure, item_counts
from reference.matching import Matches
from reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Coverage(Metric):
    """Coverage at k.

    of : ``items``: distinct recommended items over the catalogue; ``users``: users with a list over all users.
    among : for items: ``catalogue``: all n_items; ``trained``: items with training interactions (``item_counts``).
    """

    name = "coverage"
    about = "share of the catalogue (or of the users) that is served"
    relevance = False
    of: str = choice("items", "users")
    among: str = choice("catalogue", "trained")

    def whole(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        if self.of == "users":
            return np.array([float((matches.lengths > 0).sum())]), np.array([float(matches.users)])
        shown = exposure(matches, k) > 0
        if self.among == "catalogue":
            return np.array([float(shown.sum())]), np.array([float(len(shown))])
        trained = item_counts(matches, self.name) > 0
        return np.array([float((shown & trained).sum())]), np.array([float(trained.sum())])

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        if self.of == "users":
            return r"\frac{|\{u : |L_u| > 0\}|}{|U|}"
        items = "I" if self.among == "catalogue" else r"I_{\mathrm{train}}"
        return rf"\frac{{|\bigcup_u L_u|}}{{|{items}|}}"

    def canonical(self) -> "Coverage":
        return Coverage("users") if self.of == "users" else self
