"""The words of a signature, and the values of choices and edge behaviours that they stand for."""

from __future__ import annotations

import difflib
from typing import Dict, Iterable, Optional, Tuple

VERSION = "1.2"
"""The version of the words that this package reads and writes."""

LATER: Dict[Tuple[str, str], str] = {
    ("mae", "of"): "1.1",
    ("rmse", "of"): "1.1",
    ("f1", "no_hits"): "1.1",
    ("hit_rate", "cut"): "1.1",
    ("reciprocal_rank", "who"): "1.1",
    ("inverted_auc", "ties"): "1.1",
    ("diversity", "last"): "1.1",
}
"""The version that brought a choice, by metric and name. A signature without such a part means its default, so older
signatures keep their text for ever."""

ROUNDS_SINCE = "1.1"
"""The version that brought the part ``rounds``."""

ONLY_SINCE = "1.2"
"""The version that brought the part ``only``."""

CANDIDATES_SINCE = "1.2"
"""The version that brought the parts ``cand``, ``repl`` and ``per``."""

KEYS = {"discount": "disc", "ties": "tied"}
"""Choices whose part has another name: a shorter one, or because every metric has a part of that name."""
CHOSEN = {"min_k_relevant": "min(k,r)", "min_list_relevant": "min(list,r)"}
"""Values of choices with a shorter word."""

MEANS = {"user": "users", "micro": "micro", "sum": "sum"}
USERS = ("both", "truth", "recommended", "all")
CANDIDATE_PARTS = ("cand", "repl", "per")
"""The parts about candidates, printed only where these are not all items."""
REPLACEMENT = {False: "without", True: "with"}
"""The words of ``repl``, the usual one first."""
_VALUES = {"zero": "0", "one": "1", "nan": "nan", "poisons_mean": "poisons", "skipped": "skip", "error": "error"}
EDGES: Dict[str, Tuple[str, Dict[str, str]]] = {
    "norel": ("no_relevant", {**_VALUES, "half": "0.5"}),
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
"""The parts for edge behaviours: the behaviour, and the word of each value."""
UNKNOWN = {"unclear": "?"}
"""The word of a behaviour that was not determined."""

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
    "only": {
        "judged": "items that nobody judged are taken out of the lists before ranks are counted",
        "predicted": "items whose predicted rating is below the threshold of relevance are taken out of the lists",
        "first_k_relevant": "of a user's relevant items the first k alone count, in the order of the truth",
        "with_hit": "users without a hit up to k are treated as users without a relevant item, 0 if none has a hit",
        "with_hit_or_nan": "users without a hit up to k are treated as users without a relevant item",
        "listed": "of a user's relevant items those alone count that the whole list holds; a user without any has none",
    },
    "repl": {"without": "no item twice", "with": "with replacement"},
    "per": {
        "item": "for each relevant item alone",
        "user": "once for all relevant items of a user, which are ranked together",
    },
    "norel": {
        "0": "users without a relevant item count 0",
        "0.5": "users without a relevant item count 0.5",
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
"""The meaning of each word of the parts that every metric has, as a clause."""


def nearest(word: str, allowed: Iterable[str]) -> Optional[str]:
    """The allowed word with the most similar spelling; None if no word is similar."""
    by_lower = {allowed_word.lower(): allowed_word for allowed_word in allowed}
    matches = difflib.get_close_matches(word.lower(), list(by_lower), n=1, cutoff=0.5)
    return by_lower[matches[0]] if matches else None
