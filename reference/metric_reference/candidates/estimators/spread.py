"""Bias and variance of the likeliest metric, by drawing sampled ranks from the distribution that was found."""

from __future__ import annotations

from typing import Dict, NamedTuple, Sequence

import numpy as np

from metric_reference.candidates.estimators.channel import chances, full_values
from metric_reference.candidates.estimators.likelihood import STEPS, climb, climb_together
from metric_reference.candidates.scheme import Scheme

REPEATS = 50


class Spread(NamedTuple):
    """value : the estimate. bias : the mean of the estimates of drawn ranks, less it. variance : theirs."""

    value: float
    bias: float
    variance: float


def spread(
    scheme: Scheme,
    items: int,
    counts: np.ndarray,
    texts: Sequence[str],
    rng: np.random.Generator,
    repeats: int = REPEATS,
    steps: int = STEPS,
) -> Dict[str, Spread]:
    """The likeliest value of each measure with its bias and variance by a parametric bootstrap.

    As many sampled ranks as were observed are drawn from the likeliest distribution, ``repeats`` times, and the
    estimate is made again: users and negatives both vary. The bias is that of noise: which of several equally likely
    distributions is the true one it cannot say. counts : whole numbers; the other arguments are those of
    :func:`metric_reference.candidates.estimators.likelihood.likeliest`, and so are the errors; ValueError too for
    fewer than two repeats.
    """
    values = np.array([full_values(text, items) for text in texts])
    return dict(zip(texts, bootstrap(chances(scheme, items), counts, values, rng, repeats, steps)))


def bootstrap(
    table: np.ndarray,
    counts: np.ndarray,
    values: np.ndarray,
    rng: np.random.Generator,
    repeats: int = REPEATS,
    steps: int = STEPS,
) -> "list[Spread]":
    """The same for a table of chances, shape (sampled ranks, items), and the values of the full ranks in some
    definitions, shape (definitions, items)."""
    observed = np.asarray(counts)
    if observed.shape != (len(table),) or observed.min() < 0 or observed.sum() <= 0:
        raise ValueError(f"counts: give a whole number from 0 on for each of the {len(table)} sampled ranks")
    if repeats < 2:
        raise ValueError("repeats: there must be two at least")
    shares = climb(table, observed / observed.sum(), steps).shares
    expected = table @ shares
    drawn = rng.multinomial(int(observed.sum()), expected / expected.sum(), repeats)
    again = (values @ climb_together(table, drawn.T / drawn.sum(axis=1), steps)[0]).T
    found = values @ shares
    return [
        Spread(float(value), float(bias), float(variance))
        for value, bias, variance in zip(found, again.mean(axis=0) - found, again.var(axis=0))
    ]
