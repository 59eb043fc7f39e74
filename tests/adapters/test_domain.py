"""What a call says that it can express is what its arguments really show."""

from __future__ import annotations

import numpy as np
import pytest

from metric_adapters.calls.call import Call
from metric_adapters.calls.packages import EXAMPLE, show
from metric_adapters.calls.role import ROLES, Fact
from metric_adapters.calls.table import CALLS, OF_LABELS
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow
from metric_reference.case import Case, case_from_lists

ITEMS = 8


def made(relevant: list[list[int]], gain: float = 1.0, slope: float = 1.0) -> Case:
    """Two users with lists of three items; scores fall with ``slope``."""
    lists = [[3, 1, 0], [2, 0, 4]]
    candidates = np.array([[-slope * (10 + item) for item in range(ITEMS)] for _ in lists])
    scores = [[-slope * rank for rank in range(1, 4)] for _ in lists]
    for user, row in enumerate(lists):
        candidates[user, row] = scores[user]
    gains = [[gain] * len(row) for row in relevant]
    return case_from_lists(lists, relevant, ITEMS, gains=gains, scores=scores, candidate_scores=candidates)


def shown(call: Call, case: Case, ids: np.ndarray | None = None) -> list[str]:
    return [show(argument) for argument in call.arguments(View(case, 3, ids=ids, kit=EXAMPLE), 0)]


def usual(call: Call) -> list[list[int]]:
    return [[3], [2]] if call.domain.relevant == "one" else [[3, 1, 6], [2, 0, 5]]


@pytest.mark.parametrize("call", [call for call in CALLS if call.domain.labels], ids=lambda call: call.name)
def test_a_call_of_shared_labels_shows_such_cases_alone(call: Call) -> None:
    case = OF_LABELS[call.domain.labels]
    assert len(shown(call, case)) == len(call.names)
    for other in (made(usual(call)), *(each for kind, each in OF_LABELS.items() if kind != call.domain.labels)):
        with pytest.raises(CannotShow):
            shown(call, other)


@pytest.mark.parametrize("call", [call for call in CALLS if not call.domain.labels], ids=lambda call: call.name)
def test_the_domain_of_a_call(call: Call) -> None:
    domain, relevant = call.domain, usual(call)
    before = shown(call, made(relevant))
    assert (shown(call, made(relevant, gain=2.0)) != before) == (domain.gains in ("graded", "whole"))
    order_alone = {"positive_counts", "small_score", "small_scores"} & {*call.names}
    assert (shown(call, made(relevant, slope=2.0)) != before) == (domain.scores != "none" and not order_alone)
    ids = np.arange(ITEMS, dtype=np.int64) + 1000
    assert (shown(call, made(relevant), ids) != before) == (domain.ids in ("numbers", "text"))
    if domain.relevant == "any":
        further = [[*row, 7] for row in relevant]
        assert (shown(call, made(further)) != before) == domain.unlisted
    one_user = [relevant[0], [4]] if domain.relevant == "one" else [relevant[0], [2, 0, 4]]
    if not call.has(Fact.GROUPS) and call.names != ("relevance", "list_length"):
        assert (shown(call, made(one_user)) == before) == (domain.users == "one")


def test_a_call_for_one_relevant_item_cannot_show_two() -> None:
    ones = [call for call in CALLS if call.domain.relevant == "one" and "places" not in call.names]
    assert len(ones) > 50
    for call in ones:
        with pytest.raises(CannotShow, match="takes exactly one"):
            shown(call, made([[3, 1], [2, 0]]))


def test_lists_end_where_the_domain_says() -> None:
    case = made([[3, 1, 6], [2, 0, 5]])
    for call in CALLS:
        if set(call.names) == {"relevant", "recommended"} and call.container in ("lists", "all"):
            cut = 2 if call.ends == "k" else None
            (listed,) = (
                argument if call.per_user else argument[0]
                for name, argument in zip(call.names, call.arguments(View(case, 2, cut=cut), 0), strict=True)
                if name == "recommended"
            )
            assert len(listed) == {"any": 3, "cut at k": 2, "padded to k": 3, "every item": ITEMS}[call.domain.lists], (
                call.name
            )


def test_what_has_no_order_of_its_own_is_given_in_none() -> None:
    """Ranks neither ascend nor descend, the label of a score stays beside it, ties keep their order."""
    case = case_from_lists([[3, 1, 0]], [[3, 1, 0]], ITEMS, gains=[[1.0, 3.0, 2.0]], scores=[[9.0, 8.0, 7.0]])
    for role in (role for role in ROLES.values() if role.has(Fact.ANY_ORDER) or role.order):
        named = [call for call in CALLS if role.name in call.names and call.container == "lists"]
        assert named, role.name
        for call in named:
            entries = call.arguments(View(case, 3), 0)[call.names.index(role.name)]
            by_gain = [entry[1] for entry in entries] if role.has(Fact.TUPLES) else entries
            assert (by_gain in (sorted(by_gain), sorted(by_gain, reverse=True))) == bool(role.order), call.name
    case = case_from_lists([[3, 1, 0, 2]], [[1, 2]], ITEMS, gains=[[1.0, 2.0]], scores=[[9.0, 8.0, 8.0, 8.0]])
    for name in ("list_scores", "falling_scores"):
        scores, gains = Call((name, "relevance_graded")).arguments(View(case, 4), 0)
        assert sorted(zip(scores, gains, strict=True), key=lambda pair: -pair[0]) == [(9, 0), (8, 1), (8, 0), (8, 2)]
