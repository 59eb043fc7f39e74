"""Numbers that were changed before they were returned: rounded, or made per cent."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

PER_CENT = 100
FEWEST_DIGITS, MOST_DIGITS = 2, 6
"""Answers with this many digits after the point are taken for rounded ones."""


def digits_of(numbers: Iterable[float]) -> int | None:
    """To how many digits all of these numbers are rounded; None where one of them is not rounded to at most six."""
    most = 0
    for number in numbers:
        if not math.isfinite(number):
            return None
        while round(number, most) != number:
            most += 1
            if most > MOST_DIGITS:
                return None
    return most


def changes(numbers: Collection[float]) -> list[tuple[int, int | None]]:
    """How numbers may have been changed, as far as they look like it: the factor, and to how many digits rounded."""
    digits = digits_of(numbers)
    times = [1, PER_CENT] if 1 < max(filter(math.isfinite, numbers), default=0) <= PER_CENT else [1]
    rounded = [None] if digits is None or digits < FEWEST_DIGITS else [None, digits]
    return [(factor, to) for factor in times for to in rounded][1:]
