"""Which of two verified ways of calling is the one that a function is named by."""

from __future__ import annotations

from metric_harness.naming.call_precedence import restricts, reversed_order


def test_a_list_of_ranks_holds_one_rank_of_each_query() -> None:
    assert restricts("ranks", "rank:flat")
    assert restricts("positions:tensors", "position:flat-tensors")
    assert not restricts("rank:flat", "ranks")


def test_a_sum_over_queries_is_rather_a_sum_over_the_ranks_of_one() -> None:
    assert restricts("rank:flat", "ranks", narrow_sums=True)
    assert not restricts("ranks", "rank:flat", wide_sums=True)


def test_the_same_roles_in_another_order() -> None:
    assert reversed_order("item,recommended:matrix", "recommended,item:matrix")
    assert not reversed_order("item,recommended:matrix", "recommended,item")
    assert not reversed_order("item,recommended", "item,recommended")
