"""What the values of users in one definition say about their mean in another.

Lists of few hits are gone through for all users at once. Where a list of more hits may be better, the best one is
searched for each user; where the time is over before it is proven, the bound is that of a hull, which no list passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import numpy as np

from metric_harness.conversion.attained import Search
from metric_harness.conversion.bounds import SAME, Bound, Converted
from metric_harness.conversion.families import families_of
from metric_harness.conversion.merged import merged
from metric_harness.conversion.states import States, depth_of
from metric_harness.conversion.sums import Sums, sums_of
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature

SIGNS = (1.0, -1.0)
"""Of the smallest value of goal, and of the largest, which is the smallest with the other sign."""
SECONDS = 60.0
"""How long lists are searched for, if nothing is said."""
LEAST_SECONDS = 1.0
"""For one user and one end, while there is time."""


class Best(NamedTuple):
    """For both signs and each user, shape (2, users, ...).

    values : the smallest known value times the sign. places : where the number of relevant items of the list that has
    it stands, -1 for no known list. packed : its ranks that are hits, as bits. bounds : no list is below; the value
    where that is proven.
    """

    values: np.ndarray
    places: np.ndarray
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
    as :func:`metric_harness.conversion.extremes.states_of_mean`, and for a value that no list gives, with its place.
    """
    depth = depth_of(start, goal)
    sums = sums_of(start, relevant, depth), sums_of(goal, relevant, depth)
    kinds = np.stack((values, np.zeros(len(values)) if own is None else own))
    (each, numbers), row, count = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    who = [np.flatnonzero((numbers == number) | (own is None)) for number in relevant]
    shape = (2, len(each))
    best = Best(
        np.full(shape, np.inf),
        np.full(shape, -1),
        np.zeros((*shape, -(-depth // 8)), dtype=np.uint8),
        np.full(shape, np.inf),
    )
    complete = _of_lists(*sums, each, who, best)
    best.bounds[:] = best.values
    if complete < sums[0].adds.shape[2]:
        _of_search(sums, complete, each, who, np.argsort(-count, kind="stable"), best, seconds)
    if (missing := np.isinf(best.bounds[0])).any():
        number = int(row[missing].min())
        raise HarnessError(f"row {number + 1}: no list has the value {values[number]:g} under these assumptions")
    return _result(*sums, best, count / len(values))


def _of_lists(start: Sums, goal: Sums, values: np.ndarray, who: list[np.ndarray], best: Best) -> int:
    """The best of the lists of few hits; returns of how many, at most, all lists were looked at."""
    complete = len(start.divisors[0])
    most = int(start.numbers.argmax())
    for place, number in enumerate(start.numbers):
        if place == 0 or max(len(start.adds), len(goal.adds)) > 1:
            lists, all_of = merged(start, goal, place if max(len(start.adds), len(goal.adds)) > 1 else most)
            complete = min(complete, all_of)
        there = lists.take(lists.hits <= number)
        first = there.start * start.scale(place, there.first)
        second = there.goal * goal.scale(place, there.second)
        order = np.argsort(first, kind="stable")
        low = np.searchsorted(first[order], values[who[place]] - SAME, "left")
        width = np.searchsorted(first[order], values[who[place]] + SAME, "right") - low
        for offset in range(int(width.max(initial=0))):
            users, at = who[place][width > offset], order[low[width > offset] + offset]
            for side, sign in enumerate(SIGNS):
                better = sign * second[at] < best.values[side, users]
                best.values[side, users[better]] = sign * second[at[better]]
                best.places[side, users[better]] = place
                best.packed[side, users[better]] = there.packed[at[better]]
    return complete


def _of_search(
    sums: tuple[Sums, Sums],
    complete: int,
    values: np.ndarray,
    who: list[np.ndarray],
    order: np.ndarray,
    best: Best,
    seconds: float,
) -> None:
    """Lists of more than ``complete`` hits, for users in an order, until the time is over."""
    families, rows = families_of(*sums, above=complete)
    searches = [Search(families, rows, -sign) for sign in SIGNS]
    alike = np.stack((rows.family, rows.start, rows.goal))
    once = np.sort(np.unique(alike, axis=1, return_index=True)[1])
    can = np.zeros((len(who), len(values)), dtype=bool)
    for place, users in enumerate(who):
        can[place, users] = True
    end = monotonic() + seconds
    for turn, user in enumerate(order.tolist()):
        any_of = can[:, user].all()  # for whom it is one which number of relevant items it was
        chosen = once if any_of else np.flatnonzero(can[rows.place, user])
        ends = [search.bounds(values[user], chosen).max(initial=-np.inf) for search in searches]
        ends = [max(end, -known) for end, known in zip(ends, best.values[:, user], strict=True)]
        if sum(ends) <= SAME:  # one value, whichever list it is
            best.bounds[:, user] = np.negative(ends)
            continue
        for side, search in enumerate(searches):
            found = search.best(values[user], chosen, -best.values[side, user], _turn(end, 2 * (len(order) - turn)))
            best.bounds[side, user] = -found.bound
            if found.row >= 0:
                best.values[side, user] = -found.value
                best.places[side, user] = rows.place[found.row]
                best.packed[side, user] = found.packed


def _turn(end: float, left: int) -> float:
    """How long to search for one user and one end, with ``left`` of them to come: most need less than their share."""
    remaining = end - monotonic()
    return min(remaining, max(2 * remaining / left, LEAST_SECONDS))


def _result(start: Sums, goal: Sums, best: Best, share: np.ndarray) -> tuple[States, Converted]:
    """The mean of what users have at most and at least, and the lists."""
    bounds = best.bounds
    exact = bounds[0] + bounds[1] >= -SAME
    # A list that is known for one end is one for the other too.
    inner = np.minimum(best.values, -best.values[::-1])
    inner = np.where(np.isinf(inner), -bounds[::-1], inner)
    lists, number = np.unique(
        np.concatenate((best.places[:, :, None], best.packed), axis=2).reshape(2 * len(share), -1),
        axis=0,
        return_inverse=True,
    )
    number = number.reshape(2, -1)
    made = []
    for side, sign in enumerate(SIGNS):
        proven = (best.places[side] >= 0) & (best.values[side] <= bounds[side] + SAME)
        shares = np.bincount(number[side][proven], share[proven], minlength=len(lists))
        mixture = tuple((float(shares[state]), int(state)) for state in np.flatnonzero(shares))
        open_, gap = ~proven & ~exact, inner[side] - bounds[side]
        made.append(
            Bound(
                float(sign * bounds[side] @ share), mixture, float(share[open_].sum()), float(gap[open_] @ share[open_])
            )
        )
    relevant = np.maximum(lists[:, 0], 0)
    patterns = np.unpackbits(lists[:, 1:].astype(np.uint8), axis=1, count=start.adds.shape[1]).astype(bool)
    found = States(patterns, start.numbers[relevant], start.of(patterns, relevant), goal.of(patterns, relevant))
    return found, Converted(made[0], made[1])
