"""Which of two ways of calling says more: one that is a restriction of the other is no rival of it.

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
    "item": ("relevant", "grades", "y_true", "y_true_graded", "labels"),
    "rank": ("ranks",),
    "position": ("positions",),
}
"""Roles that show the same of a case as another role, and more."""
ROWS = {"row": "matrix", "tensor-row": "tensor-matrix"}
"""Containers for one user, and those for a batch of users."""


EACH_USER = {"ranks": "rank", "positions": "position"}
"""Several ranks of one user, and one rank of each user."""
OF_ONE_USER = ("", "lists", "arrays", "tensors", "none", "minus-one")


def mean_over_users(narrow: str, wide: str) -> bool:
    """Whether ``wide`` hands over one rank of each user, where ``narrow`` hands over several ranks of one user or all.

    A function that averages over the ranks it is given averages over users then, which is how it is meant to be read.
    """
    own, _, container = narrow.partition("#")[0].partition(":")
    other, _, wider = wide.partition("#")[0].partition(":")
    alike = container in OF_ONE_USER or container.startswith("flat")
    return EACH_USER.get(own) == other and alike and wider not in OF_ONE_USER


def restricts(narrow: str, wide: str) -> bool:
    """Whether one convention is a restriction of another; both are names such as ``y_true,y_score:matrix``."""
    if narrow == wide or mean_over_users(wide, narrow):
        return False
    if mean_over_users(narrow, wide):
        return True
    own, _, container = narrow.partition("#")[0].partition(":")
    other, _, wider = wide.partition("#")[0].partition(":")
    roles, wide_roles = own.split(","), other.split(",")
    if len(roles) != len(wide_roles):
        return False
    if not all(one == two or two in WIDER.get(one, ()) for one, two in zip(roles, wide_roles, strict=True)):
        return False
    return roles != wide_roles or container == f"{wider or 'lists'}-cut" or ROWS.get(container) == wider
