"""The data of all users at once in a role: matrices, columns, flat vectors, sparse matrices."""

from __future__ import annotations

from typing import Any, Callable, List, Sequence

import numpy as np

from metric_adapters.calls.builders import RANK_OF_UNLISTED
from metric_adapters.calls.role import Fact, Role
from metric_adapters.calls.view import View, listed_once
from metric_adapters.shapes import rank_scores
from metric_adapters.subject import CannotShow

Make = Callable[[Role, View], Any]


def each(role: Role, view: View, convert: Callable[[Role, Any, Any], Any]) -> List[Any]:
    """A role of every user, in the order of the users."""
    return [convert(role, row, view.kit) for row in rows_of(role, view)]


def rows_of(role: Role, view: View) -> List[Any]:
    """A role of every user as it is built."""
    assert role.build is not None
    return [role.build(view, user) for user in range(view.case.users)]


def lists_of(role: Role, view: View) -> List[Any]:
    """A role of every user as lists."""
    return [row.tolist() for row in rows_of(role, view)]


def columns(view: View) -> int:
    """The number of ranks in a matrix: k for a function that takes no k, else at least k."""
    if view.complete:
        return view.case.n_items
    return view.cut if view.cut is not None else max(view.case.width, view.k)


def matrix(role: Role, view: View) -> Any:
    """A role of all users in one array, a row for each; the relevant items as a list of lists.

    Relevance in rank order is 0 (False) past the end of a list. CannotShow if a list of items is too short for a row,
    because no item stands for "nothing", or if vectors of candidates have different lengths.
    """
    if role.has(Fact.ALL_USERS):
        assert role.build is not None
        return role.build(view, False)
    if role.name == "relevant":
        return lists_of(role, view)
    if role.has(Fact.ONE_NUMBER):
        return numbers(role, view)
    if role.name == "recommended" and view.complete:
        rows = [listed_once(view, user, "a matrix with a column for each item") for user in range(view.case.users)]
        return view.present(np.array(rows).reshape(view.case.users, -1))
    if role.name == "recommended":
        lengths = view.case.list_lengths
        if lengths.min() < min(view.k, lengths.max()) or lengths.min() == 0:
            raise CannotShow("a list has fewer than k items, and a matrix of items has no item for 'nothing'")
        if view.uncut and view.cut is None and lengths.min() < lengths.max():
            raise CannotShow("lists have different lengths, and a row of a matrix ends where the shortest list does")
        width = view.k if view.cut is not None else int(lengths.min())
        return view.present(np.array([row[:width] for row in view.case.recommended]))
    rows = rows_of(role, view)
    if role.name == "list_classes":
        return padded(rows, columns(view), 0, np.int64)
    if role.name in ("relevance", "relevance_graded", "gains", "any_gains", "ideal_relevance"):
        longest = max(map(len, rows), default=0)
        return padded(rows, max(columns(view), longest), 0, bool if role.name == "relevance" else np.float64)
    if role.name in (
        "list_scores",
        "falling_scores",
    ):  # past the end of a list is the lowest score
        longest = max(map(len, rows), default=0)
        lowest = min((float(row.min()) for row in rows if len(row)), default=0.0)
        return padded(rows, max(columns(view), longest), lowest - 1.0, np.float64)
    if len({len(row) for row in rows}) > 1:
        raise CannotShow("the users have different numbers of candidates, and a matrix has rows of one length")
    return np.stack(rows)


def numbers(role: Role, view: View) -> np.ndarray:
    """The one number of each user, shape (users,): float64 for scores, int64 for ids, ranks and counts."""
    return np.array(rows_of(role, view), dtype=np.float64 if role.has(Fact.SCORES) else np.int64)


def item_codes(role: Role, view: View) -> np.ndarray:
    """int64: each id as three numbers, of which other items have any two as well."""
    ids = matrix(role, view)
    return np.stack([ids % 3, ids // 3 % 3, ids // 9], axis=-1)


def padded(rows: Sequence[np.ndarray], width: int, filler: float, dtype: Any) -> np.ndarray:
    """Rows of different lengths as one array, shape (rows, width), with ``filler`` past their ends."""
    array = np.full((len(rows), width), filler, dtype=dtype)
    for index, row in enumerate(rows):
        array[index, : len(row)] = row
    return array


def int_matrix(role: Role, view: View) -> Any:
    value = matrix(role, view)
    return value.astype(np.int64) if role.name == "relevance" else value


def matrix_sets(role: Role, view: View) -> Any:
    """:func:`matrix`; the relevant items as a list of sets."""
    return list(map(set, lists_of(role, view))) if role.name == "relevant" else matrix(role, view)


def padded_truth(role: Role, view: View) -> Any:
    """:func:`matrix`; the relevant items as rows of ids, int64, with -1 past their ends."""
    if role.name != "relevant":
        return matrix(role, view)
    rows = rows_of(role, view)
    return padded(rows, max(1, *map(len, rows)), -1, np.int64)


def column(role: Role, view: View) -> Any:
    """:func:`matrix`; a role with one number for each user as one column."""
    value = matrix(role, view)
    return value[:, None] if role.has(Fact.ONE_NUMBER) else value


def tensor(make: Make, labels: type = int) -> Make:
    """A builder like ``make`` whose arrays are tensors. labels : the type of binary roles, other than int."""

    def build(role: Role, view: View) -> Any:
        value = make(role, view)
        if not isinstance(value, np.ndarray):
            return value
        if labels is not int and role.has(Fact.BOOLEAN):
            return view.kit.tensor(value.astype(labels))
        return view.kit.tensor(value.astype(np.float64) if role.has(Fact.FLOAT_TENSOR) else value)

    return build


def csr(role: Role, view: View) -> Any:
    """Relevance as a sparse matrix, everything else as an array."""
    value = matrix(role, view)
    return view.kit.csr(value.astype(np.float64)) if role.name in ("y_true", "y_true_graded", "item_ranks") else value


def csr_both(role: Role, view: View) -> Any:
    """A sparse matrix; scores are moved above 0, because entries that a sparse matrix lacks count as 0."""
    if role.name != "y_score":
        return csr(role, view)
    scores = np.zeros((view.case.users, view.case.n_items))
    for user in range(view.case.users):
        items = listed_once(view, user, "a dict of scores")
        own = rank_scores(view.case)[user][: len(items)]
        scores[user, items] = own - min(own.min(initial=0.0), 0.0) + 1.0
    return view.kit.csr(scores)


def flat(role: Role, view: View) -> Any:
    """A role of all users in one vector, user after user."""
    if role.has(Fact.ONE_NUMBER):
        return numbers(role, view)
    return np.concatenate(list(map(np.atleast_1d, rows_of(role, view))))


def flat_minus_one(role: Role, view: View) -> Any:
    value = flat(role, view)
    return np.where(value >= RANK_OF_UNLISTED, -1, value)


def series(role: Role, view: View) -> Any:
    """A pandas Series over all users."""
    return view.kit.series(lists_of(role, view))


def groups(role: Role, vector: Role, view: View) -> np.ndarray:
    """The user of each entry of the flat vector of another role, or how many entries each user has."""
    lengths = [len(row) for row in rows_of(vector, view)]
    return np.array(lengths, dtype=np.int64) if role.name == "sizes" else np.repeat(np.arange(len(lengths)), lengths)
