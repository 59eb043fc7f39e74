"""When two numbers count as the same."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from metric_reports.types.common import Agreement

SAME = 1e-12
SAME_IN_FLOAT32 = 1e-6


def agreement(value: float, predicted: float) -> Agreement | Literal["different"]:
    """``same`` (to 1e-12), ``same_in_float32`` (to 1e-6) or ``different``, relative to values above 1."""
    if value == predicted or (math.isnan(value) and math.isnan(predicted)):
        return "same"
    difference = abs(value - predicted) / max(1.0, abs(predicted))
    if math.isnan(difference) or difference > SAME_IN_FLOAT32:
        return "different"
    return "same" if difference <= SAME else "same_in_float32"


def agrees(value: float, predicted: float) -> bool:
    """Whether two numbers are the same, at least in float32."""
    return agreement(value, predicted) != "different"


def agree(values: np.ndarray | float, predicted: np.ndarray) -> np.ndarray:
    """:func:`agrees` for each pair of numbers: bool, the shape of ``predicted``."""
    with np.errstate(invalid="ignore"):  # infinities
        close = np.abs(values - predicted) <= SAME_IN_FLOAT32 * np.maximum(1.0, np.abs(predicted))
    same: np.ndarray = close | (values == predicted) | (np.isnan(values) & np.isnan(predicted))
    return same


def half_digit(digits: int | None) -> float:
    """The largest difference that rounding to this many digits makes; 0 without rounding."""
    return 0.0 if digits is None else 0.5000001 * 10.0**-digits + SAME
