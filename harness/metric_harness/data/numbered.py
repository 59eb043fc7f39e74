"""The arrays that a case is made of: users and items as numbers, rows by user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metric_harness.data.database import Database


def number_ids(database: Database, role: str) -> dict[str, np.ndarray]:
    """Make a table ``users`` or ``items`` that numbers the ids of the views ``recs`` and ``truth`` in ascending order.

    Returns the ids in that order, and bool arrays: whether each is ``listed`` (in recs) and ``judged`` (in truth).
    """
    views = [("recs", True), ("truth", False)]
    views += [("empty_recs", True), ("empty_truth", False)] if role == "user" else []
    rows = " UNION ALL ".join(f"SELECT {role}, {listed} AS listed FROM {view}" for view, listed in views)
    database.table(
        f"{role}s",
        f"SELECT {role}, row_number() OVER (ORDER BY {role}) - 1 AS number, bool_or(listed) AS listed, "
        f"bool_or(NOT listed) AS judged FROM ({rows}) GROUP BY {role}",
    )
    return database.arrays(f"SELECT {role}, listed, judged FROM {role}s ORDER BY number")


def numbered_rows(database: Database, view: str, value: str | None, order: str) -> dict[str, np.ndarray]:
    """The rows of a view, sorted by user, then by ``order``: int64 ``user`` and ``item``, float64 column ``value``."""
    column = "" if value is None else f", CAST(t.{value} AS DOUBLE) AS {value}"
    return database.arrays(
        f'SELECT u.number AS "user", i.number AS item{column} FROM "{view}" t '
        f"JOIN users u ON t.user = u.user JOIN items i ON t.item = i.item ORDER BY u.number, {order}"
    )


def places(sizes: np.ndarray) -> np.ndarray:
    """The position (from 0) of each row among its user's, for rows sorted by user; ``sizes``: rows of each user."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def starts(sizes: np.ndarray) -> np.ndarray:
    """The first row of each user, and the number of rows at the end: int64, shape (users + 1,)."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def users_kept(users: str, listed: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """Which users are in the case (bool) by the option ``users``: ``both``, ``truth``, ``recommended`` or ``all``."""
    return {"both": listed & judged, "truth": judged, "recommended": listed, "all": listed | judged}[users]
