"""Hit rate: did the list hit at all?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ones


@dataclass(frozen=True)
class HitRate(Metric):
    r"""Hit rate at k.

    value : ``any``: 1 if one of the first k items is relevant, else 0. ``hits``: the number of relevant items among
        them, which passes 1 (k times precision); the source of the "hit rate" of 1.15 in Tamm et al. (RecSys 2021);
        ``all``: 1 if every relevant item is among them, else 0 (a repeated item counts once for each copy where the
        edges count copies); the "recall_all@k" of LongMemEval (Wu et al., ICLR 2025, arXiv 2410.10813).
    cut : ``k``: only the first k ranks count; ``none``: the whole list.
    """

    name = "hit_rate"
    about = "did the list hit at all?"
    ranking = True
    coincides = (
        ("hit_rate(value=hits)", "ndcg(gain=binary, discount=none, ideal=none)"),
        ("hit_rate(value=hits, cut=none)", "ndcg(gain=binary, discount=none, ideal=none, cut=none)"),
    )
    value: str = choice("any", "hits", "all")
    cut: str = choice("k", "none")

    def parts(self, matches: Matches, k: int) -> Parts:
        hits = matches.hit_count(k if self.cut == "k" else matches.case.width)
        values = {"any": hits > 0, "hits": hits, "all": hits >= matches.n_relevant}
        return values[self.value].astype(np.float64), ones(matches)

    def same_denominator(self) -> bool:
        return True

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0 if self.value != "hits" else float(k) if self.cut == "k" else float("inf")

    def formula(self) -> str:
        hits = rf"\sum_{{j=1}}^{{{'k' if self.cut == 'k' else '|L|'}}} \mathrm{{rel}}_j"
        formulas = {"any": rf"\left[ {hits} > 0 \right]", "hits": hits, "all": rf"\left[ {hits} \ge |R| \right]"}
        return formulas[self.value]
