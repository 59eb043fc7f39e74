"""EASE against the textbook inverse, and top-k against a loop, ties included."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from metric_harness.data.datasets import read_ratings
from metric_harness.data.split import PAPER, split
from metric_harness.models import ease
from metric_harness.models.ease import SCORE_DECIMALS, fit_ease, rank, scoring, top_k
from metric_harness.system.errors import HarnessError


def plain_weights(matrix, regularisation=0.5):
    """B = I - P / diag(P), P = (X^T X + lambda I)^-1, as it stands in Steck (2019)."""
    dense = matrix.toarray()
    inverse = np.linalg.inv(dense.T @ dense + regularisation * np.eye(dense.shape[1]))
    return np.eye(dense.shape[1]) - inverse / np.diag(inverse)


def plain_list(scores, seen, k):
    """The k best items that are not seen: by score descending, then by number."""
    candidates = [item for item in range(len(scores)) if item not in seen]
    return sorted(candidates, key=lambda item: (-scores[item], item))[:k]


def random_matrix(users, items, density, seed):
    dense = np.random.RandomState(seed).rand(users, items) < density
    return sp.csr_array(dense.astype(float))


@pytest.mark.parametrize("columns", [3, 7, 1024], ids=lambda n: f"{n} columns at once")
def test_weights_equal_the_textbook_inverse(monkeypatch, columns):
    monkeypatch.setattr(ease, "COLUMNS_AT_ONCE", columns)
    for seed, regularisation in ((1, 0.5), (2, 10.0), (3, 250.0)):
        matrix = random_matrix(50, 17, 0.3, seed)
        weights = fit_ease(matrix, regularisation)
        np.testing.assert_allclose(weights, plain_weights(matrix, regularisation), rtol=0, atol=1e-12)
        assert not np.diag(weights).any()
        assert weights.flags.c_contiguous


def test_two_items_by_hand():
    # X^T X = [[2, 1], [1, 2]]; with lambda 1 the inverse is [[3, -1], [-1, 3]] / 8, so both weights are 1/3
    matrix = sp.csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    np.testing.assert_allclose(fit_ease(matrix, 1.0), [[0, 1 / 3], [1 / 3, 0]], atol=1e-15)


def test_single_precision_and_the_training_matrix_is_left_alone():
    matrix = random_matrix(50, 17, 0.3, 4)
    before = matrix.copy()
    weights = fit_ease(matrix, 0.5, dtype=np.float32)
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights, plain_weights(matrix), atol=1e-4)
    assert (matrix != before).nnz == 0


def test_errors_say_what_to_change():
    with pytest.raises(HarnessError, match="must be above 0"):
        fit_ease(random_matrix(5, 3, 0.5, 1), 0.0)
    with pytest.raises(HarnessError, match=r"GiB, more than there is memory; use"):
        fit_ease(sp.csr_array((1, 20_000_000)))


SHAPES = st.tuples(st.integers(0, 5), st.integers(0, 12))


@given(arrays.arrays(np.float64, SHAPES, elements=st.sampled_from([-np.inf, 0.0, 1.0, 2.0])), st.integers(0, 15))
def test_top_k_equals_a_loop_whatever_the_ties(candidates, k):
    items, scores = top_k(candidates, k)
    assert items.shape == scores.shape == (len(candidates), k)
    for row, found, score in zip(candidates, items, scores, strict=True):
        expected = plain_list(row, set(np.flatnonzero(row == -np.inf)), k)
        assert found.tolist() == expected + [-1] * (k - len(expected))
        np.testing.assert_array_equal(score, [*row[expected], *[np.nan] * (k - len(expected))])


@pytest.mark.parametrize("block", [None, 1, 7])
def test_recommend_equals_a_loop(block):
    matrix = random_matrix(60, 25, 0.2, 5)
    users = np.array([3, 59, 0, 17, 17])
    items, scores, everything = rank(matrix, scoring(fit_ease(matrix)), users, 8, full_scores=True, block=block)
    dense = matrix.toarray()
    expected = np.round(dense[users] @ plain_weights(matrix), SCORE_DECIMALS)
    for row, user in enumerate(users):
        seen = set(np.flatnonzero(dense[user]))
        best = plain_list(expected[row], seen, 8)
        assert items[row].tolist() == best
        np.testing.assert_array_equal(scores[row], everything[row, best])
        assert set(np.flatnonzero(everything[row] == -np.inf)) == seen
        unseen = sorted(set(range(25)) - seen)
        np.testing.assert_allclose(everything[row, unseen], expected[row, unseen], rtol=0, atol=1e-9)
    assert rank(matrix, scoring(fit_ease(matrix)), users, 8)[2] is None


def test_items_with_the_same_users_tie_and_go_by_number():
    dense = random_matrix(40, 30, 0.2, 6).toarray()
    dense[:, 20:] = dense[:, :10]  # each of the last ten items has a twin: their scores are equal in exact arithmetic
    matrix = sp.csr_array(dense)
    items, scores, everything = rank(matrix, scoring(fit_ease(matrix)), np.arange(40), 30, full_scores=True)
    np.testing.assert_array_equal(everything[:, 20:], everything[:, :10])
    for row, found in zip(items, scores, strict=True):
        places = {item: place for place, item in enumerate(row.tolist()) if item >= 0}
        for item in range(10):
            if item in places:
                assert places[item] < places[item + 20]
        assert np.all(np.diff(found[~np.isnan(found)]) <= 0)


def test_short_lists_are_padded():
    matrix = sp.csr_array(np.array([[1.0, 1, 0], [1, 1, 1], [0, 0, 0], [1, 0, 1]]))
    items, scores, _ = rank(matrix, scoring(fit_ease(matrix)), np.arange(4), 5)
    assert items[0].tolist() == [2, -1, -1, -1, -1]
    assert items[1].tolist() == [-1] * 5
    assert items[2].tolist() == [0, 1, 2, -1, -1]  # no history: every score is 0
    assert np.isnan(scores[1]).all()
    assert scores[2, :3].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.large
def test_movielens_1m_under_the_papers_protocol(movielens):
    parts = split(read_ratings(movielens("ml-1m", "ratings.dat").parent).frame, PAPER)
    user, users = pd.factorize(parts.train["user_id"], sort=True)
    item, _ = pd.factorize(parts.train["item_id"], sort=True)
    matrix = sp.csr_array((np.ones(len(user)), (user, item)))
    rows = users.get_indexer(pd.Index(np.unique(parts.test["user_id"])))

    weights, expected = fit_ease(matrix), plain_weights(matrix)
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-9)
    items, _, everything = rank(matrix, scoring(weights), rows, 100, full_scores=True)
    seen = matrix[rows].toarray() > 0
    scores = seen.astype(float) @ expected
    np.testing.assert_allclose(everything[~seen], scores[~seen], rtol=0, atol=1e-9)
    for row in range(len(rows)):
        assert items[row].tolist() == plain_list(
            np.round(scores[row], SCORE_DECIMALS), set(np.flatnonzero(seen[row])), 100
        )
