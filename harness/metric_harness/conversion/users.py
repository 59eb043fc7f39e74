"""What the values of users in one definition say about their mean in another.

Lists of few hits are gone through, so that their bounds are attained. Where there are too many lists, the value of a
user lies in the hull of those with one number of hits: no list passes it, though the one at its edge may not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metric_harness.conversion.bounds import SAME, Bound, Converted
from metric_harness.conversion.families import Families, Rows, families_of
from metric_harness.conversion.merged import merged
from metric_harness.conversion.states import States, depth_of
from metric_harness.conversion.sums import Sums, sums_of
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature

SIGNS = (1.0, -1.0)
"""Of the smallest value of goal, and of the largest, which is the smallest with the other sign."""
SLOPES = np.union1d(np.tan(np.linspace(-1.5, 1.5, 21)), (-1.0, 1.0))
"""Of the lines around a hull, as shares of its height over its width. With 1 and -1 a hull that is a line is exact."""
Best = tuple[np.ndarray, np.ndarray, np.ndarray]
"""For both signs and each user: the smallest value; where the number of relevant items of the list that has it stands,
-1 for no known list; its ranks that are hits, as bits."""


def of_users(
    start: Signature, goal: Signature, relevant: Sequence[int], values: np.ndarray, own: np.ndarray | None = None
) -> tuple[States, Converted]:
    """The lists that attain the bounds of the mean, and the bounds.

    values : float64, shape (users,). own : int64, shape (users,): their numbers of relevant items, all of which are in
    ``relevant``; None: each user may have any of these. Raises HarnessError as
    :func:`metric_harness.conversion.extremes.states_of_mean`, and for a value that no list gives, with its place.
    """
    depth = depth_of(start, goal)
    sums = sums_of(start, relevant, depth), sums_of(goal, relevant, depth)
    kinds = np.stack((values, np.zeros(len(values)) if own is None else own))
    (each, numbers), row, count = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    who = [np.flatnonzero((numbers == number) | (own is None)) for number in relevant]
    best = (
        np.full((2, len(each)), np.inf),
        np.full((2, len(each)), -1),
        np.zeros((2, len(each), -(-depth // 8)), dtype=np.uint8),
    )
    complete = _of_lists(*sums, each, who, best)
    if complete < sums[0].adds.shape[2]:
        _of_hulls(*families_of(*sums, above=complete), each, who, best)
    if (missing := np.isinf(best[0][0])).any():
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
                better = sign * second[at] < best[0][side, users]
                best[0][side, users[better]] = sign * second[at[better]]
                best[1][side, users[better]] = place
                best[2][side, users[better]] = there.packed[at[better]]
    return complete


def _of_hulls(families: Families, rows: Rows, values: np.ndarray, who: list[np.ndarray], best: Best) -> None:
    """The bounds that hold for all lists of each family."""
    hulls = [list(_hulls(families, sign)) for sign in SIGNS]
    each = np.stack((rows.family, rows.place, rows.start, rows.goal))
    if all(len(users) == len(values) for users in who):  # for whom it is one which number of relevant items it was
        each = each[:, np.unique(each[[0, 2, 3]], axis=1, return_index=True)[1]]
    for family, place, first, second in zip(*each[:2].astype(int), *each[2:], strict=True):
        for side in range(2):
            x, y = hulls[side][family]
            slack = SAME / first if first else 0.0
            users = who[place]
            sums = values[users] / first if first else np.where(np.abs(values[users]) <= SAME, x[0], np.inf)
            inside = (sums >= x[0] - slack) & (sums <= x[-1] + slack)
            reached = second * np.interp(sums[inside], x, y)
            users = users[inside]
            better = reached < best[0][side, users] - SAME * 1e-3
            best[0][side, users[better]] = reached[better]
            best[1][side, users[better]] = -1


def _hulls(families: Families, sign: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each family a line below all pairs of sums (goal times the sign), as corners from left to right."""

    def largest(x: np.ndarray | float, y: float) -> np.ndarray:
        found: np.ndarray = families.most(np.broadcast_to(x, count), np.full(count, y)).max(axis=1)
        return found

    count = len(families.tables)
    left, right = -largest(-1.0, 0.0), largest(1.0, 0.0)
    width, height = right - left, largest(0.0, 1.0) + largest(0.0, -1.0)
    slopes = SLOPES[:, None] * np.divide(height, width, out=np.zeros(count), where=width > SAME)
    offsets = np.array([-largest(slope, -sign) for slope in slopes])  # sign * goal >= offset + slope * start
    for slope, offset, low, high in zip(slopes.T, offsets.T, left, right, strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):  # lines of one slope, families without a list
            corners = -np.diff(offset) / np.diff(slope)
            x = np.concatenate(([low], np.sort(corners[(corners > low) & (corners < high)]), [high]))
            yield x, (offset[:, None] + slope[:, None] * x).max(axis=0)


def _result(start: Sums, goal: Sums, best: Best, share: np.ndarray) -> tuple[States, Converted]:
    """The mean of what users have at most and at least, and the lists."""
    values, places, packed = best
    exact = values[0] + values[1] >= -SAME
    lists, number = np.unique(
        np.concatenate((places[:, :, None], packed), axis=2).reshape(2 * len(share), -1), axis=0, return_inverse=True
    )
    number = number.reshape(2, -1)
    bounds = []
    for side, sign in enumerate(SIGNS):
        known = places[side] >= 0
        shares = np.bincount(number[side][known], share[known], minlength=len(lists))
        mixture = tuple((float(shares[state]), int(state)) for state in np.flatnonzero(shares))
        bounds.append(Bound(float(sign * values[side] @ share), mixture, float(share[~known & ~exact].sum())))
    relevant = np.maximum(lists[:, 0], 0)
    patterns = np.unpackbits(lists[:, 1:].astype(np.uint8), axis=1, count=start.adds.shape[1]).astype(bool)
    found = States(patterns, start.numbers[relevant], start.of(patterns, relevant), goal.of(patterns, relevant))
    return found, Converted(bounds[0], bounds[1])
