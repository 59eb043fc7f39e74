"""Breaking ties: every rule gives an order of its own, between the pessimistic and the optimistic one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings

from metric_reference.case import Case
from metric_reference.edges import Edges
from metric_reference.ties import DETERMINISTIC, break_ties, has_ties
from tests.support.random_cases import HELD, cases, ks, one_user, pool, tie_orders
from tests.support.variants import CLOSE, NOT_MONOTONE, RANKED, every, values


@pytest.mark.thorough
@pytest.mark.parametrize("family", RANKED)
@given(case=cases(repeats=False), k=ks)
@settings(HELD, max_examples=20)
def test_every_rule_lies_between_the_pessimistic_and_the_optimistic(family: str, case: Case, k: int) -> None:
    """And these two are the extremes over all orders of the tied items, for the variants that a better list raises."""
    user = one_user(case)
    orders = tie_orders(user)
    assume(len(orders) <= 24)
    names = RANKED[family]
    monotone = [v for v in every(names) if not NOT_MONOTONE.get(v.metric.name, lambda c: False)(v.choices())]
    monotone = [variant for variant in monotone if variant.choices().get("who") != "with_hit"]

    def numbers(found: dict) -> np.ndarray:
        return np.array([found[variant] for variant in monotone])

    orders_give = np.array([numbers(values(reordered(user, order), k, names)) for order in orders])
    rule_gives = {rule: numbers(values(user, k, names, Edges(ties=rule))) for rule in DETERMINISTIC}
    low, high = orders_give.min(axis=0), orders_give.max(axis=0)
    for rule, extreme in (("pessimistic", low), ("optimistic", high)):
        far = ~np.isclose(rule_gives[rule], extreme, rtol=CLOSE, atol=CLOSE, equal_nan=True)
        assert not [str(variant) for variant, is_far in zip(monotone, far, strict=True) if is_far], rule
    for rule in DETERMINISTIC:
        outside = (rule_gives[rule] < low - CLOSE) | (rule_gives[rule] > high + CLOSE)
        assert not [str(variant) for variant, is_out in zip(monotone, outside, strict=True) if is_out], rule


def reordered(user: Case, order: list[int]) -> Case:
    return replace(user, recommended=user.recommended[:, order])


@given(case=cases())
@HELD
def test_breaking_ties_keeps_items_and_scores_together(case: Case) -> None:
    for rule in DETERMINISTIC:
        broken = break_ties(case, rule)
        assert broken.scores is not None
        assert case.scores is not None
        for user in range(case.users):
            length = len(case.list_of(user))
            scores = broken.scores[user, :length]
            assert np.all(np.diff(scores) <= 0)
            assert sorted(zip(broken.list_of(user), scores, strict=True)) == sorted(
                zip(case.list_of(user), case.scores[user, :length], strict=True)
            )
            for above, below in itertools.pairwise(range(length)):
                if scores[above] == scores[below] and rule.startswith("id_"):
                    step = broken.recommended[user, below] - broken.recommended[user, above]
                    assert step >= 0 if rule == "id_ascending" else step <= 0


@given(case=cases())
@HELD
def test_the_input_order_stays_and_breaking_twice_changes_nothing(case: Case) -> None:
    assert np.array_equal(break_ties(case, "input_order").recommended, case.recommended)
    for rule in DETERMINISTIC:
        once = break_ties(case, rule)
        assert np.array_equal(break_ties(once, rule).recommended, once.recommended)
        if not has_ties(case):
            assert np.array_equal(once.recommended, case.recommended)


def test_rules_that_give_no_order_say_so() -> None:
    case = pool()[0]
    with pytest.raises(ValueError, match="'expected' does not give one order; choose one of input_order"):
        break_ties(case, "expected")
    with pytest.raises(ValueError, match="the case has no scores"):
        break_ties(replace(case, scores=None), "optimistic")
    assert not has_ties(replace(case, scores=None))
