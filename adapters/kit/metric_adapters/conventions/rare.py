"""Groups of conventions that are tried only where no usual one leads to a name."""

from __future__ import annotations

from typing import Tuple

from metric_adapters.conventions.convention import RECORDS
from metric_adapters.conventions.groups import FLAT, MATRICES, PAIR, VECTORS, Group, both, joined, single

RARE_GROUPS: Tuple[Group, ...] = (
    Group(
        "Lists of one user that hold every item",
        both(*PAIR, "lists-full", "sets-full", "arrays-full"),
        rare=True,
    ),
    Group(
        "Three inputs",
        tuple(
            (roles, containers)
            for pair in (PAIR, PAIR[::-1])
            for roles, containers in (
                ((*pair, "user_list"), ("dict-sets", "dict-and-list")),
                (("user_list", *pair), ("dict-sets", "dict-and-list")),
                ((*pair, "relevance"), ("lists", "arrays")),
            )
        )
        + tuple(((*pair, "places"), VECTORS[1:]) for pair in (("y_true", "y_score"), ("y_score", "y_true"))),
        rare=True,
    ),
    Group("Sessions of one size", both("y_true", "y_score", "session-pairs"), rare=True),
    Group("Sparse matrices of ranks", single("item_ranks", "csr"), rare=True),
    Group(
        "Lists as 0 and 1 over the catalogue",
        both("y_true", "y_listed", *VECTORS, *MATRICES),
        rare=True,
    ),
    Group(
        "Entries, wide frames and padded batches",
        joined(
            both(*PAIR, "objects", "all-objects", "dict-objects", "wide-frames"),
            both("recommended", "item", "objects", "sessions"),
            ((PAIR, RECORDS),),
            both("relevance", "list_length", *MATRICES, "matrix-full"),
            *(both("recommended", truth, "list-row") for truth in ("y_true", "y_true_graded")),
            single("positive_first", "flat", "flat-tensors"),
            both("positive_first", "first_label", *FLAT, *VECTORS, *MATRICES),
        ),
        rare=True,
    ),
)
