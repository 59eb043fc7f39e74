"""Bounds from the values of users: those of all lists, attained; never violated where the time is over."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_harness.conversion import merged
from metric_harness.conversion.bounds import of_mean
from metric_harness.conversion.extremes import states_of_mean
from metric_harness.conversion.states import States, values_of
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
    held(ends, values, of_users(*ends, RELEVANT, values, own), expected(each, values, own))


def held(ends, values, answer, wanted):
    """The bounds are these, and the lists that come with them have the users' mean and attain them."""
    bounds = answer[1]
    assert (bounds.low.value, bounds.high.value) == pytest.approx(tuple(wanted), abs=1e-9)
    attained(ends, values, answer)


def attained(ends, values, answer):
    """A user whose value allows one value alone, whichever list it is, may have no list."""
    found, bounds = answer
    for bound in (bounds.low, bounds.high):
        share, state = map(np.array, zip(*bound.mixture, strict=True)) if bound.mixture else (np.zeros(0), [])
        made = [values_of(found.patterns[state], found.relevant[state], one) @ share for one in ends]
        assert (bound.unproven, bound.gap) == (0, 0)
        if share.sum() > 1 - 1e-9:
            assert np.allclose(made, (values.mean(), bound.value), rtol=0, atol=1e-9)
        else:
            assert bounds.high.value - bounds.low.value < share.sum() + 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("known", [False, True], ids=["numbers unknown", "numbers known"])
@pytest.mark.parametrize("cuts", [(5, 5), (10, 10), (3, 7), (7, 4)], ids=str)
@pytest.mark.parametrize("pair", PAIRS, ids=" to ".join)
def test_where_lists_are_too_many_the_best_ones_are_searched_for(pair, cuts, known, monkeypatch):
    """With room for few lists, the bounds are those of every list still; without time, they are around them."""
    ends = [signed(text, k) for text, k in zip(pair, cuts, strict=True)]
    each = states(*ends, RELEVANT)
    chosen = np.random.default_rng(4).integers(0, len(each.start), 40)
    values, own = each.start[chosen], each.relevant[chosen] if known else None
    monkeypatch.setattr(merged, "MOST_LISTS", 12)
    few = values[:3], own[:3] if known else None
    held(ends, few[0], of_users(*ends, RELEVANT, *few, seconds=1000), expected(each, *few))
    low, high = expected(each, values, own)
    _, bounds = of_users(*ends, RELEVANT, values, own, seconds=0)
    assert low - bounds.low.gap - 1e-9 <= bounds.low.value <= low + 1e-9
    assert high - 1e-9 <= bounds.high.value <= high + bounds.high.gap + 1e-9
    if bounds.low.value < low - 1e-9:
        assert bounds.low.unproven > 0
    if bounds.high.value > high + 1e-9:
        assert bounds.high.unproven > 0
    mean = float(values.mean())
    wide = of_mean(states_of_mean(*ends, RELEVANT, mean, mean), mean, mean)
    assert wide.low.value - 0.01 <= bounds.low.value <= bounds.high.value <= wide.high.value + 0.01


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(
    pair=st.sampled_from(PAIRS[:4]),
    ranks=st.sets(st.integers(0, 12), min_size=1),
    more=st.integers(0, 3),
    known=st.booleans(),
)
def test_the_search_finds_the_best_of_every_list_of_thirteen_items(pair, ranks, more, known):
    ends = [signed(text, 13) for text in pair]
    relevant = (len(ranks) + more,) if known else (2, 5, len(ranks) + more)
    each = states(*ends, sorted(set(relevant)))
    pattern = np.isin(np.arange(13), list(ranks))[None]
    values = values_of(pattern, np.array([len(ranks) + more]), ends[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merged, "MOST_LISTS", 12)
        answer = of_users(*ends, sorted(set(relevant)), values, seconds=1000)
    held(ends, values, answer, expected(each, values, None))


@pytest.mark.thorough
@pytest.mark.parametrize("k", [30, 50])
@pytest.mark.parametrize("pair", PAIRS[:4], ids=" to ".join)
def test_the_search_finds_the_best_of_every_list_of_few_hits(pair, k, monkeypatch):
    """All lists of at most four hits of four relevant items."""
    ends = [signed(text, k) for text in pair]
    hits = [one for count in range(5) for one in combinations(range(k), count)]
    patterns = np.zeros((len(hits), k), dtype=bool)
    for row, ranks in enumerate(hits):
        patterns[row, list(ranks)] = True
    relevant = np.full(len(hits), 4)
    each = States(patterns, relevant, *(values_of(patterns, relevant, one) for one in ends))
    values = each.start[np.random.default_rng(5).integers(len(hits) // 2, len(hits), 3)]
    monkeypatch.setattr(merged, "MOST_LISTS", 12)
    held(ends, values, of_users(*ends, (4,), values, seconds=1000), expected(each, values, None))


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize(("k", "relevant"), [(20, 20), (30, 12), (50, 20), (100, 20)])
@pytest.mark.parametrize("pair", PAIRS[1:3], ids=" to ".join)
def test_the_bounds_are_attained_at_a_large_cut_off(pair, k, relevant):
    """The user's own list is between them."""
    ends = [signed(text, k) for text in pair]
    pattern = np.arange(k) % 5 < 2
    pattern &= np.cumsum(pattern) <= relevant // 2
    values = values_of(pattern[None], np.array([relevant]), ends[0])
    answer = of_users(*ends, (relevant,), values, seconds=1000)
    attained(ends, values, answer)
    goal = values_of(pattern[None], np.array([relevant]), ends[1])[0]
    assert answer[1].low.value - 1e-9 <= goal <= answer[1].high.value + 1e-9


def test_a_value_that_no_list_has_is_refused_where_lists_are_searched_for(monkeypatch):
    ends = signed("ndcg(gain=binary)", 10), signed("average_precision(divide_by=hits)", 10)
    monkeypatch.setattr(merged, "MOST_LISTS", 12)
    with pytest.raises(HarnessError, match=r"row 1: no list has the value 0\.4321"):
        of_users(*ends, (8,), np.array([0.4321]))


@pytest.mark.slow
@pytest.mark.thorough
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
        _, bounds = of_users(*ends, range(1, 21), starts, own, seconds=1)
        assert bounds.low.value - 1e-9 <= goals.mean() <= bounds.high.value + 1e-9
    _, bounds = of_users(*ends, relevant[:1].tolist(), starts[:1], seconds=1)
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
