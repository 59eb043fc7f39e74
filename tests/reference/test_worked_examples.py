"""Every number that the texts on recommender metrics print, and the figures of the four-user fixture.

A text's number either equals the variant that the text defines, or is its slip: then both stand here, the text's with
what reproduces it and the right one.
"""

from __future__ import annotations

import math

import pytest

from metric_reference.case import Case, case_from_lists
from metric_reference.edges import Edges
from metric_reference.variant import Variant
from tests.support.fixture import FIGURES, GRADED, RANKED_ONLY, K, fixture_case, graded_case, ranked_only_case

LIST_A, RELEVANT_A = [4, 6, 2, 3, 1, 8, 10, 9, 5, 7], [1, 6, 9]


def value(text: str, case: Case, k: int = 5, edges: Edges | None = None) -> float:
    return Variant.parse(text).value(case, edges or Edges(), k)


def ranked_gains(gains: list[float], missing: tuple[float, ...] = ()) -> Case:
    """One user whose list holds items of these gains in this order, with relevant items that it does not hold."""
    every = [*gains, *missing]
    return case_from_lists([list(range(len(gains)))], [list(range(len(every)))], len(every), gains=[every])


def ranked_hits(hits: list[int]) -> Case:
    """One user whose list hits at these ranks and who has no other relevant item."""
    return case_from_lists([list(range(len(hits)))], [[i for i, hit in enumerate(hits) if hit]], len(hits))


def hits_of_users(users: list[list[int]]) -> Case:
    width = max(map(len, users))
    relevant = [[rank for rank, hit in enumerate(row) if hit] for row in users]
    return case_from_lists([list(range(width)) for _ in users], relevant, width)


# Text A: holdout and leave-one-out


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("precision", 0.4),
        ("recall", 0.6666666666666666),
        ("ndcg", 0.4776237035032179),
        ("average_precision", 0.3),
        ("reciprocal_rank", 0.5),
    ],
)
def test_text_a_holdout(text: str, number: float) -> None:
    case = case_from_lists([LIST_A], [RELEVANT_A], 11)
    assert value(text, case) == pytest.approx(number, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "number"),
    [("precision", 0.2), ("recall", 1.0), ("hit_rate", 1.0), ("average_precision", 0.3333333333333333)],
)
def test_text_a_leave_one_out(text: str, number: float) -> None:
    assert value(text, leave_one_out()) == pytest.approx(number, abs=1e-15)


def test_text_a_discounts_a_rank_twice() -> None:
    """Its NDCG counts ranks from 1 and still divides by log2(rank + 2); its formula gives 1 / log2(3 + 1)."""
    case = leave_one_out()
    assert value("ndcg(discount=shifted_log2, ideal=none)", case) == pytest.approx(0.43067655807339306, abs=1e-15)
    assert value("ndcg", case) == value("ndcg(ideal=none)", case) == pytest.approx(0.5, abs=1e-15)
    at_the_top = ranked_hits([1, 0, 0, 0, 0])
    assert value("ndcg(discount=shifted_log2, ideal=none)", at_the_top) == pytest.approx(0.631, abs=5e-4)
    assert value("ndcg", at_the_top) == 1.0


def test_text_a_average_precision_of_one_relevant_item_is_the_reciprocal_rank() -> None:
    assert value("average_precision", leave_one_out()) == value("reciprocal_rank", leave_one_out())


def leave_one_out() -> Case:
    return case_from_lists([LIST_A], [[2]], 11)


# Text B: CG, DCG, IDCG, NDCG


def test_text_b_cumulative_gain_ignores_order() -> None:
    cg = "ndcg(gain=linear, discount=none, ideal=none)"
    assert value(cg, ranked_gains([0, 2, 1, 2, 0])) == 5
    assert value(cg, ranked_gains([2, 2, 1, 0, 0])) == 5


def test_text_b_linear_and_exponential_gain() -> None:
    binary, graded = ranked_gains([1, 0, 1]), ranked_gains([1, 2, 3])
    linear, exponential = "ndcg(gain=linear, ideal=none)", "ndcg(gain=exponential, ideal=none)"
    assert value(linear, binary) == value(exponential, binary) == pytest.approx(1.5, abs=1e-15)
    assert value(linear, graded) == pytest.approx(1 + 2 / math.log2(3) + 3 / 2, abs=1e-14)
    assert value(exponential, graded) == pytest.approx(1 + 3 / math.log2(3) + 7 / 2, abs=1e-14)


def test_text_b_no_discount_up_to_some_rank() -> None:
    """Ranks 1 and 2 weigh the same."""
    late = "ndcg(discount=max_log2, ideal=none)"
    assert value(late, ranked_hits([1, 0, 0])) == value(late, ranked_hits([0, 1, 0])) == 1
    assert value(late, ranked_hits([0, 0, 0, 1])) == pytest.approx(0.5, abs=1e-15)


def test_text_b_ndcg_is_zero_when_every_relevance_is() -> None:
    """The reference leaves such a user out; counted as zero, 0 is the number."""
    nothing = ranked_gains([0, 0, 0])
    assert math.isnan(value("ndcg(gain=linear)", nothing))
    assert value("ndcg(gain=linear)", nothing, edges=Edges(no_relevant="zero")) == 0


def test_text_b_two_weaknesses() -> None:
    """Irrelevant items cost nothing; missing ones cost nothing where the ideal is built from the list itself."""
    short, long = case_from_lists([[0]], [[0]], 9), case_from_lists([[0, 1, 2, 3]], [[0]], 9)
    assert value("ndcg", short) == value("ndcg", long) == 1
    complete, missing = ranked_gains([3, 2]), ranked_gains([3, 2], missing=(3, 3))
    assert value("ndcg(gain=linear, ideal=hits)", complete) == value("ndcg(gain=linear, ideal=hits)", missing) == 1
    assert value("ndcg(gain=linear)", complete) == 1
    assert value("ndcg(gain=linear)", missing) < 0.6


@pytest.mark.parametrize("index", range(5))
def test_text_b_leave_one_out_with_an_index_from_zero(index: int) -> None:
    hits = [int(rank == index) for rank in range(5)]
    assert value("ndcg", ranked_hits(hits)) == pytest.approx(1 / math.log2(index + 2), abs=1e-15)
    assert value("ndcg", case_from_lists([[0, 1, 2]], [[5]], 6)) == 0


# Text C: an overview


def test_text_c_average_reciprocal_hit_rate() -> None:
    """(Sum over hits of 1 / rank) / users: with one held-out item a user, the mean reciprocal rank."""
    case = hits_of_users([[0, 1, 0], [0, 0, 0, 1], [1, 0], [0, 0]])
    everyone = Edges(no_relevant="zero")
    assert value("reciprocal_rank(over=sum)", case, edges=everyone) == pytest.approx((1 / 2 + 1 / 4 + 1) / 4)
    assert value("reciprocal_rank", case, edges=everyone) == value("reciprocal_rank(over=sum)", case, edges=everyone)
    assert value("hit_rate", case, edges=everyone) == 3 / 4


@pytest.mark.parametrize(("threshold", "kept"), [(0, 4), (3, 3), (4, 2), (5.5, 0)])
def test_text_c_cumulative_hit_rate(threshold: float, kept: int) -> None:
    """Its four hits, one a user: (rank, predicted rating) = (4, 5), (2, 3), (10, 5), (1, 2)."""
    hits = [(4, 5.0), (2, 3.0), (10, 5.0), (1, 2.0)]
    lists = [list(range(10)) for _ in hits]
    scores = [[rating] * 10 for _, rating in hits]
    case = case_from_lists(lists, [[rank - 1] for rank, _ in hits], 10, scores=scores)
    assert value(f"cumulative_hit_rate(threshold={threshold})", case, 10) == kept / 4
    assert value(f"cumulative_hit_rate(threshold={threshold})", case, 9) == max(0, kept - (threshold <= 5)) / 4


def test_text_c_rating_hit_rate() -> None:
    """Its five numbers, which are 2, 8, 60, 2 and 1 of 2,000 users, add up to the hit rate."""
    numbers = {5.0: 0.0010, 4.0: 0.0040, 3.0: 0.0300, 2.0: 0.0010, 1.0: 0.0005}
    rated = [rating for rating, number in numbers.items() for _ in range(round(number * 2000))]
    gains = [[rating] for rating in rated] + [[3.0]] * (2000 - len(rated))
    lists = [[0]] * len(rated) + [[1]] * (2000 - len(rated))
    case = case_from_lists(lists, [[0]] * 2000, 2, gains=gains)
    for rating, number in numbers.items():
        assert value(f"rating_hit_rate(rating={rating})", case) == pytest.approx(number, abs=1e-15)
    assert value("hit_rate", case) == pytest.approx(sum(numbers.values()), abs=1e-15)


def test_text_c_ndcg_example() -> None:
    """E A C D B with gains 2 3 3 1 2. The text's DCG of 6.64 belongs to the order E A C B D."""
    own, swapped = ranked_gains([2, 3, 3, 1, 2]), ranked_gains([2, 3, 3, 2, 1])
    dcg, ndcg = "ndcg(gain=linear, ideal=none)", "ndcg(gain=linear)"
    assert value(dcg, own) == pytest.approx(6.597171, abs=5e-7)
    assert value(ndcg, own) == pytest.approx(0.923845, abs=5e-7)
    assert value(dcg, ranked_gains([3, 3, 2, 2, 1])) == pytest.approx(7.140995, abs=5e-7)
    assert value(dcg, own) / value(ndcg, own) == pytest.approx(7.140995, abs=1e-6)
    assert round(value(dcg, swapped), 2) == 6.64
    assert round(value(dcg, ranked_gains([3, 3, 2, 2, 1])), 2) == 7.14
    assert round(value(ndcg, swapped), 2) == 0.93


def test_text_c_average_precision_is_the_mean_of_precisions() -> None:
    """Its formula has no indicator: P@1 to P@K are averaged whether or not the rank hits."""
    case = case_from_lists([LIST_A], [RELEVANT_A], 11)
    mean = sum(value("precision", case, k) for k in range(1, 6)) / 5
    assert value("average_precision(divide_by=k, sum_over=all_ranks)", case) == pytest.approx(mean, abs=1e-15)
    assert mean > value("average_precision(divide_by=k)", case)


# Text D: the review of the paper


def test_text_d_recall_of_mult_vae() -> None:
    case = case_from_lists([[0, 1, 2]], [[0, 1, 5, 6, 7, 8]], 9)
    assert value("recall(divide_by=min_k_relevant)", case, 3) == pytest.approx(2 / 3)
    assert value("recall", case, 3) == pytest.approx(2 / 6)


# Text E: evaluation functions


@pytest.mark.parametrize(("hits", "number"), [([0, 0, 1], 0.11), ([1, 1, 0], 0.89), ([1, 1, 1], 1.0)])
def test_text_e_average_precision_at_3(hits: list[int], number: float) -> None:
    assert round(value("average_precision(divide_by=k, sum_over=all_ranks)", ranked_hits(hits), 3), 2) == number


def test_text_e_with_the_indicator() -> None:
    case = ranked_hits([1, 1, 0])
    assert value("average_precision", case, 3) == 1
    assert round(value("average_precision(divide_by=k)", case, 3), 2) == 0.67


@pytest.mark.parametrize("gains", [[2, 3, 3, 1, 2], [3, 3, 2, 2, 1]])
def test_text_e_cumulative_gain(gains: list[float]) -> None:
    assert value("ndcg(gain=linear, discount=none, ideal=none)", ranked_gains(gains)) == 11


# The four users


@pytest.mark.parametrize("text", FIGURES)
def test_the_four_users(text: str) -> None:
    assert value(text, fixture_case(), K) == pytest.approx(FIGURES[text], abs=6e-7)


@pytest.mark.parametrize("text", RANKED_ONLY)
def test_the_four_users_with_the_ranked_items_as_candidates(text: str) -> None:
    assert value(text, ranked_only_case(), K) == pytest.approx(RANKED_ONLY[text], abs=6e-7)


@pytest.mark.parametrize("threshold", GRADED)
def test_the_four_users_with_ratings(threshold: float) -> None:
    for text, number in GRADED[threshold].items():
        assert value(text, graded_case(threshold), K) == pytest.approx(number, abs=6e-7), text


def test_the_log_base_cancels_but_in_the_dcg() -> None:
    case = fixture_case()
    assert value("ndcg(discount=ln)", case, K) == pytest.approx(value("ndcg", case, K), abs=1e-15)
    natural = value("ndcg(discount=ln, ideal=none)", case, K)
    assert natural == pytest.approx(value("ndcg(ideal=none)", case, K) / math.log(2), abs=1e-14)


def test_the_graded_probe() -> None:
    """Labels 3 and 1, the smaller one first: linear and exponential gain differ."""
    case = ranked_gains([1, 3])
    assert value("ndcg(gain=linear)", case, K) == pytest.approx(0.796708, abs=5e-7)
    assert value("ndcg(gain=exponential)", case, K) == pytest.approx(0.709810, abs=5e-7)
    assert value("ndcg(gain=binary)", case, K) == 1
