"""A question that a function is asked, and whether two sides answer it alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metric_harness.naming.agreement import agrees
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import Variant


@dataclass(frozen=True, eq=False)
class Question:
    """A case and a cut-off.

    ids : the item ids that a function of ids sees, int64, shape (n_items,); None: the item numbers. name : of a case
    that is asked several times and written to disk once; empty for others. whole : lists do not end at k for a user's
    function that takes none. beside : a list of cut-offs holds a smaller one too. uneven : some users have fewer rows
    in a frame of all items. then : the question that is likely to follow, with which a process may begin meanwhile.
    """

    case: Case
    k: int
    ids: np.ndarray | None = None
    name: str = ""
    whole: bool = False
    beside: bool = False
    uneven: bool = False
    then: Question | None = None


Side = Callable[[Question], Reply]
"""What answers a question: a function under one way of calling, or a variant."""


def side_of(variant: Variant, edges: Edges = STANDARD) -> Side:
    """A variant as a side."""
    return lambda asked: Reply(value=variant.value(asked.case, edges, asked.k))


@dataclass(frozen=True)
class Difference:
    """A case on which two sides differ, and the value of each (None: an error); error : that of the first side."""

    case: Case
    k: int
    value: float | None
    other: float | None
    error: str | None = None


def differ(value: float | None, other: float | None) -> bool:
    """Whether two answers differ; None, an error, equals None alone, and NaN equals NaN."""
    if value is None or other is None:
        return value is not other
    return not agrees(value, other)
