"""Users of a case as a case of their own."""

import numpy as np

from metric_reference.case import case_from_lists
from metric_reference.narrowed import of_users
from metric_reference.variant import Variant

CASE = case_from_lists([[3, 1], [2], [0, 4, 5]], [[1, 7], [2, 3, 5], []], 8, gains=[[1.0, 2.0], [3.0, 1.0, 2.0], []])


def test_users_keep_their_lists_and_judgements_in_the_order_asked_for() -> None:
    part = of_users(CASE, np.array([1, 0, 1, 2])).check()
    assert [part.list_of(user).tolist() for user in range(4)] == [[2], [3, 1], [2], [0, 4, 5]]
    assert [part.relevant_of(user).tolist() for user in range(4)] == [[2, 3, 5], [1, 7], [2, 3, 5], []]
    assert part.judged_gains.tolist() == [3.0, 1.0, 2.0, 1.0, 2.0, 3.0, 1.0, 2.0]


def test_the_mean_over_a_user_twice_is_that_of_the_user() -> None:
    variant = Variant.parse("ndcg(gain=linear)@3")
    twice, once = (variant.value(of_users(CASE, np.array(users))) for users in ([1, 1], [1]))
    assert twice == once > 0


def test_nobody_is_an_empty_case() -> None:
    assert of_users(CASE, np.array([], dtype=np.int64)).users == 0
