"""Data frames: truth and predictions, or one labelled frame, with the column names that the function expects."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np

from metric_adapters.conventions.inputs.batches import matrix, padded
from metric_adapters.conventions.inputs.columns import Columns, inverse
from metric_adapters.conventions.inputs.roles import ROLES
from metric_adapters.conventions.inputs.view import View, judged
from metric_adapters.shapes import rank_scores

Rows = Dict[str, List[Any]]
KINDS = {"user": np.int64, "item": np.int64, "rating": np.float64, "score": np.float64, "rank": np.int64}


def truth_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item and gain of each relevant item."""
    rows: Rows = {"user": [], "item": [], "rating": []}
    for user in users:
        gains = judged(view, user)
        _extend(rows, user=[user] * len(gains), item=_ids(view, list(gains)), rating=list(gains.values()))
    return rows


def prediction_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item, score and rank of each recommendation."""
    rows: Rows = {"user": [], "item": [], "score": [], "rank": []}
    scores = rank_scores(view.case)
    for user in users:
        items = view.case.list_of(user, view.cut)
        count = len(items)
        _extend(rows, user=[user] * count, item=_ids(view, items), score=scores[user, :count].tolist())
        _extend(rows, rank=list(range(1, count + 1)))
    return rows


def labelled_rows(truth: str, score: str) -> Callable[[View, Sequence[int]], Rows]:
    """User, item, label, score and rank of every item of the catalogue or of every candidate, best first."""

    def build(view: View, users: Sequence[int]) -> Rows:
        rows: Rows = {"user": [], "item": [], "rating": [], "score": [], "rank": []}
        for user in users:
            labels, scores = ROLES[truth](view, user), ROLES[score](view, user)
            items = np.arange(view.case.n_items)
            if truth == "labels":
                items = items[np.asarray(view.case.candidate_scores)[user] > -np.inf]
            order, count = np.argsort(-scores, kind="stable"), len(scores)
            _extend(rows, user=[user] * count, item=_ids(view, items[order]), rating=labels[order].tolist())
            _extend(rows, score=scores[order].tolist(), rank=list(range(1, count + 1)))
        return rows

    return build


def list_rows(view: View, users: Sequence[int]) -> Rows:
    """User, relevant items and recommended items: a row for each user, lists in the cells."""
    relevant = [ROLES["relevant"](view, user).tolist() for user in users]
    recommended = [ROLES["recommended"](view, user).tolist() for user in users]
    return {"user": list(users), "rating": relevant, "score": recommended}


def _ids(view: View, items: Any) -> List[int]:
    return list(map(int, view.present(np.asarray(items, dtype=np.int64))))


def _extend(rows: Rows, **columns: List[Any]) -> None:
    for name, values in columns.items():
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
    """For each role, a frame with a row for each user and an item in each cell, NaN past the relevant items.

    CannotShow if lists are too short for a row.
    """
    return tuple(view.kit.rows(_wide(role, view)) for role in roles)


def _wide(role: str, view: View) -> np.ndarray:
    if role == "recommended":
        return np.asarray(matrix(role, view))
    rows = [ROLES[role](view, user) for user in range(view.case.users)]
    width = max(1, max(map(len, rows)))
    return np.stack(rows) if all(len(row) == width for row in rows) else padded(rows, width, np.nan, np.float64)


def _frame(package: str, role: str, rows: Rows, columns: Columns, view: View) -> Any:
    kinds = dict(KINDS, rating=np.int64) if role in ("labelled_frame", "candidate_frame") else KINDS
    named = {}
    for name, values in rows.items():
        column = getattr(columns, name)
        lists = role == "lists_frame" and name != "user"
        if column is not None and column not in named:  # a label has precedence over a score of the same name
            named[column] = _cells(values) if lists else np.array(values, dtype=kinds[name])
    for column in columns.more if len(rows) > 3 or role == "lists_frame" else ():
        named[column] = _further(column, rows)
    return view.kit.frame(package, named)


def _further(column: str, rows: Rows) -> np.ndarray:
    """A column of :attr:`Columns.more`: reciprocal ranks of the relevant items, or 0."""
    if not inverse(column) or "rank" not in rows:
        return np.zeros(len(rows["user"]), dtype=np.int64)
    return np.where(np.array(rows["rating"]) > 0, 1.0 / np.array(rows["rank"], dtype=np.float64), 0.0)


def _cells(values: List[Any]) -> np.ndarray:
    """A column whose cells are lists."""
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells
