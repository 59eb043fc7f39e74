"""The words of a signature, and which word of a variant or of an edge behaviour each of them is."""

from __future__ import annotations

import difflib
from typing import Dict, Iterable, Optional, Tuple

VERSION = "1.1"
"""Of the words: what this package can read and write."""

LATER: Dict[Tuple[str, str], str] = {
    ("mae", "of"): "1.1",
    ("rmse", "of"): "1.1",
    ("f1", "no_hits"): "1.1",
    ("diversity", "last"): "1.1",
}
"""Choices that a later version brought, by metric and name: the version. An older signature leaves such a part out and
means its default; so an older signature stays the same text for ever."""

KEYS = {"discount": "disc", "ties": "tied"}
"""Choices whose part has another name: shorter, or because every metric has a part of that name."""
CHOSEN = {"min_k_relevant": "min(k,r)", "min_list_relevant": "min(list,r)"}
"""Values of choices whose word is shorter."""

MEANS = {"user": "users", "micro": "micro", "sum": "sum"}
USERS = ("both", "truth", "recommended", "all")
_VALUES = {"zero": "0", "one": "1", "nan": "nan", "poisons_mean": "poisons", "skipped": "skip", "error": "error"}
EDGES: Dict[str, Tuple[str, Dict[str, str]]] = {
    "norel": ("no_relevant", _VALUES),
    "nolist": ("no_list", _VALUES),
    "dup": ("duplicates", {"counted": "counted", "once": "once", "error": "error"}),
    "ties": (
        "ties",
        {
            "input_order": "input",
            "id_ascending": "id_ascending",
            "id_descending": "id_descending",
            "optimistic": "optimistic",
            "pessimistic": "pessimistic",
            "expected": "expected",
            "unspecified": "unspecified",
        },
    ),
}
"""Parts that name an edge behaviour: which one, and the word of each value."""
UNKNOWN = {"unclear": "?"}
"""A behaviour that was not found out."""

ABOUT = {
    "users": {
        "both": "users who occur in the recommendations and in the truth",
        "truth": "users who occur in the truth",
        "recommended": "users who occur in the recommendations",
        "all": "users who occur in the recommendations or in the truth",
    },
    "mean": {
        "users": "the mean over users",
        "micro": "the sum of the users' numerators over the sum of their denominators",
        "sum": "the sum over users",
    },
    "norel": {
        "0": "users without a relevant item count 0",
        "1": "users without a relevant item count 1",
        "nan": "users without a relevant item are left out",
        "skip": "users without a relevant item are left out",
        "poisons": "a user without a relevant item makes the number NaN",
        "error": "a user without a relevant item is an error",
        "?": "what a user without a relevant item counts is not known",
    },
    "nolist": {
        "0": "users with relevant items but no list count 0",
        "1": "users with relevant items but no list count 1",
        "nan": "users with relevant items but no list are left out",
        "skip": "users with relevant items but no list are left out",
        "poisons": "a user with relevant items but no list makes the number NaN",
        "error": "a user with relevant items but no list is an error",
        "?": "what a user with relevant items but no list counts is not known",
    },
    "dup": {
        "counted": "an item that a list names twice counts each time",
        "once": "an item that a list names twice counts at its first rank only",
        "error": "no list may name an item twice",
        "?": "what an item counts that a list names twice is not known",
    },
    "ties": {
        "input": "items of equal score keep the order in which they are given",
        "id_ascending": "items of equal score are ordered by item id, ascending",
        "id_descending": "items of equal score are ordered by item id, descending",
        "optimistic": "of items of equal score, those with the larger gain stand first",
        "pessimistic": "of items of equal score, those with the larger gain stand last",
        "expected": "the value is the expectation over all orders of items of equal score",
        "unspecified": "the order of items of equal score is not specified",
        "?": "the order of items of equal score is not known",
    },
}
"""What each word of the parts that every metric has means, as half a sentence."""


def nearest(word: str, allowed: Iterable[str]) -> Optional[str]:
    """The allowed word that is written most like another; None if none is like it."""
    by_lower = {each.lower(): each for each in allowed}
    found = difflib.get_close_matches(word.lower(), list(by_lower), n=1, cutoff=0.5)
    return by_lower[found[0]] if found else None
