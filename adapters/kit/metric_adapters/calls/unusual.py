"""Containers that few functions take: columns of queries, sessions with one event, tuples of all users in one list."""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

import numpy as np

from metric_adapters.calls.batches import matrix, padded, rows_of
from metric_adapters.calls.role import Role
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow

LARGEST_FLOAT = 1 << 53
"""Neighbours past it are one number in float64."""


def query_columns(role: Role, view: View) -> Any:
    """A matrix with a column for each user; the relevant items as dicts with no ``junk`` to leave out."""
    value = matrix(role, view)
    return [{"ok": items, "junk": []} for items in value] if role.name == "relevant" else value.T


def sessions(role: Role, view: View) -> Any:
    """A matrix for sessions with one event each; ids are moved above 0, which means "no item" there."""
    value = matrix(role, view)
    return (value + 1 if view.ids is None or 0 in view.ids else value)[:, None]


def joined(rows: Sequence[Sequence[Tuple[Any, ...]]]) -> List[Tuple[Any, ...]]:
    """The tuples of all users in one list."""
    return [pair for row in rows for pair in row]


def wide_frame(role: Role, view: View) -> Any:
    """A frame with a row for each user and an item in each cell, NaN past the relevant items.

    CannotShow if lists are too short for a row, or if ids beside NaN are larger than a float holds.
    """
    if role.name == "recommended":
        return view.kit.rows(np.asarray(matrix(role, view)))
    rows = rows_of(role, view)
    width = max(1, max(map(len, rows)))
    if all(len(row) == width for row in rows):
        return view.kit.rows(np.stack(rows))
    if max(row.max(initial=0) for row in rows) > LARGEST_FLOAT:
        raise CannotShow("a column with NaN holds no larger id than 2^53")
    return view.kit.rows(padded(rows, width, np.nan, np.float64))
