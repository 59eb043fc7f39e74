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
    recommended = np.full((users, width), NOTHING, dtype=np.int64)
    scores = np.full((users, width), np.nan)
    candidate = np.empty((users, n_items))
    items, gains, indptr = [], [], [0]
    for user in range(users):
        order, length, count = rng.permutation(n_items), int(lengths[user]), int(relevant[user])
        listed = order[:length]
        recommended[user, :length] = listed
        least = max(count - (n_items - length), int(early and count > 0 and length > 0))
        inside = int(rng.integers(least, min(count, length) + 1))
        outside = rng.choice(order[length:], count - inside, replace=False)
        chosen = np.concatenate([rng.choice(listed, inside, replace=False), outside])
        if early and inside and not np.isin(listed[:EARLY], chosen).any():
            chosen[0] = listed[int(rng.integers(0, min(EARLY, length)))]
        items.append(rng.permutation(chosen))
        gains.append(rng.choice(GRADES, len(chosen)) if graded else np.ones(len(chosen)))
        indptr.append(indptr[-1] + len(chosen))
        candidate[user, order] = descending(rng, n_items)
        scores[user, :length] = candidate[user, listed]
    return Case(
        recommended,
        np.array(indptr, dtype=np.int64),
        np.concatenate(items).astype(np.int64),
        np.concatenate(gains),
        n_items,
        scores,
        candidate,
        threshold=float(GRADES[0]) if graded else 1.0,
    ).check()


def descending(rng: np.random.Generator, count: int) -> np.ndarray:
    """Distinct scores between 0 and 1, largest first; steps of at least 2^-14 survive float32."""
    steps = rng.integers(1, 8, count)
    return (np.cumsum(steps[::-1])[::-1] / 2**14).astype(np.float64)


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
