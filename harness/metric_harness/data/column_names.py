"""Which column of a table holds the users, the items and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metric_harness.system.errors import HarnessError

# What a column may be called, without case, "_", "-", spaces and RecBole's ":type"; the first that is found counts.
NAMES = {
    "user": ("userid", "user", "uid"),
    "item": ("itemid", "item", "movieid", "movie", "iid"),
    "rating": ("rating", "relevance", "gain"),
    "timestamp": ("timestamp", "time"),
    "score": ("score", "prediction", "relevance"),
    "rank": ("rank", "position"),
}
PLURALS = {"items": "item", "itemids": "item", "recommendations": "item", "scores": "score", "ratings": "rating"}
"""What a column of lists may be called besides."""


def singular(name: str) -> str:
    """The name of a column of lists, with its role in the singular."""
    return PLURALS.get(re.sub(r"[_\s-]", "", name.lower()), name)


def match_columns(label: str, found: Sequence[str], required: Sequence[str], optional: Sequence[str]) -> dict[str, int]:
    """Position of the column for each role (a key of ``NAMES``) that the table has.

    HarnessError if a required one is missing, or if two columns of one name could be it.
    """
    plain = [re.sub(r"[_\s-]", "", name.partition(":")[0].lower()) for name in found]
    columns = {}
    for role in (*required, *optional):
        name = next((name for name in NAMES[role] if name in plain), None)
        if name is not None and plain.count(name) > 1:
            same = ", ".join(repr(given) for given, own in zip(found, plain, strict=True) if own == name)
            raise HarnessError(f"{label}: several columns for the {role} ({same}); rename or remove all but one")
        if name is not None:
            columns[role] = plain.index(name)
        elif role in required:
            raise HarnessError(
                f"{label}: no column for the {role} (looked for {', '.join(NAMES[role])}; case and _ do not matter) "
                f"among {', '.join(filter(None, found))}; rename or add the column"
            )
    return columns
