"""Two data frames: truth and predictions, with the column names that the function expects."""

from __future__ import annotations

import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from adapters.conventions_families import snake
from adapters.conventions_roles import ROLES, View
from adapters.conventions_source import Source
from adapters.shapes import rank_scores

ID = r"(_?(id|ids|idx|index|code|key|no|num))?s?"
COLUMN_WORDS: Dict[str, str] = {
    "user": rf"(user|usr|u|customer|cust|client|visitor|session|query|q|profile|member|reader){ID}|uid",
    "item": rf"(item|i|movie|product|prod|article|doc|document|track|song|artist|sku|book|game|content|news|pid){ID}"
    r"|iid|asin",
    "rating": r"rating|ratings|relevance|rel|label|gain|grade|weight|interaction|target|stars|value|y_?true|true_?\w*"
    r"|actual\w*",
    "score": r"scores?|preds?|prediction|predicted|est|estimate|y_?pred|y_?score|prob\w*|pred\w*_\w+"
    r"|\w+_(pred|score)",
    "rank": r"ranks?|position|ranking",
}


class Columns(NamedTuple):
    """Names of the columns. rank : a column with 1, 2, ... by user, or None for none."""

    user: str
    item: str
    rating: str
    score: str
    rank: Optional[str] = None

    def printed(self) -> str:
        return ",".join(name for name in self if name is not None)


COMMON = (
    Columns("user_id", "item_id", "rating", "score"),
    Columns("userID", "itemID", "rating", "prediction"),
    Columns("user", "item", "rating", "score"),
    Columns("userId", "movieId", "rating", "prediction"),
    Columns("user_id", "movie_id", "rating", "pred_rating"),
    Columns("user_id", "item_id", "relevance", "score", "rank"),
    Columns("user_id", "item_id", "rating", "rating"),
    Columns("query_id", "item_id", "relevance", "relevance", "rank"),
    Columns("uid", "iid", "rating", "est"),
)
"""Tried where the function does not tell its columns."""


def role_of(text: str) -> Optional[str]:
    """Which column a name is for, or None."""
    plain = snake(text).replace(" ", "_")
    return next((role for role, words in COLUMN_WORDS.items() if re.fullmatch(words, plain)), None)


def parameter_role(name: str) -> Optional[str]:
    """Which column a parameter names: ``col_user``, ``item_column``."""
    return role_of(re.sub(r"(^|_)(cols?|columns?|key|field|name)(_|$)", r"\3", snake(name)).strip("_"))


def read_columns(defaults: Dict[str, Any], source: Source) -> Optional[Columns]:
    """The columns that a function names: in defaults, in its text, in its file. None without user or item."""
    found: Dict[str, str] = {}
    for name, default in defaults.items():
        role = parameter_role(name)
        if role and isinstance(default, str):
            found.setdefault(role, default)
    for text in (*source.texts, *source.module_texts):
        role = role_of(text)
        if role and text != role[0]:
            found.setdefault(role, text)
    if "user" not in found or "item" not in found:
        return None
    rating = found.get("rating", "rating")
    score = found.get("score", rating if "rating" in found else "score")
    return Columns(found["user"], found["item"], rating, score, found.get("rank"))


def parse_columns(text: str) -> Columns:
    """``user_id,item_id,rating,score`` with or without a fifth name for ranks; ValueError for other counts."""
    names = [name.strip() for name in text.split(",")]
    if not 4 <= len(names) <= 5 or not all(names):
        raise ValueError(f"{text!r}: give four or five columns: user,item,rating,score[,rank]")
    return Columns(*names)


def frames(view: View, columns: Columns) -> Tuple[Any, Any]:
    """Truth (user, item, gain) and predictions (user, item, score, perhaps rank) in the order of users and ranks."""
    import pandas as pd

    truth: List[Tuple[int, int, float]] = []
    rows: List[Tuple[int, int, float, int]] = []
    scores = rank_scores(view.case)
    for user in range(view.case.users):
        truth += [(user, item, gain) for item, gain in ROLES["grades"](view, user).items()]
        listed = ROLES["recommended"](view, user).tolist()
        rows += [(user, item, float(scores[user, rank]), rank + 1) for rank, item in enumerate(listed)]

    def frame(names: Tuple[str, ...], found: Any) -> Any:
        kinds = (np.int64, np.int64, np.float64, np.int64)
        parts = list(zip(*found)) or [()] * len(names)
        return pd.DataFrame({name: np.array(part, dtype=kind) for name, part, kind in zip(names, parts, kinds)})

    predicted = (columns.user, columns.item, columns.score) + (() if columns.rank is None else (columns.rank,))
    return frame((columns.user, columns.item, columns.rating), truth), frame(predicted, rows)


def column_arguments(defaults: Dict[str, Any], columns: Columns) -> Dict[str, str]:
    """What parameters that name columns are given."""
    given = {}
    for name in defaults:
        role = parameter_role(name)
        value = None if role is None else getattr(columns, role)
        if value is not None:
            given[name] = value
    return given
