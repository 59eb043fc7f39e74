"""EASE, the item-item model of the paper: closed-form fit by Cholesky factorisation, exact top-k lists."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy.sparse as sp

from metric_harness.models.inverse import invert_lower, mirror_lower
from metric_harness.system.errors import HarnessError
from metric_harness.system.side_by_side import memory_of_computer

SCORE_DECIMALS = 10
"""Scores that are equal in exact arithmetic come out up to 1e-14 apart, depending on the linear algebra library;
different scores within the lists of ml-1m are at least 1e-8 apart. Rounding makes such ties, and so the lists, the same
on every computer; a score next to a rounding boundary (2 of 3 million in ml-1m) can still differ by one step."""
SINGLE_DECIMALS = 5
"""The same for scores in float32, which has about seven digits."""
COLUMNS_AT_ONCE = 1024
BYTES_AT_ONCE = 32 << 20
THREADS = 4

Score = Callable[[sp.csr_array], np.ndarray]
"""From the training rows of some users, shape (users, items), to the scores of all items for each, of that shape."""


def tie_rule(decimals: int = SCORE_DECIMALS) -> str:
    """How items of equal score are ordered."""
    return f"score (rounded to {decimals} decimals) descending, then item number ascending"


def fit_ease(matrix: sp.csr_array, regularisation: float = 0.5, dtype: Any = np.float64) -> np.ndarray:
    """Weights of EASE: ``B = I - P / diag(P)`` by column with ``P = (X^T X + lambda I)^-1``, so that diag(B) = 0.

    Source: Steck, "Embarrassingly Shallow Autoencoders for Sparse Data", WWW 2019, doi 10.1145/3308558.3313710.

    One items x items array is filled with the Gram matrix, inverted and turned into the weights in place. The other
    memory is blocks of ``COLUMNS_AT_ONCE`` columns and that of :func:`metric_harness.models.inverse.invert_lower`.

    Parameters
    ----------
    matrix : CSR array, shape (users, items)
        Training interactions X, 1 where a user has an item.
    regularisation : float
        lambda, above 0.
    dtype : float64 or float32
        Precision of the computation.

    Returns
    -------
    array of ``dtype``, shape (items, items), C order; scores are ``matrix @ B``.

    Raises
    ------
    HarnessError
        If lambda is not above 0, the array does not fit into memory or the matrix cannot be factorised.
    """
    if not regularisation > 0:
        raise HarnessError(f"EASE: regularisation is {regularisation}; it must be above 0 for the inverse to exist")
    n_items = matrix.shape[1]
    size = n_items**2 * np.dtype(dtype).itemsize
    memory = memory_of_computer()  # checked first: a system that allocates lazily would kill the process later
    if memory is not None and size > memory:
        raise HarnessError(
            f"EASE: {n_items} items need an array of {size / 2**30:.1f} GiB, more than there is memory; "
            "use a smaller data set or a higher threshold"
        )
    gram = np.zeros((n_items, n_items), dtype=dtype, order="F")
    _fill_lower_gram(matrix, gram)
    gram[np.diag_indices(n_items)] += regularisation
    if failed := invert_lower(gram):
        raise HarnessError(
            f"EASE: the Gram matrix with regularisation {regularisation} is not positive definite "
            f"(LAPACK info {failed}); use a larger regularisation"
        )
    mirror_lower(gram)
    weights = gram.T  # the inverse is symmetric: its transpose is the same matrix, seen in C order
    diagonal = weights.diagonal().copy()
    for start in range(0, n_items, COLUMNS_AT_ONCE):
        weights[start : start + COLUMNS_AT_ONCE] /= -diagonal
    np.fill_diagonal(weights, 0.0)
    return weights


def _fill_lower_gram(matrix: sp.csr_array, gram: np.ndarray) -> None:
    """Write X^T X into the lower triangle of ``gram``, in blocks of columns; whole numbers add up exactly in any order.

    scipy multiplies sparse matrices on one core without the GIL, so each thread takes a block of its own.
    """
    columns = sp.csc_array(matrix, dtype=gram.dtype)
    threads = min(THREADS, os.cpu_count() or 1)
    width = max(1, COLUMNS_AT_ONCE // threads)

    def fill(start: int) -> None:
        stop, first = min(start + width, gram.shape[0]), columns.indptr[start]
        later = (columns.data[first:], columns.indices[first:], columns.indptr[start:] - first)  # views, no copy
        items = sp.csr_array(later, shape=(gram.shape[0] - start, columns.shape[0]))
        gram[start:, start:stop] = (items @ columns[:, start:stop]).toarray()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, range(0, gram.shape[0], width)))


def scoring(weights: np.ndarray) -> Score:
    """The scores by these weights, in their precision: a product of mixed precisions would copy the weights."""
    return lambda seen: seen.astype(weights.dtype, copy=False) @ weights


def rank(
    matrix: sp.csr_array,
    score: Score,
    users: np.ndarray,
    k: int,
    full_scores: bool | np.ndarray = False,
    block: int | None = None,
    decimals: int = SCORE_DECIMALS,
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The k best items of each user that are not in the user's training, rounded and ordered by :func:`tie_rule`.

    Parameters
    ----------
    matrix : CSR array, shape (all users, items)
        Training interactions.
    score : Score
        Called once for each block of users, in the order of ``users``.
    users : int array, shape (users,)
        Rows of ``matrix`` to score.
    full_scores : bool, or int array, ascending
        Keep the scores of all items: of every user, or of those at these positions in ``users``.
    block : int, optional
        Users scored at once; by default as many as make a block of scores of ``BYTES_AT_ONCE``.
    decimals : int
        Places to which scores are rounded, so that items that tie in exact arithmetic tie.

    Returns
    -------
    items : int64 array, shape (users, k), padded with -1
    scores : float64 array, shape (users, k), padded with NaN
    candidate_scores : float64 array, shape (users kept, items), -inf for training items; None without ``full_scores``
    """
    n_items = matrix.shape[1]
    block = block or max(1, BYTES_AT_ONCE // (8 * max(1, n_items)))
    items = np.full((len(users), k), -1, dtype=np.int64)
    scores = np.full((len(users), k), np.nan)
    positions = full_scores if isinstance(full_scores, np.ndarray) else np.arange(len(users) if full_scores else 0)
    kept_scores = np.empty((len(positions), n_items)) if isinstance(full_scores, np.ndarray) or full_scores else None
    for start in range(0, len(users), block):
        rows = slice(start, start + block)
        seen = matrix[users[rows]]
        candidates = np.round(np.asarray(score(seen), dtype=np.float64), decimals)
        candidates += 0.0  # -0.0 becomes 0.0
        candidates[seen.nonzero()] = -np.inf
        items[rows], scores[rows] = top_k(candidates, k)
        if kept_scores is not None:
            first, last = np.searchsorted(positions, (start, start + block))
            kept_scores[first:last] = candidates[positions[first:last] - start]
    return items, scores, kept_scores


def top_k(candidates: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k highest scores of each row by :func:`tie_rule`, exactly, also if equal scores straddle the cut.

    ``candidates``: float array, shape (rows, items), ``-inf`` for no candidate, no NaN. Returns int64 items padded
    with -1 and float64 scores padded with NaN, both of shape (rows, k).
    """
    rows, n_items = candidates.shape
    items = np.full((rows, k), -1, dtype=np.int64)
    scores = np.full((rows, k), np.nan)
    if not (rows and n_items and k):
        return items, scores
    cut = n_items - min(k, n_items)
    kth_best = np.partition(candidates, cut, axis=1)[:, cut, None]
    # every item at least as good as the k-th: more than k of them where equal scores straddle the cut
    row, item = np.nonzero((candidates >= kth_best) & (candidates > -np.inf))
    score = candidates[row, item]
    order = np.lexsort((item, -score, row))
    row_starts = np.searchsorted(row, np.arange(rows))
    rank = np.arange(len(row)) - row_starts[row]
    kept = rank < k
    order, row, rank = order[kept], row[kept], rank[kept]
    items[row, rank] = item[order]
    scores[row, rank] = score[order]
    return items, scores
