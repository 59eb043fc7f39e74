"""Verification cases of the metrics beyond accuracy: random cases with training data, item vectors and ratings."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from metric_adapters.case_files import ARRAYS
from metric_harness.naming.cases.random_cases import random_case, spread
from metric_harness.naming.cases.verification_case import Size, VerificationCase
from metric_reference.case import Case

CATEGORIES = 7
STEPS = np.array([0.0, 0.2, -0.4, 1.25, -0.75, 0.45])
"""The errors of predicted ratings: some are 0, others are 0 after rounding."""


def beyond_cases(seed: int, size: Size, short_lists: bool, one_category: bool) -> tuple[VerificationCase, ...]:
    """The cases: every item has training interactions, and no list holds a training item of its user.

    short_lists : whether a list may be shorter than k. one_category : the vector of an item has a single 1; else it is
    the item's column of the training matrix.
    """
    rng = np.random.default_rng(seed)

    def add(name: str, about: str, users: int, items: int, shortest: int, longest: int, ks: tuple[int, ...]) -> None:
        lengths = spread(rng, users, shortest if short_lists else longest, longest)
        judged = random_case(rng, lengths, spread(rng, users, 2, 20), items, graded=True)
        case = _with_training(rng, judged, one_category)
        digest = hashlib.sha256(repr((ks, case.n_train_users)).encode())
        for array in ARRAYS:
            digest.update(np.ascontiguousarray(getattr(case, array)).tobytes())
        key = f"{name}-beyond-{digest.hexdigest()[:8]}"
        cases.append(VerificationCase(name=name, key=key, about=about, case=case, ks=ks))

    cases: list[VerificationCase] = []
    users, items = 4 * size.full, size.items // 2
    add("full", f"{users} users, lists of 60, {items} items", users, items, 60, 60, (5, 10, 50))
    add("ragged", f"{users} users, lists of 2 to 40", users, items, 2, 40, (10, 20))
    add("many", f"{size.many} users, 120 items", size.many, 120, 10, 30, (1, 10))
    add("few", "5 users, 250 items", 5, 250, 30, 30, (20,))
    cases.append(replace(cases[0], name="asked_again", about="the first users again, after the others", ks=(10,)))
    return tuple(cases)


def _with_training(rng: np.random.Generator, case: Case, one_category: bool) -> Case:
    """The case with training data: popular and rare items, each with an interaction; scores between 0 and 1.

    With categories, half of the training users are not in the case; without them all are, because an item's vector is
    its column of the training matrix, whose rows the case holds.
    """
    assert case.candidate_scores is not None
    assert case.scores is not None
    users, items = case.users, case.n_items
    n_train_users = 2 * users if one_category else users
    popularity = 0.4 / (1.0 + np.arange(items)[rng.permutation(items)] / 8.0)
    seen = rng.random((n_train_users, items)) < popularity
    seen[rng.integers(0, n_train_users, items), np.arange(items)] = True
    listed = np.zeros((n_train_users, items + 1), dtype=bool)  # the last column takes NOTHING
    listed[np.arange(users)[:, None], case.recommended] = True
    seen &= ~listed[:, :items]
    for item in np.flatnonzero(~seen.any(axis=0)):
        seen[np.flatnonzero(~listed[:, item])[:1], item] = True
    seen[~seen.any(axis=1), np.flatnonzero(~listed[:, :items].any(axis=0))[:1]] = True
    largest = float(case.candidate_scores.max()) * 1.01
    scores = (case.candidate_scores / largest).astype(np.float64)
    return replace(
        case,
        scores=case.scores / largest,
        candidate_scores=np.where(seen[:users] & ~_judged(case), -np.inf, scores),
        train_indptr=np.concatenate([[0], np.cumsum(seen[:users].sum(axis=1))]).astype(np.int64),
        train_items=np.nonzero(seen[:users])[1].astype(np.int64),
        item_counts=seen.sum(axis=0).astype(np.int64),
        n_train_users=n_train_users,
        item_vectors=np.eye(CATEGORIES)[rng.integers(0, CATEGORIES, items)] if one_category else seen.T.astype(float),
        predicted_ratings=np.maximum(0.5, case.judged_gains + rng.choice(STEPS, len(case.judged_gains))),
        threshold=3.0,
    ).check()


def _judged(case: Case) -> np.ndarray:
    """bool, shape (users, n_items): the items that each user judged."""
    judged = np.zeros((case.users, case.n_items), dtype=bool)
    judged[case.judged_users, case.judged_items] = True
    return judged
