"""Sums of numbers, roots and logarithms with exact factors: ``{"": 1/3, "sqrt(2)": -1/2}`` is 1/3 - sqrt(2) / 2."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Dict, Iterable

Sum = Dict[str, Fraction]
"""The factor of each word; the empty word is the number 1."""


def number(value: "int | Fraction") -> Sum:
    """A number without any root or logarithm."""
    return {"": Fraction(value)}


def root(value: Fraction) -> Sum:
    """The square root of a number that is not negative: a fraction times the root of a whole number without squares."""
    inside, outside = value.numerator * value.denominator, 1
    for divisor in range(2, math.isqrt(inside) + 1):
        while inside and inside % divisor**2 == 0:
            inside, outside = inside // divisor**2, outside * divisor
    return {f"sqrt({inside})" if inside > 1 else "": Fraction(outside * min(inside, 1), value.denominator)}


def logarithm(value: Fraction) -> Sum:
    """The natural logarithm of a number above 0."""
    return {} if value == 1 else {f"ln({value})": Fraction(1)}


def times(terms: Sum, factor: "int | Fraction", word: str = "") -> Sum:
    """A sum times a number and a word."""
    return {"*".join(filter(None, (word, own_word))): own * factor for own_word, own in terms.items()}


def plus(sums: Iterable[Sum]) -> Sum:
    """The sum of sums, without terms that cancel."""
    total: Sum = {}
    for terms in sums:
        for word, factor in terms.items():
            total[word] = total.get(word, Fraction(0)) + factor
    return {word: factor for word, factor in total.items() if factor}


def spelled(terms: Sum) -> str:
    """A sum as text, such as ``1/3-1/2*sqrt(2)``."""
    texts = []
    for word, factor in sorted(terms.items()):
        size = abs(factor)
        text = str(size) if not word else word if size == 1 else f"{size}*{word}"
        texts.append(("-" if factor < 0 else "+") + text)
    return "".join(texts).removeprefix("+") or "0"


def divided(terms: Sum, base: str) -> str:
    """A sum over a closed form as text; an empty ``base`` is 1."""
    return f"({spelled(terms)})/{base}" if terms and base else spelled(terms)
