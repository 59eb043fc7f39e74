"""Fall-out: which share of the items that are not relevant is in the list? Smaller is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class FallOut(Metric):
    """Fall-out at k: items among the first k ranks that are not relevant, over all items that are not relevant.

    over : where the latter are counted: the ``catalogue``: n_items - r; the ``candidates``: items with a score or in
        the list; the whole ``list``. Undefined where there are none.
    """

    name = "fall_out"
    about = "share of what is not relevant that is listed"
    ranking = True
    over: str = choice("catalogue", "candidates", "list")

    @property
    def needs(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("candidate_scores",) if self.over == "candidates" else ()

    def parts(self, matches: Matches, k: int) -> Parts:
        misses = np.minimum(matches.lengths, k) - matches.hit_count(k)
        if self.over == "catalogue":
            others = matches.case.n_items - matches.n_relevant
        elif self.over == "list":
            others = matches.lengths - matches.hit_count(matches.case.width)
        else:
            others = n_candidates(matches) - matches.n_relevant
        return misses.astype(np.float64), others.astype(np.float64)

    def by_itself(self) -> bool:
        return self.over != "catalogue"

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        others = {"catalogue": "|I| - r", "candidates": "|N_u|", "list": r"\sum_{j=1}^{|L|} (1 - \mathrm{rel}_j)"}
        return rf"\frac{{\sum_{{j=1}}^{{\min(k, |L|)}} (1 - \mathrm{{rel}}_j)}}{{{others[self.over]}}}"


def n_candidates(matches: Matches) -> np.ndarray:
    """int64 array, shape (users,): number of items with a score, in the list, or relevant."""
    case = matches.case
    if case.candidate_scores is None:
        raise ValueError("the number of candidates needs candidate_scores, which this case does not have")
    candidate = np.zeros((matches.users, case.n_items + 1), dtype=bool)  # the padding -1 points to the last column
    candidate[:, :-1] = case.candidate_scores > -np.inf
    candidate[np.arange(matches.users)[:, None], case.recommended] = True
    candidate[matches.relevant.users, matches.relevant.items] = True
    return np.count_nonzero(candidate[:, :-1], axis=1)
