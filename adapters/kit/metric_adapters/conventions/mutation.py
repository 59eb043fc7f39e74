"""Whether a function changed what it was given."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

PLAIN = (int, float, str, bool)
"""What may stand in a list that a shallow copy keeps as it was."""


def copied(given: Tuple[Any, ...]) -> Optional[Tuple[Any, ...]]:
    """Copies of arguments that are plain: numbers, texts, arrays of numbers, lists and sets; None where one is not.

    A copy costs less than the argument made anew.
    """
    plain = all(
        type(one) in PLAIN
        or (type(one) is np.ndarray and one.dtype != object)
        or (type(one) in (list, set) and all(type(value) in PLAIN for value in one))
        for one in given
    )
    return tuple(one if type(one) in PLAIN else one.copy() for one in given) if plain else None


def unchanged(given: Any, fresh: Any) -> bool:
    """Whether an argument is still what it was; ``fresh`` is the same argument made anew."""
    if type(given) is not type(fresh):
        return False
    if isinstance(given, np.ndarray):
        return given.shape == fresh.shape and given.dtype == fresh.dtype and bool(np.all(given == fresh))
    if hasattr(given, "equals"):  # a frame or a series
        return bool(given.equals(fresh))
    if hasattr(given, "equal") and hasattr(given, "shape"):  # a tensor
        return bool(given.shape == fresh.shape and given.dtype == fresh.dtype and given.equal(fresh))
    if hasattr(given, "indptr"):  # a sparse matrix
        parts = ("data", "indices", "indptr")
        return given.shape == fresh.shape and all(unchanged(getattr(given, p), getattr(fresh, p)) for p in parts)
    if isinstance(given, list) and given and isinstance(given[0], (int, float, str)) and given == fresh:
        return True  # plain values are compared at once; NaN is not equal to itself and is looked at below
    if isinstance(given, dict):
        return list(given) == list(fresh) and all(unchanged(given[name], fresh[name]) for name in given)
    if isinstance(given, (list, tuple)):
        return len(given) == len(fresh) and all(unchanged(one, two) for one, two in zip(given, fresh))
    if (
        hasattr(given, "__dict__") and getattr(type(given), "__eq__", None) is object.__eq__
    ):  # an object that is equal to itself alone
        return unchanged(vars(given), vars(fresh))
    return bool(given == fresh) or (given != given and fresh != fresh)
