"""Labels that queries and items share: a set of which each member looks for the others, or two rows of one length.

Such a function is handed one label for each row, so that a case must be of that kind: user u and item u have one label,
and what is relevant to a user are the items of its label. In one set an item is no candidate for itself, and two
members are as near to each other whichever looks.
"""

from __future__ import annotations

import numpy as np

from metric_adapters.calls.view import View, listed_once, wanted
from metric_adapters.subject import CannotShow

SMALLEST_SHARE = 0.9
"""Of the largest similarity between members of a set for which their features exist."""


def pair_labels(view: View, text: bool) -> np.ndarray:
    """int64, shape (users,): the label of each user, and of the item of the same number, which is relevant to it."""
    return _labels(view, itself=True)


def pair_order(view: View, text: bool) -> np.ndarray:
    """int64, shape (users, users): the items of each user's list, best first, which must hold all."""
    if view.case.list_lengths.min() < view.case.n_items:
        raise CannotShow("each list must hold every item")
    return np.array([listed_once(view, user, "a row of places") for user in range(view.case.users)], dtype=np.int64)


def set_labels(view: View, text: bool) -> np.ndarray:
    """int64, shape (users,): the label of each member of a set."""
    return _labels(view, itself=False)


def _labels(view: View, itself: bool) -> np.ndarray:
    users = view.case.users
    if view.case.n_items != users:
        raise CannotShow("each user must be an item")
    sharing = [{user, *wanted(view, user).tolist()} for user in range(users)]
    for user, members in enumerate(sharing):
        if any(sharing[other] != members for other in members) or (user in wanted(view, user)) != itself:
            raise CannotShow("items that are relevant to a user share a label, and so does the user")
    return np.array([min(members) for members in sharing], dtype=np.int64)


def set_similarity(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users): how near two members of a set are, 1 for a member and itself.

    CannotShow for a case whose scores are not those of one set.
    """
    scores = view.case.candidate_scores
    if scores is None or scores.shape[0] != scores.shape[1] or not np.isneginf(np.diag(scores)).all():
        raise CannotShow("each user must be an item, and no candidate for itself")
    near = np.where(np.isneginf(scores), 0.0, scores - scores.max())
    if not np.isfinite(near).all() or not (near == near.T).all():
        raise CannotShow("two members of a set are as near to each other whichever looks")
    others = ~np.eye(len(near), dtype=bool)
    near[others] -= near[others].mean() if others.any() else 0.0
    lowest = np.linalg.eigvalsh(near).min(initial=0.0)
    return np.eye(len(near)) + near * (SMALLEST_SHARE / max(-lowest, 1.0))


def set_distances(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users): 1 minus :func:`set_similarity`, 0 for a member and itself."""
    return 1.0 - set_similarity(view, text)


def set_order(view: View, text: bool) -> np.ndarray:
    """int64, shape (users, users): for each member all members, the nearest first: itself, then the others."""
    return np.argsort(set_distances(view, text), axis=1, kind="stable")


def set_features(view: View, text: bool) -> np.ndarray:
    """float64, shape (users, users): a row of length 1 for each member, whose products are :func:`set_similarity`."""
    return np.linalg.cholesky(set_similarity(view, text))
