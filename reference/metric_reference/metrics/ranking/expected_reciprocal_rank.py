"""Expected reciprocal rank: where does a reader stop, who is more likely to stop at a better item?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.matching import Matches, weighted_sums
from metric_reference.metric import Metric, Parts, choice, ones, parameter


@dataclass(frozen=True)
class ExpectedReciprocalRank(Metric):
    r"""Expected reciprocal rank (ERR): the sum over ranks j of 1 / j times the probability of stopping at j.

    A reader stops at an item of gain g with probability R = (2^g - 1) / 2^G, if not at an earlier rank. Chapelle,
    Metzler, Zhang & Grinspan 2009, "Expected reciprocal rank for graded relevance", doi 10.1145/1645953.1646033.

    largest : the largest grade G: ``user``: of the user's relevant items; ``case``: of the relevant items of all
        users; ``fixed``: ``grade``; a larger gain counts as ``grade``; ``uncapped``: ``grade``, a larger gain counts
        as it is, with a probability R past 1.
    cut : ``k``: only the first k ranks count; ``none``: the whole list.
    grade : the number that ``fixed`` and ``uncapped`` need.
    """

    name = "expected_reciprocal_rank"
    about = "where a reader stops who stops the sooner the better the item"
    ranking = True
    largest: str = choice("user", "case", with_parameter=("fixed", "uncapped"))
    cut: str = choice("k", "none")
    grade: float = parameter(
        4.0,
        usual=(4.0, 5.0, 3.0, 2.0, 1.0, 10.0),
        between=(0.5, 30.0),
        when=("largest", "fixed", "uncapped"),
    )

    def parts(self, matches: Matches, k: int) -> Parts:
        cut = matches.depth(self.cut, k)
        gains = matches.gains[:, :cut]
        if self.largest == "user":
            largest = matches.largest_gain[:, None]
        else:
            largest = np.array(matches.relevant.gains.max(initial=0.0) if self.largest == "case" else self.grade)
        counted = gains if self.largest == "uncapped" else np.minimum(gains, largest)
        stops = (np.exp2(counted) - 1.0) / np.exp2(largest)
        goes_on = np.cumprod(1.0 - stops, axis=1)
        reaches = np.concatenate([np.ones((matches.users, 1)), goes_on[:, :-1]], axis=1)
        return weighted_sums(reaches * stops, 1.0 / np.arange(1, cut + 1)), ones(matches)

    def same_denominator(self) -> bool:
        return True

    def by_itself(self) -> bool:
        return self.largest != "case"

    def bounds(self, k: int) -> Tuple[float, float]:
        return (float("-inf"), float("inf")) if self.largest == "uncapped" else (0.0, 1.0)

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        largest = {"user": r"g_{\max}", "case": r"\max_u g_{\max}"}.get(self.largest, f"{self.grade:g}")
        stop = rf"R_j = \mathrm{{rel}}_j \frac{{2^{{g_j}} - 1}}{{2^{{{largest}}}}}"
        return rf"\sum_{{j=1}}^{{{end}}} \frac{{R_j}}{{j}} \prod_{{i=1}}^{{j-1}} (1 - R_i), \quad {stop}"
