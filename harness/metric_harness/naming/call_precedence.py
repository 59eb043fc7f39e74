"""Which of two conventions shows more of a function: a restriction of another convention does not compete with it.

A function of gains also takes 0 and 1, one of a batch also takes a single row, and one of full lists also takes lists
that end at k. It computes the same metric then, but fewer of its choices show.
"""

from __future__ import annotations

WIDER: dict[str, tuple[str, ...]] = {
    "relevance": ("relevance_graded", "labels", "y_true", "y_true_graded"),
    "relevance_graded": ("y_true_graded", "labels"),
    "relevant": ("grades",),
    "y_true": ("y_true_graded",),
    "labelled_frame": ("graded_frame",),
    "list_scores": ("y_score", "scores"),
    "item": ("relevant", "grades", "y_true", "y_true_graded", "labels", "query_class"),
    "recommended": ("list_classes",),
}
"""For each role, the roles that show the same of a case and more."""
RANKS = {"ranks": "rank", "positions": "position"}
"""Roles with several ranks for each user, each with the one that has a single rank."""
ROWS = {"row": "matrix", "tensor-row": "tensor-matrix"}
"""Containers for one user, each with the one for a batch of users."""


def restricts(narrow: str, wide: str, narrow_sums: bool = False, wide_sums: bool = False) -> bool:
    """Whether one convention is a restriction of another; both are names such as ``y_true,y_score:matrix``.

    A list of ranks is read as one rank for each of several queries rather than as several ranks of one user, unless
    the function would then be a sum over queries.

    narrow_sums, wide_sums : under this convention the function would be a sum over users.
    """
    if narrow == wide:
        return False
    if one_each(narrow, wide):
        return narrow_sums
    if one_each(wide, narrow):
        return not wide_sums
    roles, container = roles_and_container(narrow)
    wide_roles, wide_container = roles_and_container(wide)
    if len(roles) != len(wide_roles):
        return False
    if not all(role == other or other in WIDER.get(role, ()) for role, other in zip(roles, wide_roles, strict=True)):
        return False
    return roles != wide_roles or extent(container) < extent(wide_container) or ROWS.get(container) == wide_container


def roles_and_container(name: str) -> tuple[list[str], str]:
    """``y_true,y_score:matrix`` as its roles and its container; the element of a return is left out."""
    roles, _, container = name.partition("#")[0].partition(":")
    return roles.split(","), container


def extent(container: str) -> int:
    """How much of a list a container shows: 0 if it ends at k, 1 if it holds every item, 2 for the list itself."""
    return 0 if container.endswith("-cut") else 1 if container.endswith("-full") else 2


def one_each(single: str, several: str) -> bool:
    """Whether convention ``single`` passes a single rank for each user where ``several`` passes several ranks."""
    several_roles, roles = (",".join(roles_and_container(name)[0]) for name in (several, single))
    return RANKS.get(several_roles) == roles


def reversed_order(name: str, other: str) -> bool:
    """Whether two conventions pass the same roles in the same container, in another order."""
    (roles, container), (other_roles, other_container) = roles_and_container(name), roles_and_container(other)
    return roles != other_roles and sorted(roles) == sorted(other_roles) and container == other_container
