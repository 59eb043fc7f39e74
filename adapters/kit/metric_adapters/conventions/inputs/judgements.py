"""Judgements and runs as evaluation tools of information retrieval take them, and lists of rating predictions."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from metric_adapters.conventions.inputs.batches import names_of
from metric_adapters.conventions.inputs.roles import ROLES
from metric_adapters.conventions.inputs.view import View, judged, listed_once


def item_names(view: View) -> List[str]:
    """The text of each item's id; of item numbers a text that sorts as the numbers do."""
    return names_of(view.case.n_items) if view.ids is None else [str(one) for one in view.ids.tolist()]


def qrels(view: View, text: bool) -> Dict[Any, Dict[Any, float]]:
    """Judgements by user; a user without any is not in it."""
    return _by_user(view, text, [judged(view, user) for user in range(view.case.users)])


def run(view: View, text: bool) -> Dict[Any, Dict[Any, float]]:
    """Scores of the listed items by user; a user without a list is not in it. CannotShow for an item listed twice."""
    plain = view._replace(ids=None)
    return _by_user(view, text, [ROLES["item_scores"](plain, user) for user in range(view.case.users)])


def _by_user(view: View, text: bool, known: List[Dict[int, float]]) -> Dict[Any, Dict[Any, float]]:
    users: List[Any] = list(names_of(len(known))) if text else list(range(len(known)))
    items: List[Any] = list(item_names(view)) if text else view.present(np.arange(view.case.n_items)).tolist()
    named = ({items[one]: value for one, value in inside.items()} for inside in known)
    return {user: inside for user, inside in zip(users, named) if inside}


def predictions(view: View) -> List[Tuple[Any, ...]]:
    """(user, item, rating, score, details) of each listed or judged item, as rating predictors return them.

    Scores of listed items lie at the threshold or above it, those of all others below: a function that counts only what
    is predicted above the threshold recommends the list.
    """
    out: List[Tuple[Any, ...]] = []
    case, full = view.case, view._replace(everything=True)
    for user in range(case.users):
        known, items = judged(full, user), listed_once(view, user, "a rating prediction")
        own = ROLES["list_scores"](view, user)
        scores = (case.threshold + own - own.min(initial=np.inf)).tolist()
        missing = [one for one in known if one not in set(items.tolist())]
        scores += [case.threshold - 1.0 - at for at in range(len(missing))]
        shown = [*items.tolist(), *missing]
        for one, name, score in zip(shown, view.present(np.array(shown, dtype=np.int64)).tolist(), scores):
            out.append((user, name, known.get(one, 0.0), score, {"was_impossible": False}))
    return out
