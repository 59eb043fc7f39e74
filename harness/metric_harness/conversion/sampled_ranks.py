"""Ranks among drawn candidates as a value among all items: estimates, and bounds that hold whatever the ranks are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.from_sampled import Curves
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.estimators.channel import chances, counts_of
from metric_reference.candidates.estimators.spread import Spread, bootstrap
from metric_reference.candidates.scheme import Scheme

MOST_CELLS = 2_500_000
"""Sampled ranks times items, above which no estimate is made."""
RISK = 0.001
"""How often the bounds may fail."""
SEED = 0


@dataclass(frozen=True)
class Estimated:
    """drawn : the mean among drawn candidates. likeliest : the estimate by maximum likelihood. low, high : bounds that
    fail once in a thousand. users : how many ranks there are."""

    drawn: float
    likeliest: Spread
    low: float
    high: float
    users: int


def estimate(curves: Curves, scheme: Scheme, ranks: np.ndarray) -> Estimated:
    """The value among all items from the sampled ranks of independent users.

    The bounds are those of a linear programme over all distributions of full ranks: the chance of each sampled rank or
    a smaller one is as far from its share as chance allows at most, which is sqrt(log(2 e / risk) / (2 users))
    (Bretagnolle 1980; the users need not be alike). Raises HarnessError for ranks that cannot be, and for too many
    items.
    """
    from scipy.optimize import linprog

    items = len(curves.full)
    if (scheme.negatives + 1) * items > MOST_CELLS:
        raise HarnessError(
            f"--sampled {scheme.negatives} --of {items}: too many for estimates; "
            f"their product may be {MOST_CELLS} at most"
        )
    try:
        counts = counts_of(ranks, scheme)
    except ValueError as error:
        raise HarnessError(str(error)) from None
    table, users = chances(scheme, items), len(ranks)
    marks = np.full(len(table), curves.marks[-1])
    marks[: len(curves.marks) - 1] = curves.marks[:-1]
    likeliest = bootstrap(table, counts, curves.full[None], np.random.default_rng(SEED))[0]
    gap = math.sqrt(math.log(2 * math.e / RISK) / (2 * users))
    below, seen = np.cumsum(table, axis=0)[:-1], np.cumsum(counts / users)[:-1]
    limits = np.concatenate((below, -below)), np.concatenate((seen + gap, gap - seen))
    ends: list[float] = []
    for sign in (1.0, -1.0):
        solved = linprog(sign * curves.full, A_ub=limits[0], b_ub=limits[1], A_eq=np.ones((1, items)), b_eq=[1.0])
        if solved.status != 0:
            raise HarnessError(
                "no distribution of ranks among all items gives these sampled ranks: are they of this scheme?"
            )
        ends.append(sign * float(solved.fun))
    return Estimated(float(counts @ marks) / users, likeliest, ends[0], ends[1], users)
