"""Conversions: bounds that no users violate, that some attain, that linear programming agrees with, and the command."""

import json
import math
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from metric_harness.conversion.bounds import chain, of_mean, of_users
from metric_harness.conversion.extremes import extreme_states, states_of_mean
from metric_harness.conversion.states import states, values_of
from metric_harness.system.errors import HarnessError
from metric_reference.case import case_from_lists
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from tests.support.command import run

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


def signed(text, k):
    return Signature(Variant.parse(text).at(k))


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


SUMS = (
    *(pair for pair in PAIRS if "hits)" not in pair[0]),
    ("reciprocal_rank(over=sum)", "average_precision(divide_by=k, sum_over=all_ranks)"),
    (
        "average_precision(divide_by=relevant, sum_over=trapezoid)",
        "ndcg(gain=binary, discount=shifted_log2, ideal=none)",
    ),
    ("rank_biased_precision(cut=k, persistence=0.85)", "r_precision(divide_by=relevant)"),
    ("average_recall(sum_over=hits, divide_by=relevant)", "average_recall(sum_over=all_ranks)"),
)


@pytest.mark.parametrize("k", [1, 3, 8])
@pytest.mark.parametrize("pair", SUMS, ids=" to ".join)
def test_sums_over_hits_are_bounded_without_going_through_every_list(pair, k):
    relevant = (1, 2, 4, 6, 9)
    each = found(pair, k, relevant)
    for mean in np.linspace(each.start.min(), each.start.max(), 4):
        for half in (0.0, 0.03):
            low, high = mean - half, mean + half
            few = extreme_states(signed(pair[0], k), signed(pair[1], k), relevant, k, low, high)
            one, other = of_mean(each, low, high), of_mean(few, low, high)
            assert math.isclose(one.low.value, other.low.value, abs_tol=1e-9)
            assert math.isclose(one.high.value, other.high.value, abs_tol=1e-9)
            assert (one.exact, one.whole, one.line is None) == (other.exact, other.whole, other.line is None)


def test_what_is_no_sum_over_hits_goes_through_every_list():
    start, goal = signed("average_precision(divide_by=hits)", 5), signed("ndcg(gain=binary)", 5)
    assert extreme_states(start, goal, (3,), 5, 0.2, 0.2) is None
    few = states_of_mean(start, goal, (3,), 0.2, 0.2)
    assert len(few.start) == len(states(start, goal, (3,)).start)


def test_no_users_leave_the_bounds_at_a_large_cut_off():
    """10,000 random users at k = 100, in random groups."""
    k, rng = 100, np.random.default_rng(8)
    start, goal = signed("average_precision(divide_by=min_k_relevant)", k), signed("ndcg(gain=binary)", k)
    relevant = rng.integers(1, 51, 10_000)
    patterns = rng.random((10_000, k)) < rng.random((10_000, 1)) ** 3
    patterns &= np.cumsum(patterns, axis=1) <= relevant[:, None]
    starts, goals = (values_of(patterns, relevant, one) for one in (start, goal))
    for users in (1, 2, 10, 100):
        chosen = rng.integers(0, 10_000, users)
        mean = float(starts[chosen].mean())
        bounds = of_mean(states_of_mean(start, goal, range(1, 51), mean, mean), mean, mean)
        assert bounds.low.value - 1e-9 <= goals[chosen].mean() <= bounds.high.value + 1e-9


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
    assert not of_mean(each, 0.5, 0.5).whole
    nothing = of_mean(found(("r_precision(divide_by=relevant)", "hit_rate(value=any)"), 3, (1, 2, 50)), 0.0, 0.6)
    assert nothing.whole


def test_values_of_users_bound_closer_than_their_mean():
    each = found(("precision(divide_by=k)", "ndcg(gain=binary)"), 4, (4,))
    values = np.array([0.0, 0.5, 0.5, 1.0])
    own, mean = of_users(each, values), of_mean(each, 0.5, 0.5)
    assert mean.low.value - 1e-9 <= own.low.value <= own.high.value <= mean.high.value + 1e-9
    assert own.high.value - own.low.value < mean.high.value - mean.low.value
    with pytest.raises(HarnessError, match=r"row 2: no list has the value 0\.3"):
        of_users(each, np.array([0.5, 0.3]))


@pytest.mark.parametrize(
    ("start", "goal", "said"),
    [
        ("ndcg(gain=linear)", "ndcg(gain=binary)", "depends on the ratings"),
        ("auc", "ndcg(gain=binary)", "depends on more than the ranks"),
        ("precision(divide_by=k, weight=micro)", "ndcg(gain=binary)", "is no mean of users' values"),
    ],
)
def test_what_cannot_be_converted_is_refused(start, goal, said):
    with pytest.raises(HarnessError, match=said):
        states(signed(start, 5), signed(goal, 5), (3,))


def test_too_many_lists_are_refused():
    with pytest.raises(HarnessError, match="give one number"):
        found(("precision(divide_by=k)", "ndcg(gain=binary)"), 20, range(1, 51))
    with pytest.raises(HarnessError, match="is too much"):
        found(("precision(divide_by=k)", "ndcg(gain=binary)"), 100, (5,))


def test_the_command(tmp_path):
    start, goal = signed("precision(divide_by=k)", 10).short(), signed("recall(divide_by=relevant)", 10).short()
    ended = run("convert", "0.120", "--from", start, "--to", goal, "--relevant-per-user", "20")
    assert ended.stdout.startswith(
        "0.06 (0.05975 to 0.06025, as the digits of VALUE allow)\nExact: 0.5 times the value."
    )
    ended = run("convert", "0.3", "--from", start, "--to", goal, "--json")
    page = json.loads(ended.stdout)
    assert (page["exact"], page["low"] < 0.3 < page["high"]) == (False, True)
    pd.DataFrame({"user": [1, 2], "value": [0.1, 0.3]}).to_csv(tmp_path / "users.csv", index=False)
    ended = run(
        "convert", "--from", start, "--to", goal, "--by-user", tmp_path / "users.csv", "--relevant-per-user", "4"
    )
    assert ended.stdout.startswith("0.5\nExact: ")


def test_the_command_computes_from_files():
    folder = "docs/examples/footnote"
    start, goal = signed("precision(divide_by=k)", 5).short(), signed("recall(divide_by=relevant)", 5).short()
    files = ["--recommendations", f"{folder}/recommendations.csv", "--truth", f"{folder}/truth.csv"]
    ended = run("convert", "--from", start, "--to", goal, *files)
    assert ended.returncode == 0, ended.stderr
    assert goal in ended.stdout.splitlines()[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give one of VALUE"),
        (["0.5", "--relevant-per-user", "x"], "--relevant-per-user x: give a number"),
        (["0.5", "--relevant-per-user", "5-1"], "the smaller one first"),
        (["7"], "no lists have this mean"),
        (["0.5", "--truth", "README.md"], "give one of VALUE"),
    ],
)
def test_mistakes_are_one_line(words, said):
    ends = [signed("precision(divide_by=k)", 3).short(), signed("recall(divide_by=relevant)", 3).short()]
    ended = run("convert", *words, "--from", ends[0], "--to", ends[1])
    assert ended.returncode == 2
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
