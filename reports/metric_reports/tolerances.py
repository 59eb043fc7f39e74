"""How near two numbers must be to count as one: every tolerance of the harness and the reports, with its reason."""

from __future__ import annotations

import math

EXACT = 1e-12
"""Numbers of float64 that differ only by the order of their sums."""
COMPOSED = 1e-9
"""Numbers put together out of many sums, solved for, or read from a text: their rounding adds up."""
FLOAT32 = 1e-6
"""Numbers of libraries that compute in float32, which cannot tell nearer ones apart."""


def near(value: float, other: float, tolerance: float = FLOAT32) -> bool:
    """Whether two numbers are equal, both NaN, or at most ``tolerance`` apart, relative to values above 1.

    >>> near(0.5, 0.5000001), near(0.5, 0.5000001, EXACT), near(float("nan"), float("nan"))
    (True, False, True)
    """
    if value == other or (math.isnan(value) and math.isnan(other)):
        return True
    return math.isfinite(other) and abs(value - other) <= tolerance * max(1.0, abs(other))
