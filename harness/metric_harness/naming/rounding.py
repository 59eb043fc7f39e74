"""Numbers that a function rounded, or turned into per cent, before it returned them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

PER_CENT = 100
FEWEST_DIGITS, MOST_DIGITS = 2, 6
"""Answers whose digits after the point number between these two are taken for rounded."""


def digits_of(numbers: Iterable[float]) -> int | None:
    """The digits after the point that all of these numbers need; None if one is not finite or needs over six."""
    digits = 0
    for number in numbers:
        if not math.isfinite(number):
            return None
        while round(number, digits) != number:
            digits += 1
            if digits > MOST_DIGITS:
                return None
    return digits


def changes(numbers: Collection[float]) -> list[tuple[int, int | None]]:
    """The changes that these numbers may show: each a factor, and the digits rounded to (None: not rounded)."""
    digits = digits_of(numbers)
    factors = [1, PER_CENT] if 1 < max(filter(math.isfinite, numbers), default=0) <= PER_CENT else [1]
    roundings = [None] if digits is None or digits < FEWEST_DIGITS else [None, digits]
    return [(factor, rounded) for factor in factors for rounded in roundings][1:]  # the first is no change
