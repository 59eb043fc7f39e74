"""Finds the columns of a table that hold the users, the items and so on, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metric_harness.system.errors import HarnessError

# Names of a column in lower case, without "_", "-", spaces and RecBole's ":type"; the first that a table has counts.
NAMES = {
    "user": ("userid", "user", "uid"),
    "item": ("itemid", "item", "movieid", "movie", "iid"),
    "rating": ("rating", "relevance", "gain"),
    "timestamp": ("timestamp", "time"),
    "score": ("score", "prediction", "relevance"),
    "rank": ("rank", "position"),
    "candidates": ("candidates", "ncandidates", "numcandidates"),
    "weight_above": ("weightabove",),
    "weight": ("weight",),
}
PLURALS = {"items": "item", "itemids": "item", "recommendations": "item", "scores": "score", "ratings": "rating"}
"""Further names of a column of lists."""


def singular(name: str) -> str:
    """The singular of the name of a column of lists."""
    return PLURALS.get(re.sub(r"[_\s-]", "", name.lower()), name)


def match_columns(label: str, names: Sequence[str], required: Sequence[str], optional: Sequence[str]) -> dict[str, int]:
    """Position of the column for each role (a key of ``NAMES``) that the table has.

    HarnessError if a required column is missing, or if two columns have the same name for a role.
    """
    normalised = [re.sub(r"[_\s-]", "", name.partition(":")[0].lower()) for name in names]
    columns = {}
    for role in (*required, *optional):
        name = next((name for name in NAMES[role] if name in normalised), None)
        if name is not None and normalised.count(name) > 1:
            same = ", ".join(repr(column) for column, normal in zip(names, normalised, strict=True) if normal == name)
            raise HarnessError(f"{label}: several columns for the {role} ({same}); rename or remove all but one")
        if name is not None:
            columns[role] = normalised.index(name)
        elif role in required:
            raise HarnessError(
                f"{label}: no column for the {role} (looked for {', '.join(NAMES[role])}; case and _ do not matter) "
                f"among {', '.join(filter(None, names))}; rename or add the column"
            )
    return columns
