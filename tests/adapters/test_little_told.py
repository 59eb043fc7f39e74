"""Functions whose parameters' names tell little or mislead, and results that claim nothing."""

import ast

import pytest

from metric_adapters.calls.loops import finds_own_row
from metric_adapters.calls.signature import Parameters
from metric_harness import audit
from tests.support.places import SUPPORT

thorough = pytest.mark.thorough
STYLE = SUPPORT / "styles" / "little_told.py"
NAMED = {
    "compute_ap_of_places": "average_precision(divide_by=relevant, sum_over=trapezoid)",
    "share_of_class": "precision(divide_by=list)",
    "top1_class_found": "hit_rate(value=any)",
    "HitsOfUsers": "hit_rate(value=any)",
    "mrr_of_columns": "reciprocal_rank(over=first)",
    "auc_upside_down": "inverted_auc(scope=per_user, ties=lose)",
    "average_precision_of_flags": "average_precision(divide_by=relevant)",
    "recall_of_scores": "hit_rate(value=any)",
    "ndcg_to_depth": "ndcg(gain=linear, ideal=hits)",
    "ndcg_of_topk": "ndcg(gain=binary)",
    "mean_ap_of_gallery": "average_precision(divide_by=relevant, cut=none)",
    "precision_of_labels": "precision(divide_by=list)",
    "map_of_codes": "average_precision(divide_by=hits)",
    "recall_of_smallest": "recall(divide_by=relevant)",
    "pr_auc_of_scores": "pr_auc(area=trapezoid)",
    "map_of_gallery": "average_precision(divide_by=relevant)",
    "map_of_orders": "average_precision(divide_by=relevant, cut=none)",
}


@thorough
@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert str(subject.variant) == NAMED[name]
    assert not {"AMB001", "DOM001"} & {row["code"] for row in subject.findings}


@thorough
def test_a_result_that_claims_nothing_is_no_error():
    mean, error = audit(f"{STYLE}:mean_recall_and_error").subjects
    assert (str(mean.variant), error.variant) == ("recall(divide_by=relevant)", None)
    assert [(row["code"], row["severity"]) for row in error.findings] == [("UNX001", "note")]


@thorough
def test_inputs_in_a_return_claim_nothing():
    recall, precision = audit(f"{STYLE}:recall_precision_of_hits").subjects
    assert (str(recall.variant), str(precision.variant)) == ("recall(divide_by=relevant)", "precision(divide_by=k)")
    assert "NAM001" not in {row["code"] for row in (*recall.findings, *precision.findings)}


@thorough
def test_a_result_at_one_is_cut_there():
    found = audit(f"{STYLE}:hits_of_diagonal").subjects
    assert [str(subject.variant) for subject in found] == ["recall(divide_by=relevant, times=100)"] * 3
    assert [subject.to_json()["where"][-1] for subject in found] == ["cut at 1", "cut at 5", "cut at 50"]


@thorough
def test_a_result_at_another_cut_than_its_name_says_is_named_with_its_own():
    found = audit(f"{STYLE}:hits_under_a_wrong_name").subjects
    assert [str(subject.variant) for subject in found] == ["recall(divide_by=relevant)"] * 3
    assert [subject.to_json()["where"][-1] for subject in found] == ["cut at 1", "cut at 1", "cut at 5"]


def test_a_row_whose_own_number_is_looked_for_has_its_item_on_the_diagonal():
    (subject,) = audit(f"{STYLE}:found_of_rows", metric="recall").subjects
    assert str(subject.variant) == "recall(divide_by=relevant)"
    assert subject.convention == "similarity:matrix"


@pytest.mark.parametrize("loop", ["enumerate(iterable=rows)", "enumerate(*rows)", "enumerate()"])
def test_a_loop_without_a_plain_argument_is_read_too(loop):
    tree = ast.parse(f"for i, row in {loop}:\n    found = i in np.argsort(row)")
    assert not finds_own_row(tree, {"rows"})


def test_an_accumulator_is_known_by_the_beginning_of_its_methods():
    (subject,) = audit(f"{STYLE}:ReciprocalRanks").subjects
    assert str(subject.variant) == "reciprocal_rank(over=first)"


@thorough
def test_rows_beside_a_dict_of_lists():
    precision, ndcg = audit(f"{STYLE}:evaluate_rows").subjects
    assert str(precision.variant) == "precision(divide_by=k)"
    assert ndcg.variant is not None
    assert (ndcg.variant.metric.name, ndcg.convention) == ("ndcg", "recommended,relevant:matrix-and-dict-lists")


def hits_of_best(scores, targets, depth):
    """The values of ``torch.topk`` come before the number of the best of them."""
    torch = __import__("torch")
    return targets[torch.topk(scores, depth).indices].sum() / torch.topk(targets, k=depth).values.sum()


def hits_of_list(top_k, wanted, k):
    return sum(rank < k and item in wanted for rank, item in enumerate(top_k))


@pytest.mark.parametrize(("function", "cut_off"), [(hits_of_best, "depth"), (hits_of_list, "k")])
def test_which_parameter_is_the_cut_off(function, cut_off):
    assert Parameters(function).strong_k == cut_off


def test_a_wider_call_contradicts_although_there_is_no_number_for_users_without_a_hit():
    (subject,) = audit(f"{STYLE}:ndcg_of_all_over_the_first").subjects
    assert subject.variant is None
    assert "DOM001" in {row["code"] for row in subject.findings}


@thorough
def test_what_takes_no_k_is_only_noted_to_be_uncut():
    (subject,) = audit(f"{STYLE}:mean_ap_of_gallery").subjects
    assert {row["code"]: row["severity"] for row in subject.findings}["RR002"] == "note"


@thorough
def test_an_error_where_every_item_is_relevant_is_said_so():
    (subject,) = audit(f"{STYLE}:precision_of_two_labels").subjects
    (message,) = (row["message"] for row in subject.findings if row["code"] == "RAI001")
    assert "for a user to whom every item is relevant" in message


@thorough
def test_a_name_that_rests_on_distances_says_so():
    (subject,) = audit(f"{STYLE}:recall_of_smallest").subjects
    assert "the smallest score the best" in subject.to_json()["where"]
