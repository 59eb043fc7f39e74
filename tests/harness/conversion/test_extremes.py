"""Bounds for means at any k: those of all lists where these can be gone through, and never violated where not."""

import math

import numpy as np
import pytest

from metric_harness.conversion.bounds import of_mean
from metric_harness.conversion.extremes import states_of_mean
from metric_harness.conversion.states import METRICS, refusal, values_of
from metric_harness.conversion.sums import sums_of
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant, spellings
from tests.support.every_list import signed, states

PAIRS = (
    ("average_precision(divide_by=min_k_relevant)", "average_precision(divide_by=relevant)"),
    ("average_precision(divide_by=k)", "ndcg(gain=binary)"),
    ("precision(divide_by=k)", "recall(divide_by=relevant)"),
    ("hit_rate(value=any)", "hit_rate(value=hits)"),
    ("f1(over=users)", "ndcg(gain=binary)"),
    ("reciprocal_rank(over=sum)", "average_precision(divide_by=k, sum_over=all_ranks)"),
    ("average_precision(sum_over=trapezoid)", "ndcg(gain=binary, discount=shifted_log2, ideal=none)"),
    ("rank_biased_precision(cut=k, persistence=0.85)", "r_precision(divide_by=relevant)"),
    ("average_recall(sum_over=hits, divide_by=relevant)", "average_recall(sum_over=all_ranks)"),
)
DIVIDED = (
    ("average_precision(divide_by=hits)", "average_precision(divide_by=min_k_relevant)"),
    ("average_precision(divide_by=hits)", "ndcg(gain=binary, ideal=hits)"),
    ("ndcg(gain=binary, ideal=hits)", "ndcg(gain=binary)"),
    ("ndcg(gain=binary, discount=ln_rank)", "ndcg(gain=binary, ideal=list_hits, discount=max_log2)"),
    ("reciprocal_rank(over=mean_hits)", "average_recall(sum_over=all_ranks, divide_by=hits)"),
    ("precision(divide_by=last_hit_rank)", "ndcg(gain=binary)"),
    ("average_precision(divide_by=hits)", "precision(divide_by=last_hit_rank)"),
    ("r_precision(divide_by=relevant)", "average_precision(divide_by=hits)"),
    ("average_precision(divide_by=min_k_list_hits)", "reciprocal_rank(over=first)"),
)


@pytest.mark.thorough
@pytest.mark.parametrize("cuts", [(1, 1), (3, 3), (8, 8), (10, 10), (3, 7), (6, 2)], ids=str)
@pytest.mark.parametrize("pair", [*PAIRS, *DIVIDED], ids=" to ".join)
def test_the_bounds_are_those_of_every_list(pair, cuts):
    relevant = (1, 2, 4, 6, 9)
    ends = [signed(text, k) for text, k in zip(pair, cuts, strict=True)]
    each = states(*ends, relevant)
    for mean in np.linspace(each.start.min(), each.start.max(), 4):
        for half in (0.0, 0.03):
            low, high = mean - half, mean + half
            few = states_of_mean(*ends, relevant, low, high)
            one, other = of_mean(each, low, high), of_mean(few, low, high)
            assert math.isclose(one.low.value, other.low.value, abs_tol=1e-9)
            assert math.isclose(one.high.value, other.high.value, abs_tol=1e-9)
            assert (one.exact, one.nothing_known) == (other.exact, other.nothing_known)
            assert (one.line is None) == (other.line is None)
            for values, signature in zip((few.start, few.goal), ends, strict=True):
                assert np.allclose(values, values_of(few.patterns, few.relevant, signature), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_every_definition_that_is_converted_is_a_sum_over_hits_over_a_divisor(name):
    """On every list of six items; all that are not refused, so that none is left that needs every list."""
    relevant = (1, 2, 4, 7)
    variants = [variant for variant in spellings(name) if refusal(Signature(variant)) is None]
    assert variants
    for variant in variants:
        for k in (3, 6):
            signature = Signature(variant.at(k))
            each = states(signature, Signature(Variant.parse("precision").at(6)), relevant)
            found = sums_of(signature, relevant, 6)
            assert np.allclose(
                found.of(each.patterns, np.searchsorted(relevant, each.relevant)), each.start, atol=1e-12
            )


@pytest.mark.thorough
@pytest.mark.parametrize("k", [50, 100])
@pytest.mark.parametrize("pair", [PAIRS[1], *DIVIDED[:5]], ids=" to ".join)
def test_no_users_leave_the_bounds_at_a_large_cut_off(pair, k):
    """10,000 random users, in random groups."""
    rng = np.random.default_rng(8)
    start, goal = (signed(text, k) for text in pair)
    relevant = rng.integers(1, 31, 10_000)
    patterns = rng.random((10_000, k)) < rng.random((10_000, 1)) ** 3
    patterns &= np.cumsum(patterns, axis=1) <= relevant[:, None]
    starts, goals = (values_of(patterns, relevant, one) for one in (start, goal))
    for users in (1, 2, 10, 100):
        chosen = rng.integers(0, 10_000, users)
        mean = float(starts[chosen].mean())
        found = states_of_mean(start, goal, range(1, 31), mean, mean)
        bounds = of_mean(found, mean, mean)
        assert bounds.low.value - 1e-9 <= goals[chosen].mean() <= bounds.high.value + 1e-9
        for bound in (bounds.low, bounds.high):
            share, state = map(np.array, zip(*bound.mixture, strict=True))
            made = [values_of(found.patterns[state], found.relevant[state], one) @ share for one in (start, goal)]
            assert np.allclose(made, (mean, bound.value), rtol=0, atol=1e-9)
