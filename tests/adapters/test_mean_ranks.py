"""Ranks of the relevant item, their mean and their median; a rank that is handed over and returned is no metric."""

import pytest

from metric_harness.naming.api import audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLE = SUPPORT / "styles" / "mean_ranks.py"
NAMED = {
    "mean_rank": "rank(missing=next_listed)",
    "rank_at_k": "rank(missing=next)",
    "first_place": "rank(missing=minus_one, first=zero)",
    "rank_of_target": "rank(missing=zero)",
    "rank_among_scores": "rank(missing=left_out, cut=none)",
    "rank_with_ties_lost": "rank(missing=left_out, cut=none)",
    "rank_of_the_first": "rank(missing=left_out, first=zero, cut=none)",
    "rank_in_text": "rank(missing=left_out)",
    "rank_of_one": "rank(missing=left_out)",
    "mean_of_found": "rank(missing=left_out, only=with_hit)",
    "mean_of_ranks": "rank(missing=left_out, cut=none)",
    "median_of_ranks": "rank(missing=left_out, over=median, cut=none)",
    "med_r": "rank(missing=left_out, over=median_floor, cut=none)",
}
SEVERAL = {
    "metrics_of_ranks": ["rank(missing=left_out, cut=none)", "reciprocal_rank(over=first)", "hit_rate(value=any)"],
    "metrics_of_places": [
        "hit_rate(value=any, times=100)",
        "rank(missing=left_out, over=median_floor, cut=none)",
        "rank(missing=left_out, cut=none)",
    ],
}


@pytest.mark.parametrize("function", NAMED)
def test_a_rank_is_named(function: str) -> None:
    (subject,) = audit(f"{STYLE}:{function}").subjects
    assert (str(subject.variant), subject.verified) == (NAMED[function], True)


@pytest.mark.parametrize("function", SEVERAL)
def test_mean_and_median_ranks_stand_beside_other_results(function: str) -> None:
    subjects = audit(f"{STYLE}:{function}").subjects
    assert [str(subject.variant) for subject in subjects] == SEVERAL[function]


def test_a_rank_that_is_none_without_a_hit_has_no_value_there() -> None:
    (subject,) = audit(f"{STYLE}:first_rank_or_none").subjects
    assert str(subject.variant) == "rank(missing=left_out)"


@pytest.mark.parametrize("function", ["get_local_rank", "worst_rank"])
def test_what_returns_the_rank_that_it_is_given_is_no_metric(function: str) -> None:
    assert all(subject.variant is None for subject in audit(f"{STYLE}:{function}").subjects)
