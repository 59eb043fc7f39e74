"""Data frames: truth and predictions, or one labelled frame, with the column names that the function expects."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from metric_adapters.conventions.inputs.batches import matrix
from metric_adapters.conventions.inputs.roles import ROLES
from metric_adapters.conventions.inputs.view import View, judged
from metric_adapters.conventions.reading.families import snake
from metric_adapters.conventions.reading.source import Source
from metric_adapters.shapes import rank_scores

ID = r"(_?(id|ids|idx|index|code|key|no|num))?s?"
COLUMN_WORDS: Dict[str, str] = {
    "user": r"(user|usr|u|customer|cust|client|visitor|session|query|q|profile|member|reader|impression|group|account"
    rf"|buyer|viewer|srch){ID}|uid",
    "item": r"(item|i|movie|product|prod|article|doc|document|track|song|artist|sku|book|game|content|news|pid"
    rf"|candidate|listing|video|recipe|hotel|offer|property|prop){ID}|[iamp]id|asin",
    "rating": r"rating|ratings|relevance|rel|label|gain|grade|weight|interaction|target|stars|value|y_?true|true_?\w*"
    r"|actual\w*|click(ed|s)?|is_\w+|\w+_(bool|flag|label|labels)|relevant(_\w+)?|purchased?|gains|labels|y|(ground_?)?truth|gt|test_\w+|positives|held_?out",
    "score": r"scores?|preds?|predictions?|predict(ed|s)?|est|estimate|y_?pred|y_?score|prob\w*|pred\w*_\w+"
    r"|\w+_(pred|score)|rec(s|ommended|ommendations?)?(_\w+)?|top_?[kn]?(_\w+)?",
    "rank": r"ranks?|position|ranking|rk|pred_?rank|rank_?pred|rank_\w+",
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
"""Tried where the function does not say its columns."""
COMMON_LABELLED = (
    Columns("user_id", "item_id", "label", "score"),
    Columns("user_id", "item_id", "label", "pred"),
    Columns("user_id", "item_id", "y_true", "y_pred"),
    Columns("user", "item", "label", "score"),
    Columns("user_id", "item_id", "relevance", "score", "rank"),
)
"""The same for a single labelled frame."""
COMMON_LISTS = (
    Columns("user_id", "item_id", "actual", "predicted"),
    Columns("user_id", "item_id", "ground_truth", "recommendations"),
    Columns("user_id", "item_id", "relevant", "recommended"),
)
"""The same for a frame with lists in its cells: relevant items, then recommended items."""


def role_of(text: str) -> Optional[str]:
    """Which column a name is for, or None."""
    plain = snake(text).replace(" ", "_")
    return next((role for role, words in COLUMN_WORDS.items() if re.fullmatch(words, plain)), None)


def parameter_role(name: str) -> Optional[str]:
    """Which column a parameter names: ``col_user``, ``item_column``."""
    return role_of(re.sub(r"(^|_)(cols?|columns?|key|field|name)(_|$)", r"\3", snake(name)).strip("_"))


def read_columns(defaults: Dict[str, Any], source: Source) -> Optional[Columns]:
    """The columns that a function names: in defaults, in its text, in its file. None where it names too few."""
    found: Dict[str, str] = {}
    for name, default in defaults.items():
        role = parameter_role(name)
        if role and isinstance(default, str):
            found.setdefault(role, default)
    for text in (*source.texts, *source.module_texts):
        role = role_of(text)
        if role and text != role[0]:
            found.setdefault(role, text)
    for text in source.texts:  # a column may be called "u", an attribute is not
        role = role_of(text)
        if role and text in source.strings:
            found.setdefault(role, text)
    own = {role_of(text) for text in source.texts} & {"user", "item", "rating", "score", "rank"}
    if not {"user", "item"} <= set(found) and len(own) < 2:
        return None
    rating = found.get("rating", "rating")
    score = found.get("score", rating if "rating" in found else "score")
    return Columns(found.get("user", "user_id"), found.get("item", "item_id"), rating, score, found.get("rank"))


def parse_columns(text: str) -> Columns:
    """``user_id,item_id,rating,score`` with or without a fifth name for ranks; ValueError for other counts."""
    names = [name.strip() for name in text.split(",")]
    if not 4 <= len(names) <= 5 or not all(names):
        raise ValueError(f"{text!r}: give four or five columns: user,item,rating,score[,rank]")
    return Columns(*names)


Rows = Dict[str, List[Any]]
KINDS = {"user": np.int64, "item": np.int64, "rating": np.float64, "score": np.float64, "rank": np.int64}


def truth_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item and gain of each relevant item."""
    rows: Rows = {"user": [], "item": [], "rating": []}
    for user in users:
        known = judged(view, user)
        _extend(rows, user=[user] * len(known), item=_ids(view, list(known)), rating=list(known.values()))
    return rows


def prediction_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item, score and rank of each recommendation."""
    rows: Rows = {"user": [], "item": [], "score": [], "rank": []}
    scores = rank_scores(view.case)
    for user in users:
        items = view.case.list_of(user, view.cut)
        count = len(items)
        own = scores[user, :count].tolist()
        _extend(rows, user=[user] * count, item=_ids(view, items), score=own, rank=list(range(1, count + 1)))
    return rows


def labelled_rows(truth: str, score: str) -> Callable[[View, Sequence[int]], Rows]:
    """User, item, label, score and rank of every item of the catalogue or of every candidate, best first."""

    def build(view: View, users: Sequence[int]) -> Rows:
        rows: Rows = {"user": [], "item": [], "rating": [], "score": [], "rank": []}
        for user in users:
            labels, own = ROLES[truth](view, user), ROLES[score](view, user)
            items = np.arange(view.case.n_items)
            if truth == "labels":
                items = items[np.asarray(view.case.candidate_scores)[user] > -np.inf]
            order, count = np.argsort(-own, kind="stable"), len(own)
            _extend(rows, user=[user] * count, item=_ids(view, items[order]), rating=labels[order].tolist())
            _extend(rows, score=own[order].tolist(), rank=list(range(1, count + 1)))
        return rows

    return build


def list_rows(view: View, users: Sequence[int]) -> Rows:
    """User, relevant items and recommended items: a row for each user, lists in the cells."""
    relevant = [ROLES["relevant"](view, user).tolist() for user in users]
    recommended = [ROLES["recommended"](view, user).tolist() for user in users]
    return {"user": list(users), "rating": relevant, "score": recommended}


def _ids(view: View, items: Any) -> List[int]:
    return [int(one) for one in view.present(np.asarray(items, dtype=np.int64))]


def _extend(rows: Rows, **more: List[Any]) -> None:
    for name, values in more.items():
        rows[name] += values


FRAMES: Dict[str, Callable[[View, Sequence[int]], Rows]] = {
    "truth_frame": truth_rows,
    "prediction_frame": prediction_rows,
    "labelled_frame": labelled_rows("y_true", "y_score"),
    "graded_frame": labelled_rows("y_true_graded", "y_score"),
    "candidate_frame": labelled_rows("labels", "scores"),
    "lists_frame": list_rows,
}
"""The rows of each role that is a frame."""


def frames(roles: Tuple[str, ...], container: str, view: View, columns: Columns, user: int) -> Tuple[Any, ...]:
    """The frames of all users in the order of users and ranks, or those of one user."""
    users = [user] if container == "user-frames" else range(view.case.users)
    package = "polars" if container == "polars" else "pandas"
    return tuple(_frame(package, role, FRAMES[role](view, users), columns, view) for role in roles)


def wide_frames(roles: Tuple[str, ...], view: View) -> Tuple[Any, ...]:
    """A frame with a row for each user for each role: an item in each cell, nothing past the relevant items.

    CannotShow where lists are too short for a row.
    """
    return tuple(view.kit.rows(_wide(role, view)) for role in roles)


def _wide(role: str, view: View) -> np.ndarray:
    if role == "recommended":
        return np.asarray(matrix(role, view))
    rows = [ROLES[role](view, user) for user in range(view.case.users)]
    width = max(1, max(map(len, rows)))
    if all(len(row) == width for row in rows):
        return np.stack(rows)
    out = np.full((len(rows), width), np.nan)
    for at, row in enumerate(rows):
        out[at, : len(row)] = row
    return out


def _frame(package: str, role: str, rows: Rows, columns: Columns, view: View) -> Any:
    kinds = dict(KINDS, rating=np.int64) if role in ("labelled_frame", "candidate_frame") else KINDS
    named = {}
    for name, values in rows.items():
        column = getattr(columns, name)
        lists = role == "lists_frame" and name != "user"
        if column is not None:
            named[column] = _cells(values) if lists else np.array(values, dtype=kinds[name])
    return view.kit.frame(package, named)


def _cells(values: List[Any]) -> np.ndarray:
    """A column whose cells are lists."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def column_arguments(defaults: Dict[str, Any], columns: Columns) -> Dict[str, str]:
    """What parameters that name columns are given."""
    given = {}
    for name in defaults:
        role = parameter_role(name)
        value = columns.score if role is None and name in ("column", "col") else None
        value = value if role is None else getattr(columns, role)
        if value is not None:
            given[name] = value
    return given
