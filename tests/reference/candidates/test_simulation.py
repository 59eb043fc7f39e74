"""The closed forms against lists that are drawn: within 4 standard errors, as often as chance has it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import of_scores
from metric_reference.candidates.together import moments_together
from tests.reference.candidates.drawing import KINDS, Drawing, drawing

DRAWS = 400
TEXTS = ("hit_rate@5", "recall@5", "ndcg@5", "reciprocal_rank", "average_precision@10", "auc")
QUICK, ALL = 20, 556
"""Cases of each of the 18 kinds; 18 * 556 passes 10,000."""


def simulated(one: Drawing, rng: np.random.Generator) -> np.ndarray:
    """Values of lists with drawn negatives: shape (draws, items or 1, texts)."""
    scheme, together = one.scheme, one.scheme.per == "user"
    values = []
    for item in one.relevant[:1].tolist() if together else one.relevant.tolist():
        pool = one.pool(item)
        chance = None if one.weights is None else one.weights[pool] / one.weights[pool].sum()
        if scheme.replacement:
            drawn = rng.choice(pool, (DRAWS, scheme.negatives), p=chance)
        else:
            drawn = rng.random((DRAWS, len(pool))).argpartition(scheme.negatives - 1)[:, : scheme.negatives]
            drawn = pool[drawn]
        own = np.sort(one.scores[one.relevant if together else [item]])[::-1]
        above = (one.scores[drawn][:, None] > own[:, None]).sum(axis=2)
        tied = (one.scores[drawn][:, None] == own[:, None]).sum(axis=2)
        if scheme.ties == "pessimistic":
            above = above + tied
        values.append(listed(scheme.ties, above, tied, scheme.negatives, rng))
    return np.stack(values, axis=1)


def listed(ties: str, above: np.ndarray, tied: np.ndarray, m: int, rng: np.random.Generator) -> np.ndarray:
    """above, tied : shape (draws, relevant items). Returns the values, shape (draws, texts)."""
    if ties == "expected":
        orders = int(tied.max()) + 1
        tables = np.stack([measured(above + np.minimum(place, tied), m) for place in range(orders)])
        inside = np.arange(orders)[:, None] <= tied[:, 0]
        return (tables * inside[:, :, None]).sum(axis=0) / (tied + 1.0)
    if ties == "random":
        above = above + rng.integers(0, tied + 1)
    return measured(above, m)


def measured(above: np.ndarray, m: int) -> np.ndarray:
    number = np.arange(1, above.shape[1] + 1)
    ranks = above + number
    gains, most = 1 / np.log2(ranks + 1), min(5, len(number))
    return np.stack(
        [
            (ranks <= 5).any(axis=1),
            (ranks <= 5).mean(axis=1),
            (gains * (ranks <= 5)).sum(axis=1) / (1 / np.log2(number[:most] + 1)).sum(),
            1 / ranks[:, 0],
            (number / ranks * (ranks <= 10)).sum(axis=1) / len(number),
            1 - above.mean(axis=1) / m,
        ],
        axis=1,
    )


def closed(one: Drawing) -> tuple[np.ndarray, np.ndarray]:
    places = of_scores(one.scores, one.relevant, one.excluded, one.weights, one.other_relevant)
    if one.scheme.per == "user":
        _, found = moments_together(one.scheme, places, np.zeros(len(places)), TEXTS)
    else:
        found = moments(one.scheme, places, TEXTS)
    return np.stack([found[text].mean for text in TEXTS], 1), np.stack([found[text].variance for text in TEXTS], 1)


def z_scores(kind, cases: int) -> np.ndarray:
    """How many standard errors the simulated means lie away."""
    far = []
    for seed in range(cases):
        rng = np.random.default_rng([seed, 35, *kind[0].encode(), kind[1], *kind[3].encode()])
        one = drawing(rng, kind, int(rng.integers(15, 200)), 30)
        values = simulated(one, rng)
        mean, variance = closed(one)
        gap = np.abs(values.mean(axis=0) - mean)
        sure = variance < 1e-13
        assert (gap[sure] < 1e-6).all(), one
        # What is seen in a few draws only is no normal variate: a hit rate of 0.0001 may be 1 / 400.
        jump = np.where(np.array(TEXTS) == "auc", 1 / one.scheme.negatives, 1.0)
        usual = ~sure & (variance * DRAWS > 5 * jump**2)
        far.append((gap[usual] / np.sqrt(variance[usual] / DRAWS)).ravel())
    return np.concatenate(far)


def held(far: np.ndarray, cases: int) -> None:
    """A normal variate passes 4 once in 15,800; the values of one case are not independent."""
    expected = len(far) * math.erfc(4 / math.sqrt(2))
    assert (far > 4).sum() <= 6 * expected + 4
    assert far.max() < 6
    assert abs(np.sqrt((far**2).mean()) - 1) < 4 / np.sqrt(2 * cases)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_a_few_hundred_cases(kind):
    held(z_scores(kind, QUICK), QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_ten_thousand_cases(kind):
    held(z_scores(kind, ALL), ALL)
