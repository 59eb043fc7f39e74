"""Sums of numbers, roots and logarithms with exact factors: ``{"": 1/3, "sqrt(2)": -1/2}`` is 1/3 - sqrt(2) / 2."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Dict, Iterable

Sum = Dict[str, Fraction]
"""How often each word counts; the empty one is the number 1."""


def number(value: "int | Fraction") -> Sum:
    """A number without any root or logarithm."""
    return {"": Fraction(value)}


def root(value: Fraction) -> Sum:
    """The square root of a number that is not negative: a number, or a multiple of the root of one without squares."""
    left, outside = value.numerator * value.denominator, 1
    for factor in range(2, math.isqrt(left) + 1):
        while left and left % factor**2 == 0:
            left, outside = left // factor**2, outside * factor
    return {f"sqrt({left})" if left > 1 else "": Fraction(outside * min(left, 1), value.denominator)}


def logarithm(value: Fraction) -> Sum:
    """The natural logarithm of a number above 0."""
    return {} if value == 1 else {f"ln({value})": Fraction(1)}


def times(own: Sum, factor: "int | Fraction", word: str = "") -> Sum:
    """A sum times a number and a word."""
    return {"*".join(filter(None, (word, one))): count * factor for one, count in own.items()}


def plus(sums: Iterable[Sum]) -> Sum:
    """The sum of sums; what cancels is gone."""
    total: Sum = {}
    for own in sums:
        for word, count in own.items():
            total[word] = total.get(word, Fraction(0)) + count
    return {word: count for word, count in total.items() if count}


def spelled(own: Sum) -> str:
    """A sum as text, such as ``1/3-1/2*sqrt(2)``."""
    terms = []
    for word, count in sorted(own.items()):
        size = abs(count)
        text = str(size) if not word else word if size == 1 else f"{size}*{word}"
        terms.append(("-" if count < 0 else "+") + text)
    return "".join(terms).removeprefix("+") or "0"


def divided(own: Sum, base: str) -> str:
    """A sum over a closed form, where there is one, as text."""
    return f"({spelled(own)})/{base}" if own and base else spelled(own)
