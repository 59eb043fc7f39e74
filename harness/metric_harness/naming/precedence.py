"""Which of two calls shows more of a function: a restriction of another call does not compete with it.

A function of gains also takes 0 and 1, one of a batch also takes a single row, and one of full lists also takes lists
that end at k. It computes the same metric then, but fewer of its choices show.
"""

from __future__ import annotations

from collections.abc import Sequence

from metric_adapters.calls.container import CONTAINERS, Holds
from metric_adapters.calls.role import ROLES
from metric_harness.worker.messages import OfferedCall

OF_CATALOGUE = {
    "y_true": "labels",
    "y_score": "scores",
    "first_score": "positive_scores",
    "other_scores": "negative_scores",
    "labelled_frame": "candidate_frame",
}
"""The role for the candidates alone, of a role for the whole catalogue."""
EXTENT = {"k": 0, "default": 0, "catalogue": 1, "list": 2}
"""How much of a list a call shows."""


def restricts(narrow: OfferedCall, wide: OfferedCall, narrow_sums: bool = False, wide_sums: bool = False) -> bool:
    """Whether one call is a restriction of another.

    A batch of a single row shows no more than a vector; rows that are padded to k show no shorter list. A list of ranks
    is read as one rank for each of several queries rather than as several ranks of one user, unless the function would
    then be a sum over queries.

    narrow_sums, wide_sums : under this call the function would be a sum over users.
    """
    if narrow.name == wide.name:
        return False
    if one_each(narrow, wide):
        return narrow_sums
    if one_each(wide, narrow):
        return not wide_sums
    if len(narrow.roles) != len(wide.roles):
        return False
    pairs = zip(narrow.roles, wide.roles, strict=True)
    if not all(role == other or other in ROLES[role].wider for role, other in pairs):
        return False
    less = EXTENT[narrow.ends] < EXTENT[wide.ends]
    row, one = CONTAINERS[narrow.container], CONTAINERS[wide.container]
    single = row.has(Holds.ROW) and one.has(Holds.USER) and not one.has(Holds.ROW)
    padded = narrow.domain.lists == "padded to k" and wide.domain.lists == "any" and not one.has(Holds.ROW)
    return narrow.roles != wide.roles or less or row.batch == wide.container or single or padded


def one_each(single: OfferedCall, several: OfferedCall) -> bool:
    """Whether a call passes a single rank for each user where another passes several ranks."""
    return len(several.roles) == 1 and (ROLES[several.roles[0]].single,) == single.roles


def reversed_order(call: OfferedCall, other: OfferedCall) -> bool:
    """Whether two calls pass the same roles in the same container, in another order."""
    same = (call.container, call.ends) == (other.container, other.ends)
    return call.roles != other.roles and sorted(call.roles) == sorted(other.roles) and same


def stacks(call: OfferedCall, single: OfferedCall) -> bool:
    """Whether a call passes the entries of all users in one row, of which another passes those of one user."""
    rows, one = CONTAINERS.get(call.container), CONTAINERS.get(single.container)
    if rows is None or one is None or not same_of_candidates(call.roles, single.roles):
        return False
    return rows.has(Holds.STACKED) and one.has(Holds.USER)


def same_of_candidates(roles: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two calls pass the same roles in the same order, of the whole catalogue or of the candidates."""
    return [OF_CATALOGUE.get(role, role) for role in roles] == [OF_CATALOGUE.get(role, role) for role in others]
