"""Bounds from the values of users: those of all lists where these can be gone through, and never violated where not."""

import numpy as np
import pytest

from metric_harness.conversion import merged
from metric_harness.conversion.bounds import of_mean
from metric_harness.conversion.extremes import states_of_mean
from metric_harness.conversion.states import values_of
from metric_harness.conversion.users import of_users
from metric_harness.system.errors import HarnessError
from tests.support.every_list import signed, states

PAIRS = (
    ("average_precision(divide_by=k)", "ndcg(gain=binary)"),
    ("ndcg(gain=binary)", "average_precision(divide_by=hits)"),
    ("ndcg(gain=binary, ideal=hits)", "ndcg(gain=binary)"),
    ("average_precision(divide_by=hits)", "reciprocal_rank(over=mean_hits)"),
    ("precision(divide_by=k)", "average_precision(divide_by=hits)"),
    ("reciprocal_rank(over=first)", "precision(divide_by=last_hit_rank)"),
    ("precision(divide_by=last_hit_rank)", "r_precision(divide_by=relevant)"),
    ("r_precision(divide_by=relevant)", "average_precision(divide_by=min_k_relevant)"),
)
RELEVANT = (1, 2, 4, 6, 9)


def expected(each, values, own):
    """The smallest and the largest mean, from every list."""
    ends = []
    for user, value in enumerate(values):
        there = np.abs(each.start - value) <= 1e-9
        there &= (own is None) | (each.relevant == (0 if own is None else own[user]))
        ends.append((each.goal[there].min(), each.goal[there].max()))
    return np.mean(ends, axis=0)


@pytest.mark.parametrize("known", [False, True], ids=["numbers unknown", "numbers known"])
@pytest.mark.parametrize("cuts", [(2, 2), (5, 5), (10, 10), (3, 7), (7, 4)], ids=str)
@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_the_bounds_are_those_of_every_list_and_attained(pair, cuts, known):
    ends = [signed(text, k) for text, k in zip(pair, cuts, strict=True)]
    each = states(*ends, RELEVANT)
    chosen = np.random.default_rng(3).integers(0, len(each.start), 40)
    values, own = each.start[chosen], each.relevant[chosen] if known else None
    found, bounds = of_users(*ends, RELEVANT, values, own)
    assert (bounds.low.value, bounds.high.value) == pytest.approx(tuple(expected(each, values, own)), abs=1e-9)
    for bound in (bounds.low, bounds.high):
        share, state = map(np.array, zip(*bound.mixture, strict=True))
        made = [values_of(found.patterns[state], found.relevant[state], one) @ share for one in ends]
        assert bound.unproven == 0
        assert np.allclose(made, (values.mean(), bound.value), rtol=0, atol=1e-9)


@pytest.mark.parametrize("known", [False, True], ids=["numbers unknown", "numbers known"])
@pytest.mark.parametrize("cuts", [(5, 5), (10, 10), (3, 7), (7, 4)], ids=str)
@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_where_lists_are_too_many_the_bounds_hold_and_say_so(pair, cuts, known, monkeypatch):
    """With room for few lists, the bounds are around those of every list, no wider than those of the mean."""
    ends = [signed(text, k) for text, k in zip(pair, cuts, strict=True)]
    each = states(*ends, RELEVANT)
    chosen = np.random.default_rng(4).integers(0, len(each.start), 40)
    values, own = each.start[chosen], each.relevant[chosen] if known else None
    low, high = expected(each, values, own)
    monkeypatch.setattr(merged, "MOST_LISTS", 12)
    _, bounds = of_users(*ends, RELEVANT, values, own)
    assert bounds.low.value <= low + 1e-9
    assert bounds.high.value >= high - 1e-9
    if bounds.low.value < low - 1e-9:
        assert bounds.low.unproven > 0
    if bounds.high.value > high + 1e-9:
        assert bounds.high.unproven > 0
    mean = float(values.mean())
    wide = of_mean(states_of_mean(*ends, RELEVANT, mean, mean), mean, mean)
    assert wide.low.value - 0.01 <= bounds.low.value <= bounds.high.value <= wide.high.value + 0.01


@pytest.mark.parametrize("k", [50, 100])
@pytest.mark.parametrize("pair", PAIRS[1:6:2], ids=" to ".join)
def test_no_users_leave_the_bounds_at_a_large_cut_off(pair, k):
    """One user alone, and a hundred together."""
    rng = np.random.default_rng(9)
    ends = [signed(text, k) for text in pair]
    relevant = rng.integers(1, 21, 100)
    patterns = rng.random((100, k)) < rng.random((100, 1)) ** 3
    patterns &= np.cumsum(patterns, axis=1) <= relevant[:, None]
    starts, goals = (values_of(patterns, relevant, one) for one in ends)
    for own in (None, relevant):
        _, bounds = of_users(*ends, range(1, 21), starts, own)
        assert bounds.low.value - 1e-9 <= goals.mean() <= bounds.high.value + 1e-9
    _, bounds = of_users(*ends, relevant[:1].tolist(), starts[:1])
    assert bounds.low.value - 1e-9 <= goals[0] <= bounds.high.value + 1e-9


def test_a_line_is_exact_at_any_cut_off():
    """Two divisors of the same sum: many lists have each value, and all of them have one value in the other."""
    ends = [signed(f"average_precision(divide_by={name})", 50) for name in ("min_k_relevant", "k")]
    values = np.array([0.123, 0.4, 0.77])
    _, bounds = of_users(*ends, (20,), values)
    assert bounds.exact
    assert bounds.low.value == pytest.approx(values.mean() * 20 / 50, abs=1e-9)
    assert bounds.low.unproven == 0


def test_values_of_users_bound_closer_than_their_mean():
    ends = signed("precision(divide_by=k)", 4), signed("ndcg(gain=binary)", 4)
    own = of_users(*ends, (4,), np.array([0.0, 0.5, 0.5, 1.0]))[1]
    mean = of_mean(states_of_mean(*ends, (4,), 0.5, 0.5), 0.5, 0.5)
    assert mean.low.value - 1e-9 <= own.low.value <= own.high.value <= mean.high.value + 1e-9
    assert own.high.value - own.low.value < mean.high.value - mean.low.value
    with pytest.raises(HarnessError, match=r"row 2: no list has the value 0\.3"):
        of_users(*ends, (4,), np.array([0.5, 0.3]))
