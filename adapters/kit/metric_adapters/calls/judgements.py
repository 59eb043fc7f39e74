"""Judgements and runs for evaluation tools of information retrieval, and lists of rating predictions."""

from __future__ import annotations

import itertools
from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np

from metric_adapters.calls.builders import item_scores, list_scores
from metric_adapters.calls.view import View, judged, listed_once, names_of


class Prediction(NamedTuple):
    """What a rating predictor of Surprise returns, with its names."""

    uid: Any
    iid: Any
    r_ui: float
    est: float
    details: Dict[str, Any]


def item_names(view: View) -> List[str]:
    """Each item's id as text; item numbers as text that sorts as the numbers do."""
    return names_of(view.case.n_items) if view.ids is None else list(map(str, view.ids.tolist()))


def qrels(view: View, text: bool) -> Dict[Any, Dict[Any, float]]:
    """Judgements by user, without users who have none."""
    return _by_user(view, text, [judged(view, user) for user in range(view.case.users)])


def run(view: View, text: bool) -> Dict[Any, Dict[Any, float]]:
    """Scores of the listed items by user, without users who have no list. CannotShow for an item listed twice."""
    plain = view._replace(ids=None)
    return _by_user(view, text, [item_scores(plain, user) for user in range(view.case.users)])


def _by_user(view: View, text: bool, values: List[Dict[int, float]]) -> Dict[Any, Dict[Any, float]]:
    users: List[Any] = list(names_of(len(values))) if text else list(range(len(values)))
    items: List[Any] = list(item_names(view)) if text else view.present(np.arange(view.case.n_items)).tolist()
    rows = ({items[item]: value for item, value in row.items()} for row in values)
    return {user: row for user, row in zip(users, rows) if row}


def predictions(view: View, text: bool) -> List[Prediction]:
    """(user, item, rating, score, details) of each listed or judged item, as rating predictors return them.

    Scores of listed items are at least the threshold, those of all others are below it: a function that counts items
    predicted at the threshold or above recommends the list. Past the end of a list shorter than k come items that
    nobody judged, as many as there are, then the judged ones. A case with predicted ratings has scores of its own for
    the listed items.
    """
    rows: List[Prediction] = []
    case, full = view.case, view._replace(everything=True)
    for user in range(case.users):
        ratings, listed = judged(full, user), listed_once(view, user, "a rating prediction").tolist()
        own = list_scores(view, user)
        scores = (case.threshold + (own - own.min(initial=np.inf))).tolist()  # the last one is the threshold exactly
        unlisted = [item for item in ratings if item not in set(listed)]
        missing = max(0, view.k - len(listed)) if unlisted else 0
        known = {*listed, *unlisted}
        others = (item for item in range(case.n_items) if item not in known)
        unlisted = [*itertools.islice(others, missing), *unlisted]
        if case.predicted_ratings is not None:
            own_ratings = case.predicted_ratings[case.judged_indptr[user] : case.judged_indptr[user + 1]]
            by_item = dict(zip(ratings, own_ratings.tolist()))
            scores = [by_item.get(item, score) for item, score in zip(listed, scores)]
        lowest = min([case.threshold, *scores])
        scores += [lowest - 1.0 - index for index in range(len(unlisted))]
        items = [*listed, *unlisted]
        for item, name, score in zip(items, view.present(np.array(items, dtype=np.int64)).tolist(), scores):
            rows.append(Prediction(user, name, ratings.get(item, 0.0), score, {"was_impossible": False}))
    return rows


def predicted_pairs(view: View, text: bool) -> Dict[int, List[Tuple[float, float]]]:
    """The (score, rating) pairs of :func:`predictions`, by user."""
    pairs: Dict[int, List[Tuple[float, float]]] = {user: [] for user in range(view.case.users)}
    for row in predictions(view, text):
        pairs[row.uid].append((row.est, row.r_ui))
    return pairs
