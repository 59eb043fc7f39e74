"""The containers in which a convention hands over roles: lists, sets, arrays, tensors; of one user or of all."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import numpy as np

from adapters.conventions_roles import ROLES, CannotShow, View
from adapters.shapes import rank_scores

FLOAT_TENSORS = ("relevance",)
"""Whole numbers that torch code averages and multiplies, for which they are floats there."""


def as_list(role: str, value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_set(role: str, value: Any) -> Any:
    return set(value.tolist()) if role == "relevant" else as_list(role, value)


def as_array(role: str, value: Any) -> Any:
    return value


def as_tensor(role: str, value: Any) -> Any:
    """float32 for numbers with a fraction, which is what torch makes by default, int64 for ids and labels."""
    import torch

    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.from_numpy(value)
    return tensor.float() if value.dtype == np.float64 or role in FLOAT_TENSORS else tensor


PER_USER: Dict[str, Callable[[str, Any], Any]] = {
    "lists": as_list, "lists-cut": as_list, "sets": as_set, "arrays": as_array, "tensors": as_tensor,
}  # fmt: skip


def each(role: str, view: View, convert: Callable[[str, Any], Any]) -> List[Any]:
    """A role of every user, in the order of the users."""
    return [convert(role, ROLES[role](view, user)) for user in range(view.case.users)]


def columns(view: View) -> int:
    """Ranks that a matrix holds: k for a function that takes none, else at least k."""
    return view.cut if view.cut is not None else max(view.case.width, view.k)


def matrix(role: str, view: View) -> Any:
    """A role of all users in one array, a row each; numbers as a vector, items (``relevant``) as a list of lists.

    Relevance in rank order is 0 (False) past the end of a list. CannotShow where a list of items is too short for a
    row: no item stands for "nothing".
    """
    if role == "relevant":
        return each(role, view, as_list)
    if role == "n_relevant":
        return np.array(each(role, view, as_array), dtype=np.int64)
    if role in ("y_true", "y_true_graded", "y_score"):
        return np.stack(each(role, view, as_array))
    if role == "recommended":
        lengths = view.case.list_lengths
        if lengths.min() < min(view.k, lengths.max()) or lengths.min() == 0:
            raise CannotShow("a list has fewer than k items, and a matrix of items has no item for 'nothing'")
        width = view.k if view.cut is not None else int(lengths.min())
        return np.array([row[:width] for row in view.case.recommended])
    rows = each(role, view, as_array)
    width = max(map(len, rows), default=0) if role == "gains" else columns(view)
    out = np.zeros((len(rows), width), dtype=bool if role == "relevance" else np.float64)
    for at, row in enumerate(rows):
        out[at, : len(row)] = row
    return out


def tensor_matrix(role: str, view: View) -> Any:
    """:func:`matrix` as a tensor; 0/1 relevance as float32."""
    import torch

    value = matrix(role, view)
    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.from_numpy(value)
    return tensor.float() if value.dtype in (np.float64, np.bool_) else tensor


def flat(role: str, view: View) -> Any:
    """A role of all users in one vector, user after user."""
    return np.concatenate(each(role, view, as_array))


def flat_tensor(role: str, view: View) -> Any:
    return as_tensor(role, flat(role, view))


WHOLE: Dict[str, Callable[[str, View], Any]] = {
    "all": lambda role, view: each(role, view, as_list),
    "all-sets": lambda role, view: each(role, view, as_set),
    "dicts": lambda role, view: dict(enumerate(each(role, view, as_list))),
    "dict-sets": lambda role, view: dict(enumerate(each(role, view, as_set))),
    "matrix": matrix,
    "tensor-matrix": tensor_matrix,
    "flat": flat,
    "flat-tensors": flat_tensor,
}


def names_of(count: int) -> List[str]:
    """Ids 0..count-1 as text that sorts as the numbers do."""
    width = len(str(max(count - 1, 0)))
    return [str(number).zfill(width) for number in range(count)]


def qrels(view: View) -> Dict[str, Dict[str, float]]:
    """Judgements as evaluation tools of information retrieval take them; a user without any is not in it."""
    users, items = names_of(view.case.users), names_of(view.case.n_items)
    known = ((users[user], ROLES["grades"](view, user)) for user in range(view.case.users))
    return {user: {items[one]: gain for one, gain in judged.items()} for user, judged in known if judged}


def run(view: View) -> Dict[str, Dict[str, float]]:
    """Scores of the listed items; a user without a list is not in it. CannotShow for an item listed twice."""
    users, items, out = names_of(view.case.users), names_of(view.case.n_items), {}
    values = rank_scores(view.case)
    for user in range(view.case.users):
        listed = ROLES["recommended"](view, user).tolist()
        if len(set(listed)) < len(listed):
            raise CannotShow(f"user {user}: an item is listed twice, and a dict of scores has one place for it")
        if listed:
            out[users[user]] = {items[one]: float(values[user, rank]) for rank, one in enumerate(listed)}
    return out
