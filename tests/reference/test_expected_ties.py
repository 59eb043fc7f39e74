"""The closed forms of expectation over ties against the mean over every order, one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_reference.case import case_from_lists
from metric_reference.edges import Edges
from metric_reference.expected_ties import RULES, expected_parts
from metric_reference.matching import match
from metric_reference.metrics.ranking.average_precision import AveragePrecision
from metric_reference.variant import Variant

METRICS = [metric for kind in RULES for metric in kind.space()]


@st.composite
def tied_lists(draw):
    items = draw(st.permutations(range(9)))[: draw(st.integers(1, 6))]
    scores = sorted((draw(st.sampled_from([0.9, 0.5, 0.25])) for _ in items), reverse=True)
    relevant = draw(st.lists(st.integers(0, 8), min_size=1, max_size=5, unique=True))
    gains = [draw(st.sampled_from([1.0, 2.0, 3.0])) for _ in relevant]
    return items, scores, relevant, gains, draw(st.integers(1, 8))


def orders(items, scores):
    groups = [
        [i for i, s in zip(items, scores, strict=True) if s == score] for score in sorted(set(scores), reverse=True)
    ]
    return [
        list(itertools.chain(*order))
        for order in itertools.product(*(itertools.permutations(group) for group in groups))
    ]


@pytest.mark.thorough
@given(tied_lists())
def test_expectation_is_the_mean_over_all_orders(drawn):
    items, scores, relevant, gains, k = drawn
    every = orders(items, scores)
    candidates = np.zeros((len(every), 9))
    one = match(
        case_from_lists([items], [relevant], 9, gains=[gains], scores=[scores], candidate_scores=candidates[:1])
    )
    all_orders = match(
        case_from_lists(every, [relevant] * len(every), 9, gains=[gains] * len(every), candidate_scores=candidates)
    )
    compared = 0
    for metric in METRICS:
        try:
            parts = expected_parts(metric, one, k)
        except ValueError:
            continue
        compared += 1
        assert metric.values_of(parts, one)[0] == pytest.approx(
            np.mean(metric.per_user(all_orders, k)), abs=1e-12, nan_ok=True
        )
    assert compared > 150


def test_a_variant_takes_the_expectation_where_the_edges_say_so():
    case = case_from_lists([[0, 1, 2]], [[2]], 5, scores=[[0.5, 0.5, 0.5]])
    expected = Edges(ties="expected")
    assert Variant.parse("reciprocal_rank@3").value(case, expected) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert Variant.parse("precision@1").value(case, expected) == pytest.approx(1 / 3)


def test_what_has_no_closed_form_says_so():
    case = case_from_lists([[0, 1, 2]], [[2]], 5, scores=[[0.5, 0.5, 0.5]])
    with pytest.raises(ValueError, match="no closed form"):
        expected_parts(AveragePrecision("hits"), match(case), 3)
