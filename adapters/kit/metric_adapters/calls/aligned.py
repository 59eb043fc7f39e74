"""Two sides of which rows belong together, as texts and images: row i of one is relevant to row i of the other.

As many rows as columns: a case has fewer users than items, so each user has several rows, all alike, which leaves a
mean over rows as it is; items that no user has are farther than all others.
"""

from __future__ import annotations

import numpy as np

from metric_adapters.calls.builders import y_score
from metric_adapters.calls.codes import of_unit_length
from metric_adapters.calls.view import View, wanted_one
from metric_adapters.subject import CannotShow

MOST_NUMBERS = 20_000_000
"""At most this many numbers are in a square matrix."""


CAPTIONS = 5
"""Captions of an image, as in Flickr30K and MS COCO."""


def rows_of(view: View) -> int:
    """The number of rows: the least multiple of the users that the items fit into.

    CannotShow for a matrix that would fill the memory.
    """
    users = view.case.users
    size = max(-(-view.case.n_items // users), 1) * users
    if size**2 > MOST_NUMBERS:
        raise CannotShow(f"a square matrix of {size} rows does not fit into memory")
    return size


def square_scores(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, rows): the scores of the items, and lower ones past the last item."""
    size = rows_of(view)
    square = np.empty((size, size))
    for row in range(size):
        scores = y_score(view, row % view.case.users)
        square[row] = np.concatenate([scores, scores.min() - np.arange(1.0, size - len(scores) + 1)])
    return square


def row_items(view: View, text: bool) -> np.ndarray:
    """int64, shape (rows,): the number of the one relevant item of each row."""
    return np.array([wanted_one(view, row % view.case.users) for row in range(rows_of(view))], dtype=np.int64)


def square_similarity(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, rows): scores, that of a row's one relevant item on the diagonal."""
    square = square_scores(view, text)
    for row, item in enumerate(row_items(view, text)):
        square[row, [row, item]] = square[row, [item, row]]
    return square


def column_similarity(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, rows): :func:`square_similarity` with a column for each user."""
    return square_similarity(view, text).T.copy()


def captioned_rows(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, 5 rows): :func:`square_similarity`, five columns for each, of which one is above the rest.

    So are the captions of an image, of which the best counts.
    """
    return in_fives(square_similarity(view, text))


def captioned_columns(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, 5 rows): :func:`column_similarity`, five columns for each, which have the same order."""
    return in_fives(column_similarity(view, text))


def in_fives(square: np.ndarray) -> np.ndarray:
    """The matrix with five columns for each; one of the five has its numbers, the others smaller ones than all."""
    columns = np.arange(CAPTIONS * len(square))
    lower = (columns - columns // CAPTIONS) % CAPTIONS  # 0 for the first of the first five, the second of the next
    return np.repeat(square, CAPTIONS, axis=1) - lower * (np.ptp(square) + 1.0)


def paired_queries(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, rows + 1): 1 at the row's own place."""
    size = rows_of(view)
    return np.eye(size, size + 1)


def paired_items(view: View, text: bool) -> np.ndarray:
    """float64, shape (rows, rows + 1): of length 1, the product with a query in the order of its scores."""
    levels = [np.unique(row, return_inverse=True)[1] for row in square_similarity(view, text)]
    return of_unit_length(np.stack(levels, axis=1).astype(np.float64))
