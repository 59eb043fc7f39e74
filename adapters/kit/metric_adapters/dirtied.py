"""Asks in memory full of odd numbers: a function that reads what it never wrote gives another answer there.

Where such a function returns a plausible number depends on what was in memory before. The C library can fill the
memory that it hands out with a byte (``mallopt``; elsewhere nothing is filled, and nothing found). numpy keeps small
arrays to itself, so the users of a case are repeated until an array with a number for each is no small one.
Imports numpy only; kept to Python 3.8.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import Any, Callable, Iterator

import numpy as np

from metric_adapters.shapes import relevant_counts
from metric_reference.case import Case
from metric_reference.narrowed import of_users

MOST_USERS = 8
"""Cases with more users are not asked again: the probes have fewer."""
USERS = 320
"""An array of this many numbers, also of four bytes each, is not kept by numpy or by the C library's own cache."""
M_PERTURB = -6
BYTES = (0x40, 0xC0)
"""What memory is filled with: 32.5 and -8577 as float64, 3 and -6 as float32."""


def depends_on_memory(ask: Callable[[Case, int], Any], case: Case, k: int, answer: Any) -> bool:
    """Whether a function that gave this answer gives others for the case, each user of it often, in other memory.

    Asked again is where a number is NaN or not from 0 to 1, or a user has no list or nothing relevant. A function of
    chance, which differs in the same memory too, is not taken for such a one.
    """
    if case.users > MOST_USERS or not (is_odd(answer) or has_empty_users(case)):
        return False
    many = repeated(case)
    try:
        found = []
        for byte in (*BYTES, BYTES[0]):
            with filled(byte):
                found.append(numbers(ask(many, k)))
    except (
        Exception
    ):  # a case that cannot be shown, or a library that cannot be asked for many users shows nothing of its memory
        return False
    return not is_same(found[0], found[1]) and is_same(found[0], found[2])


@contextmanager
def filled(byte: int) -> Iterator[None]:
    """Memory that is handed out is full of a byte, where the C library can do that."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # macOS and musl; Windows
        yield
        return
    mallopt(M_PERTURB, byte ^ 0xFF)
    try:
        yield
    finally:
        mallopt(M_PERTURB, 0)


def repeated(case: Case) -> Case:
    """The case with its users one after another, again and again."""
    return of_users(case, np.tile(np.arange(case.users), -(-USERS // case.users)))


def has_empty_users(case: Case) -> bool:
    """Whether a user has no list or nothing relevant."""
    return bool((case.list_lengths == 0).any() or (relevant_counts(case) == 0).any())


def numbers(answer: Any) -> np.ndarray:
    """The mean and the values of users, float64."""
    values = np.zeros(0) if answer.values is None else np.asarray(answer.values, dtype=np.float64).ravel()
    return np.concatenate([[float(answer.value)], values])


def is_odd(answer: Any) -> bool:
    """Whether a number of an answer is NaN or not from 0 to 1."""
    found = numbers(answer)
    return not bool(np.all((found >= 0) & (found <= 1)))


def is_same(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two answers hold the same numbers."""
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=1e-9, atol=1e-12, equal_nan=True))
