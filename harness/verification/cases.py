"""Verification cases: seeded random cases, as large as real data where it matters, each with a purpose.

Probes are tiny so that a person can check them. They cannot show that a function follows a definition at k = 50, for the
user with 30 relevant items or for item 2^31. These cases can. Each one is built for a subject: what a subject refuses on
the probes (short lists, k beyond the catalogue) is left out, because a refusal is an edge behaviour, not a departure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from reference.case import NOTHING, Case

SEED = 20211
N_ITEMS = 1500
DEPTH = 100
CUTOFFS = (1, 2, 5, 10, 11, 20, 50, DEPTH, 150)
"""The last one is past the end of every list."""
MOST_RELEVANT = 60
GRADES = np.arange(1, 21) / 2
"""Gains from 0.5 to 10."""


@dataclass(frozen=True, kw_only=True)
class VerificationCase:
    """A random case and the cut-offs at which it is asked.

    about : what it shows, for readers. ids : the item ids that a function sees where it is given ids, int64, shape
    (n_items,), ascending; None for the item numbers. edges : the edge behaviours that it shows besides the definition;
    a departure on such a case is one of the edge, not of the definition.
    """

    name: str
    about: str
    case: Case
    ks: tuple[int, ...]
    ids: np.ndarray | None = None
    edges: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """What a subject cannot be asked, known from the probes.

    short_lists : a list shorter than k is an error. one_relevant : each user must have exactly one relevant item.
    edges : the edge behaviours that are known, so that they can be verified.
    """

    short_lists: bool = True
    one_relevant: bool = False
    edges: tuple[str, ...] = ()


def random_case(
    rng: np.random.Generator, lengths: np.ndarray, relevant: np.ndarray, n_items: int = N_ITEMS, graded: bool = False
) -> Case:
    """A case with these list lengths and numbers of relevant items, each of shape (users,).

    About half of the relevant items are listed, at random ranks. Scores fall down each list by random steps, so they are
    distinct, also in float32. Items outside the list score below it in random order, the relevant ones among them
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
        inside = int(rng.integers(0, min(count, length) + 1))
        outside = rng.choice(order[length:], count - inside, replace=False)
        chosen = np.concatenate([rng.choice(listed, inside, replace=False), outside])
        items.append(rng.permutation(chosen))
        gains.append(rng.choice(GRADES, len(chosen)) if graded else np.ones(len(chosen)))
        indptr.append(indptr[-1] + len(chosen))
        candidate[user, order] = descending(rng, n_items)
        scores[user, :length] = candidate[user, listed]
    return Case(
        recommended, np.array(indptr, dtype=np.int64), np.concatenate(items).astype(np.int64), np.concatenate(gains),
        n_items, scores, candidate, threshold=float(GRADES[0]) if graded else 1.0,
    ).check()  # fmt: skip


def descending(rng: np.random.Generator, count: int) -> np.ndarray:
    """Distinct scores between 0 and 1, largest first; steps of at least 2^-14 survive float32."""
    steps = rng.integers(1, 8, count)
    return (np.cumsum(steps[::-1])[::-1] / 2**14).astype(np.float64)


def spread_ids(rng: np.random.Generator, n_items: int) -> np.ndarray:
    """Ascending item ids: 0, small ones, and ones past 2^24 and past 2^31."""
    bounds = ((1, 1000), (1000, 1 << 24), (1 << 24, 1 << 31), (1 << 31, 1 << 40))
    share = n_items // len(bounds)
    counts = [min(share, 400)] + [share] * 2
    counts.append(n_items - 1 - sum(counts))
    parts = [np.unique(rng.integers(low, high, 3 * count)) for (low, high), count in zip(bounds, counts, strict=True)]
    chosen = [rng.choice(part, count, replace=False) for part, count in zip(parts, counts, strict=True)]
    return np.sort(np.concatenate([[0], *chosen])).astype(np.int64)


@cache
def verification_cases(limits: Limits) -> tuple[VerificationCase, ...]:
    """The cases for a subject with these limits, those that show the definition alone first."""
    rng = np.random.default_rng(SEED)
    ids = spread_ids(rng, N_ITEMS)
    relevant: Callable[[int], np.ndarray] = (
        (lambda users: np.ones(users, dtype=np.int64)) if limits.one_relevant
        else lambda users: rng.integers(1, MOST_RELEVANT + 1, users)
    )  # fmt: skip
    past = CUTOFFS if limits.short_lists else CUTOFFS[:-1]

    def lengths(users: int, least: int = 1, most: int = DEPTH) -> np.ndarray:
        return rng.integers(least, most + 1, users) if limits.short_lists else np.full(users, most)

    full = random_case(rng, np.full(60, DEPTH), relevant(60))
    ragged = random_case(rng, lengths(200), relevant(200))
    long = random_case(rng, np.full(8, 300), np.ones(8, np.int64) if limits.one_relevant else rng.integers(100, 200, 8))
    many = random_case(rng, lengths(1100, 3, 12), np.minimum(relevant(1100), 9), n_items=200)
    graded = random_case(rng, lengths(60), relevant(60), graded=True)
    first = users_of(ragged, np.arange(40))
    mixed = rng.permutation(40)
    cut = (10,) if limits.short_lists else (3,)
    cases = [
        VerificationCase(
            name="full", about="60 users, lists of 100, item ids spread past 2^31", case=full, ks=past, ids=ids),
        VerificationCase(
            name="ragged", about="200 users, lists of 1 to 100", case=ragged, ks=(10, 50), ids=ids),
        VerificationCase(
            name="graded", about="60 users, gains from 0.5 to 10", case=graded, ks=(3, 10, 20, 100)),
        VerificationCase(
            name="long", about="8 users, lists of 300, 100 to 200 relevant items", case=long, ks=(25, 200)),
        VerificationCase(
            name="many", about="1,100 users with short lists", case=many, ks=(*cut, 2)),
        VerificationCase(
            name="first_users", about="the first 40 users of ragged, item numbers as ids", case=first, ks=(20, 7)),
        VerificationCase(
            name="users_permuted", about="the same users in another order", case=users_of(first, mixed), ks=(20,)),
        VerificationCase(
            name="items_renumbered", about="the same lists with items renumbered at random",
            case=renumbered(first, rng.permutation(N_ITEMS)), ks=(20,)),
        VerificationCase(
            name="users_twice", about="each of the users twice", case=users_of(first, np.repeat(mixed, 2)), ks=(20,)),
        VerificationCase(
            name="asked_again", about="ragged again, after the others", case=ragged, ks=(10,), ids=ids),
    ]  # fmt: skip
    return (*cases, *edge_cases(rng, limits, lengths))


def edge_cases(
    rng: np.random.Generator, limits: Limits, lengths: Callable[[int, int], np.ndarray]
) -> list[VerificationCase]:
    """A case for each edge behaviour that is known: users at the edge among ordinary ones."""
    users, out = 60, []
    chosen = rng.permutation(users)[:9]
    if limits.one_relevant:
        base = random_case(rng, lengths(users, 20), np.ones(users, dtype=np.int64))
    else:
        base = random_case(rng, lengths(users, 20), rng.integers(1, 20, users))
    if "no_relevant" in limits.edges and not limits.one_relevant:
        out.append(VerificationCase(
            name="no_relevant", about="9 of 60 users have no relevant item", case=without_relevant(base, chosen),
            ks=(10,), edges=("no_relevant",)))  # fmt: skip
    if "no_list" in limits.edges and limits.short_lists:
        empty = base.recommended.copy()
        empty[chosen] = NOTHING
        gone = np.where(empty == NOTHING, np.nan, base.scores)
        out.append(VerificationCase(
            name="no_list", about="9 of 60 users have an empty list",
            case=replace(base, recommended=empty, scores=gone), ks=(10,), edges=("no_list",)))  # fmt: skip
    if "duplicates" in limits.edges:
        out.append(VerificationCase(
            name="duplicates", about="lists in which items occur again", case=with_repeats(rng, base), ks=(10, 50),
            edges=("duplicates",)))  # fmt: skip
    if "ties" in limits.edges:
        out.append(VerificationCase(
            name="ties", about="groups of equal scores", case=with_ties(base), ks=(10,), edges=("ties",)))  # fmt: skip
    return out


def users_of(case: Case, users: np.ndarray) -> Case:
    """The case of these users, in this order; a user may occur twice."""
    counts = np.diff(case.judged_indptr)[users]
    entries = np.concatenate([np.arange(case.judged_indptr[u], case.judged_indptr[u + 1]) for u in users] or [[]])
    entries = entries.astype(np.int64)
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
