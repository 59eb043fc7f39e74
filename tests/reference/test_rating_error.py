"""Metrics of rating error: worked examples, and the order of mean and root mean square."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from metric_reference.case import Case, case_from_lists
from tests.reference.test_beyond_accuracy import value
from tests.support.random_cases import HELD, cases


def rated(pairs: list[list[tuple[float, float]]]) -> Case:
    """Users with (predicted, true) ratings."""
    judged = [list(range(len(row))) for row in pairs]
    gains = [[truth for _, truth in row] for row in pairs]
    case = case_from_lists([[] for _ in pairs], judged, max(1, *map(len, pairs)), gains=gains)
    return replace(case, predicted_ratings=np.array([predicted for row in pairs for predicted, _ in row])).check()


def test_text_c_rating_errors() -> None:
    """MAE is the mean of |y - x|, RMSE the root of the mean of (y - x)^2; a missing prediction leaves both."""
    case = rated([[(3.0, 4.0), (5.0, 5.0), (4.0, 2.0)], [(1.0, 4.0), (math.nan, 3.0)], [(math.nan, 1.0)]])
    assert value("mae", case) == pytest.approx((1 + 0 + 2 + 3) / 4)
    assert value("rmse", case) == pytest.approx(math.sqrt((1 + 0 + 4 + 9) / 4))
    assert value("mae(over=users)", case) == pytest.approx((1 + 3) / 2)
    assert value("rmse(over=users)", case) == pytest.approx((math.sqrt(5 / 3) + 3) / 2)


def test_text_e_accuracy_is_the_share_of_predictions_that_equal_the_truth() -> None:
    """The text's own formula is misprinted: the sum stands below the line."""
    case = rated([[(4.0, 4.0), (3.2, 3.0), (4.4, 4.5), (1.0, 5.0)]])
    assert value("accuracy", case) == 1 / 4
    assert value("accuracy(match=nearest)", case) == 2 / 4
    assert value("accuracy(match=nearest_half)", case) == 3 / 4


@given(case=cases())
@HELD
def test_the_mean_error_is_at_most_the_root_of_the_mean_square(case: Case) -> None:
    for over in ("ratings", "users"):
        mae, rmse = value(f"mae(over={over})", case), value(f"rmse(over={over})", case)
        assert mae <= rmse + 1e-12 or math.isnan(mae)
    assert value("rmse(over=users)", case) >= 0 or math.isnan(value("rmse(over=users)", case))
