"""Random cases for hypothesis, and a fixed pool of them for questions of the kind "is there a case where ...?"."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from reference.case import Case, case_from_lists

HELD = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
GAINS = (-1.0, 0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 5.0)
THRESHOLDS = (0.5, 1.0, 2.0, 4.0)
SCORES = (0.0, 0.25, 0.5, 1.0)
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
        threshold=draw(st.sampled_from(THRESHOLDS)), width=draw(st.integers(0, 10)),
    )  # fmt: skip
    predicted = [draw(st.sampled_from(PREDICTED)) for row in judged for _ in row]
    return replace(case, predicted_ratings=np.array(predicted, dtype=np.float64)).check()


def random_case(rng: np.random.Generator, users: int, n_items: int = 9, threshold: float = 2.0) -> Case:
    """A case without repeated items; every list is as long as the catalogue or shorter, and may be empty."""
    lists = [rng.permutation(n_items)[: rng.integers(0, n_items + 1)].tolist() for _ in range(users)]
    judged = [rng.permutation(n_items)[: rng.integers(0, n_items)].tolist() for _ in range(users)]
    case = case_from_lists(
        lists, judged, n_items,
        gains=[rng.choice([1.0, 2.0, 3.0, 4.5, 5.0], len(row)).tolist() for row in judged],
        scores=[sorted(rng.choice(SCORES, len(row)).tolist(), reverse=True) for row in lists],
        candidate_scores=rng.choice([-math.inf, 0.0, 0.25, 0.5, 0.75, 1.0], (users, n_items)),
        threshold=threshold,
    )  # fmt: skip
    return replace(case, predicted_ratings=rng.choice(PREDICTED, len(case.judged_items)))


@cache
def pool(size: int = 150) -> tuple[Case, ...]:
    """The same random cases every time, 1 to 4 users each."""
    rng = np.random.default_rng(20210927)
    return tuple(random_case(rng, 1 + number % 4) for number in range(size))
