"""The containers for the data of one user: lists, sets, arrays, tensors, strings."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from metric_adapters.conventions.inputs.entries import Entry
from metric_adapters.conventions.inputs.kit import Kit
from metric_adapters.conventions.inputs.roles import RANK_OF_UNLISTED, ROLES
from metric_adapters.conventions.inputs.view import View

FLOAT_TENSORS = ("relevance",)
"""Roles of whole numbers that are floats as tensors, because torch code averages and multiplies them."""
BINARY = ("relevance", "y_true", "labels")
IDS = ("relevant", "recommended", "item")
RANKS = ("rank", "position", "ranks", "positions")

Convert = Callable[[str, Any, Kit], Any]


def as_list(role: str, value: Any, kit: Kit) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_set(role: str, value: Any, kit: Kit) -> Any:
    return set(value.tolist()) if role == "relevant" else as_list(role, value, kit)


def as_both_sets(role: str, value: Any, kit: Kit) -> Any:
    return set(value.tolist()) if role in ("relevant", "recommended") else as_list(role, value, kit)


def as_array(role: str, value: Any, kit: Kit) -> Any:
    return value


def as_tensor(role: str, value: Any, kit: Kit) -> Any:
    """float32 for numbers with a fraction and for relevance, int64 for ids and labels."""
    if not isinstance(value, np.ndarray):
        return value
    return kit.tensor(value.astype(np.float64) if role in FLOAT_TENSORS else value)


def as_string(role: str, value: Any, kit: Kit) -> Any:
    """Ids as text; everything else as a list."""
    if role in IDS:
        return list(map(str, value.tolist())) if isinstance(value, np.ndarray) else str(value)
    if role in ("grades", "item_scores"):
        return {str(item): number for item, number in value.items()}
    if role in ("scored", "graded_items"):
        return [(str(item), number) for item, number in value]
    return as_list(role, value, kit)


def as_string_set(role: str, value: Any, kit: Kit) -> Any:
    text = as_string(role, value, kit)
    return set(text) if role == "relevant" else text


def as_bool(role: str, value: Any, kit: Kit) -> Any:
    return value.astype(bool) if role in BINARY else value


def as_bool_tensor(role: str, value: Any, kit: Kit) -> Any:
    return kit.tensor(as_bool(role, value, kit)) if isinstance(value, np.ndarray) else value


def as_float_tensor(role: str, value: Any, kit: Kit) -> Any:
    return kit.tensor(as_float(role, value, kit)) if isinstance(value, np.ndarray) else value


def as_float(role: str, value: Any, kit: Kit) -> Any:
    return value.astype(np.float64) if role in BINARY else value


def as_row(role: str, value: Any, kit: Kit) -> Any:
    return value[None, :] if isinstance(value, np.ndarray) else value


def as_list_row(role: str, value: Any, kit: Kit) -> Any:
    """The recommended items as an array with a single row, everything else as an array."""
    return as_row(role, value, kit) if role == "recommended" else value


def unlisted_as(missing: Any) -> Convert:
    """Ranks as plain numbers or lists, with ``missing`` for an item that is not listed."""

    def convert(role: str, value: Any, kit: Kit) -> Any:
        if role not in RANKS:
            return as_list(role, value, kit)
        if isinstance(value, np.ndarray):
            return [missing if rank == RANK_OF_UNLISTED else rank for rank in value.tolist()]
        return missing if value == RANK_OF_UNLISTED else value

    return convert


def then(first: Convert, second: Convert) -> Convert:
    """One conversion after another."""
    return lambda role, value, kit: second(role, first(role, value, kit), kit)


def as_objects(role: str, value: Any, kit: Kit) -> Any:
    """Items as entries with attributes and keys."""
    if role in ("relevant", "recommended"):
        return [Entry(item, index) for index, item in enumerate(value.tolist())]
    if role == "scored":
        return [Entry(item, index, score) for index, (item, score) in enumerate(value)]
    return [Entry(value, 0)] if role == "item" else as_list(role, value, kit)


PER_USER: Dict[str, Convert] = {
    "lists": as_list,
    "sets": as_set,
    "both-sets": as_both_sets,
    "arrays": as_array,
    "tensors": as_tensor,
    "strings": as_string,
    "string-sets": as_string_set,
    "bools": then(as_bool, as_list),
    "bool-arrays": as_bool,
    "bool-tensors": as_bool_tensor,
    "floats": then(as_float, as_list),
    "float-arrays": as_float,
    "float-tensors": as_float_tensor,
    "row": as_row,
    "tensor-row": then(as_row, as_tensor),
    "list-row": as_list_row,
    "objects": as_objects,
    "none": unlisted_as(None),
    "minus-one": unlisted_as(-1),
}


def user_arguments(roles: Tuple[str, ...], container: str, view: View, user: int) -> Tuple[Any, ...]:
    """The roles of one user in a container."""
    values = [ROLES[role](view, user) for role in roles]
    if container == "pairs":
        return (pairs(values),)
    if container == "pair-arrays":
        return (np.stack([value.astype(np.float64) for value in values], axis=1),)
    convert = PER_USER[container]
    return tuple(convert(role, value, view.kit) for role, value in zip(roles, values))


def pairs(values: List[np.ndarray]) -> List[Tuple[Any, ...]]:
    """Vectors of one length as a list of tuples."""
    return list(zip(*(value.tolist() for value in values)))
