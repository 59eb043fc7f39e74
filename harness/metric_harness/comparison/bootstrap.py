"""Resampling of users and agreement of rankings, vectorised over columns and samples."""

from __future__ import annotations

import itertools

import numpy as np

from metric_reports.tolerances import EXACT

BLOCK_BYTES = 32 << 20


def resampled(
    numerators: np.ndarray, denominators: np.ndarray, resamples: int, seed: int, empty: np.ndarray | None = None
) -> np.ndarray:
    """The bootstrap distribution of ratios of sums over users: float64, shape (resamples, columns).

    Each resample draws as many users as there are, with replacement: integer weights from the multinomial distribution
    with equal probabilities. All columns share the resamples, so that they can be compared within each.

    numerators, denominators : float64 arrays, shape (users, columns). A mean has denominators 1.
    empty : float64 array, shape (columns,): the ratio where the denominator is 0; NaN if not given.
    """
    users, columns = numerators.shape
    draw = np.random.RandomState(seed)  # unlike Generator, promises the same stream in every version of numpy
    ratios = np.full((resamples, columns), np.nan if empty is None else empty, dtype=np.float64)
    block_size = max(1, BLOCK_BYTES // (8 * max(1, users)))
    for start in range(0, resamples, block_size):
        block = ratios[start : start + block_size]
        counts = [np.bincount(draw.randint(0, users, users, dtype=np.int64), minlength=users) for _ in block]
        weights = np.array(counts, dtype=np.float64)
        totals = weights @ denominators
        np.divide(weights @ numerators, totals, out=block, where=totals != 0)
    return ratios


def interval(samples: np.ndarray, level: float) -> tuple[float, float]:
    """The percentile interval of samples, shape (resamples,), without those that are NaN; NaN if all are."""
    known = samples[~np.isnan(samples)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def pairs_of(count: int) -> list[tuple[int, int]]:
    """(0, 1), (0, 2), ..., (count - 2, count - 1)."""
    return list(itertools.combinations(range(count), 2))


def signs(values: np.ndarray) -> np.ndarray:
    """For each pair of ``pairs_of(count)``: 1 if the first value is larger, -1 if smaller, 0 for a tie, NaN if unknown.

    values : float64 array, shape (..., count). Returns float64, shape (..., pairs).
    """
    i, j = np.triu_indices(values.shape[-1], 1)
    first, second = values[..., i], values[..., j]
    tolerance = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second))) * EXACT
    gap = first - second
    return np.sign(np.where(np.abs(gap) <= tolerance, 0.0, gap))


def kendall(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of two rankings from their signs, shape (..., pairs); NaN where a ranking is all ties.

    Source: Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945, doi 10.1093/biomet/33.3.239.
    """
    scale = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    tau = np.full(scale.shape, np.nan)
    np.divide((first * second).sum(axis=-1), scale, out=tau, where=scale > 0)
    return tau
