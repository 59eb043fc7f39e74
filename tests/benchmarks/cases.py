"""Seeded cases of the size of MovieLens-20M, and of full scores; run as a program it writes one into a folder.

``python -m tests.benchmarks.cases lists FOLDER USERS`` or ``... scores FOLDER USERS ITEMS``
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from metric_adapters.case_files import save_case
from metric_harness.bundles.user_sample import case_of
from metric_reference.case import NOTHING, Case

USERS, ITEMS, LISTED, RELEVANT = 138_493, 26_744, 20, 14.5
"""MovieLens-20M: its users and movies; lists of 20, and so many relevant items a user that there are two million."""

SCORED_USERS, SCORED_ITEMS, SAMPLE = 10_000, 20_000, 200


def list_case(users: int = USERS, items: int = ITEMS, listed: int = LISTED, relevant: float = RELEVANT) -> Case:
    """Lists and relevant items drawn by popularity; a relevant item is likelier than another to be listed.

    Numbers of relevant items are log-normal with the mean ``relevant``, at least 1; gains are 1 to 5. The scores of a
    list differ, in float32 as well: pytrec_eval sorts by these.
    """
    rng = np.random.default_rng(20210927)
    popularity = np.cumsum(rng.permutation(1.0 / (np.arange(items) + 20.0)))
    counts = relevant_counts(rng, users, items, relevant)
    liked = draw(rng, counts * 2 + 4, popularity)
    liked = liked[first_of_each(liked // items, rng.random(len(liked)), counts)]
    others = np.setdiff1d(draw(rng, np.full(users, 3 * listed), popularity), liked, assume_unique=True)
    candidates = np.concatenate([liked, others])
    liking = rng.normal(size=len(candidates)) + 0.4 * (np.arange(len(candidates)) < len(liked))
    chosen = candidates[first_of_each(candidates // items, liking, np.full(users, listed))]
    filled = np.bincount(chosen // items, minlength=users)
    ranks = np.arange(len(chosen)) - np.repeat(np.cumsum(filled) - filled, filled)
    recommended = np.full((users, listed), NOTHING)
    recommended[chosen // items, ranks] = chosen % items
    scores = np.where(recommended == NOTHING, np.nan, np.arange(listed, 0, -1) / 256)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(liked // items, minlength=users))])
    gains = rng.integers(1, 6, len(liked)).astype(np.float64)
    return Case(recommended, indptr, liked % items, gains, items, scores=scores).check()


def score_case(users: int = SCORED_USERS, items: int = SCORED_ITEMS, relevant: float = RELEVANT) -> Case:
    """Every candidate's score in float32: noise, popularity, and more for a relevant item; lists are the best 20."""
    rng = np.random.default_rng(20210927)
    popular = rng.normal(size=items)
    counts = relevant_counts(rng, users, items, relevant)
    liked = draw(rng, counts * 2 + 4, np.cumsum(np.exp(popular)))
    liked = liked[first_of_each(liked // items, rng.random(len(liked)), counts)]
    scores = rng.standard_normal((users, items), dtype=np.float32)
    scores += popular.astype(np.float32)
    scores[liked // items, liked % items] += 1
    best = np.stack([np.argpartition(-row, LISTED)[:LISTED] for row in scores])
    recommended = np.take_along_axis(best, np.argsort(-np.take_along_axis(scores, best, 1), axis=1), 1)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(liked // items, minlength=users))])
    return Case(recommended, indptr, liked % items, np.ones(len(liked)), items, candidate_scores=scores).check()


def relevant_counts(rng: np.random.Generator, users: int, items: int, mean: float) -> np.ndarray:
    counts = rng.lognormal(0.0, 1.1, users)
    return np.clip(np.round(counts * mean / counts.mean()), 1, items // 10).astype(np.int64)


def draw(rng: np.random.Generator, counts: np.ndarray, popularity: np.ndarray) -> np.ndarray:
    """So many draws for each user, without repetitions: user * items + item, ascending. ``popularity`` is cumulated."""
    drawn = np.searchsorted(popularity, rng.random(int(counts.sum())) * popularity[-1], "right")
    return np.unique(np.repeat(np.arange(len(counts)), counts) * len(popularity) + drawn)


def first_of_each(users: np.ndarray, liking: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Places of the entries with the highest liking, so many of each user, by user and from the highest down."""
    order = np.argsort(users + 1.0 / (1.0 + np.exp(liking)))
    held = np.bincount(users, minlength=len(counts))
    rank = np.arange(len(users)) - np.repeat(np.cumsum(held) - held, held)
    return order[rank < np.repeat(counts, held)]


def first_users(case: Case, users: int) -> Case:
    """The case of its first users alone."""
    scores = None if case.candidate_scores is None else case.candidate_scores[:users]
    return case_of(case, np.arange(users), scores)


if __name__ == "__main__":
    kind, folder, *sizes = sys.argv[1:]
    made = (list_case if kind == "lists" else score_case)(*map(int, sizes))
    save_case(made, Path(folder))
    if kind == "scores":
        save_case(first_users(made, min(SAMPLE, made.users)), Path(folder + "-sample"))
