"""Users as the relational plan gives them: matches of the reference for one user of each pattern, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from metric_reference.case import NOTHING, Case
from metric_reference.grades import MOST_GRADES
from metric_reference.matching import Hits, Matches, Relevant

HALF_BITS = 26
"""A float without its last 26 bits, times a whole number of up to 26 bits, is a float."""

MOST_CELLS = 1 << 22
"""Users times ranks that are evaluated together."""

BATCH_ROWS = 1 << 16


@dataclass(frozen=True, eq=False)
class Graded(Matches):
    """Matches of some users of a case.

    case_gains : the different gains of the whole case, ascending, or None if there are more than ``MOST_GRADES``. With
    them an ideal list adds up in the same steps, whichever users are evaluated together.
    """

    case_gains: np.ndarray | None = None

    @cached_property
    def grades(self) -> tuple[np.ndarray, np.ndarray] | None:
        """As :attr:`metric_reference.matching.Matches.grades`."""
        if self.case_gains is None:
            return None
        reaching = np.zeros((len(self.case_gains), self.users), dtype=np.int64)
        owners = self.relevant.users
        for number, grade in enumerate(self.case_gains):
            reaching[number] = np.bincount(owners[self.relevant.gains >= grade], minlength=self.users)
        return self.case_gains, reaching


@dataclass(frozen=True, eq=False)
class Counted:
    """Users who are evaluated together. times : int64, how many users each of them stands for; None where it is one."""

    matches: Graded
    times: np.ndarray | None = None

    def count(self, those: np.ndarray) -> int:
        """How many users some of them (bool) stand for."""
        return int(np.count_nonzero(those) if self.times is None else self.times[those].sum())

    def total(self, values: np.ndarray) -> int:
        """The sum of whole numbers over all users."""
        return int(values.sum() if self.times is None else values @ self.times)

    def terms(self, values: np.ndarray, those: np.ndarray) -> np.ndarray:
        """Floats whose exact sum is that of the values of all users that some of them (bool) stand for.

        A value that several users have is cut in two, and so is their number: the products are exact.
        """
        values = values[those].astype(np.float64, copy=False)
        if self.times is None:
            return values
        times = self.times[those]
        high = (values.view(np.int64) & -(1 << HALF_BITS)).view(np.float64)
        low = np.subtract(values, high, out=np.zeros_like(values), where=np.isfinite(values))
        below = times & ((1 << HALF_BITS) - 1)
        products = [high * below, low * below]
        above = np.flatnonzero(times != below)
        if len(above):
            products += [part[above] * (times - below)[above] for part in (high, low)]
        return np.concatenate(products)


def gains_of_case(gains: Sequence[float]) -> np.ndarray | None:
    """The different gains of a case as :class:`Graded` wants them."""
    return np.array(sorted(gains), dtype=np.float64) if len(gains) <= MOST_GRADES else None


def counted_users(
    table: pa.RecordBatch, threshold: float, case_gains: np.ndarray | None
) -> Iterator[tuple[Counted, np.ndarray]]:
    """The users of a batch, and the rows in which they stand.

    table : columns listed, gains, hits (records of rank, gain, maybe score), and times if rows stand for several users.

    Lists of similar length are evaluated together, since the reference holds a cell for each user and rank.
    """
    lengths = table.column("listed").to_numpy(zero_copy_only=False).astype(np.int64)
    sizes = np.frexp(np.maximum(lengths, 1).astype(np.float64))[1]
    for size in np.unique(sizes):
        alike = np.flatnonzero(sizes == size)
        step = max(1, MOST_CELLS >> int(size))
        for low in range(0, len(alike), step):
            rows = alike[low : low + step]
            part = table if len(rows) == table.num_rows else table.take(pa.array(rows))
            times = part.column("times").to_numpy() if "times" in part.schema.names else None
            yield Counted(_matches(part, lengths[rows], threshold, case_gains), times), rows


def _matches(table: pa.RecordBatch, lengths: np.ndarray, threshold: float, case_gains: np.ndarray | None) -> Graded:
    users, width = len(lengths), max(1, int(lengths.max(initial=1)))
    gains, starts = _unpacked(table.column("gains"))
    relevant_gains = gains.to_numpy(zero_copy_only=False).astype(np.float64)
    items = np.arange(len(relevant_gains)) - np.repeat(starts[:-1], np.diff(starts))
    hits, first = _unpacked(table.column("hits"))
    owners = np.repeat(np.arange(users), np.diff(first))
    ranks = hits.field("rank").to_numpy(zero_copy_only=False).astype(np.int64)
    hit_gains = hits.field("gain").to_numpy(zero_copy_only=False).astype(np.float64)
    shape = np.where(np.arange(width) < lengths[:, None], 0, NOTHING).astype(np.int8)
    scores = None
    if "score" in [field.name for field in hits.type]:  # no metric looks at the scores of other ranks
        scores = np.full(shape.shape, np.nan)
        scores[owners, ranks] = hits.field("score").to_numpy(zero_copy_only=False)
    case = Case(shape, starts, items, relevant_gains, int(items.max(initial=0)) + 1, scores=scores, threshold=threshold)
    found = Hits(owners, ranks, np.arange(1, len(ranks) + 1) - first[owners], hit_gains)
    return Graded(case, Relevant(items, relevant_gains, starts), found, case_gains=case_gains)


def _unpacked(lists: pa.Array) -> tuple[pa.Array, np.ndarray]:
    """The values of all lists one after the other, and where each list begins; a missing list is empty."""
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lists.flatten(), np.concatenate([[0], np.cumsum(lengths)])
