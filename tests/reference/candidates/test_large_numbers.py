"""Distributions of pools far beyond enumeration, against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import Places
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.scheme import Scheme

POOLS = [(3705, 0), (3705, 12), (3705, 3705), (3705, 3700), (26_743, 400), (10**6, 10**5), (10**6, 3), (10**7, 99_999)]


def exactly(above: int, pool: int, drawn: int, x: int, replacement: bool) -> Fraction:
    if x > drawn:
        return Fraction(0)
    if replacement:
        return Fraction(comb(drawn, x) * above**x * (pool - above) ** (drawn - x), pool**drawn)
    return Fraction(comb(above, x) * comb(pool - above, drawn - x), comb(pool, drawn))


@pytest.mark.parametrize("drawn", [1, 99, 1000, 3705])
@pytest.mark.parametrize("replacement", [False, True])
def test_a_probability_has_thirteen_digits(drawn, replacement):
    for pool, above in POOLS:
        if drawn > 1000 and pool > 3705:
            continue
        table = rank_probabilities(Scheme(drawn, replacement=replacement), Places(above, pool), min(drawn + 1, 12))
        wanted = [float(exactly(above, pool, drawn, x, replacement)) for x in range(len(table))]
        np.testing.assert_allclose(table[:, 0], wanted, rtol=2e-13, atol=1e-300)


@pytest.mark.parametrize("replacement", [False, True])
def test_all_ranks_together_are_certain(replacement):
    above = np.array([0, 1, 5, 100, 1852, 3000, 3704, 3705])
    table = rank_probabilities(Scheme(500, replacement=replacement), Places(above, 3705), 501)
    np.testing.assert_allclose(table.sum(axis=0), 1, rtol=0, atol=1e-13)


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize(("pool", "tied"), [(5000, 1), (10**6, 1), (10**6, 40), (10**6, 90), (10**6, 20_000)])
def test_orders_of_tied_items(pool, tied, replacement):
    """Without replacement the mean over the places; with it an integral, by the midpoint rule of many points."""
    above, drawn, width = 300, 20, 8
    table = rank_probabilities(Scheme(drawn, replacement=replacement, ties="random"), Places(above, pool, tied), width)
    if replacement:
        wide = Places(2 * above * 1000 + np.arange(1, 2000, 2) * tied, 2 * pool * 1000)
    else:
        wide = Places(above + np.arange(tied + 1), pool)
    wanted = rank_probabilities(Scheme(drawn, replacement=replacement), wide, width).mean(axis=1)
    np.testing.assert_allclose(table[:, 0], wanted, rtol=1e-6 if replacement else 1e-11, atol=1e-12)


def test_reciprocal_rank_has_a_closed_form():
    """Hypergeometric: (N + 1) / ((m + 1) (a + 1)) times the chance that any of a + 1 is drawn; binomial alike."""
    above, pool, drawn = np.array([0, 3, 99, 2000]), 9999, 99
    found = moments(Scheme(drawn), Places(above, pool), ["reciprocal_rank"])["reciprocal_rank"].mean
    for a, value in zip(above.tolist(), found.tolist(), strict=True):
        none = Fraction(comb(pool - a, drawn + 1), comb(pool + 1, drawn + 1))
        assert value == pytest.approx(float((pool + 1) * (1 - none) / ((drawn + 1) * (a + 1))), abs=1e-13)
    found = moments(Scheme(drawn, replacement=True), Places(above[1:], pool), ["reciprocal_rank"])["reciprocal_rank"]
    for a, value in zip(above[1:].tolist(), found.mean.tolist(), strict=True):
        p = Fraction(a, pool)
        assert value == pytest.approx(float((1 - (1 - p) ** (drawn + 1)) / ((drawn + 1) * p)), abs=1e-13)


def test_all_negatives_are_all_items():
    """With as many negatives as the pool has, nothing is left to chance."""
    ranks = np.arange(1, 51)
    found = moments(Scheme(49), Places(ranks - 1, 49), ["ndcg", "hit_rate@10", "reciprocal_rank", "auc"])
    np.testing.assert_allclose(found["ndcg"].mean, 1 / np.log2(ranks + 1), atol=1e-14)
    np.testing.assert_allclose(found["hit_rate@10"].mean, ranks <= 10, atol=1e-14)
    np.testing.assert_allclose(found["auc"].mean, 1 - (ranks - 1) / 49, atol=1e-14)
    assert all((one.variance < 1e-14).all() for one in found.values())
