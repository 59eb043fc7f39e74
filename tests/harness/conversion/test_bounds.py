"""Bounds for means: that no users violate, that some attain, that linear programming agrees with."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.optimize import linprog

from metric_harness.conversion.bounds import chain, of_mean
from metric_reference.case import case_from_lists
from metric_reference.variant import Variant
from tests.support.every_list import signed, states

PAIRS = (
    ("average_precision(divide_by=min_k_relevant)", "average_precision(divide_by=relevant)"),
    ("average_precision(divide_by=hits)", "average_precision(divide_by=min_k_relevant)"),
    ("average_precision(divide_by=k)", "ndcg(gain=binary)"),
    ("ndcg(gain=binary, ideal=hits)", "ndcg(gain=binary)"),
    ("ndcg(gain=binary, ideal=k)", "ndcg(gain=binary, discount=max_log2)"),
    ("precision(divide_by=k)", "recall(divide_by=relevant)"),
    ("recall(divide_by=min_k_relevant)", "precision(divide_by=k)"),
    ("reciprocal_rank(over=first)", "average_precision(divide_by=relevant)"),
    ("hit_rate(value=any)", "hit_rate(value=hits)"),
    ("f1(over=users)", "ndcg(gain=binary)"),
)


def found(pair, k, relevant):
    return states(signed(pair[0], k), signed(pair[1], k), relevant)


@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_no_users_leave_the_bounds(pair):
    """10,000 random groups of 1 to 30 users for each pair; their means are those of the definitions themselves."""
    rng = np.random.default_rng(5)
    each = found(pair, 6, range(1, 9))
    below, above = chain(each.start, each.goal), chain(each.start, -each.goal)
    for users in (1, 2, 3, 7, 30):
        chosen = rng.integers(0, len(each.start), (2000, users))
        starts, goals = each.start[chosen].mean(axis=1), each.goal[chosen].mean(axis=1)
        low = np.interp(starts, each.start[below], each.goal[below])
        high = np.interp(starts, each.start[above], each.goal[above])
        assert (goals >= low - 1e-9).all()
        assert (goals <= high + 1e-9).all()
        one = of_mean(each, float(starts[0]), float(starts[0]))
        assert math.isclose(one.low.value, low[0], abs_tol=1e-9)
        assert math.isclose(one.high.value, high[0], abs_tol=1e-9)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_bounds_are_those_of_linear_programming_and_attained(pair, k):
    each = found(pair, k, (1, 2, 4, 6))
    weights = np.vstack((np.ones(len(each.start)), each.start))
    for mean in np.linspace(each.start.min(), each.start.max(), 5):
        bounds = of_mean(each, float(mean), float(mean))
        for sign, bound in ((1, bounds.low), (-1, bounds.high)):
            best = linprog(sign * each.goal, A_eq=weights, b_eq=[1.0, mean])
            assert math.isclose(sign * best.fun, bound.value, abs_tol=1e-7)
            shares, chosen = zip(*bound.mixture, strict=True)
            assert math.isclose(sum(shares), 1.0)
            assert math.isclose(np.dot(shares, each.start[list(chosen)]), mean, abs_tol=1e-9)
            assert math.isclose(np.dot(shares, each.goal[list(chosen)]), bound.value, abs_tol=1e-9)


def test_states_are_what_the_definitions_give_for_their_lists():
    """Each list is built again from its words, one user at a time."""
    each = found(("average_precision(divide_by=relevant)", "ndcg(gain=binary)"), 4, (1, 3))
    for state in range(len(each.start)):
        pattern, number = each.patterns[state].tolist(), int(each.relevant[state])
        listed = [rank if hit else 10 + rank for rank, hit in enumerate(pattern)]
        relevant = [item for item in listed if item < 10]
        relevant += [20 + extra for extra in range(number - len(relevant))]
        case = case_from_lists([listed], [relevant], 40)
        for values, text in ((each.start, "average_precision(divide_by=relevant)"), (each.goal, "ndcg(gain=binary)")):
            assert math.isclose(values[state], Variant.parse(text).at(4).value(case), abs_tol=1e-12)
    assert each.words(int(each.goal.argmin())) == "no hit of 1 relevant"


def test_brute_force_over_small_groups_of_users():
    """Every group of three users: the extremes of each mean are within the bounds, and some group reaches them."""
    each = found(("precision(divide_by=k)", "reciprocal_rank(over=first)"), 3, (3,))
    groups = np.array(list(combinations_with_replacement(range(len(each.start)), 3)))
    starts, goals = each.start[groups].mean(axis=1), each.goal[groups].mean(axis=1)
    reached = 0
    for mean in np.unique(starts.round(12)):
        own = goals[np.isclose(starts, mean)]
        bounds = of_mean(each, float(mean), float(mean))
        assert bounds.low.value - 1e-9 <= own.min()
        assert own.max() <= bounds.high.value + 1e-9
        reached += math.isclose(own.min(), bounds.low.value, abs_tol=1e-9)
    assert reached >= 4


def test_where_it_is_exact_it_says_so():
    exact = of_mean(found(("precision(divide_by=k)", "recall(divide_by=relevant)"), 5, (8,)), 0.4, 0.4)
    assert exact.exact
    assert exact.line == pytest.approx((5 / 8, 0.0))
    assert exact.low.value == pytest.approx(0.25)


def test_where_nothing_is_known_it_says_so():
    each = found(("hit_rate(value=any)", "reciprocal_rank(over=first)"), 5, (5,))
    assert not of_mean(each, 0.5, 0.5).nothing_known
    nothing = of_mean(found(("r_precision(divide_by=relevant)", "hit_rate(value=any)"), 3, (1, 2, 50)), 0.0, 0.6)
    assert nothing.nothing_known
