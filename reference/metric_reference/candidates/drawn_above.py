"""How many of the drawn negatives stand above an item: the first probabilities, for many items at once.

One term of each row is computed by itself, the largest of those wanted; the others follow from it by quotients of
neighbours, away from it, so that no error grows and nothing overflows.
"""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

from metric_reference.candidates.binomial_terms import binomial_term, hypergeometric_term


def without_replacement(above: np.ndarray, pool: np.ndarray, drawn: int, width: int) -> np.ndarray:
    """Hypergeometric: P(x of ``drawn`` negatives are among the ``above`` first of ``pool``), x = 0, ..., width - 1.

    above, pool : whole numbers, shape (rows,), 0 <= above <= pool, drawn <= pool. Returns float64, shape (width, rows).
    """
    above, pool = above.astype(np.float64), pool.astype(np.float64)
    low, high = np.maximum(0.0, drawn - (pool - above)), np.minimum(above, drawn)
    mode = np.floor((drawn + 1.0) * (above + 1.0) / (pool + 2.0))
    start = np.minimum(np.clip(mode, low, high), width - 1.0)
    if (order := _order(start)) is not None:
        return _put_back(without_replacement(above[order], pool[order], drawn, width), order)
    reached = low < width
    term = hypergeometric_term(np.where(reached, start, low), above, pool, drawn)
    below = pool - above - drawn

    def up(x: int, rows: slice) -> np.ndarray:
        left = below[rows] + (x + 1.0)
        return (above[rows] - x) * ((drawn - x) / (x + 1.0)) / np.where(left > 0, left, 1.0)

    def down(x: int, rows: slice) -> np.ndarray:
        ways = (above[rows] - x) * (drawn - x)
        return (below[rows] + (x + 1.0)) * (x + 1.0) / np.where(ways > 0, ways, 1.0)

    return _outward(np.where(reached, term, 0.0), start.astype(np.int64), width, up, down)


def with_replacement(share: np.ndarray, rest: np.ndarray, drawn: int, width: int) -> np.ndarray:
    """Binomial: P(x of ``drawn`` negatives come from a share of the weight), x = 0, ..., width - 1.

    share, rest : float64, shape (rows,), share + rest = 1. Returns float64, shape (width, rows).
    """
    start = np.minimum(np.clip(np.floor((drawn + 1.0) * share), 0.0, drawn), width - 1.0)
    if (order := _order(start)) is not None:
        return _put_back(with_replacement(share[order], rest[order], drawn, width), order)
    term = binomial_term(start, np.full(share.shape, float(drawn)), share, rest)
    odds = np.divide(share, rest, out=np.zeros(share.shape), where=rest > 0)
    against = np.divide(rest, share, out=np.zeros(share.shape), where=share > 0)

    def up(x: int, rows: slice) -> np.ndarray:
        return odds[rows] * ((drawn - x) / (x + 1.0))

    def down(x: int, rows: slice) -> np.ndarray:
        return against[rows] * ((x + 1.0) / max(drawn - x, 1))

    return _outward(term, start.astype(np.int64), width, up, down)


def _outward(
    term: np.ndarray,
    start: np.ndarray,
    width: int,
    up: Callable[[int, slice], np.ndarray],
    down: Callable[[int, slice], np.ndarray],
) -> np.ndarray:
    """The table whose entry at ``start``, which rises, is ``term``. ``up`` (of x + 1 by x) and ``down`` (of x by x + 1)
    give the quotients of its neighbours for some rows."""
    table = np.zeros((width, len(term)))
    table[start, np.arange(len(term))] = term
    passed = np.searchsorted(start, np.arange(width), "right")  # rows that start at x or before
    for x in range(width - 1):
        rows = slice(0, int(passed[x]))
        table[x + 1, rows] = table[x, rows] * up(x, rows)
    for x in range(width - 2, -1, -1):
        rows = slice(int(passed[x]), len(term))
        table[x, rows] = table[x + 1, rows] * down(x, rows)
    return np.abs(table, out=table)  # beyond what can occur 0 is multiplied by a negative number


def _order(start: np.ndarray) -> Optional[np.ndarray]:
    """The rows in the order of ``start``; None where they are."""
    return np.argsort(start, kind="stable") if (start[1:] < start[:-1]).any() else None


def _put_back(table: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The columns where they were before they were ordered."""
    result = np.empty_like(table)
    result[:, order] = table
    return result
