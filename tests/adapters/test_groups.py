"""Groups of a library that ranks by scores are as long as the lists, and hold the labels as they are."""

from __future__ import annotations

import numpy as np
import pytest

from metric_adapters.groups import COUNTED, IGNORED, KNOWN, at_least, binary, list_groups, whole, without_row
from metric_adapters.subject import CannotShow
from metric_reference.case import case_from_lists


def test_a_group_has_the_listed_items_and_below_them_the_relevant_ones() -> None:
    case = case_from_lists([[7, 2, 5], [4, 0, 3, 1]], [[2, 6, 9], [0]], 12, gains=[[3, 2, 5], [0.5]], threshold=0.5)
    groups = list_groups(case, 3)
    assert groups.users.tolist() == [0] * 5 + [1] * 4
    assert groups.sizes.tolist() == [5, 4]
    assert groups.gains.tolist() == [3, 0, 2, 0, 5, 0.5, 0, 0, 0]  # items 2, 5, 6, 7, 9; 0, 1, 3, 4
    first, second = groups.scores[:5], groups.scores[5:]
    assert np.argsort(-first).tolist() == [3, 0, 1, 2, 4]
    assert np.argsort(-second).tolist() == [3, 0, 2, 1]
    assert len(np.unique(first)) == 5
    assert groups.scores.min() >= 1


def test_equal_scores_of_listed_items_stay_equal() -> None:
    case = case_from_lists([[7, 2, 5]], [[2]], 12, scores=[[0.5, 0.5, 0.25]])
    assert list_groups(case, 2).scores.tolist() == [3.0, 2.0, 3.0]


def test_below_a_short_list_a_relevant_item_has_no_row() -> None:
    hit, none = case_from_lists([[7, 2]], [[2, 6]], 12), case_from_lists([[7, 2]], [[6]], 12)
    for case, shown in ((hit, (KNOWN, IGNORED)), (none, (IGNORED,))):
        for unlisted in (COUNTED, KNOWN, IGNORED):
            if unlisted in shown:
                assert list_groups(case, 5, unlisted).sizes.tolist() == [2]
                assert without_row(case, 5, unlisted).sum() == 1
            else:
                with pytest.raises(CannotShow, match="shorter than 5 and leaves out a relevant item"):
                    list_groups(case, 5, unlisted)
    assert list_groups(hit, 2).sizes.tolist() == [3]
    assert list_groups(case_from_lists([[7, 2]], [[2]], 12), 5).sizes.tolist() == [2]


def test_an_empty_list_and_a_repeated_item_are_no_group() -> None:
    with pytest.raises(CannotShow, match="user 1 has an empty list"):
        list_groups(case_from_lists([[7], []], [[7], []], 12), 1)
    with pytest.raises(CannotShow, match="recommended 2 times"):
        list_groups(case_from_lists([[7, 7]], [[7]], 12), 1)


def test_places_without_a_row_have_the_sign_of_the_library() -> None:
    case = case_from_lists([[1, 0], [2]], [[0], [2]], 4, gains=[[1.5], [2]])
    gains, scores = list_groups(case, 1).padded(-1)
    assert gains.tolist() == [[1.5, 0], [2, -1]]
    assert scores[0, 1] > scores[0, 0]
    assert scores[1, 1] == 0


def test_labels_that_a_library_does_not_take_are_not_changed() -> None:
    for takes, shown, refused in (
        (whole, [0.0, 2.0], [0.0, 0.5]),
        (binary, [0.0, 1.0], [0.0, 2.0]),
        (lambda gains: at_least(gains, 1), [0.0, 1.5], [0.0, 0.5]),
    ):
        assert takes(np.array(shown)).tolist() == shown
        with pytest.raises(CannotShow):
            takes(np.array(refused))
