"""The closed forms against every draw, one by one, for up to 12 items."""

from __future__ import annotations

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import of_scores
from metric_reference.candidates.sampled_rank import rank_probabilities
from metric_reference.candidates.together import moments_together
from tests.reference.candidates.drawing import KINDS, MEASURES, Drawing, drawing
from tests.support.literal import sampled

CASES = 8


def drawings(kind, cases):
    for seed in range(cases):
        rng = np.random.default_rng([seed, *kind[0].encode(), kind[1], *kind[3].encode()])
        yield drawing(rng, kind, int(rng.integers(5, 9 if kind[1] else 13)), 3 if kind[1] else 8)


def literal_of(one: Drawing, item: int, relevant: list[float], text: str) -> tuple[float, float]:
    scheme = one.scheme
    name, _, cut = text.partition("@")
    draw = sampled.Draw(scheme.negatives, scheme.replacement, scheme.ties)
    return sampled.moments(draw, relevant, one.weighted(item), name, int(cut) if cut else None)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_expectation_and_variance_are_those_of_every_draw(kind):
    for one in drawings(kind, CASES):
        check(one)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_more_users(kind):
    for one in drawings(kind, 20 * CASES):
        check(one)


def check(one: Drawing) -> None:
    places = of_scores(one.scores, one.relevant, one.excluded, one.weights, one.other_relevant)
    scores = one.scores[one.relevant].tolist()
    if one.scheme.per == "user":
        users = np.zeros(len(scores), np.int64)
        _, found = moments_together(one.scheme, places, users, MEASURES)
        for text in MEASURES:
            mean, variance = literal_of(one, int(one.relevant[0]), scores, text)
            assert found[text].mean[0] == pytest.approx(mean, abs=1e-12), (one, text)
            assert found[text].variance[0] == pytest.approx(variance, abs=1e-12), (one, text)
        return
    found = moments(one.scheme, places, MEASURES)
    ranks = rank_probabilities(one.scheme, places, one.scheme.negatives + 1)
    for row, item in enumerate(one.relevant.tolist()):
        draw = sampled.Draw(one.scheme.negatives, one.scheme.replacement, one.scheme.ties)
        chances = sampled.rank_chances(draw, scores[row], one.weighted(item))
        np.testing.assert_allclose(ranks[:, row], chances, rtol=0, atol=1e-12)
        for text in MEASURES:
            mean, variance = literal_of(one, item, [scores[row]], text)
            assert found[text].mean[row] == pytest.approx(mean, abs=1e-12), (one, text)
            assert found[text].variance[row] == pytest.approx(variance, abs=1e-12), (one, text)
