"""Coverage: which share of the catalogue, or of the users, is served?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice
from metric_reference.metrics.beyond_accuracy.exposure import exposure, item_counts


@dataclass(frozen=True)
class Coverage(Metric):
    """Coverage at k: how many items or users are served, as a share or as a number.

    of : ``items``: distinct recommended items; ``trained_items``: those with training interactions; ``users``: users
        with a list.
    divide_by : ``all``: the catalogue of n_items, or all users; ``trained``: the items with training interactions
        (for ``items`` the value can pass 1); ``none``: 1, so that the value is a number; ``padded``: the catalogue and
        one more item, which pads lists. For ``users``, ``trained`` and ``padded`` are ``all``.
    """

    name = "coverage"
    about = "share of the catalogue (or of the users) that is served"
    relevance = False
    of: str = choice("items", "trained_items", "users")
    divide_by: str = choice("all", "trained", "none", "padded")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        trained = self.of == "trained_items" or (self.of == "items" and self.divide_by == "trained")
        return ("item_counts",) if trained else ()

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        if self.of == "users":
            served, total = int((matches.lengths > 0).sum()), matches.users
        else:
            shown, total = exposure(matches, k) > 0, matches.case.n_items
            trained = item_counts(matches, self.name) > 0 if self.needs else np.ones_like(shown)
            served = int((shown & trained).sum() if self.of == "trained_items" else shown.sum())
            total = int(trained.sum()) if self.divide_by == "trained" else total + (self.divide_by == "padded")
        return np.array([float(served)]), np.array([1.0 if self.divide_by == "none" else float(total)])

    def bounds(self, k: int) -> Tuple[float, float]:
        passes_one = self.divide_by == "none" or (self.of, self.divide_by) == ("items", "trained")
        return 0.0, float("inf") if passes_one else 1.0

    def formula(self) -> str:
        served = {
            "items": r"|\bigcup_u L_u|",
            "trained_items": r"|\bigcup_u L_u \cap I_{\mathrm{train}}|",
            "users": r"|\{u : |L_u| > 0\}|",
        }[self.of]
        if self.divide_by == "none":
            return served
        items = {"all": "|I|", "padded": "|I| + 1", "trained": r"|I_{\mathrm{train}}|"}[self.divide_by]
        return rf"\frac{{{served}}}{{{'|U|' if self.of == 'users' else items}}}"

    def canonical(self) -> "Coverage":
        all_users = self.of == "users" and self.divide_by in ("trained", "padded")
        return Coverage("users", "all") if all_users else self
