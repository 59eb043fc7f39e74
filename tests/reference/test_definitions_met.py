"""Definitions met in public code, held against other programs' figures and against values worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.probes.probe import core_probes
from metric_reference.case import Case, case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant

LABELS = [1, 0, 1, 0, 0, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.5, 0.4, 0.2, 0.1]
SCIKIT_LEARN = {
    "partial_auc(scope=stacked, max_fpr=0.1)": 0.6052631578947368,
    "partial_auc(scope=per_user, max_fpr=0.2)": 0.5856481481481481,
    "partial_auc(scope=stacked, max_fpr=0.5)": 0.5833333333333334,
    "auc(scope=per_row)": 0.5833333333333333,
    "pr_auc(area=step)": 0.5932539682539683,
    "pr_auc(area=trapezoid, scope=stacked)": 0.5810019841269841,
    "mcc(over=candidates)": 0.16666666666666666,
    "mcc(over=catalogue, scope=stacked)": 0.16666666666666666,
    "log_loss(over=rows, eps=2.220446049250313e-16)": 0.7803655321208558,
}
"""scikit-learn 1.9.1 for these labels and scores, the first four ranks listed: roc_auc_score(max_fpr=...),
average_precision_score, auc of precision_recall_curve, matthews_corrcoef, log_loss."""

CLIPPED = 4.21325102822338
"""scikit-learn's log_loss where the first two scores are 1: one right, one wrong."""


def value(text: str, case: Case, k: int) -> float:
    return Variant.parse(text).value(case, k=k)


def labelled(scores: list[float]) -> Case:
    listed = list(range(len(LABELS)))
    relevant = [item for item in listed if LABELS[item]]
    return case_from_lists([listed], [relevant], len(LABELS), candidate_scores=np.array([scores]))


@pytest.mark.parametrize("text", SCIKIT_LEARN)
def test_scikit_learn(text: str) -> None:
    assert value(text, labelled(SCORES), 4) == pytest.approx(SCIKIT_LEARN[text], abs=1e-14)


def test_log_loss_of_a_certain_error() -> None:
    scores = [1.0, 1.0, *SCORES[2:]]
    assert value("log_loss(over=rows, eps=2.220446049250313e-16)", labelled(scores), 4) == pytest.approx(CLIPPED)


def ranked(hits: list[int], missing: int = 0, n_items: int = 30) -> Case:
    """One user whose list hits at the ranks with a 1 or a gain, and who has other relevant items."""
    listed = list(range(len(hits)))
    gains = [float(gain) for gain in hits if gain] + [1.0] * missing
    relevant = [rank for rank, gain in enumerate(hits) if gain] + [len(hits) + i for i in range(missing)]
    return case_from_lists([listed], [relevant], n_items, gains=[gains])


def test_a_whole_relevance_vector() -> None:
    """The snippet's vector [0, 0, 1, 1, 0]: precision after all hits is 2 / 4."""
    case = ranked([0, 0, 1, 1, 0])
    assert value("precision(divide_by=last_hit_rank, cut=none)", case, 2) == 0.5
    assert value("precision(divide_by=last_hit_rank)", case, 2) == 0
    assert value("precision(divide_by=list, cut=none)", case, 2) == pytest.approx(2 / 5)
    assert value("recall(divide_by=relevant, cut=none)", ranked([0, 0, 1, 1], missing=2), 2) == 0.5


def test_average_precision_of_the_list_alone() -> None:
    """min(k, hits of the vector): (1/1 + 2/3) / 2 with k = 3 and three hits in the vector of 5, over min(3, 3)."""
    case = ranked([1, 0, 1, 0, 1], missing=4)
    assert value("average_precision(divide_by=min_k_list_hits)", case, 3) == pytest.approx((1 + 2 / 3) / 3)
    assert value("average_precision(divide_by=relevant, sum_over=relevant_ranks)", case, 9) == pytest.approx(
        (1 + 2 / 3 + 3 / 5) / 7
    )
    few = ranked([0, 1, 1], missing=0)  # two relevant items: the hit at rank 3 is past them
    assert value("average_precision(divide_by=relevant, sum_over=relevant_ranks)", few, 9) == pytest.approx(1 / 4)
    every = 1 + 1 / 2 + 2 / 3 + 2 / 4 + 3 / 5
    assert value("average_precision(divide_by=list, sum_over=listed_ranks)", case, 9) == pytest.approx(every / 5)
    later = sum(3 / rank for rank in range(6, 10))
    assert value("average_precision(divide_by=k, sum_over=all_ranks)", case, 9) == pytest.approx((every + later) / 9)


def test_ideals_of_the_list() -> None:
    case = ranked([0, 3, 0, 2], missing=5)
    dcg = 3 / math.log2(3)
    assert value("ndcg(gain=linear, ideal=list_hits)", case, 2) == pytest.approx(dcg / (3 + 2 / math.log2(3)))
    assert value("ndcg(gain=linear, ideal=hits)", case, 2) == pytest.approx(dcg / 3)
    ideal = 3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5)
    whole = dcg + 2 / math.log2(5)
    assert value("ndcg(gain=linear, ideal=list)", case, 20) == pytest.approx(whole / ideal)
    assert value("ndcg(gain=linear, ideal=list_ranks)", case, 20) == pytest.approx(
        whole / (3 * sum(1 / math.log2(rank + 1) for rank in range(1, 5)))
    )
    same = (3 / math.log2(3)) / (3 + 2 / math.log2(3) + 1 / 2)
    assert value("ndcg(gain=linear, ideal=same_ranks)", ranked([0, 3, 0, 2], missing=1), 20) == pytest.approx(same)
    short = ranked([0, 3], missing=2)
    assert value("ndcg(gain=linear, ideal=relevant_ranks)", short, 20) == pytest.approx(
        dcg / (3 + 1 / math.log2(3) + 1 / 2)
    )
    assert value("ndcg(gain=binary, ideal=relevant_ranks)", ranked([0, 1], missing=0), 20) == 0.0
    assert value("r_precision(divide_by=min_list_relevant)", short, 20) == pytest.approx(1 / 2)
    fixed = ideal - 1 / math.log2(5)
    assert value("ndcg(gain=linear, ideal=fixed, depth=3)", case, 20) == pytest.approx(whole / fixed)


def test_gains_that_are_off() -> None:
    """Gains 1 and 3 at ranks 2 and 3: 2^(g + 1) - 1 is 3 and 15, g^2 - 1 is 0 and 8."""
    case = ranked([0, 1, 3, 0])
    dcg = 3 / math.log2(3) + 15 / 2
    assert value("ndcg(gain=exponential_plus_one, ideal=none)", case, 4) == pytest.approx(dcg)
    assert value("ndcg(gain=exponential_plus_one)", case, 4) == pytest.approx(dcg / (15 + 3 / math.log2(3)))
    assert value("ndcg(gain=squared_minus_one, ideal=none)", case, 4) == 8 / 2
    assert value("ndcg(gain=squared_minus_one)", case, 4) == 1 / 2
    assert value("ndcg(gain=squared_minus_one)", ranked([1, 0, 1]), 3) == 0


def test_discounts() -> None:
    """The example of Järvelin & Kekäläinen 2002: gains 3, 2, 3, 0, 0, 1, 2, 2, 3, 0; b = 2."""
    case = ranked([3, 2, 3, 0, 0, 1, 2, 2, 3, 0])
    base_2 = "ndcg(gain=linear, discount=max_log, ideal=none, base=2)"
    published = {1: 3, 2: 5, 3: 6.89, 5: 6.89, 6: 7.28, 7: 7.99, 8: 8.66, 9: 9.61, 10: 9.61}
    assert {k: round(value(base_2, case, k), 2) for k in published} == published
    assert value(base_2, case, 9) == value("ndcg(gain=linear, discount=max_log2, ideal=none)", case, 9)
    assert value("ndcg(gain=linear, discount=max_log, ideal=none, base=10)", case, 10) == 16
    second = ranked([0, 1])
    assert value("ndcg(gain=binary, discount=ln_rank)", second, 2) == pytest.approx(1 / math.log(2))
    assert value("ndcg(gain=binary, discount=log10, ideal=none)", second, 2) == pytest.approx(1 / math.log10(3))


def test_reciprocal_rank_of_users_with_a_hit() -> None:
    """First hits at ranks 2 and 4, and a user without a hit: cut at 3 the second user has none either."""
    case = case_from_lists([[9, 0, 1], [7, 8, 6, 2], [5]], [[0, 1], [2], [4]], 10)
    assert value("reciprocal_rank(over=first, who=with_hit)", case, 3) == 1 / 2
    assert value("reciprocal_rank(over=first, who=with_hit)", case, 4) == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert value("reciprocal_rank(over=first, who=with_hit, cut=none)", case, 1) == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert value("reciprocal_rank(over=sum, who=with_hit)", case, 3) == pytest.approx(1 / 2 + 1 / 3)
    assert value("reciprocal_rank(over=first, who=with_hit)", case, 1) == 0
    micro = value("reciprocal_rank(over=mean_relevant, who=with_hit, weight=micro)", case, 4)
    assert micro == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_rank_biased_precision() -> None:
    case = ranked([1, 0, 1])
    assert value("rank_biased_precision(persistence=0.5)", case, 3) == pytest.approx(0.5 * (1 + 0.25))
    assert value("rank_biased_precision(persistence=0.5)", case, 2) == 0.5
    assert value("rank_biased_precision(cut=none, persistence=0.95)", case, 1) == pytest.approx(0.05 * (1 + 0.9025))


def test_expected_reciprocal_rank() -> None:
    """Grades 3, 0, 2 of at most 4: the reader stops with 7/16, 0 and 3/16."""
    case = ranked([3, 0, 2])
    expected = 7 / 16 + (9 / 16) * (3 / 16) / 3
    assert value("expected_reciprocal_rank(largest=fixed, grade=4)", case, 3) == pytest.approx(expected)
    past = 7 / 4 - 3 / 4 * (3 / 4) / 3
    assert value("expected_reciprocal_rank(largest=uncapped, grade=2)", case, 3) == pytest.approx(past)
    assert value("expected_reciprocal_rank(largest=user)", case, 1) == pytest.approx(7 / 8)


def test_fall_out() -> None:
    """TorchMetrics' example: of three documents the two with a label stand first and last; the top 2 hold the other."""
    case = case_from_lists([[2, 1, 0]], [[0, 2]], 3, candidate_scores=np.array([[0.2, 0.3, 0.5]]))
    for over in ("candidates", "catalogue", "list"):
        assert value(f"fall_out(over={over})", case, 2) == 1
        assert value(f"fall_out(over={over})", case, 1) == 0


def test_auc_spread_evenly() -> None:
    """Of 10 items 3 are relevant; the list of 4 hits at ranks 1 and 3. Of 5 others that are not listed, two listed hits
    beat all and the third relevant item half of them: (2 + 1 + 2 * 5 + 2.5) / (3 * 7)."""
    case = ranked([1, 0, 1, 0], missing=1, n_items=10)
    assert value("auc(scope=spread)", case, 4) == pytest.approx((2 + 1 + 10 + 2.5) / 21)


def test_auc_with_ties_in_the_order_of_the_rows() -> None:
    """Relevant items 1 and 2 tie with 0 and 3: item 0 stands before both, item 3 after both."""
    row = np.array([0.5, 0.5, 0.5, 0.5, 0.1])
    case = case_from_lists([[1], [1]], [[1, 2], [0]], 5, candidate_scores=np.array([row, row[::-1]]))
    first = {"id_ascending": 4 / 6, "id_descending": 4 / 6, "half": 4 / 6, "win": 1.0, "lose": 2 / 6}
    second = {"id_ascending": 0.0, "id_descending": 0.0, "half": 0.0, "win": 0.0, "lose": 0.0}
    for ties in first:
        mean = (first[ties] + second[ties]) / 2
        assert value(f"auc(scope=per_user, ties={ties})", case, 1) == pytest.approx(mean)
    one = case_from_lists([[0], [0]], [[0], [1]], 3, candidate_scores=np.full((2, 3), 0.5))
    assert value("auc(scope=per_user, ties=id_ascending)", one, 1) == pytest.approx((1 + 1 / 2) / 2)
    assert value("auc(scope=per_user, ties=id_descending)", one, 1) == pytest.approx((0 + 1 / 2) / 2)
    # rows of the first user come before those of the second: others at rows 1, 2, 3 and 5, relevant ones at 0 and 4
    assert value("auc(scope=stacked, ties=id_ascending)", one, 1) == pytest.approx((4 + 1) / 8)
    assert value("auc(scope=stacked, ties=id_descending)", one, 1) == pytest.approx((0 + 3) / 8)


def test_auc_by_trapezoids_that_lag() -> None:
    """Heights at the other candidates 0, 1, 2: (0 + 0) / 2, (0 + 1) / 2, (1 + 2) / 2, over two pairs of three."""
    ranked = np.array([[0.6, 0.5, 0.4, 0.3, 0.2], [0.9, 0.1, -np.inf, -np.inf, -np.inf]])
    case = case_from_lists([[1], [1]], [[1, 3], [0]], 5, candidate_scores=ranked)
    perfect = 1 / 2  # one relevant candidate above a single other one
    assert value("auc(scope=per_user, negatives=lagged)", case, 1) == pytest.approx((2 / 6 + perfect) / 2)
    assert value("auc(scope=per_row, negatives=lagged)", case, 1) == pytest.approx((5 * 2 / 6 + 2 * perfect) / 7)
    # all seven rows: 0.9 and 0.5, 0.3 are relevant; heights at 0.6, 0.4, 0.2 and 0.1 are 1, 2, 3 and 3
    assert value("auc(scope=stacked, negatives=lagged)", case, 1) == pytest.approx((0.5 + 1.5 + 2.5 + 3) / 12)
    tied = case_from_lists([[0], [0]], [[0], [1]], 2, candidate_scores=np.full((2, 2), 0.5))
    for ties, areas in {"half": 0.25, "win": 0.5, "lose": 0.0, "id_ascending": 0.25, "id_descending": 0.25}.items():
        assert value(f"auc(scope=per_user, ties={ties}, negatives=lagged)", tied, 1) == pytest.approx(areas)


def test_auc_weighted_by_rows_and_by_pairs() -> None:
    """AUC 1 of a user with 3 candidates and 2 pairs, 0 of one with 2 and 1."""
    scores = np.array([[0.9, 0.2, 0.1], [0.1, 0.5, -np.inf]])
    case = case_from_lists([[0], [1]], [[0], [0]], 3, candidate_scores=scores)
    assert value("auc(scope=per_row)", case, 1) == pytest.approx(3 / 5)
    assert value("auc(scope=per_pair)", case, 1) == pytest.approx(2 / 3)
    assert value("auc(scope=per_user)", case, 1) == 0.5


def test_herfindahl() -> None:
    case = case_from_lists([[0, 1], [0, 2]], [[0], [0]], 5)
    assert value("herfindahl", case, 2) == pytest.approx(1 / 4 + 1 / 16 + 1 / 16)
    assert value("herfindahl(value=diversity)", case, 2) == pytest.approx(1 - 3 / 8)


def test_sums_and_rounding() -> None:
    case = case_from_lists([[0, 1, 2], [0, 1, 2]], [[2], [0]], 3)
    assert value("reciprocal_rank(over=first, weight=sum)", case, 3) == pytest.approx(4 / 3)
    assert value("reciprocal_rank(over=first, weight=sum, rounded=1)", case, 3) == 1.3
    with pytest.raises(ValueError, match="auc: with these choices there is no sum over users"):
        Variant.parse("auc(scope=stacked, weight=sum)")


def test_values_of_users_are_rounded_before_their_mean() -> None:
    """Two of three and one of three: 0.67 and 0.33; a user without a list has 0."""
    case = case_from_lists([[0, 1, 9], [0, 8, 9], []], [[0, 1, 2], [0, 1, 2], [5]], 10)
    assert value("recall(rounded=2, rounds=users)", case, 3) == pytest.approx((0.67 + 0.33) / 3)
    assert value("recall(rounded=1, rounds=users, times=100)", case, 3) == pytest.approx((66.7 + 33.3) / 3)
    assert value("recall(rounded=2)", case, 3) == 0.33
    for wrong in ("recall(rounds=users)", "recall(rounded=2, rounds=users, weight=sum)", "recall(rounds=all)"):
        with pytest.raises(ValueError, match="rounds"):
            Variant.parse(wrong)


def test_a_factor_is_part_of_the_variant() -> None:
    """One of two users has a hit: 50 per cent."""
    case = case_from_lists([[1, 2], [3, 4]], [[1], [0]], 6)
    assert value("hit_rate(value=any, times=100)", case, 2) == 50.0
    assert value("hit_rate(value=any, rounded=1, times=100)", ranked([0, 0, 1], missing=2), 3) == 100.0
    assert str(Variant.parse("recall(times=100)")) == "recall(divide_by=relevant, times=100)"
    with pytest.raises(ValueError, match="times must be"):
        Variant.parse("recall(times=0)")


@pytest.mark.parametrize(
    "text",
    [
        "ndcg(gain=binary, times=100)",
        "recall(divide_by=relevant, rounded=2, times=100)",
        "ndcg(gain=binary, rounded=4, rounds=users)",
        "recall(divide_by=relevant, rounded=2, times=100, rounds=users)",
    ],
)
def test_per_cent_and_rounding_are_found_from_the_answers(text: str) -> None:
    wanted = Variant.parse(text)
    answers = {probe.name: ProbeAnswer(wanted.value(probe.case, k=probe.k)) for probe in core_probes()}
    assert identify(wanted.metric.name, answers).variant == wanted


def test_what_nobody_judged_is_taken_out_of_the_list() -> None:
    """Of the list 0 to 5 the items 1, 3 and 5 are judged, 1 as not relevant: what is left is 1, 3, 5."""
    case = case_from_lists([[0, 1, 2, 3, 4, 5]], [[3, 5, 7, 1]], 9, gains=[[2.0, 1.0, 1.0, 0.0]])
    assert value("precision(divide_by=k, only=judged)", case, 2) == 1 / 2
    assert value("reciprocal_rank(over=first, only=judged)", case, 3) == 1 / 2
    assert value("average_precision(divide_by=relevant, only=judged)", case, 3) == pytest.approx((1 / 2 + 2 / 3) / 3)
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert value("ndcg(gain=linear, only=judged)", case, 3) == pytest.approx((2 / math.log2(3) + 1 / 2) / ideal)
    assert value("ndcg(gain=linear)", case, 3) == 0
    nobody = case_from_lists([[0, 1]], [[3]], 9)
    assert value("precision(divide_by=k, only=judged)", nobody, 2) == 0


def test_the_first_k_relevant_items_alone() -> None:
    """Of the truth 3, 9, 1 the first two are 3 and 9, whatever their gains; the list holds 3 and 1."""
    case = case_from_lists([[3, 1, 4]], [[3, 9, 1]], 10, gains=[[1.0, 1.0, 5.0]])
    assert value("recall(divide_by=relevant, only=first_k_relevant)", case, 2) == 1 / 2
    assert value("precision(divide_by=k, only=first_k_relevant)", case, 2) == 1 / 2
    assert value("recall(divide_by=relevant, only=first_k_relevant)", case, 3) == 2 / 3
    assert value("recall(divide_by=min_k_relevant)", case, 2) == 1
    same = Variant.parse("recall(divide_by=min_k_relevant, only=first_k_relevant)")
    assert str(same.canonical()) == "recall(divide_by=relevant, only=first_k_relevant)"


def test_the_relevant_items_of_the_whole_list_alone() -> None:
    """The list 3, 1, 4, 5 holds 1 and 5 of the truth 1, 5, 7; that of the second user none of 6 and 8."""
    case = case_from_lists([[3, 1, 4, 5], [0, 2, 9, 4]], [[1, 5, 7], [6, 8]], 10)
    assert value("recall(divide_by=relevant, only=listed)", case, 2) == 1 / 2
    assert value("average_precision(divide_by=relevant, only=listed)", case, 4) == (1 / 2 + 2 / 4) / 2
    ideal = value("ndcg(gain=binary, ideal=list_hits)", case, 3)  # the second user counts, with 0
    assert value("ndcg(gain=binary, only=listed)", case, 3) == 2 * ideal > 0


@pytest.mark.parametrize(
    ("same", "canonical"),
    [
        ("ndcg(gain=linear, ideal=list_hits, only=listed)", "ndcg(gain=linear, only=listed)"),
        ("ndcg(gain=exponential, ideal=list, only=listed)", "ndcg(gain=exponential, only=listed)"),
        (
            "average_precision(divide_by=list_hits, only=listed)",
            "average_precision(divide_by=relevant, only=listed)",
        ),
        (
            "average_precision(divide_by=min_k_list_hits, only=listed)",
            "average_precision(divide_by=min_k_relevant, only=listed)",
        ),
    ],
)
def test_the_hits_of_the_list_are_its_relevant_items(same: str, canonical: str) -> None:
    assert str(Variant.parse(same).canonical()) == canonical
    rng = np.random.default_rng(3)
    for _ in range(50):
        lists = [rng.permutation(12)[: rng.integers(1, 9)].tolist() for _ in range(3)]
        truths = [rng.permutation(12)[: rng.integers(1, 6)].tolist() for _ in range(3)]
        case = case_from_lists(lists, truths, 12, gains=[rng.integers(1, 4, len(t)).astype(float) for t in truths])
        values = [value(text, case, k) for text in (same, canonical) for k in (1, 3, 9)]
        np.testing.assert_allclose(values[:3], values[3:])


def test_users_with_a_hit_alone() -> None:
    """Of three users the first alone has a hit up to 2; at 1 nobody has one."""
    case = case_from_lists([[3, 1, 4], [0, 2, 6], [5, 7, 8]], [[1, 4], [6], [9]], 10)
    assert value("average_precision(divide_by=relevant, only=with_hit)", case, 2) == 1 / 2 / 2
    assert value("precision(divide_by=k, only=with_hit_or_nan)", case, 2) == 1 / 2
    assert value("recall(divide_by=relevant, only=with_hit)", case, 3) == (2 / 2 + 1 / 1) / 2
    assert value("precision(divide_by=k, only=with_hit)", case, 1) == 0
    assert math.isnan(value("precision(divide_by=k, only=with_hit_or_nan)", case, 1))
    rank = value("reciprocal_rank(over=first, who=with_hit)", case, 3)
    same = Variant.parse("reciprocal_rank(over=first, only=with_hit)")
    assert value(str(same), case, 3) == rank
    assert str(same.canonical()) == "reciprocal_rank(over=first, who=with_hit)"


def test_only_what_reads_lists_reads_a_part_of_them() -> None:
    for wrong in ("auc(only=judged)", "mae(only=judged)", "recall(only=unlisted)"):
        with pytest.raises(ValueError, match="only"):
            Variant.parse(wrong)
    text = "recall(divide_by=relevant, only=first_k_relevant, rounded=3)"
    assert str(Variant.parse(text)) == text
    assert Variant.parse(text).choices()["only"] == "first_k_relevant"


def test_items_predicted_above_the_threshold_as_in_the_faq_of_surprise() -> None:
    """(true 5, predicted 4) and (true 1, predicted 3) with the threshold 3.5 and k = 2: one is recommended."""
    plain = case_from_lists([[0, 1]], [[0, 1, 2]], 3, gains=[[5.0, 1.0, 4.0]], threshold=3.5)
    case = replace(plain, predicted_ratings=np.array([4.0, 3.0, 1.0]))
    assert value("precision(divide_by=list, only=predicted)", case, 2) == 1
    assert value("precision(divide_by=list)", case, 2) == 1 / 2
    assert value("recall(divide_by=relevant, only=predicted)", case, 2) == 1 / 2
    assert value("precision(divide_by=list, only=predicted)", plain, 2) == 1 / 2


TIED = [0.9, 0.7, 0.7, 0.7, 0.4]
BY_RANKDATA = {"optimistic": "min", "pessimistic": "max", "expected": "average"}
"""scipy's rule of ties, by ours."""


@pytest.mark.parametrize("item", range(len(TIED)))
@pytest.mark.parametrize("ties", BY_RANKDATA)
def test_a_rank_among_tied_scores_is_that_of_rankdata(ties: str, item: int) -> None:
    scores = np.array([TIED])
    case = case_from_lists([list(range(len(TIED)))], [[item]], len(TIED), scores=[TIED], candidate_scores=scores)
    by_scipy = rankdata(-scores[0], method=BY_RANKDATA[ties])[item]
    edges = replace(STANDARD, ties=ties)
    assert Variant.parse("rank(missing=left_out, cut=none)").value(case, edges, k=5) == by_scipy
    assert Variant.parse("rank(missing=next)").value(case, edges, k=5) == by_scipy
