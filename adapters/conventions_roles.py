"""What a function is handed for one user, by role: relevant items, the list, its relevance in rank order, labels, ...

Every builder returns new arrays, so that what a function writes into its input reaches no later call.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional

import numpy as np

from adapters.shapes import rank_scores
from reference.case import Case


class CannotShow(ValueError):
    """This convention has no way to express the case: no fault of the function that is asked."""


class View(NamedTuple):
    """A case as one call shows it.

    cut : k for a function that takes no k, so that what it gets ends there; None: everything that is listed.
    everything : judgements below the threshold are shown as well, because the function takes the threshold itself.
    """

    case: Case
    k: int
    cut: Optional[int] = None
    everything: bool = False


def grades(view: View, user: int) -> Dict[int, float]:
    """The gain of each item that the user judged relevant, or of each judged item (see :class:`View`)."""
    case = view.case
    part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
    items, gains = case.judged_items[part], case.judged_gains[part]
    shown = np.ones(len(items), dtype=bool) if view.everything else (gains > 0) & (gains >= case.threshold)
    return dict(zip(items[shown].tolist(), gains[shown].tolist()))


def relevant(view: View, user: int) -> np.ndarray:
    """int64: relevant items in the order of the judgements."""
    return np.fromiter(grades(view._replace(everything=False), user), dtype=np.int64)


def recommended(view: View, user: int) -> np.ndarray:
    """int64: the list, best first."""
    return np.array(view.case.list_of(user, view.cut), dtype=np.int64)


def item(view: View, user: int) -> int:
    """The one relevant item; CannotShow for a user with none or several."""
    items = relevant(view, user)
    if len(items) != 1:
        raise CannotShow(f"user {user} has {len(items)} relevant items; this convention takes exactly one")
    return int(items[0])


def relevance(view: View, user: int) -> np.ndarray:
    """int64, 0 or 1 for each rank of the list."""
    return np.isin(recommended(view, user), relevant(view, user)).astype(np.int64)


def relevance_graded(view: View, user: int) -> np.ndarray:
    """float64: the gain at each rank of the list, 0 for what is not relevant."""
    known = grades(view, user)
    return np.array([known.get(one, 0.0) for one in recommended(view, user).tolist()], dtype=np.float64)


def n_relevant(view: View, user: int) -> int:
    """Number of relevant items."""
    return len(relevant(view, user))


def gains(view: View, user: int) -> np.ndarray:
    """float64: the gains of all judged items that are shown, largest first: the ideal list."""
    return -np.sort(-np.array(list(grades(view, user).values()), dtype=np.float64))


def y_true(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): 1 for a relevant item."""
    labels = np.zeros(view.case.n_items, dtype=np.int64)
    labels[relevant(view, user)] = 1
    return labels


def y_true_graded(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): gains."""
    labels = np.zeros(view.case.n_items)
    for one, gain in grades(view, user).items():
        labels[one] = gain
    return labels


def y_score(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): scores that rank the list first.

    Listed items have the case's scores. All others lie below them, the relevant ones last, so that an item which was
    not recommended is no hit. CannotShow for an item that is listed twice.
    """
    case = view.case
    listed = case.list_of(user)
    if len(set(listed.tolist())) < len(listed):
        raise CannotShow(f"user {user}: an item is listed twice, and a vector of scores has one place for it")
    scores = np.empty(case.n_items)
    own = rank_scores(case)[user][: len(listed)]
    rest = np.setdiff1d(np.arange(case.n_items), listed)
    unwanted = np.isin(rest, relevant(view, user))
    rest = np.concatenate([rest[~unwanted], rest[unwanted]])
    scores[listed] = own
    scores[rest] = (own.min() if len(own) else 0.0) - np.arange(1, len(rest) + 1)
    return scores


def _candidates(view: View, user: int) -> np.ndarray:
    if view.case.candidate_scores is None:
        raise CannotShow("this convention takes the scores of the whole catalogue, which this case does not have")
    return view.case.candidate_scores[user]


def labels(view: View, user: int) -> np.ndarray:
    """int64: 1 for a relevant item, for each candidate (items of the training data are none)."""
    return y_true(view, user)[_candidates(view, user) > -np.inf]


def scores(view: View, user: int) -> np.ndarray:
    """float64: the model's score of each candidate."""
    own = _candidates(view, user)
    return np.array(own[own > -np.inf], dtype=np.float64)


ROLES: Dict[str, Callable[[View, int], Any]] = {
    builder.__name__: builder
    for builder in (
        relevant, recommended, item, grades, relevance, relevance_graded, n_relevant, gains,
        y_true, y_true_graded, y_score, labels, scores,
    )
}  # fmt: skip

WORDS = {
    "relevant": "the relevant items",
    "recommended": "the recommended items, best first",
    "item": "the one relevant item",
    "grades": "a dict from relevant item to gain",
    "relevance": "0 or 1 for each rank of the list",
    "relevance_graded": "the gain at each rank of the list",
    "n_relevant": "the number of relevant items",
    "gains": "the gains of all relevant items, largest first",
    "y_true": "0 or 1 for each item of the catalogue",
    "y_true_graded": "the gain of each item of the catalogue",
    "y_score": "a score for each item of the catalogue, the list on top",
    "labels": "0 or 1 for each candidate",
    "scores": "the model's score of each candidate",
    "qrels": "a dict from user to a dict from item to gain, ids as text",
    "run": "a dict from user to a dict from item to score, ids as text",
    "truth_frame": "a frame with a row for each relevant item",
    "prediction_frame": "a frame with a row for each recommendation",
}
"""Each role in words."""
