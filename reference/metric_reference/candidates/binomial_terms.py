"""Single terms of the binomial and the hypergeometric distribution, to 14 digits for numbers of any size.

A difference of logarithms of factorials loses digits as the numbers grow. The saddle-point form keeps them: Loader,
"Fast and Accurate Computation of Binomial Probabilities" (2000). Stirling's formula cancels, and what remains are its
errors and two deviances, each computed without a difference of large numbers.
"""

from __future__ import annotations

import math

import numpy as np

_SMALL = 16
_ERRORS = np.array(
    [0.0] + [math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi) for n in range(1, _SMALL)]
)
_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_NEAR = 0.1
_TERMS = 9
"""Terms of the series of a deviance, enough for 0.1 ** 18."""


def binomial_term(x: np.ndarray, n: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """C(n, x) p^x q^(n - x).

    x, n : whole numbers as float64, 0 <= x <= n. p, q : float64, p + q = 1; both are given, so that neither is a
    difference. All of one shape, which is that of the result.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        log_p = np.where(q < 0.5, np.log1p(-q), np.log(p))
        log_q = np.where(p < 0.5, np.log1p(-p), np.log(q))
        none = np.where(n == 0, 1.0, np.exp(np.where(n == 0, 0.0, n * log_q)))
        every = np.exp(np.where(n == 0, 0.0, n * log_p))
        inner = (x > 0) & (x < n) & (p > 0) & (q > 0)
        safe_n, safe_x = np.where(inner, n, 2.0), np.where(inner, x, 1.0)
        rest = safe_n - safe_x
        exponent = (
            _stirling_error(safe_n)
            - _stirling_error(safe_x)
            - _stirling_error(rest)
            - _deviance(safe_x, safe_n * np.where(inner, p, 0.5))
            - _deviance(rest, safe_n * np.where(inner, q, 0.5))
        )
        between = np.where(inner, np.exp(exponent) * np.sqrt(safe_n / (2 * math.pi * safe_x * rest)), 0.0)
    result: np.ndarray = np.where(x == 0, none, np.where(x == n, every, between))
    return result


def hypergeometric_term(x: np.ndarray, above: np.ndarray, pool: np.ndarray, drawn: int) -> np.ndarray:
    """C(above, x) C(pool - above, drawn - x) / C(pool, drawn), for x that can occur.

    x, above, pool : whole numbers as float64, of one shape; drawn <= pool. It is a quotient of binomial terms with
    p = drawn / pool.
    """
    p, q = drawn / pool, (pool - drawn) / pool
    n = np.full(x.shape, float(drawn))
    only = (q <= 0) | (above <= 0) | (above >= pool) | (n <= 0)
    p, q = np.where(only, 0.5, p), np.where(only, 0.5, q)
    found = binomial_term(x, np.where(only, x, above), p, q)
    missed = binomial_term(n - x, np.where(only, n - x, pool - above), p, q)
    total = binomial_term(n, np.where(only, n, pool), p, q)
    result: np.ndarray = np.divide(found * missed, total, out=np.ones(x.shape), where=~only)
    return result


def _stirling_error(n: np.ndarray) -> np.ndarray:
    """log(n!) less Stirling's log(sqrt(2 pi n) (n / e)^n); n : whole numbers from 1 on."""
    inverse = 1.0 / np.maximum(n, 1.0)
    square = inverse * inverse
    series = np.zeros(n.shape)
    for coefficient in reversed(_SERIES):
        series = series * square + coefficient
    result: np.ndarray = np.where(n < _SMALL, _ERRORS[np.minimum(n, _SMALL - 1).astype(np.int64)], series * inverse)
    return result


def _deviance(x: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """x log(x / mean) + mean - x, without cancellation where x is near the mean."""
    v = (x - mean) / (x + mean)
    square = v * v
    series = np.zeros(v.shape)
    for j in range(_TERMS, 0, -1):
        series = (series + 1.0 / (2 * j + 1)) * square
    near = (x - mean) * v + 2.0 * x * v * series
    result: np.ndarray = np.where(np.abs(v) < _NEAR, near, x * np.log(x / mean) + mean - x)
    return result
