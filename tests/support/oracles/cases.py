"""The random cases that the libraries are asked for: 50 users, 60 items, everything that a case can carry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric_reference.case import Case, case_from_lists

USERS, ITEMS, K = 50, 60, 10


def asked_case(name: str) -> Case:
    """A case of the given name: ``full`` or ``short`` lists, and what its words after the comma say.

    Eight items are untrained and five never recommended, unless "all trained"; users have 1 to 19 judged items, all
    relevant; no item of a user's training is recommended, unless "seen before"; lists go on after k.
    """
    lengths, _, special = name.partition(", ")
    rng = np.random.default_rng(len(name))
    items = rng.permutation(ITEMS)
    trained = items if special == "all trained" else items[8:]
    likely = 1.0 / np.arange(1, len(trained) + 1) ** 0.7
    train = [set(rng.choice(trained, rng.integers(3, 15), False, likely / likely.sum()).tolist()) for _ in range(USERS)]
    if special == "all trained":
        for item in range(ITEMS):
            train[item % USERS].add(item)
    rows = [sorted(row) for row in train]
    lists = []
    for user, row in enumerate(rows):
        free = np.setdiff1d(items[:-5], [] if special == "seen before" else row)
        length = K + 4 if lengths == "full" else int(user != 3) * rng.integers(0, K + 5)
        lists.append(rng.permutation(free)[:length].tolist())
    judged = [rng.permutation(np.setdiff1d(items, row))[: rng.integers(1, 20)].tolist() for row in rows]
    if special == "nothing relevant outside":
        judged = [[item for item in row if rng.random() < 0.4] or row[:1] for row in lists]
    gains = [(rng.integers(2, 11, len(row)) / 2).tolist() for row in judged]
    case = case_from_lists(lists, judged, ITEMS, gains=gains, train=rows)
    matrix = np.zeros((USERS, ITEMS))
    for user, row in enumerate(rows):
        matrix[user, row] = 1.0
    features = rng.integers(0, 3, (ITEMS, 6)).astype(np.float64)
    features[~features.any(axis=1), 0] = 1.0
    return replace(
        case,
        item_counts=matrix.sum(axis=0).astype(np.int64),
        n_train_users=USERS,
        item_vectors=matrix.T.copy() if special == "co-occurrence" else features,
        predicted_ratings=np.clip(case.judged_gains + rng.normal(size=len(case.judged_gains)), 0.5, 5.0),
    ).check()
