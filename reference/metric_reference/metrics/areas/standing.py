"""How the relevant items of each user stand among the user's other candidates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metric_reference.case import Case
from metric_reference.matching import Matches

SCANS = 48
"""Up to this many positives, reading a user's scores once for each is faster than sorting them (measured: about 55)."""


class Standing(NamedTuple):
    """What AUC and filtered ranks are made of.

    others : int64 array, shape (users,): candidates that are not relevant; 0 for a user without relevant items
    above, tied : int64 arrays, one entry for each of ``matches.relevant``: the other candidates that score above it
        and the same
    """

    others: np.ndarray
    above: np.ndarray
    tied: np.ndarray


def standing(matches: Matches) -> Standing:
    """The standing of all relevant items, found once; ValueError if the case has no scores of candidates."""
    return matches.once("standing", lambda: _standing(matches))


def _standing(matches: Matches) -> Standing:
    scores, starts, entries = scores_of(matches.case), matches.relevant.starts, len(matches.relevant.items)
    found = Standing(*(np.zeros(size, dtype=np.int64) for size in (matches.users, entries, entries)))
    for user in np.flatnonzero(matches.n_relevant).tolist():
        own = slice(starts[user], starts[user + 1])
        found.others[user], found.above[own], found.tied[own] = compare(scores[user], matches.relevant_of(user))
    return found


def scores_of(case: Case) -> np.ndarray:
    """The scores of all candidates, shape (users, n_items); ValueError if the case has none."""
    if case.candidate_scores is None:
        raise ValueError("AUC over the catalogue needs candidate_scores, which this case does not have")
    return case.candidate_scores


def compare(scores: np.ndarray, positives: np.ndarray) -> "tuple[int, np.ndarray, np.ndarray]":
    """How a user's positives stand among his other candidates.

    scores : of all items, -inf for no candidate; positives : his relevant items.

    Returns the number of other candidates, and for each positive how many of them score above it and the same.
    A positive that is no candidate scores -inf: every other candidate stands above it.
    """
    own = scores[positives]
    others = int(np.count_nonzero(scores > -np.inf)) - int(np.count_nonzero(own > -np.inf))
    place = places_by_scan if len(own) <= SCANS else places_by_sort
    above, tied = place(scores, own)
    own_above, own_tied = places_by_sort(own, own)
    return others, above - own_above, tied - own_tied


def places_by_scan(values: np.ndarray, points: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """How many values lie above each point and how many equal it; -inf is no value. Reads all values for each point."""
    above = np.array([np.count_nonzero(values > point) for point in points], dtype=np.int64)
    reached = np.array([np.count_nonzero(values >= point) for point in points], dtype=np.int64)
    return above, np.where(points > -np.inf, reached - above, 0)


def places_by_sort(values: np.ndarray, points: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """The same as :func:`places_by_scan`, by sorting the values once."""
    ordered = np.sort(values[values > -np.inf])
    end = np.searchsorted(ordered, points, "right")
    return len(ordered) - end, end - np.searchsorted(ordered, points, "left")
