"""When two numbers count as the same."""

from __future__ import annotations

from typing import Literal

import numpy as np

from metric_reports.tolerances import EXACT, FLOAT32, near
from metric_reports.types.common import Agreement


def agreement(value: float, predicted: float) -> Agreement | Literal["different"]:
    """``same`` (to 1e-12), ``same_in_float32`` (to 1e-6) or ``different``, relative to values above 1."""
    if near(value, predicted, EXACT):
        return "same"
    return "same_in_float32" if near(value, predicted) else "different"


def agrees(value: float, predicted: float) -> bool:
    """Whether two numbers are the same, at least in float32."""
    return agreement(value, predicted) != "different"


def agree(values: np.ndarray | float, predicted: np.ndarray) -> np.ndarray:
    """:func:`agrees` for each pair of numbers: bool, the shape of ``predicted``."""
    with np.errstate(invalid="ignore"):  # infinities
        close = np.abs(values - predicted) <= FLOAT32 * np.maximum(1.0, np.abs(predicted))
    same: np.ndarray = close | (values == predicted) | (np.isnan(values) & np.isnan(predicted))
    return same


def half_digit(digits: int | None) -> float:
    """The largest difference that rounding to this many digits makes; 0 without rounding."""
    return 0.0 if digits is None else 0.5000001 * 10.0**-digits + EXACT
