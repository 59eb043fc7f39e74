"""Resampling of users, and the agreement of two rankings: both for many columns or samples at once."""

from __future__ import annotations

from functools import cache

import numpy as np

TIE = 1e-12
"""Two values this close, relative to values above 1, are a tie: sums in another order differ by as much."""
BYTES_AT_ONCE = 32 << 20


def resampled(
    numerators: np.ndarray, denominators: np.ndarray, resamples: int, seed: int, empty: np.ndarray | None = None
) -> np.ndarray:
    """The bootstrap distribution of ratios of sums over users: float64, shape (resamples, columns).

    Each resample draws as many users as there are, with replacement; it is a row of whole weights, drawn from the
    multinomial distribution with equal chances. All columns share the same resamples, so that they can be compared
    within each.

    numerators, denominators : float64 arrays, shape (users, columns). A mean has denominators 1.
    empty : float64 array, shape (columns,): what a ratio is where its denominator is 0; NaN if not given.
    """
    users, columns = numerators.shape
    draw = np.random.RandomState(seed)  # unlike Generator, promises the same stream in every version of numpy
    out = np.full((resamples, columns), np.nan)
    if empty is not None:
        out[:] = empty
    block = max(1, BYTES_AT_ONCE // (8 * max(1, users)))
    for start in range(0, resamples, block):
        part = out[start : start + block]
        drawn = [np.bincount(draw.randint(0, users, users, dtype=np.int64), minlength=users) for _ in part]
        weights = np.array(drawn, dtype=np.float64)
        below = weights @ denominators
        np.divide(weights @ numerators, below, out=part, where=below != 0)
    return out


def interval(samples: np.ndarray, level: float) -> tuple[float, float]:
    """The percentile interval of samples, shape (resamples,), NaN left out; NaN where none is left."""
    known = samples[~np.isnan(samples)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def pairs_of(count: int) -> list[tuple[int, int]]:
    """(0, 1), (0, 2), ..., (count - 2, count - 1)."""
    return [(one, other) for one in range(count) for other in range(one + 1, count)]


@cache
def _upper(count: int) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.triu_indices(count, 1)
    return first, second


def signs(values: np.ndarray) -> np.ndarray:
    """For each pair of ``pairs_of(count)``: 1 if the first value is larger, -1 if smaller, 0 for a tie, NaN if unknown.

    values : float64 array, shape (..., count). Returns float64, shape (..., pairs).
    """
    first, second = _upper(values.shape[-1])
    one, other = values[..., first], values[..., second]
    near = np.maximum(1.0, np.maximum(np.abs(one), np.abs(other))) * TIE
    gap = one - other
    return np.sign(np.where(np.abs(gap) <= near, 0.0, gap))


def kendall(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of two rankings from their signs, shape (..., pairs); NaN where a ranking is all ties.

    Source: Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945, doi 10.1093/biomet/33.3.239.
    """
    below = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    out = np.full(below.shape, np.nan)
    np.divide((one * other).sum(axis=-1), below, out=out, where=below > 0)
    return out
