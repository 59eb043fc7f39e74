"""The containers of all users at once: lists of lists, dicts by user, matrices, flat vectors, sparse matrices."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np

from metric_adapters.conventions.inputs.containers import (
    BINARY,
    FLOAT_TENSORS,
    PER_USER,
    Convert,
    as_array,
    as_list,
    as_set,
    as_string,
    as_string_set,
    pairs,
)
from metric_adapters.conventions.inputs.gallery import GALLERY, gallery
from metric_adapters.conventions.inputs.roles import RANK_OF_UNLISTED, ROLES
from metric_adapters.conventions.inputs.view import View, listed_once
from metric_adapters.shapes import rank_scores
from metric_adapters.subject import CannotShow

GROUPS = ("users", "sizes")
FIRST_USER = 100_000
"""The number of the first user if the users are given as a list."""
ONE_EACH = ("item", "rank", "position", "n_relevant", "query_class", "list_length")
"""Roles with one number for each user."""


def each(role: str, view: View, convert: Convert) -> List[Any]:
    """A role of every user, in the order of the users."""
    return [convert(role, ROLES[role](view, user), view.kit) for user in range(view.case.users)]


def columns(view: View) -> int:
    """The number of ranks in a matrix: k for a function that takes no k, else at least k."""
    if view.complete:
        return view.case.n_items
    return view.cut if view.cut is not None else max(view.case.width, view.k)


def matrix(role: str, view: View) -> Any:
    """A role of all users in one array, a row for each; the relevant items as a list of lists.

    Relevance in rank order is 0 (False) past the end of a list. CannotShow if a list of items is too short for a row,
    because no item stands for "nothing", or if vectors of candidates have different lengths.
    """
    if role in GALLERY:
        return gallery(role, view)
    if role == "relevant":
        return each(role, view, as_list)
    if role in ONE_EACH:
        return np.array(each(role, view, as_array), dtype=np.int64)
    if role == "recommended":
        lengths = view.case.list_lengths
        if lengths.min() < min(view.k, lengths.max()) or lengths.min() == 0:
            raise CannotShow("a list has fewer than k items, and a matrix of items has no item for 'nothing'")
        width = view.k if view.cut is not None else int(lengths.min())
        return view.present(np.array([row[:width] for row in view.case.recommended]))
    rows = each(role, view, as_array)
    if role == "list_classes":
        return padded(rows, columns(view), 0, np.int64)
    if role in ("relevance", "relevance_graded", "gains"):
        longest = max(map(len, rows), default=0)
        width = longest if role == "gains" else max(columns(view), longest)
        return padded(rows, width, 0, bool if role == "relevance" else np.float64)
    if len({len(row) for row in rows}) > 1:
        raise CannotShow("the users have different numbers of candidates, and a matrix has rows of one length")
    return np.stack(rows)


def padded(rows: Sequence[np.ndarray], width: int, filler: float, dtype: Any) -> np.ndarray:
    """Rows of different lengths as one array, shape (rows, width), with ``filler`` past their ends."""
    array = np.full((len(rows), width), filler, dtype=dtype)
    for index, row in enumerate(rows):
        array[index, : len(row)] = row
    return array


def int_matrix(role: str, view: View) -> Any:
    value = matrix(role, view)
    return value.astype(np.int64) if role == "relevance" else value


def matrix_sets(role: str, view: View) -> Any:
    return each(role, view, as_set) if role == "relevant" else matrix(role, view)


def query_columns(role: str, view: View) -> Any:
    """:func:`matrix` with a column for each user; the relevant items as dicts with no ``junk`` to leave out."""
    value = matrix(role, view)
    return [{"ok": items, "junk": []} for items in value] if role == "relevant" else value.T


def column(role: str, view: View) -> Any:
    """:func:`matrix`; a role with one number for each user as one column."""
    value = matrix(role, view)
    return value[:, None] if role in ONE_EACH else value


def tensor(make: Callable[[str, View], Any], labels: type = int) -> Callable[[str, View], Any]:
    """A builder like ``make`` whose arrays are tensors. labels : the type of binary roles, other than int."""

    def build(role: str, view: View) -> Any:
        value = make(role, view)
        if not isinstance(value, np.ndarray):
            return value
        if labels is not int and role in BINARY:
            return view.kit.tensor(value.astype(labels))
        return view.kit.tensor(value.astype(np.float64) if role in FLOAT_TENSORS else value)

    return build


def sessions(role: str, view: View) -> Any:
    """:func:`matrix` for sessions with one event each; ids are moved above 0, which means "no item" there."""
    value = matrix(role, view)
    return (value + 1 if view.ids is None or 0 in view.ids else value)[:, None]


def csr(role: str, view: View) -> Any:
    """Relevance as a sparse matrix, everything else as an array."""
    value = matrix(role, view)
    return view.kit.csr(value.astype(np.float64)) if role in ("y_true", "y_true_graded", "item_ranks") else value


def csr_both(role: str, view: View) -> Any:
    """A sparse matrix; scores are moved above 0, because entries that a sparse matrix lacks count as 0."""
    if role != "y_score":
        return csr(role, view)
    scores = np.zeros((view.case.users, view.case.n_items))
    for user in range(view.case.users):
        items = listed_once(view, user, "a dict of scores")
        own = rank_scores(view.case)[user][: len(items)]
        scores[user, items] = own - min(own.min(initial=0.0), 0.0) + 1.0
    return view.kit.csr(scores)


def flat(role: str, view: View) -> Any:
    """A role of all users in one vector, user after user."""
    if role in ONE_EACH:
        return np.array(each(role, view, as_array), dtype=np.int64)
    return np.concatenate(list(map(np.atleast_1d, each(role, view, as_array))))


def flat_minus_one(role: str, view: View) -> Any:
    value = flat(role, view)
    return np.where(value == RANK_OF_UNLISTED, -1, value)


def listed(container: str) -> Callable[[str, View], Any]:
    """A list over all users."""
    return lambda role, view: each(role, view, PER_USER[container])


def by_user(convert: Convert) -> Callable[[str, View], Any]:
    """A dict by user number."""
    return lambda role, view: dict(enumerate(each(role, view, convert)))


def by_name(convert: Convert) -> Callable[[str, View], Any]:
    """A dict by user number as text."""
    return lambda role, view: dict(zip(names_of(view.case.users), each(role, view, convert)))


BATCH_CONTAINERS: Dict[str, Callable[[str, View], Any]] = {
    "all": listed("lists"),
    "all-sets": listed("sets"),
    "all-both-sets": listed("both-sets"),
    "all-arrays": listed("arrays"),
    "all-tensors": listed("tensors"),
    "all-strings": listed("strings"),
    "all-none": listed("none"),
    "all-minus-one": listed("minus-one"),
    "dicts": by_user(as_list),
    "dict-sets": by_user(as_set),
    "dict-arrays": by_user(as_array),
    "dict-and-list": lambda role, view: (
        by_user(as_set)(role, view) if role == "relevant" else listed("lists")(role, view)
    ),
    "all-objects": listed("objects"),
    "dict-objects": by_user(PER_USER["objects"]),
    "sessions": sessions,
    "dict-strings": by_name(as_string),
    "dict-string-sets": by_name(as_string_set),
    "series": lambda role, view: view.kit.series(each(role, view, as_list)),
    "matrix": matrix,
    "int-matrix": int_matrix,
    "matrix-sets": matrix_sets,
    "column": column,
    "query-columns": query_columns,
    "tensor-matrix": tensor(matrix),
    "bool-tensor-matrix": tensor(matrix, bool),
    "float-tensor-matrix": tensor(matrix, float),
    "tensor-column": tensor(column),
    "csr": csr,
    "csr-both": csr_both,
    "flat": flat,
    "flat-minus-one": flat_minus_one,
    "flat-lists": lambda role, view: flat(role, view).tolist(),
    "flat-tensors": tensor(flat),
}


def all_arguments(roles: Tuple[str, ...], container: str, view: View) -> Tuple[Any, ...]:
    """The roles of all users in a container."""
    if container in ("all-pairs", "dict-pairs", "session-pairs"):
        users = range(view.case.users)
        zipped = [pairs([ROLES[role](view, user) for role in roles]) for user in users]
        if container == "session-pairs":
            return ([pair for of_user in zipped for pair in of_user],)
        return (zipped if container == "all-pairs" else dict(zip(users, zipped)),)
    if "user_list" in roles:
        return tuple(beside_users(role, container, view) for role in roles)
    make = BATCH_CONTAINERS[container]
    vector_role = next((role for role in roles if role not in GROUPS), "")
    return tuple(groups(role, vector_role, container, view) if role in GROUPS else make(role, view) for role in roles)


def beside_users(role: str, container: str, view: View) -> Any:
    """The users, or a role by user; no user's number is a position in a list."""
    users = list(range(FIRST_USER, FIRST_USER + view.case.users))
    if role == "user_list":
        return users
    value = BATCH_CONTAINERS[container](role, view)
    return dict(zip(users, value.values())) if isinstance(value, dict) else value


def groups(role: str, vector_role: str, container: str, view: View) -> Any:
    """The user of each entry of the flat vector of ``vector_role``, or how many entries each user has."""
    lengths = [len(ROLES[vector_role](view, user)) for user in range(view.case.users)]
    value = np.array(lengths, dtype=np.int64) if role == "sizes" else np.repeat(np.arange(len(lengths)), lengths)
    if "tensor" in container:
        return view.kit.tensor(value)
    return value.tolist() if container == "flat-lists" else value


def names_of(count: int) -> List[str]:
    """User numbers 0..count-1 as text that sorts as the numbers do."""
    width = len(str(max(count - 1, 0)))
    return [str(number).zfill(width) for number in range(count)]
