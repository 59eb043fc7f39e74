"""What a function may need of a case: the words of ``needs`` in library.toml, each with a check."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metric_reference.case import Case


def one_relevant(case: Case) -> bool:
    """Whether every user has exactly one relevant item."""
    return bool(np.all(np.bincount(case.judged_users[case.relevant], minlength=case.users) == 1))


def distinct_scores(case: Case) -> bool:
    """Whether no user has two items of equal score, listed or not."""
    for scores in (case.scores, case.candidate_scores):
        if scores is not None:
            ordered = np.sort(scores, axis=1)
            if np.any(np.isfinite(ordered[:, 1:]) & (ordered[:, 1:] == ordered[:, :-1])):
                return False
    return True


def binary_labels(case: Case) -> bool:
    """Whether every relevant item has the gain 1."""
    return bool((case.judged_gains[case.relevant] == 1).all())


def small_grades(case: Case) -> bool:
    """Whether every gain is a whole number of at most 4, a grade of TREC's tasks."""
    gains = case.judged_gains
    return bool(((gains <= 4) & (gains == np.floor(gains))).all())


def train_vectors(case: Case) -> bool:
    """Whether the vector of each item is its column of the training matrix, so that their cosine is co-occurrence."""
    if case.item_vectors is None or case.train_indptr is None or case.train_items is None:
        return False
    columns = np.zeros((case.n_items, case.users))
    columns[case.train_items, np.repeat(np.arange(case.users), np.diff(case.train_indptr))] = 1.0
    return np.array_equal(case.item_vectors, columns)


def categories(case: Case) -> bool:
    """Whether the vector of each item names one category: a single 1 among zeros."""
    vectors = case.item_vectors
    return vectors is not None and bool(np.isin(vectors, (0, 1)).all() and (vectors.sum(axis=1) == 1).all())


def probabilities(case: Case) -> bool:
    """Whether the scores of the candidates can be probabilities."""
    if case.candidate_scores is None:
        return False
    scores = case.candidate_scores[case.candidate_scores > -np.inf]
    return bool(((scores > 0) & (scores < 1)).all())


def train(case: Case) -> bool:
    """Whether the case has the training interactions of its users and of each item."""
    return not any(array is None for array in (case.train_indptr, case.item_counts, case.n_train_users))


CAN_HAVE: dict[str, Callable[[Case], bool]] = {
    "one_relevant": one_relevant,
    "distinct_scores": distinct_scores,
    "binary_labels": binary_labels,
    "small_grades": small_grades,
    "train": train,
    "features": lambda case: case.item_vectors is not None,
    "categories": categories,
    "train_vectors": train_vectors,
    "ratings": lambda case: case.predicted_ratings is not None,
    "probabilities": probabilities,
}
"""For each word that ``needs`` in library.toml may hold: whether a case meets it."""
