"""The subjects of an adapter, each a function from a case and a cut-off to an answer."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from metric_reference.case import Case


class CannotShow(ValueError):
    """The input that a function takes cannot hold the case, which is no fault of the function that is asked."""


class Answer(NamedTuple):
    """A library's result for a case.

    value : the library's own single number (its own mean, never ours).
    users, values : if the library returns values by user, the users in its answer (int64, rows of the case) and their
        values (float64), so that a dropped user and a NaN differ; else ``None``.
    changed_input : a user's function changed the data that it was given; adapters leave it out.
    """

    value: float
    users: Optional[np.ndarray] = None
    values: Optional[np.ndarray] = None
    changed_input: bool = False


class Subject(NamedTuple):
    """One function of a library.

    ask : called as ``ask(case, k)``; turns the case into the library's own input, calls the library's own function.
    source : the library's function or class itself, to report file and line.
    """

    ask: Callable[[Case, int], Answer]
    source: Any = None
