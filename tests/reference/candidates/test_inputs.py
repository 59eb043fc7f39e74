"""Schemes, places and measures: what is read, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from metric_reference.candidates.measures import measure, rank_weights
from metric_reference.candidates.moments import Moments, moments
from metric_reference.candidates.over_users import of_mean, of_users
from metric_reference.candidates.places import Places, of_ranks, of_ranks_of_users, of_scores
from metric_reference.candidates.scheme import Scheme
from metric_reference.candidates.together import moments_together


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Scheme(0), "no whole number from 1 on"),
        (lambda: Scheme(9, weights="zipf"), "weights: 'zipf' is none of uniform, popularity"),
        (lambda: Scheme(9, ties="half"), "ties: 'half' is none of"),
        (lambda: Scheme(9, per="list"), "per: 'list' is none of"),
        (lambda: Scheme(9, weights="popularity"), "popularity needs replacement=True"),
        (lambda: Scheme(9, per="user", ties="random"), "no closed form for per='user'"),
        (lambda: Places(np.zeros(2), np.ones(3)), "different lengths"),
        (lambda: Places(np.nan, 3), "above has a number that is not finite"),
        (lambda: Places(-1, 3), "above has a negative number"),
        (lambda: Places(0, 0), "a pool is empty"),
        (lambda: Places(3, 4, 2), "more items are above and tied"),
        (lambda: Places(["a"], 4), "above must be numbers"),
        (lambda: of_ranks(np.array([0]), 5), "from 1 to the number of candidates"),
        (lambda: of_ranks(np.array([6]), 5), "from 1 to the number of candidates"),
        (lambda: of_ranks_of_users(np.array([2, 2]), np.array([1, 1]), 5), "two items of a user have the same rank"),
        (lambda: of_ranks_of_users(np.array([2, 3]), np.array([1]), 5), "give one for each rank"),
        (lambda: of_scores(np.array([np.nan, 1]), np.array([1])), "NaN has no place"),
        (lambda: of_scores(np.ones(3), np.array([1]), weights=np.ones(2)), "give one for each item"),
        (lambda: moments(Scheme(9), Places(3, 8), ["auc"]), "9 cannot be drawn without replacement from 8 items"),
        (lambda: moments(Scheme(3), Places(1.5, 8), ["auc"]), "above must be whole numbers"),
        (lambda: moments(Scheme(3, per="user"), Places(1, 8), ["auc"]), "take metric_reference"),
        (lambda: moments_together(Scheme(3), Places(1, 8), np.zeros(1), ["auc"]), "for 'item' take moments"),
        (
            lambda: moments_together(Scheme(3, per="user"), Places([1, 2], [8, 9]), np.zeros(2), ["auc"]),
            "the pools of one user's items differ",
        ),
        (lambda: measure("f1@3"), "is none of hit_rate, recall"),
        (lambda: measure("ndcg@0"), "a whole number from 1 on"),
        (lambda: measure("ndcg@"), "a whole number from 1 on"),
        (lambda: measure("auc@3"), "takes no cut-off"),
        (lambda: measure("recall"), "needs a cut-off, as in recall@10"),
        (lambda: rank_weights(measure("auc"), 3), "no weights of ranks alone"),
        (lambda: of_users(Moments(np.ones(2), np.ones(2)), np.ones(3)), "give one for each row"),
        (lambda: of_mean(Moments(np.ones(0), np.ones(0))), "a mean needs at least one row"),
    ],
)
def test_what_is_wrong_is_said(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        (Scheme(99), "uniform99"),
        (Scheme(100, "popularity", True), "popularity100"),
        (Scheme(99, replacement=True, per="user"), "uniform99(replacement, per=user)"),
        (Scheme(5, ties="expected"), "uniform5(ties=expected)"),
    ],
)
def test_a_scheme_is_one_word(scheme, text):
    assert str(scheme) == text


def test_other_relevant_items_leave_the_pool():
    """Ranks 2, 5, 9 of one user among 20: above the last stand 6 others that may be drawn, of 17."""
    places = of_ranks_of_users(np.array([9, 4, 2, 5]), np.array([7, 3, 7, 7]), np.array([20, 11, 20, 20]))
    assert places.above.tolist() == [6, 3, 1, 3]
    assert places.pool.tolist() == [17, 10, 17, 17]


def test_unsigned_ranks_are_ranks():
    """Above the first of two stand 0 others that may be drawn."""
    places = of_ranks_of_users(np.array([1, 4], np.uint64), np.array([7, 7]), np.uint32(9))
    assert (places.above.tolist(), places.pool.tolist()) == ([0, 2], [7, 7])
    assert moments(Scheme(3), Places(np.uint8([2]), np.uint8([9])), ["auc"])["auc"].mean == pytest.approx(7 / 9)


def test_places_of_scores():
    scores, relevant = np.array([5.0, 4, 4, 3, 2, 1]), np.array([1, 4])
    alone = of_scores(scores, relevant)
    assert (alone.above.tolist(), alone.tied.tolist(), alone.pool.tolist()) == ([1, 3], [1, 0], [4, 4])
    without_training = of_scores(scores, relevant, excluded=np.array([0]))
    assert (without_training.above.tolist(), without_training.pool.tolist()) == ([0, 2], [3, 3])
    beside = of_scores(scores, relevant, other_relevant=True)
    assert (beside.above.tolist(), beside.tied.tolist(), beside.pool.tolist()) == ([1, 4], [1, 0], [5, 5])
    weighed = of_scores(scores, relevant, weights=np.array([7.0, 1, 2, 3, 4, 5]))
    assert (weighed.above.tolist(), weighed.tied.tolist(), weighed.pool.tolist()) == ([7, 12], [2, 0], [17, 17])


def test_no_rows_are_no_error():
    assert len(moments(Scheme(3, ties="expected"), Places(np.zeros(0, int), 9), ["ndcg@3", "auc"])["auc"].mean) == 0


def test_means_over_items_and_users():
    """Independent draws: the variance of a mean is the sum over the square of the number."""
    rows = Moments(np.array([0.2, 0.4, 1.0]), np.array([0.1, 0.3, 0.2]))
    by_user = of_users(rows, np.array([5, 5, 2]))
    np.testing.assert_allclose(by_user.mean, [1.0, 0.3])
    np.testing.assert_allclose(by_user.variance, [0.2, 0.1])
    assert of_mean(by_user) == pytest.approx((0.65, 0.075))
