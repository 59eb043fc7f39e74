"""Data frames: truth and predictions, or one labelled frame, with the column names that the function expects."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from metric_adapters.calls import builders
from metric_adapters.calls.columns import Columns, inverse
from metric_adapters.calls.view import View, judged
from metric_adapters.shapes import rank_scores

Rows = Dict[str, List[Any]]
Builder = Callable[[View, int], Any]
Naming = Callable[[int], str]
KINDS = {"user": np.int64, "item": np.int64, "rating": np.float64, "score": np.float64, "rank": np.int64}
ROW_BY_USER = ("lists_frame", "item_frame", "truth_lists_frame", "truth_items_frame", "listed_frame")
"""The roles of frames with a row for each user."""


def truth_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item and gain of each relevant item."""
    rows: Rows = {"user": [], "item": [], "rating": []}
    for user in users:
        gains = judged(view, user)
        _extend(rows, user=[user] * len(gains), item=_ids(view, list(gains)), rating=list(gains.values()))
    return rows


def label_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item and 1 for each relevant item, 0 for one that was judged so."""
    rows = truth_rows(view, users)
    return dict(rows, rating=[int(gain > 0) for gain in rows["rating"]])


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


def _labelled(view: View, users: Sequence[int], labels_of: Builder, scores_of: Builder, candidates: bool) -> Rows:
    """User, item, label, score and rank of every item of the catalogue or of every candidate, best first."""
    rows: Rows = {"user": [], "item": [], "rating": [], "score": [], "rank": []}
    for user in users:
        labels, scores = labels_of(view, user), scores_of(view, user)
        items = np.arange(view.case.n_items)
        if candidates:
            items = items[np.asarray(view.case.candidate_scores)[user] > -np.inf]
        order = np.argsort(-scores, kind="stable")
        if view.uneven and user % 2 and view.k < len(order) and not labels[order[-1]]:
            order = order[:-1]
        count = len(order)
        _extend(rows, user=[user] * count, item=_ids(view, items[order]), rating=labels[order].tolist())
        _extend(rows, score=scores[order].tolist(), rank=list(range(1, count + 1)))
    return rows


def labelled_rows(view: View, users: Sequence[int]) -> Rows:
    """0 or 1 and a score for every item of the catalogue."""
    return _labelled(view, users, builders.y_true, builders.y_score, False)


def graded_rows(view: View, users: Sequence[int]) -> Rows:
    """The gain and a score for every item of the catalogue."""
    return _labelled(view, users, builders.y_true_graded, builders.y_score, False)


def row_scores(view: View, users: Sequence[int]) -> np.ndarray:
    """float64: the score of each row of :func:`graded_rows`."""
    return np.array(graded_rows(view, users)["score"], dtype=np.float64)


def target_rows(view: View, users: Sequence[int]) -> Rows:
    """The one relevant item of the user, beside a score for every item of the catalogue."""

    def targets(view: View, user: int) -> np.ndarray:
        return np.full(view.case.n_items, builders.item(view, user))

    return _labelled(view, users, targets, builders.y_score, False)


def candidate_rows(view: View, users: Sequence[int]) -> Rows:
    """0 or 1 and the model's score for every candidate."""
    return _labelled(view, users, builders.labels, builders.scores, True)


def candidate_label_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item and 0 or 1 of every candidate."""
    rows = candidate_rows(view, users)
    return {name: rows[name] for name in ("user", "item", "rating")}


def candidate_score_rows(view: View, users: Sequence[int]) -> Rows:
    """User, item, the model's score and rank of every candidate."""
    rows = candidate_rows(view, users)
    return {name: rows[name] for name in ("user", "item", "score", "rank")}


def list_rows(view: View, users: Sequence[int]) -> Rows:
    """User, relevant items and recommended items: a row for each user, lists in the cells."""
    return {
        "user": list(users),
        "rating": _lists(builders.relevant, view, users),
        "score": _lists(builders.recommended, view, users),
    }


def item_rows(view: View, users: Sequence[int]) -> Rows:
    """User, the one relevant item and the recommended items: a row for each user, lists in the cells of the last."""
    return {
        "user": list(users),
        "rating": _items(view, users),
        "score": _lists(builders.recommended, view, users),
    }


def truth_list_rows(view: View, users: Sequence[int]) -> Rows:
    """User and relevant items: a row for each user, lists in the cells."""
    relevant = _lists(builders.relevant, view, users)
    return {"user": list(users), "item": relevant, "rating": relevant}


def truth_item_rows(view: View, users: Sequence[int]) -> Rows:
    """User and the one relevant item: a row for each user."""
    items = _items(view, users)
    return {"user": list(users), "item": items, "rating": items}


def rank_rows(view: View, users: Sequence[int]) -> Rows:
    """User and the rank of the one relevant item: a row for each user."""
    return {"user": list(users), "rank": [builders.rank(view, user) for user in users]}


def listed_rows(view: View, users: Sequence[int]) -> Rows:
    """User and recommended items: a row for each user, lists in the cells."""
    recommended = _lists(builders.recommended, view, users)
    return {"user": list(users), "item": recommended, "score": recommended}


def _lists(build: Builder, view: View, users: Sequence[int]) -> List[Any]:
    return [build(view, user).tolist() for user in users]


def _items(view: View, users: Sequence[int]) -> List[Any]:
    return [builders.item(view, user) for user in users]


def _ids(view: View, items: Any) -> List[int]:
    return list(map(int, view.present(np.asarray(items, dtype=np.int64))))


def _extend(rows: Rows, **columns: List[Any]) -> None:
    for name, values in columns.items():
        rows[name] += values


def one_frame(
    package: str,
    role: Any,
    rows: Rows,
    columns: Columns,
    view: View,
    named: Optional[Naming] = None,
    indexed: bool = False,
) -> Any:
    """A data frame of some rows, with the columns that a function expects; ``role`` is that of the frame.

    named : makes text of the ids of users and items. indexed : a frame of relevant items has these as its index, too.
    """
    lists, flag = role.name in ROW_BY_USER, columns.rating.startswith("is_")
    of_item = flag and role.name == "item_frame"  # which has a column of its own
    if of_item:
        rows = dict(rows, item=rows["rating"], rating=[True] * len(rows["user"]))
    label = np.bool_ if flag else np.int64  # rows are selected by a flag
    whole = role.name in ("label_frame", "labelled_frame", "candidate_frame", "candidate_labels_frame", "target_frame")
    kinds = dict(KINDS, rating=label) if whole or of_item else KINDS
    cells = {}
    for name, values in rows.items():
        column = getattr(columns, name)
        if column is not None and column not in cells:  # a label has precedence over a score of the same name
            if named is not None and name in ("user", "item"):
                cells[column] = _cells(list(map(named, values)))
            else:
                objects = lists and name != "user" and kinds[name] is not np.bool_
                cells[column] = _cells(values) if objects else np.array(values, dtype=kinds[name])
    for column in columns.more if len(rows) > 3 or lists else ():
        cells[column] = _further(column, rows)
    by_item = indexed and role.name in ("truth_frame", "label_frame")
    return view.kit.frame(package, cells, columns.item if by_item else "")


def _further(column: str, rows: Rows) -> np.ndarray:
    """A column of :attr:`Columns.more`: reciprocal ranks of the relevant items, or 0."""
    if not inverse(column) or "rank" not in rows:
        return np.zeros(len(rows["user"]), dtype=np.int64)
    return np.where(np.array(rows["rating"]) > 0, 1.0 / np.array(rows["rank"], dtype=np.float64), 0.0)


def _cells(values: List[Any]) -> np.ndarray:
    """A column whose cells are lists or texts."""
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells
