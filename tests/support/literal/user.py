"""A case as plain lists, one entry a user: where the literal twin of the reference begins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from metric_reference.case import Case


class User(NamedTuple):
    """What a case says of one user."""

    listed: list[int]
    gains: list[float]
    """Gain at each rank, 0 where the item is not relevant."""
    scores: list[float]
    relevant: dict[int, float]
    candidates: dict[int, float]
    ratings: list[tuple[float, float]]
    """Predicted and true rating of each judgement that has a prediction."""
    threshold: float
    train: list[int]
    counts: list[int]
    """Training interactions of each item, over all users."""
    train_users: int
    vectors: list[list[float]]
    judged: tuple[int, ...] = ()
    predicted: Mapping[int, float] | None = None
    """The predicted rating of each judged item, NaN where it has none; None for a case without any."""


class Share(NamedTuple):
    """A user's numerator and denominator, and what 0 / 0 is worth."""

    top: float
    bottom: float
    empty: float = math.nan

    @property
    def value(self) -> float:
        return self.top / self.bottom if self.bottom else self.empty


def users_of(case: Case, edges: Mapping[str, str]) -> list[User]:
    """The users of a case, after the rules for ties and duplicates."""
    found = []
    for number in range(len(case.recommended)):
        judged: dict[int, float] = {}
        ratings = []
        predictions: dict[int, float] | None = None if case.predicted_ratings is None else {}
        for place in range(int(case.judged_indptr[number]), int(case.judged_indptr[number + 1])):
            gain = float(case.judged_gains[place])
            judged[int(case.judged_items[place])] = gain
            predicted = math.nan if case.predicted_ratings is None else float(case.predicted_ratings[place])
            if predictions is not None:
                predictions[int(case.judged_items[place])] = predicted
            if not math.isnan(predicted):
                ratings.append((predicted, gain))
        relevant = {item: gain for item, gain in judged.items() if gain > 0 and gain >= case.threshold}
        listed = [int(item) for item in case.recommended[number] if item != -1]
        scores = [math.nan] * len(listed)
        if case.scores is not None:
            scores = [float(score) for score in case.scores[number][: len(listed)]]
            order = tie_order(edges["ties"], listed, scores, relevant)
            listed, scores = [listed[rank] for rank in order], [scores[rank] for rank in order]
        gains = [relevant.get(item, 0.0) for item in listed]
        if edges["duplicates"] == "once":
            gains = [0.0 if item in listed[:rank] else gains[rank] for rank, item in enumerate(listed)]
        candidates = {}
        if case.candidate_scores is not None:
            row = enumerate(case.candidate_scores[number])
            candidates = {item: float(score) for item, score in row if score > -math.inf}
        train = []
        if case.train_indptr is not None and case.train_items is not None:
            part = case.train_items[int(case.train_indptr[number]) : int(case.train_indptr[number + 1])]
            train = [int(item) for item in part]
        counts = [0] * case.n_items if case.item_counts is None else case.item_counts.tolist()
        vectors = [] if case.item_vectors is None else case.item_vectors.tolist()
        found.append(
            User(
                listed, gains, scores, relevant, candidates, ratings, float(case.threshold),
                train, counts, case.n_train_users or 0, vectors, tuple(judged), predictions,
            )
        )  # fmt: skip
    return found


def part_of(user: User, only: str, k: int) -> User:
    """What a definition that reads a part of a case knows of a user."""
    predicted = [item for item in user.judged if user.predicted and user.predicted[item] >= user.threshold]
    kept = {
        "judged": user.judged,
        "first_k_relevant": user.listed,
        "listed": user.listed,
        "with_hit": user.listed,
        "with_hit_or_nan": user.listed,
        "predicted": user.listed if user.predicted is None else predicted,
    }[only]
    ranks = [rank for rank, item in enumerate(user.listed) if item in kept]
    counts = list(user.relevant)[:k] if only == "first_k_relevant" else list(user.relevant)
    if only == "listed":
        counts = [item for item in counts if item in user.listed]
    if only.startswith("with_hit") and not any(item in user.listed[:k] for item in counts):
        counts = []
    return user._replace(
        listed=[user.listed[rank] for rank in ranks],
        gains=[user.gains[rank] if user.listed[rank] in counts else 0.0 for rank in ranks],
        scores=[user.scores[rank] for rank in ranks],
        relevant={item: user.relevant[item] for item in counts},
    )


def tie_order(rule: str, listed: list[int], scores: list[float], relevant: Mapping[int, float]) -> list[int]:
    """The ranks (from 0) in the order in which they stand once ties are broken; scores fall along the list."""
    key: dict[str, Callable[[int], float]] = {
        "input_order": lambda rank: rank,
        "id_ascending": lambda rank: listed[rank],
        "id_descending": lambda rank: -listed[rank],
        "optimistic": lambda rank: -relevant.get(listed[rank], 0.0),
        "pessimistic": lambda rank: relevant.get(listed[rank], 0.0),
    }
    return sorted(range(len(listed)), key=lambda rank: (-scores[rank], key[rule](rank), rank))
