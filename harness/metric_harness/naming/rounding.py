"""Numbers that a function rounded, or turned into per cent, before it returned them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from metric_reference.variant import Variant

PER_CENT = 100
FEWEST_DIGITS, MOST_DIGITS = 2, 6
"""Answers whose digits after the point number between these two are taken for rounded."""


def digits_of(numbers: Iterable[float]) -> int | None:
    """The digits after the point that all of these numbers need; None if one is not finite or needs over six."""
    digits = 0
    for number in numbers:
        if not math.isfinite(number):
            return None
        single = float(np.float32(number)) == number  # it was rounded before it became a float32
        while (rounded := round(number, digits)) != number and not (single and float(np.float32(rounded)) == number):
            digits += 1
            if digits > MOST_DIGITS:
                return None
    return digits


class Change(NamedTuple):
    """A factor, the digits rounded to (None: not rounded), and what is rounded, as :class:`Variant` has them."""

    times: int
    rounded: int | None
    rounds: str = "mean"

    def of(self, variant: Variant) -> Variant | None:
        """The variant with this change; None where its value is no mean of users' values that could be rounded."""
        if self.rounds == "users" and not variant.averages_users():
            return None
        return replace(variant, times=self.times, rounded=self.rounded, rounds=self.rounds)


def changes(numbers: Collection[float], of_one: Collection[float] = ()) -> list[Change]:
    """The changes that these numbers may show.

    of_one : those that are one user's value. If they have fewer digits than the means of several users, it is the
    values of users that are rounded.
    """
    digits, own = digits_of(numbers), digits_of(of_one)
    factors = [1, PER_CENT] if 1 < max(filter(math.isfinite, numbers), default=0) <= PER_CENT else [1]
    roundings: list[tuple[int | None, str]] = [(None, "mean")]
    if digits is not None and digits >= FEWEST_DIGITS:
        roundings.append((digits, "mean"))
    if own is not None and own >= FEWEST_DIGITS and (digits is None or own < digits):
        roundings.append((own, "users"))
    return [Change(factor, *rounding) for factor in factors for rounding in roundings][1:]  # the first is no change
