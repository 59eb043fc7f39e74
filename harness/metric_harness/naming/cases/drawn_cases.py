"""Drawn cases: sizes, cut-offs, ids, gains and scores from wide distributions, by a seed of the function's own.

Verification cases are the same in every run, so a function may be right on them and wrong between them. These are not.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from metric_harness.naming.cases.random_cases import first_hits, random_case
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.cases.verification_cases import FEW_USERS, Limits, labelled_cases
from metric_reference.case import Case
from metric_reference.narrowed import of_users

CASES, USERS, FEW, CUTOFFS = 3, 24, 6, 4
"""Cases of drawn sizes, users of each (fewer where they are all in one row), and cut-offs at which each is asked."""
LONGEST, MOST_RELEVANT, ITEMS = 1400, 700, 2000
"""Items of a list, relevant items of a user, items of the catalogue."""
CALLS, SLOW_CALLS = 2000, 200
"""Users of one case with short lists: calls of a function of one user. Fewer where each makes a frame or a tensor."""
MOST_CALLS = 40_000
"""Calls that are made if the code holds a number to count to."""
PADDING = 2
"""-1 and 0 often fill a list that is too short: negative ids begin below them."""
SHARING, LARGEST_GAIN = 12, 20.0
SCALES = (0.5, 64.0, 1024.0)
"""What scores are multiplied by: large ones are equal after a sigmoid of narrow floats."""
FOLDS = (1 << 8, 1 << 16, 1 << 31, (1 << 31) - 1, 1 << 32, 10**9 + 7)
"""Ids that differ by one of these numbers become one in a narrow type, or in a table of that size."""


def drawn_cases(seed: int, limits: Limits, slow: bool) -> Iterator[VerificationCase]:
    """The cases of a seed. slow : a call takes long, because it makes a frame or a tensor."""
    if limits.labels:
        yield from labelled_cases(seed, limits, "drawn_")
        return
    rng = np.random.default_rng(seed)
    scales = itertools.cycle(rng.permutation(SCALES).tolist())  # large and small scores in every function's cases
    suffix = hashlib.sha256(repr((seed, limits, limits.candidates)).encode()).hexdigest()[:8]
    vectors = limits.all_items or limits.size.vectors
    few = limits.size is FEW_USERS
    items = limits.candidates or (500 if vectors else ITEMS)
    # A vector has a score for each item: past the end of a list come irrelevant items, as long as there are any.
    most_relevant, largest_k = (items // 3, items // 2) if vectors else (MOST_RELEVANT, LONGEST)

    def sizes(users: int, most: int) -> np.ndarray:
        """int64, shape (users,): drawn evenly in their logarithm, from 1."""
        return np.exp(rng.uniform(0, np.log(most + 1), users)).astype(np.int64)

    def drawn(users: int, items: int, longest: int, most_relevant: int, graded: bool = False) -> Case:
        lengths = sizes(users, min(longest, items)) if limits.short_lists else np.full(users, min(longest, items))
        relevant = np.ones(users, dtype=np.int64) if limits.one_relevant else sizes(users, min(most_relevant, items))
        lengths = np.full(users, items) if limits.all_items else lengths
        case = random_case(rng, lengths, relevant, items, graded)
        if graded:
            gains = rng.uniform(0.01, LARGEST_GAIN, len(case.judged_gains))
            case = replace(case, judged_gains=gains, threshold=float(gains.min()))
        return rescaled(case, scale=next(scales), shift=float(rng.integers(-64, 8)))

    def asked(name: str, about: str, case: Case, count: int, ids: np.ndarray | None = None) -> VerificationCase:
        most = int(case.list_lengths.max() if limits.short_lists else case.list_lengths.min()) + 5 * limits.short_lists
        ks = sorted({*sizes(count, min(most, largest_k)).tolist()})
        if limits.most_k is not None:
            ks = sorted({*(k for k in ks if k < limits.most_k), limits.most_k})
        if limits.all_items:
            ks = [limits.most_k or case.n_items]
        about = f"{about} (seed {seed})"
        return VerificationCase(name=name, key=f"{name}-{suffix}", about=about, case=case, ks=tuple(ks), ids=ids)

    if not limits.all_items:  # else the lists of all users hold the same items already
        shared = sharing(drawn(SHARING, min(items, 60), 40, 20))
        yield asked("sharing", "users with the same list", shared, 2)
    for number in range(CASES):
        graded = number == 1
        about = "drawn sizes, gains that are no halves" if graded else "drawn sizes, ids that differ by a power of 2"
        case = drawn(FEW if few else USERS, items, LONGEST, most_relevant, graded)
        yield asked(f"drawn_{number + 1}", about, case, CUTOFFS, folding_ids(rng, items))
    calls = SLOW_CALLS if slow or few else CALLS  # last: the others are asked before a function has been called often
    yield asked("calls", f"{calls:,} users with short lists", drawn(calls, limits.candidates or 40, 12, 6), 1)


def more_calls(asked: VerificationCase, constants: Iterable[float]) -> VerificationCase:
    """The case of most users, these repeated until a function of one user has counted its calls to a constant."""
    counts = [int(number) + 1 for number in constants if asked.case.users <= number < MOST_CALLS]
    if not counts:
        return asked
    users = np.arange(max(counts)) % asked.case.users
    return replace(asked, key="", case=of_users(asked.case, users), ks=asked.ks[-1:])


def negative_ids(asked: VerificationCase) -> VerificationCase:
    """The case with ids below 0 for a half of the items, the ids of the others with the sign changed."""
    items = asked.case.n_items
    ids = np.arange(items, dtype=np.int64) - items // 2
    ids[ids <= 0] -= PADDING
    ids[ids > 0] += PADDING - 1  # so that the absolute values of both halves are the same
    return replace(asked, name="negative", key="", about="item ids below 0", ids=ids, ks=asked.ks[-1:])


def with_padding(asked: VerificationCase) -> VerificationCase:
    """The case with the id -1 for the first item of the first list, which is relevant where others can be unlisted."""
    case = asked.case if (asked.case.list_lengths == asked.case.n_items).all() else first_hits(asked.case)
    ids = np.arange(case.n_items, dtype=np.int64) - case.recommended[0, 0] - 1
    return replace(asked, name="padding", key="", about="the item id -1", case=case, ids=ids, ks=asked.ks[-1:])


def sharing(case: Case) -> Case:
    """The case with one list for each four users; what is relevant to each stays."""
    same = np.arange(case.users) // 4 * 4
    scores = None if case.scores is None else case.scores[same]
    candidates = None if case.candidate_scores is None else case.candidate_scores[same]
    return replace(case, recommended=case.recommended[same], scores=scores, candidate_scores=candidates)


def folding_ids(rng: np.random.Generator, n_items: int) -> np.ndarray:
    """int64, shape (n_items,), ascending: small ids, and the same ids moved up by one of ``FOLDS``, or to 2^53."""
    base = rng.choice(1 << 20, n_items // 2 + 1, replace=False).astype(np.int64)
    moved = base + rng.choice(np.array(FOLDS), len(base))
    moved[: n_items // 8] = (1 << 53) + np.arange(n_items // 8)  # neighbours are one number in float64
    ids = np.unique(np.concatenate([base, moved]))
    more = np.arange(n_items) + (1 << 60)
    return np.sort(np.concatenate([ids, more])[:n_items])


def rescaled(case: Case, scale: float, shift: float) -> Case:
    """The case with other scores in the same order, exact in float32: ``scale`` is a power of 2."""

    def moved(scores: np.ndarray | None) -> np.ndarray | None:
        return None if scores is None else scores * scale + shift

    return replace(case, scores=moved(case.scores), candidate_scores=moved(case.candidate_scores))
