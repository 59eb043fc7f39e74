"""The distribution of full ranks that makes the sampled ones likeliest, and the metrics that follow from it.

Jin, Li, Mudrak, Gao & Liu, "On Estimating Recommendation Evaluation Metrics under Sampling" (AAAI 2021, doi
10.1609/aaai.v35i5.16537), after the mapping of Li, Jin, Gao & Liu, "On Sampling Top-K Recommendation Evaluation" (KDD
2020). It is a mixture of known distributions, so expectation maximisation never makes it less likely.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_reference.candidates.estimators.channel import chances, full_values
from metric_reference.candidates.scheme import Scheme

STEPS = 200
SETTLED = 1e-9
"""Gain of the mean log-likelihood in a step, below which it ends."""
TINY = 1e-300


class RankDistribution(NamedTuple):
    """shares : of items at full rank 1, ..., items, float64, shape (items,), sum 1. log_likelihood : its mean over the
    observed ranks. steps : how many were taken."""

    shares: np.ndarray
    log_likelihood: float
    steps: int

    def value(self, text: str) -> float:
        """The metric of this distribution, as ``recall@10``; ValueError for an unknown one."""
        return float(full_values(text, len(self.shares)) @ self.shares)


def likeliest(scheme: Scheme, items: int, counts: np.ndarray, steps: int = STEPS) -> RankDistribution:
    """Expectation maximisation from the uniform distribution of full ranks.

    Each step takes pi(r) to pi(r) sum_s c(s) P(s | r) / sum_r' pi(r') P(s | r'), where c(s) is the share of items that
    were seen at sampled rank s. With more items than negatives several distributions are equally likely; the one that
    is reached is the smoothest that the start leads to, not the only one.

    items : all candidates. counts : how often each sampled rank was seen, shape (negatives + 1,), see
    :func:`metric_reference.candidates.estimators.channel.counts_of`. Raises ValueError for counts of another shape,
    negative or all 0, and as :func:`metric_reference.candidates.estimators.channel.chances`.
    """
    observed = np.asarray(counts, np.float64)
    if observed.shape != (scheme.negatives + 1,) or not np.isfinite(observed).all() or observed.min() < 0:
        raise ValueError(f"counts: give a number from 0 on for each of the {scheme.negatives + 1} sampled ranks")
    if observed.sum() <= 0:
        raise ValueError("counts: nothing was observed")
    return climb(chances(scheme, items), observed / observed.sum(), steps)


def climb(table: np.ndarray, observed: np.ndarray, steps: int = STEPS) -> RankDistribution:
    """The same for a table of chances, shape (sampled ranks, items), and shares of the sampled ranks that sum to 1."""
    shares, taken = climb_together(table, observed[:, None], steps)
    mixed = np.maximum(table @ shares[:, 0], TINY)
    return RankDistribution(shares[:, 0], float(observed @ np.log(mixed)), int(taken[0]))


def climb_together(table: np.ndarray, observed: np.ndarray, steps: int = STEPS) -> "tuple[np.ndarray, np.ndarray]":
    """The same for several observations at once, shape (sampled ranks, observations): the shares of the full ranks,
    float64, shape (items, observations), and the steps of each. A column ends where it has settled."""
    count = observed.shape[1]
    shares = np.full((table.shape[1], count), 1 / table.shape[1])
    before, taken, active = np.full(count, -np.inf), np.zeros(count, np.int64), np.arange(count)
    for _ in range(steps):
        seen, now = observed[:, active], shares[:, active]
        mixed = np.maximum(table @ now, TINY)
        likelihood = (seen * np.log(mixed)).sum(axis=0)
        climbing = likelihood - before[active] >= SETTLED
        active = active[climbing]
        if not len(active):
            break
        before[active] = likelihood[climbing]
        now = now[:, climbing] * (table.T @ (seen[:, climbing] / mixed[:, climbing]))
        shares[:, active] = now / now.sum(axis=0)
        taken[active] += 1
    return shares, taken
