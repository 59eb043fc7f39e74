"""Random cases for hypothesis, and a fixed pool of them for questions of the kind "is there a case where ...?"."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from metric_reference.case import Case, case_from_lists

HELD = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow],
)
THOROUGH = settings(HELD, max_examples=80)
GAINS = (-1.0, 0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 5.0)
THRESHOLDS = (0.5, 1.0, 2.0, 4.0)
SCORES = (-0.25, 0.0, 0.25, 0.5, 1.0)
CANDIDATES = (-math.inf, -0.5, 0.0, 0.25, 0.5, 1.0)
PREDICTED = (math.nan, 0.5, 1.0, 2.5, 3.25, 4.0, 4.75, 5.0)

ks = st.integers(1, 12)
"""Cut-offs, some beyond the width and the catalogue of every case below."""


@st.composite
def cases(draw: st.DrawFn, repeats: bool = True) -> Case:
    """A case of up to 4 users and 9 items.

    Lists may be empty, short or padded, and hold an item twice where ``repeats``; users may have nothing relevant;
    gains lie on both sides of the threshold; scores of lists and of candidates are tied.
    """
    n_items, users = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    item = st.integers(0, n_items - 1)
    lists = [draw(st.lists(item, max_size=8, unique=not repeats)) for _ in range(users)]
    judged = [draw(st.lists(item, max_size=7, unique=True)) for _ in range(users)]
    gains = [[draw(st.sampled_from(GAINS)) for _ in row] for row in judged]
    scores = [sorted((draw(st.sampled_from(SCORES)) for _ in row), reverse=True) for row in lists]
    candidates = draw(
        st.lists(
            st.lists(st.sampled_from(CANDIDATES), min_size=n_items, max_size=n_items), min_size=users, max_size=users
        )
    )
    case = case_from_lists(
        lists, judged, n_items,
        gains=gains, scores=scores, candidate_scores=np.array(candidates),
        train=[draw(st.lists(item, max_size=3, unique=True)) for _ in range(users)],
        threshold=draw(st.sampled_from(THRESHOLDS)), width=draw(st.integers(0, 10)),
    )  # fmt: skip
    predicted = [draw(st.sampled_from(PREDICTED)) for row in judged for _ in row]
    counts = np.array([draw(st.integers(0, 3)) for _ in range(n_items)])
    counts[draw(item)] += 1
    numbers = st.lists(st.integers(-1, 2), min_size=2, max_size=2)
    return replace(
        case,
        predicted_ratings=np.array(predicted, dtype=np.float64),
        item_counts=counts,
        n_train_users=int(counts.max()) + draw(st.integers(0, 2)),
        item_vectors=np.array([draw(numbers) for _ in range(n_items)], dtype=np.float64),
    ).check()


def random_case(rng: np.random.Generator, users: int, n_items: int = 9, threshold: float = 2.0) -> Case:
    """A case without repeated items; every list is as long as the catalogue or shorter, and may be empty."""
    lists = [rng.permutation(n_items)[: rng.integers(0, n_items + 1)].tolist() for _ in range(users)]
    judged = [rng.permutation(n_items)[: rng.integers(0, n_items)].tolist() for _ in range(users)]
    case = case_from_lists(
        lists, judged, n_items,
        gains=[rng.choice([1.0, 2.0, 3.0, 4.5, 5.0], len(row)).tolist() for row in judged],
        scores=[sorted(rng.choice(SCORES, len(row)).tolist(), reverse=True) for row in lists],
        candidate_scores=rng.choice([-math.inf, 0.0, 0.25, 0.5, 0.75, 1.0], (users, n_items)),
        train=[rng.permutation(n_items)[: rng.integers(0, 4)].tolist() for _ in range(users)],
        threshold=threshold,
    )  # fmt: skip
    return replace(
        case,
        predicted_ratings=rng.choice(PREDICTED, len(case.judged_items)),
        item_counts=rng.integers(0, 5, n_items),
        n_train_users=6,
        item_vectors=np.round(rng.normal(size=(n_items, 3))),
    )


@cache
def pool(size: int = 150) -> tuple[Case, ...]:
    """The same random cases every time, 1 to 4 users each; every tenth is binary."""
    rng = np.random.default_rng(20210927)
    graded = [random_case(rng, 1 + number % 4) for number in range(size)]
    return tuple(binary(case) if number % 10 == 8 else case for number, case in enumerate(graded))


def binary(case: Case) -> Case:
    """The case with a gain of 1 for every judgement."""
    return replace(case, judged_gains=np.ones(len(case.judged_gains)), threshold=1.0)


def of_users(case: Case, users: list[int]) -> Case:
    """The case of some of its users, in the order given."""
    assert case.scores is not None
    assert case.candidate_scores is not None
    assert case.predicted_ratings is not None
    assert case.train_indptr is not None
    assert case.train_items is not None

    def rows(indptr: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        parts = [values[indptr[user] : indptr[user + 1]] for user in users]
        return np.cumsum([0, *map(len, parts)]), np.concatenate([values[:0], *parts])

    judged_indptr, judged_items = rows(case.judged_indptr, case.judged_items)
    train_indptr, train_items = rows(case.train_indptr, case.train_items)
    return replace(
        case,
        recommended=case.recommended[users].reshape(-1, case.width),
        judged_indptr=judged_indptr,
        judged_items=judged_items,
        judged_gains=rows(case.judged_indptr, case.judged_gains)[1],
        predicted_ratings=rows(case.judged_indptr, case.predicted_ratings)[1],
        train_indptr=train_indptr,
        train_items=train_items,
        scores=case.scores[users].reshape(-1, case.width),
        candidate_scores=case.candidate_scores[users].reshape(-1, case.n_items),
    ).check()


def one_user(case: Case) -> Case:
    return of_users(case, [0])


def one_relevant(case: Case) -> Case:
    """Every user keeps the first relevant item alone."""
    first = [case.relevant_of(user)[:1].tolist() for user in range(case.users)]
    return case_from_lists([case.list_of(user).tolist() for user in range(case.users)], first, case.n_items)


def perfect(case: Case) -> Case:
    """Lists of the whole catalogue, largest gains first; scores that fall with the gain over all users together."""
    gains = np.zeros((case.users, case.n_items))
    gains[case.judged_users[case.relevant], case.judged_items[case.relevant]] = case.judged_gains[case.relevant]
    order = np.argsort(-gains, axis=1, kind="stable")
    return replace(case, recommended=order, scores=None, candidate_scores=gains)


def tie_orders(case: Case) -> list[list[int]]:
    """Every order of the ranks of the one user in which the scores still fall."""
    assert case.scores is not None
    length = int(case.list_lengths[0])
    scores = case.scores[0].tolist()
    groups = [list(group) for _, group in itertools.groupby(range(length), key=lambda rank: scores[rank])]
    rest = list(range(length, case.width))
    if math.prod(math.factorial(len(group)) for group in groups) > 60:
        return [rest] * 61
    return [
        [rank for group in chosen for rank in group] + rest
        for chosen in itertools.product(*(itertools.permutations(group) for group in groups))
    ]
