"""Which of two verified ways of calling is the one that a function is named by."""

from __future__ import annotations

from metric_harness.naming.precedence import restricts, reversed_order, stacks
from tests.support.calls import offered


def test_a_list_of_ranks_holds_one_rank_of_each_query() -> None:
    assert restricts(offered("ranks"), offered("rank:flat"))
    assert restricts(offered("positions:tensors"), offered("position:flat-tensors"))
    assert not restricts(offered("rank:flat"), offered("ranks"))


def test_a_sum_over_queries_is_rather_a_sum_over_the_ranks_of_one() -> None:
    assert restricts(offered("rank:flat"), offered("ranks"), narrow_sums=True)
    assert not restricts(offered("ranks"), offered("rank:flat"), wide_sums=True)


def test_the_same_roles_in_another_order() -> None:
    assert reversed_order(offered("item,recommended:matrix"), offered("recommended,item:matrix"))
    assert not reversed_order(offered("item,recommended:matrix"), offered("recommended,item"))
    assert not reversed_order(offered("item,recommended"), offered("item,recommended"))


def test_labels_of_candidates_in_one_row_stack_those_of_the_catalogue() -> None:
    assert stacks(offered("labels,scores:flat"), offered("y_true,y_score"))
    assert not stacks(offered("labels,scores:flat"), offered("y_score,y_true"))
    assert not stacks(offered("labels,scores"), offered("y_true,y_score"))
