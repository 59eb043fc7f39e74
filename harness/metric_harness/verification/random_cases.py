"""Random cases and what is made of them: other orders, other numbers, users at an edge, repeats, ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metric_reference.case import NOTHING, Case

EARLY = 5
"""Where a function needs a hit, each list has one among this many ranks, and smaller cut-offs are not asked."""
GRADES = np.arange(1, 21) / 2
"""Gains from 0.5 to 10."""


def random_case(
    rng: np.random.Generator,
    lengths: np.ndarray,
    relevant: np.ndarray,
    n_items: int,
    graded: bool = False,
    early: bool = False,
) -> Case:
    """A case with these list lengths and numbers of relevant items, each of shape (users,).

    About half of the relevant items are listed, at random ranks. Scores fall down each list by random steps, so they
    are distinct, also in float32. Items outside the list score below it in random order, the relevant ones among them
    anywhere: AUC sees both.
    """
    users, width = len(lengths), int(max(1, lengths.max(initial=1)))
    order = rng.permuted(np.tile(np.arange(n_items), (users, 1)), axis=1)
    place = np.arange(n_items)
    listed = place < lengths[:, None]
    reached = np.minimum(relevant, lengths)
    least = np.maximum(relevant - (n_items - lengths), np.int64(early) * (reached > 0))
    inside = rng.integers(least, reached + 1)
    drawn = rng.random((users, n_items))
    chosen = smallest(drawn, listed, inside) | smallest(drawn, ~listed, relevant - inside)
    if early:
        for user in np.flatnonzero((inside > 0) & ~chosen[:, : min(EARLY, width)].any(axis=1)):
            chosen[user, np.flatnonzero(chosen[user])[0]] = False
            chosen[user, rng.integers(0, min(EARLY, lengths[user]))] = True
    owners, places = np.nonzero(chosen)
    mixed = np.lexsort((rng.random(len(owners)), owners))
    candidate, scores = np.empty((users, n_items)), descending(rng, (users, n_items))
    np.put_along_axis(candidate, order, scores, axis=1)
    return Case(
        np.where(listed, order, NOTHING)[:, :width],
        np.concatenate([[0], np.cumsum(relevant)]).astype(np.int64),
        order[owners, places][mixed],
        rng.choice(GRADES, len(owners)) if graded else np.ones(len(owners)),
        n_items,
        np.where(listed, scores, np.nan)[:, :width],
        candidate,
        threshold=float(GRADES[0]) if graded else 1.0,
    ).check()


def smallest(numbers: np.ndarray, among: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """bool, shape of ``numbers``: in each row the ``counts`` smallest ``among`` some, all of which are distinct."""
    most = int(counts.max(initial=0))
    if most == 0:
        return np.zeros(numbers.shape, dtype=bool)
    there = np.where(among, numbers, np.inf)
    least = np.sort(np.partition(there, most - 1, axis=1)[:, :most], axis=1)
    bound = np.take_along_axis(least, np.maximum(counts - 1, 0)[:, None], axis=1)
    return there <= np.where(counts[:, None] > 0, bound, -np.inf)


def descending(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Distinct scores in each row, largest first; steps of at least 2^-14 survive float32."""
    steps = rng.integers(1, 8, shape)
    return (np.cumsum(steps[:, ::-1], axis=1)[:, ::-1] / 2**14).astype(np.float64)


def spread(rng: np.random.Generator, count: int, least: int, most: int) -> np.ndarray:
    """int64, shape (count,): whole numbers evenly over a range, both ends among them, in random order."""
    return rng.permutation(np.linspace(least, most, count).round().astype(np.int64))


def spread_ids(rng: np.random.Generator, n_items: int) -> np.ndarray:
    """Ascending item ids: 0, small ones, neighbours around 2^24 and 2^31, and random ones up to 2^40.

    Neighbours become one id in float32 past 2^24; 32-bit integers end at 2^31.
    """
    share = n_items // 4
    rest = n_items - 1 - 3 * share
    small = np.arange(1, share + 1)
    near = [np.arange(share) + bound - share // 4 for bound in (1 << 24, 1 << 31)]
    far = np.unique(rng.integers(1 << 32, 1 << 40, 2 * rest))
    return np.sort(np.concatenate([[0], small, *near, rng.choice(far, rest, replace=False)])).astype(np.int64)


def users_of(case: Case, users: np.ndarray) -> Case:
    """The case of these users, in this order; a user may occur twice."""
    counts = np.diff(case.judged_indptr)[users]
    parts = [np.arange(case.judged_indptr[u], case.judged_indptr[u + 1], dtype=np.int64) for u in users]
    entries = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
    return replace(
        case,
        recommended=case.recommended[users],
        scores=None if case.scores is None else case.scores[users],
        candidate_scores=None if case.candidate_scores is None else case.candidate_scores[users],
        judged_indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        judged_items=case.judged_items[entries],
        judged_gains=case.judged_gains[entries],
    )


def renumbered(case: Case, numbers: np.ndarray) -> Case:
    """The case with item i called ``numbers[i]``; ``numbers`` is a permutation."""
    listed = case.recommended
    candidate = None
    if case.candidate_scores is not None:
        candidate = np.empty_like(case.candidate_scores)
        candidate[:, numbers] = case.candidate_scores
    return replace(
        case,
        recommended=np.where(listed == NOTHING, NOTHING, numbers[listed]),
        judged_items=numbers[case.judged_items],
        candidate_scores=candidate,
    )


def without_relevant(case: Case, users: Sequence[int] | np.ndarray) -> Case:
    """The case in which these users have no relevant items."""
    keep = ~np.isin(case.judged_users, users)
    counts = np.diff(case.judged_indptr).copy()
    counts[np.asarray(users)] = 0
    return replace(
        case,
        judged_indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        judged_items=case.judged_items[keep],
        judged_gains=case.judged_gains[keep],
    )


def with_repeats(rng: np.random.Generator, case: Case) -> Case:
    """The case with about a fifth of the ranks holding the item of an earlier rank; scores stay distinct."""
    recommended = case.recommended.copy()
    for user in range(case.users):
        length = int(np.count_nonzero(recommended[user] != NOTHING))
        for rank in range(1, length):
            if rng.random() < 0.2:
                recommended[user, rank] = recommended[user, int(rng.integers(0, rank))]
    return replace(case, recommended=recommended, candidate_scores=None)


def with_ties(case: Case) -> Case:
    """The case with scores rounded down so that listed items share them in groups of about eight."""
    assert case.scores is not None
    assert case.candidate_scores is not None
    return replace(
        case, scores=np.floor(case.scores * 512) / 512, candidate_scores=np.floor(case.candidate_scores * 512) / 512
    )
