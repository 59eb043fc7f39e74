"""Users as the relational plan gives them: the reference's matches for one user of each pattern, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from metric_harness.data.numbered import places, starts
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

    case_gains : the distinct gains of the whole case, ascending; None if there are more than ``MOST_GRADES``. They make
    the gains of an ideal list add up in the same order, whichever users are evaluated together.
    """

    case_gains: np.ndarray | None = None

    @cached_property
    def grades(self) -> tuple[np.ndarray, np.ndarray] | None:
        """As :attr:`metric_reference.matching.Matches.grades`."""
        if self.case_gains is None:
            return None
        counts = np.zeros((len(self.case_gains), self.users), dtype=np.int64)
        owners = self.relevant.users
        for row, grade in enumerate(self.case_gains):
            counts[row] = np.bincount(owners[self.relevant.gains >= grade], minlength=self.users)
        return self.case_gains, counts


@dataclass(frozen=True, eq=False)
class Counted:
    """Users who are evaluated together. times : int64, how many users each of them stands for; None: one."""

    matches: Graded
    times: np.ndarray | None = None

    def count(self, mask: np.ndarray) -> int:
        """How many users those in ``mask`` (bool) stand for."""
        return int(np.count_nonzero(mask) if self.times is None else self.times[mask].sum())

    def total(self, values: np.ndarray) -> int:
        """The sum of whole numbers over all users."""
        return int(values.sum() if self.times is None else values @ self.times)

    def terms(self, values: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Floats whose exact sum is that of the values of all users that those in ``mask`` (bool) stand for.

        A value that several users have is split into two halves, and so is their number: the products are exact.
        """
        values = values[mask].astype(np.float64, copy=False)
        if self.times is None:
            return values
        times = self.times[mask]
        high = (values.view(np.int64) & -(1 << HALF_BITS)).view(np.float64)
        low = np.subtract(values, high, out=np.zeros_like(values), where=np.isfinite(values))
        below = times & ((1 << HALF_BITS) - 1)
        products = [high * below, low * below]
        large = np.flatnonzero(times != below)
        if len(large):
            products += [half[large] * (times - below)[large] for half in (high, low)]
        return np.concatenate(products)


def gains_of_case(gains: Sequence[float]) -> np.ndarray | None:
    """The ``case_gains`` of :class:`Graded`, from the distinct gains of a case."""
    return np.array(sorted(gains), dtype=np.float64) if len(gains) <= MOST_GRADES else None


def counted_users(
    table: pa.RecordBatch, threshold: float, case_gains: np.ndarray | None
) -> Iterator[tuple[Counted, np.ndarray]]:
    """The users of a batch in groups, each with the users' rows in the batch.

    table : columns listed, gains, hits (records of rank, gain, maybe score), and times if rows stand for several users.

    Users with lists of similar length are grouped, since the reference holds a cell for each user and rank.
    """
    lengths = table.column("listed").to_numpy(zero_copy_only=False).astype(np.int64)
    magnitudes = np.frexp(np.maximum(lengths, 1).astype(np.float64))[1]
    for magnitude in np.unique(magnitudes):
        similar = np.flatnonzero(magnitudes == magnitude)
        step = max(1, MOST_CELLS >> int(magnitude))
        for start in range(0, len(similar), step):
            rows = similar[start : start + step]
            group = table if len(rows) == table.num_rows else table.take(pa.array(rows))
            times = group.column("times").to_numpy() if "times" in group.schema.names else None
            yield Counted(_matches(group, lengths[rows], threshold, case_gains), times), rows


def _matches(table: pa.RecordBatch, lengths: np.ndarray, threshold: float, case_gains: np.ndarray | None) -> Graded:
    """The matches of the users of a table. Items are numbered by user: a user's value depends on no item's identity."""
    width = max(1, int(lengths.max(initial=1)))
    gains, indptr = _flattened(table.column("gains"))
    relevant_gains = gains.to_numpy(zero_copy_only=False).astype(np.float64)
    items = places(np.diff(indptr))
    hits, first = _flattened(table.column("hits"))
    owners = np.repeat(np.arange(len(lengths)), np.diff(first))
    ranks = hits.field("rank").to_numpy(zero_copy_only=False).astype(np.int64)
    hit_gains = hits.field("gain").to_numpy(zero_copy_only=False).astype(np.float64)
    lists = np.where(np.arange(width) < lengths[:, None], 0, NOTHING).astype(np.int8)
    scores = None
    if "score" in [field.name for field in hits.type]:  # no metric reads the scores of other ranks
        scores = np.full(lists.shape, np.nan)
        scores[owners, ranks] = hits.field("score").to_numpy(zero_copy_only=False)
    case = Case(lists, indptr, items, relevant_gains, int(items.max(initial=0)) + 1, scores=scores, threshold=threshold)
    matched = Hits(owners, ranks, np.arange(1, len(ranks) + 1) - first[owners], hit_gains)
    return Graded(case, Relevant(items, relevant_gains, indptr), matched, case_gains=case_gains)


def _flattened(lists: pa.Array) -> tuple[pa.Array, np.ndarray]:
    """The values of all lists in one array, and the index at which each list begins; a missing list is empty."""
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lists.flatten(), starts(lengths)
