"""Users and items as numbers and rows as arrays, of which a case is made."""

from __future__ import annotations

import numpy as np

from metric_harness.data.database import Database


def number_ids(database: Database, role: str) -> dict[str, np.ndarray]:
    """Make a table ``users`` or ``items`` that numbers the ids of the views ``recs`` and ``truth`` in their order.

    Returns the ids by number, and bool arrays: whether each is ``listed`` (in recs) and ``judged`` (in truth).
    """
    rows = f"SELECT {role}, true AS listed FROM recs UNION ALL SELECT {role}, false FROM truth"
    database.table(
        f"{role}s",
        f"SELECT {role}, row_number() OVER (ORDER BY {role}) - 1 AS number, bool_or(listed) AS listed, "
        f"bool_or(NOT listed) AS judged FROM ({rows}) GROUP BY {role}",
    )
    return database.arrays(f"SELECT {role}, listed, judged FROM {role}s ORDER BY number")


def numbered_rows(database: Database, view: str, value: str | None, order: str) -> dict[str, np.ndarray]:
    """The rows of a view by user, then in an order: int64 arrays ``user`` and ``item``, float64 what ``value`` is."""
    chosen = "" if value is None else f", CAST(t.{value} AS DOUBLE) AS {value}"
    return database.arrays(
        f'SELECT u.number AS "user", i.number AS item{chosen} FROM "{view}" t '
        f"JOIN users u ON t.user = u.user JOIN items i ON t.item = i.item ORDER BY u.number, {order}"
    )


def places(sizes: np.ndarray) -> np.ndarray:
    """The place of each row among those of its user, from 0, where rows stand by user; ``sizes``: how many each has."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def starts(sizes: np.ndarray) -> np.ndarray:
    """Where the rows of each user begin, and their number behind them: int64, shape (users + 1,)."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
