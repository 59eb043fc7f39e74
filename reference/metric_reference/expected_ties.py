"""The expected value of a metric over all orders of tied items.

After McSherry & Najork, "Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
Scores" (ECIR 2008, doi 10.1007/978-3-540-78646-7_38): inside a group of n tied items of which h are relevant, each
rank holds a relevant one with probability h / n, and two given ranks both do with probability h (h - 1) / (n (n - 1)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Type

import numpy as np

from metric_reference.case import NOTHING
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts
from metric_reference.metrics.areas.mcc import Mcc
from metric_reference.metrics.ranking.average_precision import AT_HITS, AveragePrecision
from metric_reference.metrics.ranking.average_recall import AverageRecall
from metric_reference.metrics.ranking.f1 import F1
from metric_reference.metrics.ranking.fall_out import FallOut
from metric_reference.metrics.ranking.hit_rate import HitRate
from metric_reference.metrics.ranking.ndcg import Ndcg
from metric_reference.metrics.ranking.precision import Precision
from metric_reference.metrics.ranking.r_precision import RPrecision
from metric_reference.metrics.ranking.rank import Rank
from metric_reference.metrics.ranking.rank_biased_precision import RankBiasedPrecision
from metric_reference.metrics.ranking.recall import Recall
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank


class NoClosedForm(ValueError):
    """The expectation of a metric over the orders of tied items is not computed for these choices."""


@dataclass(frozen=True, eq=False)
class TieGroups:
    """The first and the last rank (from 0) of the group of equal scores around each rank: shape (users, width)."""

    matches: Matches
    first: np.ndarray
    last: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """int64: number of items in the group."""
        return self.last - self.first + 1

    def total(self, values: np.ndarray) -> np.ndarray:
        """Sum of a value over the group of each rank."""
        sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
        return np.take_along_axis(sums, self.last + 1, axis=1) - np.take_along_axis(sums, self.first, axis=1)

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Mean of a value over the group of each rank: its expectation there."""
        return self.total(values) / self.size


def tie_groups(matches: Matches) -> TieGroups:
    """The groups of a case whose lists are ordered by score; ValueError for a case without scores."""
    case = matches.case
    if case.scores is None:
        raise ValueError("ties: the case has no scores, so nothing is tied")
    rank = np.broadcast_to(np.arange(case.width), case.recommended.shape)
    begins = np.ones(case.recommended.shape, dtype=bool)
    begins[:, 1:] = (case.scores[:, 1:] != case.scores[:, :-1]) | (case.recommended[:, 1:] == NOTHING)
    first = np.maximum.accumulate(np.where(begins, rank, 0), axis=1)
    ends = np.concatenate([begins[:, 1:], np.ones((case.users, 1), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, rank, case.width)[:, ::-1], axis=1)[:, ::-1]
    return TieGroups(matches, first, last)


def expected_parts(metric: Metric, matches: Matches, k: int) -> Parts:
    """Numerator and denominator of each user in expectation over all orders of tied items.

    Raises NoClosedForm for a metric that has none here: AUC inside the list, and metrics whose denominator
    depends on the order of ties (number of hits, ideal of the hits).
    """
    rule = RULES.get(type(metric))
    choices = metric.made()
    random_divisor = (
        choices.get("divide_by") in ("hits", "last_hit_rank")
        or choices.get("over") in ("mean_hits", "means")
        or choices.get("ideal") == "hits"
        or choices.get("who") == "with_hit"
        or choices.get("no_hits") == "nan"
    )
    if rule is None or random_divisor or metric.of_whole_case():
        raise NoClosedForm(f"{metric.name}: no closed form of its expected value over ties with these choices")
    groups = tie_groups(matches)
    _, denominator = metric.parts(matches, k)
    return rule(metric, groups, k), denominator


def _cut(metric: Metric, groups: TieGroups, k: int) -> int:
    """How many ranks the metric looks at."""
    return groups.matches.depth(metric.made().get("cut", "k"), k)


def _expected_hits(groups: TieGroups, cut: int) -> np.ndarray:
    """Expected number of hits among the first ``cut`` ranks, shape (users,)."""
    return groups.mean(groups.matches.hits)[:, :cut].sum(axis=1)


def _hits(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    return _expected_hits(groups, _cut(metric, groups, k)) * (2.0 if isinstance(metric, F1) else 1.0)


def _misses(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    return np.minimum(groups.matches.lengths, k) - _expected_hits(groups, k)


def _mcc(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, Mcc)
    matches = groups.matches
    return metric.n_items(matches) * _expected_hits(groups, k) - np.minimum(matches.lengths, k) * matches.n_relevant


def _rank_biased_precision(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, RankBiasedPrecision)
    cut = _cut(metric, groups, k)
    return groups.mean(groups.matches.hits)[:, :cut] @ metric.rank_weights(cut)


def _hit_rate(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    cut, value = _cut(metric, groups, k), metric.made()["value"]
    if value == "all":
        return _no_hit_after(groups, cut)
    return _expected_hits(groups, cut) if value == "hits" else 1.0 - _no_hit(groups, cut)[:, -1]


def _no_hit_after(groups: TieGroups, cut: int) -> np.ndarray:
    """Probability that every relevant item is among the first ``cut`` ranks: shape (users,).

    Once the later ranks of a group missed, one misses with probability 1 - h / (ranks of the group up to it).
    """
    matches = groups.matches
    up_to = np.arange(matches.case.width) - groups.first + 1
    misses = np.clip(1.0 - groups.total(matches.hits) / up_to, 0.0, 1.0)
    all_listed = matches.hit_count(matches.case.width) >= matches.n_relevant
    return misses[:, cut:].prod(axis=1) * all_listed


def _no_hit(groups: TieGroups, cut: int) -> np.ndarray:
    """Probability that none of the first 1, 2, ... cut ranks hits: shape (users, up to cut).

    Once the earlier ranks of a group missed, the next misses with probability 1 - h / (ranks of the group that remain).
    """
    remaining = groups.last - np.arange(groups.matches.case.width) + 1
    misses = np.clip(1.0 - groups.total(groups.matches.hits) / remaining, 0.0, 1.0)
    return np.cumprod(misses[:, :cut], axis=1)


def _reciprocal_rank(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    cut = _cut(metric, groups, k)
    weights = 1.0 / np.arange(1, cut + 1)
    if metric.made()["over"] != "first":
        return groups.mean(groups.matches.hits)[:, :cut] @ weights
    return _first_at(_no_hit(groups, cut)) @ weights


def _first_at(no_hit: np.ndarray) -> np.ndarray:
    """Probability that the first hit is at rank 1, 2, ..., from that of none up to there: the same shape."""
    before = np.concatenate([np.ones((len(no_hit), 1)), no_hit[:, :-1]], axis=1)
    return before - no_hit


def _rank(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, Rank)
    cut = _cut(metric, groups, k)
    no_hit = _no_hit(groups, cut)
    if metric.missing == "left_out" and ((no_hit[:, -1] > 0) & (no_hit[:, -1] < 1)).any():
        raise NoClosedForm("rank: whether a user is left out depends on the order of ties")
    ranks = np.arange(cut) + float(metric.number_of_first)
    return _first_at(no_hit) @ ranks + no_hit[:, -1] * metric.without_hit(groups.matches, k)


def _hits_so_far(groups: TieGroups, at_hits: bool) -> np.ndarray:
    """Expected number of hits up to each rank, shape (users, width); with ``at_hits`` a rank that misses counts 0."""
    hits = groups.matches.hits
    chance = groups.mean(hits)
    earlier = np.arange(groups.matches.case.width) - groups.first  # ranks of the group before this one
    before_group = np.take_along_axis(np.cumsum(hits, axis=1) - hits, groups.first, axis=1)
    if not at_hits:
        return before_group + (earlier + 1) * chance
    both_hit = chance * (groups.total(hits) - 1.0) / np.maximum(groups.size - 1, 1)  # two given ranks of the group
    return chance * (1.0 + before_group) + earlier * both_hit


def _average_precision(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, AveragePrecision)
    width, cut = groups.matches.case.width, _cut(metric, groups, k)
    trapezoid = metric.sum_over == "trapezoid"
    hits_so_far = _hits_so_far(groups, metric.sum_over in AT_HITS)
    if metric.ends_at_relevant():
        hits_so_far = hits_so_far * (np.arange(width) < groups.matches.n_relevant[:, None])
    if metric.cut == "none" or metric.sum_over == "listed_ranks":
        hits_so_far = hits_so_far * (np.arange(width) < groups.matches.lengths[:, None])
    rank = np.arange(1, cut + 1)
    total = hits_so_far[:, :cut] @ (1.0 / rank)
    if trapezoid:  # before the first rank the precision is 1
        chance = groups.mean(groups.matches.hits)[:, :cut]
        before = np.where(rank == 1, chance, (hits_so_far[:, :cut] - chance) / np.maximum(rank - 1, 1))
        return (total + before.sum(axis=1)) / 2
    if metric.sum_over == "all_ranks" and metric.cut == "k" and k > width:
        total = total + groups.matches.hits.sum(axis=1) * np.sum(1.0 / np.arange(width + 1, k + 1))
    return total


def _average_recall(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, AverageRecall)
    cut = _cut(metric, groups, k)
    total = _hits_so_far(groups, metric.sum_over == "hits")[:, :cut].sum(axis=1)
    if metric.sum_over == "all_ranks":
        total = total + _expected_hits(groups, cut) * (k - cut)
    return total


def _dcg(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    assert isinstance(metric, Ndcg)
    matches = groups.matches
    cut = _cut(metric, groups, k)
    gains = groups.mean(metric.gain_of(matches.gains, matches.hits, matches.case.threshold))
    if metric.ends_at_relevant():
        gains = gains * (np.arange(matches.case.width) < matches.n_relevant[:, None])
    return gains[:, :cut] @ metric.rank_weights(cut)


def _r_precision(metric: Metric, groups: TieGroups, k: int) -> np.ndarray:
    matches = groups.matches
    depth = matches.n_relevant if metric.made()["cut"] == "none" else np.minimum(k, matches.n_relevant)
    inside = np.arange(matches.case.width) < depth[:, None]
    return (groups.mean(matches.hits) * inside).sum(axis=1)


RULES: Dict[Type[Metric], Callable[[Metric, TieGroups, int], np.ndarray]] = {
    HitRate: _hit_rate,
    Precision: _hits,
    Recall: _hits,
    F1: _hits,
    ReciprocalRank: _reciprocal_rank,
    AveragePrecision: _average_precision,
    AverageRecall: _average_recall,
    Ndcg: _dcg,
    RPrecision: _r_precision,
    RankBiasedPrecision: _rank_biased_precision,
    FallOut: _misses,
    Mcc: _mcc,
    Rank: _rank,
}
