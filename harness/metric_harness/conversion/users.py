"""From the users' values of one definition to bounds for their mean in another.

All lists of few hits are tried for all users at once. Where a list of more hits may be better, the best one is searched
for each user; if the time is over before it is proven best, the user's bound is that of a hull, which no list passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import numpy as np

from metric_harness.conversion.attained import Search
from metric_harness.conversion.bounds import Bound, Converted
from metric_harness.conversion.families import families_of
from metric_harness.conversion.merged import merged
from metric_harness.conversion.states import States, depth_of
from metric_harness.conversion.sums import Sums, sums_of
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature
from metric_reports.tolerances import COMPOSED

SIGNS = (1.0, -1.0)
"""For the smallest value of goal, and for the largest, which is the smallest of -goal."""
SECONDS = 60.0
"""How long lists are searched for by default."""
LEAST_SECONDS = 1.0
"""For one user and one sign, while there is time."""


class Best(NamedTuple):
    """For both signs and each kind of user, shape (2, kinds, ...).

    values : the smallest known value of sign * goal. relevant_index : the index of the number of relevant items of the
    list that has it, -1 for no known list. packed : the ranks of its hits, as bits. bounds : no list is below; equal to
    ``values`` where that is proven.
    """

    values: np.ndarray
    relevant_index: np.ndarray
    packed: np.ndarray
    bounds: np.ndarray


def of_users(
    start: Signature,
    goal: Signature,
    relevant: Sequence[int],
    values: np.ndarray,
    own: np.ndarray | None = None,
    seconds: float = SECONDS,
) -> tuple[States, Converted]:
    """The lists that attain the bounds of the mean, and the bounds.

    values : float64, shape (users,). own : int64, shape (users,): their numbers of relevant items, all of which are in
    ``relevant``; None: each user may have any of these. seconds : how long lists are searched for. Raises HarnessError
    as :func:`metric_harness.conversion.extremes.states_of_mean`, and for a value that no list has, with its row.
    """
    depth = depth_of(start, goal)
    sums = sums_of(start, relevant, depth), sums_of(goal, relevant, depth)
    kinds = np.stack((values, np.zeros(len(values)) if own is None else own))
    (kind_values, numbers), row, count = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    users_by_relevant = [np.flatnonzero((numbers == number) | (own is None)) for number in relevant]
    shape = (2, len(kind_values))
    best = Best(
        np.full(shape, np.inf),
        np.full(shape, -1),
        np.zeros((*shape, -(-depth // 8)), dtype=np.uint8),
        np.full(shape, np.inf),
    )
    complete = _try_lists(*sums, kind_values, users_by_relevant, best)
    best.bounds[:] = best.values
    if complete < sums[0].adds.shape[2]:
        _search_lists(sums, complete, kind_values, users_by_relevant, np.argsort(-count, kind="stable"), best, seconds)
    if (missing := np.isinf(best.bounds[0])).any():
        first = int(row[missing].min())
        raise HarnessError(f"row {first + 1}: no list has the value {values[first]:g} under these assumptions")
    return _result(*sums, best, count / len(values))


def _try_lists(start: Sums, goal: Sums, values: np.ndarray, users_by_relevant: list[np.ndarray], best: Best) -> int:
    """Put the best of the lists of few hits into ``best``; returns the number of hits up to which all were tried."""
    complete = len(start.divisors[0])
    one_table = max(len(start.adds), len(goal.adds)) == 1
    for index, (number, users) in enumerate(zip(start.relevant, users_by_relevant, strict=True)):
        if index == 0 or not one_table:
            all_lists, complete_hits = merged(start, goal, int(start.relevant.argmax()) if one_table else index)
            complete = min(complete, complete_hits)
        lists = all_lists.take(all_lists.hits <= number)
        start_values = lists.start * start.scale(index, lists.start_key)
        goal_values = lists.goal * goal.scale(index, lists.goal_key)
        order = np.argsort(start_values, kind="stable")
        low = np.searchsorted(start_values[order], values[users] - COMPOSED, "left")
        width = np.searchsorted(start_values[order], values[users] + COMPOSED, "right") - low
        for offset in range(int(width.max(initial=0))):
            matched, at = users[width > offset], order[low[width > offset] + offset]
            for side, sign in enumerate(SIGNS):
                better = sign * goal_values[at] < best.values[side, matched]
                best.values[side, matched[better]] = sign * goal_values[at[better]]
                best.relevant_index[side, matched[better]] = index
                best.packed[side, matched[better]] = lists.packed[at[better]]
    return complete


def _search_lists(
    sums: tuple[Sums, Sums],
    complete: int,
    values: np.ndarray,
    users_by_relevant: list[np.ndarray],
    order: np.ndarray,
    best: Best,
    seconds: float,
) -> None:
    """Put lists of more than ``complete`` hits into ``best`` where they are better, for users in this order, until the
    time is over."""
    families, rows = families_of(*sums, above=complete)
    searches = [Search(families, rows, -sign) for sign in SIGNS]
    columns = np.stack((rows.family, rows.start, rows.goal))
    distinct = np.sort(np.unique(columns, axis=1, return_index=True)[1])
    possible = np.zeros((len(users_by_relevant), len(values)), dtype=bool)
    for index, users in enumerate(users_by_relevant):
        possible[index, users] = True
    until = monotonic() + seconds
    for turn, user in enumerate(order.tolist()):
        chosen = distinct if possible[:, user].all() else np.flatnonzero(possible[rows.relevant_index, user])
        ends = [search.bounds(values[user], chosen).max(initial=-np.inf) for search in searches]
        ends = [max(end, -known) for end, known in zip(ends, best.values[:, user], strict=True)]
        if sum(ends) <= COMPOSED:  # all lists of this user have the same value of goal
            best.bounds[:, user] = np.negative(ends)
            continue
        for side, search in enumerate(searches):
            user_seconds = _seconds(until, 2 * (len(order) - turn))
            attained = search.best(values[user], chosen, -best.values[side, user], user_seconds)
            best.bounds[side, user] = -attained.bound
            if attained.row >= 0:
                best.values[side, user] = -attained.value
                best.relevant_index[side, user] = rows.relevant_index[attained.row]
                best.packed[side, user] = attained.packed


def _seconds(until: float, searches: int) -> float:
    """The time for one of the remaining searches: twice its share, as most need less."""
    remaining = until - monotonic()
    return min(remaining, max(2 * remaining / searches, LEAST_SECONDS))


def _result(start: Sums, goal: Sums, best: Best, share: np.ndarray) -> tuple[States, Converted]:
    """The lists, and the bounds of the mean: the means of the bounds of each kind, weighted by its share of users."""
    bounds = best.bounds
    exact = bounds[0] + bounds[1] >= -COMPOSED
    # A list known for one sign is a list for the other too.
    inner = np.minimum(best.values, -best.values[::-1])
    inner = np.where(np.isinf(inner), -bounds[::-1], inner)
    rows = np.concatenate((best.relevant_index[:, :, None], best.packed), axis=2).reshape(2 * len(share), -1)
    lists, state_index = np.unique(rows, axis=0, return_inverse=True)
    state_index = state_index.reshape(2, -1)
    ends: list[Bound] = []
    for side, sign in enumerate(SIGNS):
        proven = (best.relevant_index[side] >= 0) & (best.values[side] <= bounds[side] + COMPOSED)
        shares = np.bincount(state_index[side][proven], share[proven], minlength=len(lists))
        mixture = tuple((float(shares[state]), int(state)) for state in np.flatnonzero(shares))
        unproven, gap = ~proven & ~exact, inner[side] - bounds[side]
        value, unproven_share = float(sign * bounds[side] @ share), share[unproven]
        ends.append(Bound(value, mixture, float(unproven_share.sum()), float(gap[unproven] @ unproven_share)))
    index = np.maximum(lists[:, 0], 0)
    patterns = np.unpackbits(lists[:, 1:].astype(np.uint8), axis=1, count=start.adds.shape[1]).astype(bool)
    states = States(patterns, start.relevant[index], start.of(patterns, index), goal.of(patterns, index))
    return states, Converted(ends[0], ends[1])
