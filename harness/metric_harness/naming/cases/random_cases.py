"""Random cases, and cases made from them: reordered, renumbered, with users at an edge, repeats or ties."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric_reference.case import NOTHING, Case

GRADES = np.arange(1, 21) / 2
"""Gains from 0.5 to 10."""


def random_case(
    rng: np.random.Generator,
    lengths: np.ndarray,
    relevant: np.ndarray,
    n_items: int,
    graded: bool = False,
) -> Case:
    """A case with these list lengths and numbers of relevant items, each of shape (users,).

    About half of the relevant items are listed, at random ranks. Scores fall by random steps and are distinct, even in
    float32. Items outside a list score below it, in random order, relevant ones among them: AUC reads those too.
    """
    users, width = len(lengths), int(max(1, lengths.max(initial=1)))
    order = rng.permuted(np.tile(np.arange(n_items), (users, 1)), axis=1)
    listed = np.arange(n_items) < lengths[:, None]
    most_hits = np.minimum(relevant, lengths)
    fewest_hits = np.maximum(relevant - (n_items - lengths), 0)
    hits = rng.integers(fewest_hits, most_hits + 1)
    drawn = rng.random((users, n_items))
    chosen = _smallest(drawn, listed, hits) | _smallest(drawn, ~listed, relevant - hits)
    judged_users, ranks = np.nonzero(chosen)
    shuffled = np.lexsort((rng.random(len(judged_users)), judged_users))
    candidate_scores, scores = np.empty((users, n_items)), _descending(rng, (users, n_items))
    np.put_along_axis(candidate_scores, order, scores, axis=1)
    return Case(
        np.where(listed, order, NOTHING)[:, :width],
        np.concatenate([[0], np.cumsum(relevant)]).astype(np.int64),
        order[judged_users, ranks][shuffled],
        rng.choice(GRADES, len(ranks)) if graded else np.ones(len(ranks)),
        n_items,
        np.where(listed, scores, np.nan)[:, :width],
        candidate_scores,
        threshold=float(GRADES[0]) if graded else 1.0,
    ).check()


def labelled_case(rng: np.random.Generator, labels: np.ndarray, kind: str) -> Case:
    """A case in which user u and item u have the label ``labels[u]``; relevant to a user are the items of its label.

    kind : ``pairs``: a user's own item is relevant too, and the order of the items is any; ``set``: it is no candidate,
    and two members are as near to each other whichever looks. Scores are distinct, and lists hold every candidate.
    """
    count = len(labels)
    scores = np.empty((count, count))
    if kind == "set":
        upper = np.triu_indices(count, 1)
        scores[upper] = (1 + rng.permutation(len(upper[0]))) / 2**14
        scores.T[upper] = scores[upper]
        np.fill_diagonal(scores, -np.inf)
    else:
        scores[:] = (1 + rng.permuted(np.tile(np.arange(count), (count, 1)), axis=1)) / 2**14
    width = count - (kind == "set")
    order = np.argsort(-scores, axis=1, kind="stable")[:, :width]
    relevant = (labels[:, None] == labels) & np.isfinite(scores)
    items = np.nonzero(relevant)[1]
    return Case(
        order,
        np.concatenate([[0], np.cumsum(relevant.sum(axis=1))]).astype(np.int64),
        items,
        np.ones(len(items)),
        count,
        np.take_along_axis(scores, order, axis=1),
        scores,
    ).check()


def _smallest(numbers: np.ndarray, allowed: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """bool, shape of ``numbers``: the ``counts`` smallest of the ``allowed`` numbers in each row; all are distinct."""
    most = int(counts.max(initial=0))
    if most == 0:
        return np.zeros(numbers.shape, dtype=bool)
    candidates = np.where(allowed, numbers, np.inf)
    ordered = np.sort(np.partition(candidates, most - 1, axis=1)[:, :most], axis=1)
    bound = np.take_along_axis(ordered, np.maximum(counts - 1, 0)[:, None], axis=1)
    return candidates <= np.where(counts[:, None] > 0, bound, -np.inf)


def _descending(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Distinct scores in each row, largest first; float32 holds them exactly, since steps are multiples of 2^-14."""
    steps = rng.integers(1, 8, shape)
    return (np.cumsum(steps[:, ::-1], axis=1)[:, ::-1] / 2**14).astype(np.float64)


def spread(rng: np.random.Generator, count: int, low: int, high: int) -> np.ndarray:
    """int64, shape (count,): integers evenly spread over a range, both ends included, in random order."""
    return rng.permutation(np.linspace(low, high, count).round().astype(np.int64))


def spread_ids(rng: np.random.Generator, n_items: int) -> np.ndarray:
    """Ascending item ids: 0, small ones, neighbours around 2^24 and 2^31, and random ones up to 2^40.

    Neighbours become one id in float32 past 2^24; 32-bit integers end at 2^31.
    """
    quarter = n_items // 4
    rest = n_items - 1 - 3 * quarter
    small = np.arange(1, quarter + 1)
    neighbours = [np.arange(quarter) + bound - quarter // 4 for bound in (1 << 24, 1 << 31)]
    large = np.unique(rng.integers(1 << 32, 1 << 40, 2 * rest))
    return np.sort(np.concatenate([[0], small, *neighbours, rng.choice(large, rest, replace=False)])).astype(np.int64)


def renumbered(case: Case, numbers: np.ndarray) -> Case:
    """The case with item i called ``numbers[i]``; ``numbers`` is a permutation."""
    listed, scores = case.recommended, None
    if case.candidate_scores is not None:
        scores = np.empty_like(case.candidate_scores)
        scores[:, numbers] = case.candidate_scores
    return replace(
        case,
        recommended=np.where(listed == NOTHING, NOTHING, numbers[listed]),
        judged_items=numbers[case.judged_items],
        candidate_scores=scores,
    )


def with_score(rng: np.random.Generator, case: Case, number: float) -> Case:
    """The case with the scores of each user moved so that one candidate has exactly this score."""
    assert case.candidate_scores is not None
    there = rng.integers(case.n_items, size=(case.users, 1))
    moved = number - np.take_along_axis(case.candidate_scores, there, axis=1)
    scores = None if case.scores is None else case.scores + moved
    return replace(case, candidate_scores=case.candidate_scores + moved, scores=scores)


def cut_lists(case: Case, length: int) -> Case:
    """The case with every list cut to at most this many items."""
    scores = None if case.scores is None else case.scores[:, :length]
    return replace(case, recommended=case.recommended[:, :length], scores=scores)


def first_hits(case: Case, item: int = 0, rank: int = 0) -> Case:
    """The case with one item of each list as its only hit, that at ``rank``; the number of relevant items stays.

    rank : from 0. item : relevant to each user who has another relevant item, unless it is listed.
    """
    items = case.judged_items.copy()
    for user in range(case.users):
        own = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        unlisted = np.setdiff1d(np.arange(case.n_items), case.recommended[user])
        unlisted = unlisted[np.argsort(unlisted != item, kind="stable")]
        count = min(own.stop - own.start, len(unlisted) + 1)
        if not count:
            continue
        items[own.start : own.start + count] = [case.recommended[user, rank], *unlisted[: count - 1]]
    return replace(case, judged_items=items)


def at_edge(rng: np.random.Generator, case: Case, edge: str, users: np.ndarray) -> Case:
    """The case with some users at an edge: no relevant item, or an empty list; for repeats and ties, all users."""
    if edge == "no_relevant":
        return with_judgements(case, ~np.isin(case.judged_users, users))
    if edge == "no_list":
        assert case.scores is not None
        recommended, scores = case.recommended.copy(), case.scores.copy()
        recommended[users], scores[users] = NOTHING, np.nan
        return replace(case, recommended=recommended, scores=scores)
    if edge == "unjudged":
        return with_judged_misses(case)
    if edge == "predicted":
        return with_predicted_ratings(with_judged_misses(case, 1))
    return with_repeats(rng, case) if edge == "duplicates" else with_ties(case)


def with_judgements(case: Case, kept: np.ndarray) -> Case:
    """The case with some of its judgements alone; ``kept`` is a bool array with an entry for each judgement."""
    counts = np.bincount(case.judged_users[kept], minlength=case.users)
    return replace(
        case,
        judged_indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        judged_items=case.judged_items[kept],
        judged_gains=case.judged_gains[kept],
    )


def with_predicted_ratings(case: Case) -> Case:
    """The case of judged items with predicted ratings that fall along each list: of the first 1 to 15 items at least
    the threshold, of the others less, of items that are not listed least of all."""
    predicted = np.empty(len(case.judged_items))
    for user, length in enumerate(case.list_lengths):
        own = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        ranks = {item: rank for rank, item in enumerate(case.list_of(user).tolist())}
        places = np.array([ranks.get(item, length + at) for at, item in enumerate(case.judged_items[own].tolist())])
        predicted[own] = case.threshold + (user % 15 - places) / 16
    return replace(case, predicted_ratings=predicted)


def with_judged_misses(case: Case, step: int = 2) -> Case:
    """The case in which each user also judged every ``step``-th listed item that is not relevant, with the gain 0."""
    judged = [case.relevant_of(user) for user in range(case.users)]
    misses = [np.setdiff1d(case.list_of(user), own)[::step] for user, own in enumerate(judged)]
    gains = [case.judged_gains[case.judged_indptr[u] : case.judged_indptr[u + 1]] for u in range(case.users)]
    return replace(
        case,
        judged_indptr=np.concatenate([[0], np.cumsum([len(a) + len(b) for a, b in zip(judged, misses, strict=True)])]),
        judged_items=np.concatenate([items for pair in zip(judged, misses, strict=True) for items in pair]),
        judged_gains=np.concatenate(
            [one for own, missed in zip(gains, misses, strict=True) for one in (own, np.zeros(len(missed)))]
        ),
    )


def with_repeats(rng: np.random.Generator, case: Case) -> Case:
    """The case with about a fifth of the ranks holding the item of an earlier rank; scores stay distinct."""
    recommended = case.recommended.copy()
    for user, length in enumerate(case.list_lengths):
        for rank in range(1, length):
            if rng.random() < 0.2:
                recommended[user, rank] = recommended[user, int(rng.integers(0, rank))]
    return replace(case, recommended=recommended, candidate_scores=None)


def with_ties(case: Case) -> Case:
    """The case with scores rounded down, so that groups of about eight listed items have equal scores."""
    assert case.scores is not None
    assert case.candidate_scores is not None
    return replace(
        case, scores=np.floor(case.scores * 512) / 512, candidate_scores=np.floor(case.candidate_scores * 512) / 512
    )
