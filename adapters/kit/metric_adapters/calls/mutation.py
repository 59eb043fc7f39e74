"""Whether a function changed its arguments."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

PLAIN = frozenset((int, float, str, bool))
"""Immutable types: a shallow copy of a list of these is enough."""


def copied(arguments: Tuple[Any, ...]) -> Optional[Tuple[Any, ...]]:
    """Copies of plain arguments: numbers, texts, arrays of numbers, lists and sets; None if one is not plain.

    A copy costs less than making the argument again.
    """
    plain = all(
        type(argument) in PLAIN
        or (type(argument) is np.ndarray and argument.dtype != object)
        or (type(argument) in (list, set) and PLAIN.issuperset(map(type, argument)))
        for argument in arguments
    )
    return tuple(value if type(value) in PLAIN else value.copy() for value in arguments) if plain else None


def unchanged(given: Any, fresh: Any) -> bool:
    """Whether an argument equals ``fresh``, the same argument copied before the call or made again."""
    if type(given) is not type(fresh):
        return False
    if isinstance(given, np.ndarray):
        return given.shape == fresh.shape and given.dtype == fresh.dtype and bool(np.all(given == fresh))
    if isinstance(given, list) and given and type(given[0]) in PLAIN and given == fresh:
        return True  # plain values are compared at once; NaN is not equal to itself and is looked at below
    if hasattr(given, "equals"):  # a frame or a series
        return bool(given.equals(fresh))
    if hasattr(given, "equal") and hasattr(given, "shape"):  # a tensor
        return bool(given.shape == fresh.shape and given.dtype == fresh.dtype and given.equal(fresh))
    if hasattr(given, "indptr"):  # a sparse matrix
        parts = ("data", "indices", "indptr")
        return given.shape == fresh.shape and all(unchanged(getattr(given, p), getattr(fresh, p)) for p in parts)
    if isinstance(given, dict) and type(given).__eq__ is dict.__eq__:
        return list(given) == list(fresh) and all(unchanged(given[name], fresh[name]) for name in given)
    if isinstance(given, (list, tuple)):
        return len(given) == len(fresh) and all(map(unchanged, given, fresh))
    if hasattr(given, "__dict__") and getattr(type(given), "__eq__", None) is object.__eq__:  # equal to itself alone
        return unchanged(vars(given), vars(fresh))
    return bool(given == fresh) or (given != given and fresh != fresh)
