"""Users who cannot differ: one of them is evaluated, and counts as often as there are of them.

Most metrics look at nothing but how many relevant items a user has, how long the list is and which ranks hit. Millions
of users have a few thousand such patterns; by far the most frequent ones have no hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from metric_harness.evaluation.stream_block import ranges
from metric_harness.evaluation.stream_truth import argsort
from metric_reference.case import Case
from metric_reference.matching import Hits, Matches, Relevant
from metric_reference.metrics.ranking.ndcg import Ndcg
from metric_reference.metrics.ranking.rated_hit_rate import CumulativeHitRate, RatingHitRate
from metric_reference.variant import Variant

LEAST_GAIN, MOST_GAIN = 1e-9, 1000.0
"""From here and up to there 2^g - 1 is above 0 and finite, so that DCG 0 is NDCG 0."""

MOST_TIMES = 1 << 26
"""Half the bits of a float times a number below this is a float."""

MOST_RANKS = 40
"""The hits of lists up to this length are told apart by one bit a rank."""


def bases(asked: Sequence[Variant], matches: Matches) -> list[str]:
    """What decides on a user's value and, for a micro average, its parts.

    ``ranks``: the number of relevant items, the length of the list and the ranks that hit. ``hits``: more than that,
    but those who have relevant items and no hit all have the same. ``all``: whatever the case holds.
    """
    gains = matches.relevant.gains
    span = float(gains.min(initial=np.inf)), float(gains.max(initial=0.0))
    return [_basis(variant, matches, *span) for variant in asked]


def _basis(variant: Variant, matches: Matches, least: float, most: float) -> str:
    metric = variant.metric
    # Sorted gains are summed by BLAS, whose rounding may depend on how many users there are.
    alike = isinstance(metric, Ndcg) and (metric.gain == "binary" or (least >= most and not metric.divides_by_hits()))
    if alike or (metric.by_ranks and not metric.needs):
        return "ranks"
    if isinstance(metric, Ndcg):
        summed = metric.ideal in ("min_k_relevant", "relevant", "list", "fixed") and matches.grades is None
        nothing = least >= LEAST_GAIN and most <= MOST_GAIN and not summed
    else:
        rated = isinstance(metric, RatingHitRate) and metric.divide_by == "users"
        nothing = rated or isinstance(metric, CumulativeHitRate)
    return "hits" if nothing and (variant.weight != "micro" or metric.same_denominator()) else "all"


@dataclass(frozen=True, eq=False)
class Part(Matches):
    """Some users of a case. Its grades are those of all users, so that an ideal adds up in the same steps."""

    whole: Matches | None = None
    chosen: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))

    @cached_property
    def grades(self) -> tuple[np.ndarray, np.ndarray] | None:
        """As :attr:`metric_reference.matching.Matches.grades`."""
        assert self.whole is not None
        if self.whole.grades is None:
            return None
        return self.whole.grades[0], self.whole.grades[1].take(self.chosen, axis=1)


@dataclass(frozen=True, eq=False)
class Patterns:
    """Users by pattern.

    matches : one user of each pattern; times : int64, how many users have it; order : int64, all users, those of a
    pattern one after the other. Both are None where every user is a pattern of his own.
    """

    matches: Matches
    times: np.ndarray | None = None
    order: np.ndarray | None = None

    def each(self, values: np.ndarray) -> np.ndarray:
        """The value of every user, from one for each pattern."""
        if self.times is None or self.order is None:
            return values
        out = np.empty(len(self.order), dtype=values.dtype)
        out[self.order] = np.repeat(values, self.times)
        return out

    def count(self, those: np.ndarray) -> int:
        """How many users have the patterns (bool)."""
        return int(np.count_nonzero(those) if self.times is None else self.times[those].sum())

    def terms(self, values: np.ndarray, those: np.ndarray) -> np.ndarray:
        """Floats whose exact sum is that of the values of all users who have the patterns (bool).

        A value that several users have is cut in two: each half times their number is exact.
        """
        if not those.all():
            values = values[those]
        if self.times is None:
            return values
        times, values = self.times[those], values.astype(np.float64, copy=False)
        high = (values.view(np.int64) & (-MOST_TIMES)).view(np.float64)
        low = np.subtract(values, high, out=np.zeros_like(values), where=np.isfinite(values))
        return np.concatenate([high * times, low * times])


def patterns(matches: Matches, by: str) -> Patterns:
    """The users of a case by pattern, for what :func:`bases` says."""
    if by == "all" or matches.users >= MOST_TIMES:
        return Patterns(matches)
    keys = _by_ranks(matches) if by == "ranks" else _by_hits(matches)
    order = argsort(keys)
    ordered = keys[order]
    starts = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1])[: len(keys)]
    if len(starts) == matches.users:
        return Patterns(matches)
    return Patterns(take(matches, order[starts]), np.diff(starts, append=len(keys)), order)


def _by_ranks(matches: Matches) -> np.ndarray:
    """A number for each user, int64: equal for those with as many relevant items, as long a list, the same hits."""
    hits, users, width = matches.found, matches.users, matches.case.width
    if width <= MOST_RANKS:
        where = np.bincount(hits.users, np.exp2(hits.ranks), users).astype(np.int64)
    else:  # who has several hits has a pattern of his own
        where = np.bincount(hits.users, hits.ranks + 1, users).astype(np.int64)
        several = np.flatnonzero(matches.hit_count(width) > 1)
        where[several] = width + 1 + several
    keys, room = where, int(where.max(initial=0)) + 1
    for counts in (matches.lengths, matches.n_relevant):
        size = int(counts.max(initial=0)) + 1
        keys, room = keys * size + counts, room * size
    return keys if room < 1 << 63 else np.arange(users)


def _by_hits(matches: Matches) -> np.ndarray:
    """A number for each user, int64: one for all without a hit, one for those without relevant items."""
    hit = matches.hit_count(matches.case.width) > 0
    return np.where(hit, np.arange(2, matches.users + 2), matches.n_relevant > 0)


def take(matches: Matches, users: np.ndarray) -> Part:
    """Some users of a case, without what only metrics over all candidates need."""
    case, counts, hits = matches.case, matches.n_relevant[users], matches.hit_count(matches.case.width)
    entries = ranges(matches.relevant.starts[users], counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    relevant = Relevant(matches.relevant.items[entries], matches.relevant.gains[entries], starts)
    found = ranges((np.cumsum(hits) - hits)[users], hits[users])
    own = np.repeat(np.arange(len(users)), hits[users])
    part = Case(
        case.recommended[users], starts, relevant.items, relevant.gains, case.n_items,
        scores=None if case.scores is None else case.scores[users], threshold=case.threshold,
    )  # fmt: skip
    return Part(part, relevant, Hits(own, *(each[found] for each in matches.found[1:])), whole=matches, chosen=users)
