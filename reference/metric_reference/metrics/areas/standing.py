"""How many of a user's other candidates score above each relevant item, and how many the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_reference.case import Case
from metric_reference.matching import Matches

SCANS = 48
"""Up to this many positives, one scan of the user's scores for each is faster than sorting (measured: about 55)."""


class Standing(NamedTuple):
    """The counts from which AUC and filtered ranks are computed.

    others : int64 array, shape (users,): candidates that are not relevant; 0 for a user without relevant items
    above, tied : int64 arrays, one entry for each item of ``matches.relevant``: the number of other candidates that
        score above it, and the same
    """

    others: np.ndarray
    above: np.ndarray
    tied: np.ndarray


def standing(matches: Matches) -> Standing:
    """The standing of all relevant items, computed once; ValueError if the case has no scores of candidates."""
    return matches.once("standing", lambda: _standing(matches))


def _standing(matches: Matches) -> Standing:
    scores, starts, entries = scores_of(matches.case), matches.relevant.starts, len(matches.relevant.items)
    result = Standing(*(np.zeros(size, dtype=np.int64) for size in (matches.users, entries, entries)))
    for user in np.flatnonzero(matches.n_relevant).tolist():
        own = slice(starts[user], starts[user + 1])
        result.others[user], result.above[own], result.tied[own] = compare(scores[user], matches.relevant_of(user))
    return result


def tied_before(matches: Matches) -> np.ndarray:
    """int64 array, one entry for each item of ``matches.relevant``: the others at its score with a smaller number."""
    return matches.once("tied before", lambda: _tied_before(matches))


def _tied_before(matches: Matches) -> np.ndarray:
    scores, users, before = scores_of(matches.case), matches.relevant.users, np.zeros_like(matches.relevant.items)
    for entry in np.flatnonzero(standing(matches).tied).tolist():
        user, item = users[entry], matches.relevant.items[entry]
        equal = np.flatnonzero(scores[user, :item] == scores[user, item])
        before[entry] = len(np.setdiff1d(equal, matches.relevant_of(user), assume_unique=True))
    return before


def scores_of(case: Case) -> np.ndarray:
    """The scores of all candidates, shape (users, n_items); ValueError if the case has none."""
    if case.candidate_scores is None:
        raise ValueError("needs candidate_scores: the scores of all candidates, which this case does not have")
    return case.candidate_scores


def compare(scores: np.ndarray, positives: np.ndarray) -> "tuple[int, np.ndarray, np.ndarray]":
    """How one user's relevant items rank among the user's other candidates.

    scores : of all items, -inf where an item is no candidate; positives : the relevant items.

    Returns the number of other candidates, and for each positive how many of them score above it and the same. A
    positive that is no candidate scores -inf, so that every other candidate scores above it.
    """
    points = scores[positives]
    others = int(np.count_nonzero(scores > -np.inf)) - int(np.count_nonzero(points > -np.inf))
    count = places_by_scan if len(points) <= SCANS else places_by_sort
    above, tied = count(scores, points)
    positives_above, positives_tied = places_by_sort(points, points)
    return others, above - positives_above, tied - positives_tied


def places_by_scan(values: np.ndarray, points: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """How many values lie above each point and how many equal it; -inf is not counted. One scan for each point."""
    above = np.array([np.count_nonzero(values > point) for point in points], dtype=np.int64)
    at_least = np.array([np.count_nonzero(values >= point) for point in points], dtype=np.int64)
    return above, np.where(points > -np.inf, at_least - above, 0)


def places_by_sort(values: np.ndarray, points: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """The same as :func:`places_by_scan`, by sorting the values once."""
    ordered = np.sort(values[values > -np.inf])
    end = np.searchsorted(ordered, points, "right")
    return len(ordered) - end, end - np.searchsorted(ordered, points, "left")
