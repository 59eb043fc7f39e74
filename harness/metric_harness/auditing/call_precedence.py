"""Which of two ways of calling says more: a restriction of another way does not compete with it.

A function that takes gains can be shown 0 or 1, one that takes a whole batch can be shown one row, and one that is
given whole lists can be given lists that end at k. It computes the same thing then, of which less is seen.
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
"""Roles that show the same of a case as another role, and more."""
RANKS = {"ranks": "rank", "positions": "position"}
"""Roles with several ranks for each user, and those with one."""
ROWS = {"row": "matrix", "tensor-row": "tensor-matrix"}
"""Containers for one user, and those for a batch of users."""


def restricts(narrow: str, wide: str, narrow_sums: bool = False, wide_sums: bool = False) -> bool:
    """Whether one convention is a restriction of another; both are names such as ``y_true,y_score:matrix``.

    A list of ranks is that of all queries, one rank for each, rather than that of one user with several relevant items:
    unless the function would be a sum over queries then.

    narrow_sums, wide_sums : the function would be a sum over users under this convention.
    """
    if narrow == wide:
        return False
    if one_each(narrow, wide):
        return narrow_sums
    if one_each(wide, narrow):
        return not wide_sums
    own, _, container = narrow.partition("#")[0].partition(":")
    other, _, wider = wide.partition("#")[0].partition(":")
    roles, wide_roles = own.split(","), other.split(",")
    if len(roles) != len(wide_roles):
        return False
    if not all(one == two or two in WIDER.get(one, ()) for one, two in zip(roles, wide_roles, strict=True)):
        return False
    return roles != wide_roles or shown(container) < shown(wider) or ROWS.get(container) == wider


def shown(container: str) -> int:
    """How much a container shows of a list: least where it ends at k, less where it goes on to the last item."""
    return 0 if container.endswith("-cut") else 1 if container.endswith("-full") else 2


def one_each(one: str, several: str) -> bool:
    """Whether a convention hands over one rank for each user where the other hands over several."""
    role, of_one = several.partition("#")[0].partition(":")[0], one.partition("#")[0].partition(":")[0]
    return RANKS.get(role) == of_one


def reversed_order(one: str, other: str) -> bool:
    """Whether two conventions hand over the same in another order."""
    (own, _, container), (roles, _, else_in) = (name.partition("#")[0].partition(":") for name in (one, other))
    return own != roles and sorted(own.split(",")) == sorted(roles.split(",")) and container == else_in
