"""Estimates from sampled ranks alone: what they minimise, their bias and variance, exact and simulated."""

from __future__ import annotations

import numpy as np
import pytest

from metric_reference.candidates.estimators.channel import chances, counts_of, full_values
from metric_reference.candidates.estimators.corrected import (
    by_estimated_rank,
    by_least_squares,
    estimated_ranks,
    moments_of_values,
)
from metric_reference.candidates.estimators.likelihood import climb, likeliest
from metric_reference.candidates.estimators.spread import spread
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.scheme import Scheme

ITEMS, USERS, REPEATS = 300, 1000, 200
SCHEMES = [Scheme(60), Scheme(60, replacement=True)]
GAMMAS = (0.001, 0.01, 0.1, 0.5, 1.0)
TEXTS = ("recall@10", "ndcg@10", "reciprocal_rank", "auc")


def full_ranks() -> np.ndarray:
    """Many near the top, and a long tail."""
    drawn = np.random.default_rng(4).lognormal(2.8, 1.3, USERS)
    return np.clip(drawn.astype(int) + 1, 1, ITEMS)


def sampled(scheme: Scheme, rng: np.random.Generator, repeats: int) -> np.ndarray:
    """Sampled ranks of the users: shape (repeats, users)."""
    above = full_ranks() - 1
    if scheme.replacement:
        drawn = rng.binomial(scheme.negatives, above / (ITEMS - 1), (repeats, USERS))
    else:
        drawn = rng.hypergeometric(above, ITEMS - 1 - above, scheme.negatives, (repeats, USERS))
    return drawn + 1


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_the_estimated_rank_is_unbiased(scheme):
    found = moments_of_values(scheme, of_ranks(np.arange(1, ITEMS + 1), ITEMS), estimated_ranks(scheme, ITEMS))
    np.testing.assert_allclose(found.mean, np.arange(1, ITEMS + 1), rtol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_auc_needs_no_correction(scheme):
    values = by_estimated_rank(scheme, ITEMS, "auc")
    np.testing.assert_allclose(values, 1 - np.arange(61) / 60, atol=1e-14)
    places = of_ranks(np.arange(1, ITEMS + 1), ITEMS)
    found = moments_of_values(scheme, places, by_least_squares(scheme, ITEMS, "auc", 0.0))
    np.testing.assert_allclose(found.mean, full_values("auc", ITEMS), atol=1e-9)


def objective(values: np.ndarray, scheme: Scheme, text: str, gamma: float, prior: np.ndarray) -> float:
    table = chances(scheme, ITEMS)
    mean = values @ table
    variance = (values**2) @ table - mean**2
    return float(prior @ ((mean - full_values(text, ITEMS)) ** 2 + gamma * variance))


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_nothing_near_the_least_squares_is_better(scheme, gamma):
    rng = np.random.default_rng(0)
    prior = rng.random(ITEMS)
    for text in TEXTS:
        values = by_least_squares(scheme, ITEMS, text, gamma, prior)
        least = objective(values, scheme, text, gamma, prior)
        for step in (1e-4, 1e-2):
            for _ in range(20):
                assert objective(values + step * rng.normal(size=61), scheme, text, gamma, prior) > least


def test_gamma_of_1_is_the_expectation_given_the_sampled_rank():
    table = chances(SCHEMES[1], ITEMS)
    expected = (table @ full_values("ndcg@10", ITEMS)) / table.sum(axis=1)
    np.testing.assert_allclose(by_least_squares(SCHEMES[1], ITEMS, "ndcg@10", 1.0), expected, atol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_bias_grows_and_variance_falls_with_gamma(scheme):
    places = of_ranks(np.arange(1, ITEMS + 1), ITEMS)
    for text in TEXTS[:3]:
        found = [moments_of_values(scheme, places, by_least_squares(scheme, ITEMS, text, gamma)) for gamma in GAMMAS]
        bias = [float(((each.mean - full_values(text, ITEMS)) ** 2).mean()) for each in found]
        variance = [float(each.variance.mean()) for each in found]
        assert bias == sorted(bias)
        assert variance == sorted(variance, reverse=True)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_bias_and_variance_of_a_correction_are_those_of_simulation(scheme):
    ranks = sampled(scheme, np.random.default_rng(7), REPEATS)
    places = of_ranks(full_ranks(), ITEMS)
    for text in TEXTS:
        for values in (by_estimated_rank(scheme, ITEMS, text), by_least_squares(scheme, ITEMS, text, 0.1)):
            found = moments_of_values(scheme, places, values)
            mean, variance = found.mean.mean(), found.variance.sum() / USERS**2
            simulated = values[ranks - 1].mean(axis=1)
            assert abs(simulated.mean() - mean) < 4 * np.sqrt(variance / REPEATS)
            assert simulated.var() / variance == pytest.approx(1, abs=4 * np.sqrt(2 / REPEATS))


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_each_step_is_likelier(scheme):
    counts = counts_of(sampled(scheme, np.random.default_rng(1), 1)[0], scheme)
    reached = [likeliest(scheme, ITEMS, counts, steps).log_likelihood for steps in (1, 2, 3, 10, 100, 1000)]
    assert reached == sorted(reached)
    assert likeliest(scheme, ITEMS, counts).shares.sum() == pytest.approx(1, abs=1e-12)


def test_all_negatives_give_the_ranks_back():
    """Each sampled rank is the full one, so the likeliest distribution is that of the counts."""
    ranks = full_ranks()
    scheme = Scheme(ITEMS - 1)
    found = likeliest(scheme, ITEMS, counts_of(ranks, scheme))
    np.testing.assert_allclose(found.shares, np.bincount(ranks - 1, minlength=ITEMS) / USERS, atol=1e-12)
    assert found.value("recall@10") == pytest.approx((ranks <= 10).mean())


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_bias_and_variance_of_the_likeliest_by_simulation(scheme):
    """Users and negatives drawn: its bias is small beside that of the drawn metric, and the bootstrap tells its
    variance."""
    full, table = full_ranks(), chances(scheme, ITEMS)
    shown = np.random.default_rng(3).multinomial(USERS, table[:, full - 1].mean(axis=1), REPEATS)
    found = [climb(table, counts / USERS) for counts in shown]
    told = spread(scheme, ITEMS, shown[0], TEXTS, np.random.default_rng(5))
    for text in TEXTS:
        truth = full_values(text, ITEMS)[full - 1].mean()
        estimates = np.array([each.value(text) for each in found])
        drawn = full_values(text, ITEMS)[sampled(scheme, np.random.default_rng(9), 20) - 1].mean()
        if text == "auc":
            assert abs(estimates.mean() - truth) < 4 * estimates.std() / np.sqrt(REPEATS) + 1e-3
        else:
            assert abs(estimates.mean() - truth) < 0.12 * abs(drawn - truth)
        assert 0.5 < told[text].variance / estimates.var() < 2
        assert abs(told[text].bias) < 4 * estimates.std()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: chances(Scheme(5, "popularity", True), 9), "drawn uniformly for each item alone"),
        (lambda: chances(Scheme(5, per="user"), 9), "drawn uniformly for each item alone"),
        (lambda: chances(Scheme(5), 1), "there must be two at least"),
        (lambda: chances(Scheme(5), 5), "cannot be drawn without replacement"),
        (lambda: counts_of(np.array([7]), Scheme(5)), "from 1 to 6"),
        (lambda: counts_of(np.array([0.5]), Scheme(5)), "give whole numbers"),
        (lambda: by_least_squares(Scheme(5), 9, "auc", 1.5), "gamma: 1.5 is not from 0 to 1"),
        (lambda: by_least_squares(Scheme(5), 9, "auc", 0.5, np.zeros(9)), "prior: give a number from 0 on"),
        (lambda: moments_of_values(Scheme(5), of_ranks(np.array([1]), 9), np.ones(3)), "one for each of the 6"),
        (lambda: likeliest(Scheme(5), 9, np.ones(5)), "each of the 6 sampled ranks"),
        (lambda: likeliest(Scheme(5), 9, np.zeros(6)), "nothing was observed"),
        (lambda: spread(Scheme(5), 9, np.zeros(6), ["auc"], np.random.default_rng(0)), "counts: give a whole number"),
        (lambda: spread(Scheme(5), 9, np.ones(6), ["auc"], np.random.default_rng(0), 1), "two at least"),
    ],
)
def test_what_is_wrong_is_said(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()
