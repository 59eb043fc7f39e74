"""Ways of calling that are tried only where no usual one leads to a name."""

import pytest

from metric_adapters.calls.entries import Entry
from metric_adapters.own import calls
from metric_harness import audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.slow

STYLES = SUPPORT / "styles"
PACKAGES = {"rare_tables.py": ("scipy", "pandas"), "rare_tensors.py": ("torch",)}
NAMED = {
    "rare.py:HitRatioOfSamples": ("positive_first:matrix", "hit_rate(value=any)"),
    "rare.py:average_precision_of_labels": ("relevance", "average_precision(divide_by=min_k_list_hits)"),
    "rare.py:recall_by_users": ("relevant,recommended,user_list:dict-and-list", "recall(divide_by=relevant)"),
    "rare.py:ndcg_of_hits": ("relevant,recommended,relevance", "ndcg(gain=binary, ideal=relevant)"),
    "rare.py:hit_rate_of_rows": ("recommended,relevant:objects", "hit_rate(value=any)"),
    "rare.py:recall_of_documents": ("recommended,relevant:objects", "recall(divide_by=relevant)"),
    "rare.py:hits_of_sessions": ("recommended,item:sessions", "hit_rate(value=any)"),
    "rare.py:precision_of_padded": ("relevance,list_length:matrix", "precision(divide_by=k)"),
    "rare.py:recall_with_classes": ("relevant,recommended", "recall(divide_by=relevant)"),
    "rare_tables.py:precision_of_rows": ("recommended,relevant:wide-frames", "precision(divide_by=list)"),
    "rare_tensors.py:recall_of_mask": ("y_score,y_true:tensor-matrix", "recall(divide_by=relevant)"),
    "rare_tensors.py:recall_of_positions": ("y_score,item:tensor-matrix", "recall(divide_by=relevant)"),
    "rare_tensors.py:hits_of_typed": ("y_score,y_true:tensors", "hit_rate(value=any)"),
    "rare_tensors.py:ap_of_indices": ("recommended,relevant:arrays", "average_precision(divide_by=relevant)"),
    "rare_tensors.py:ap_of_as_many": (
        "query_signs,item_signs,query_labels,item_labels:tensor-matrix-uncut",
        "average_precision(divide_by=relevant, cut=none)",
    ),
    "rare_tensors.py:hits_of_cube": ("similarity:tensor-cube", "hit_rate(value=any)"),
    "rare.py:mean_reciprocal_rank_of_all": (
        "relevant,recommended:lists-full",
        "reciprocal_rank(over=mean_relevant, cut=none)",
    ),
    "rare.py:precision_of_vectors": ("y_true,y_listed", "precision(divide_by=list)"),
    "rare.py:rank_of_click": ("recommended,item:all", "reciprocal_rank(over=mean_hits, weight=micro)"),
    "rare.py:ndcg_of_rankings": ("recommended,y_true_graded:list-row", "ndcg(gain=exponential)"),
    "rare.py:reciprocal_rank_of_places": ("y_score,y_true,places:arrays", "reciprocal_rank(over=first)"),
    "records.py:precision_of_question": ("relevant,recommended:record", "precision(divide_by=list)"),
    "rare.py:ndcg_of_every_grade": ("grade_of_each,recommended", "ndcg(gain=linear)"),
    "rare.py:ndcg_of_ratings": ("recommended,graded_items", "ndcg(gain=linear)"),
    "rare.py:Judged.recall": ("recommended,relevant", "recall(divide_by=relevant)"),
    "rare.py:Judged.hit_rate": ("recommended,relevant", "hit_rate(value=any)"),
    "records.py:reciprocal_rank_of_rows": ("item,recommended:records", "reciprocal_rank(over=first)"),
    "records.py:recall_of_rows": ("lists_frame:rows", "recall(divide_by=relevant)"),
    "rare.py:precision_of_set": ("relevant,recommended:array-and-set", "precision(divide_by=list)"),
    "rare.py:Shares.__share": ("recommended,relevant", "recall(divide_by=relevant)"),
    "rare.py:recall_of_passages": ("recommended,relevant", "recall(divide_by=relevant)"),
    "rare.py:recall_of_columns": ("y_score,y_true:columns", "hit_rate(value=any)"),
    "rare_tables.py:recall_of_ratings": ("y_score,y_true:rating-frames", "recall(divide_by=relevant)"),
    "rare_tables.py:ndcg_of_ratings": ("y_true_graded,y_score:rating-frames", "ndcg(gain=linear)"),
    "rare_tables.py:reciprocal_ranks_of_matrix": ("item_ranks:csr", "reciprocal_rank(over=sum)"),
}

NEVER_RAN = ("rare.py:hits_of_sessions", "rare.py:recall_with_classes", "rare.py:precision_of_vectors")
"""Part of their code is for input that no call passes: padding, values other than 0 and 1, a spare table."""

ALSO_MICRO = "rare_tables.py:precision_of_rows"
"""The rows of a table are equally long, so that a mean over users and one over all places are the same."""


def only(target):
    (subject,) = audit(target).to_json()["subjects"]
    return subject


def test_one_query_of_a_gallery_may_be_tensors():
    pytest.importorskip("torch")
    r_precision, average_precision = audit(f"{STYLES}/rare_tensors.py:shares_of_one_query").to_json()["subjects"]
    assert r_precision["variant"] == "r_precision(divide_by=relevant, cut=none)"
    assert average_precision["variant"].startswith("average_precision(divide_by=min_list_relevant, ")
    assert average_precision["convention"] == "gallery_order,query_ids,gallery_ids:query-tensors"


@pytest.mark.parametrize("target", NAMED)
def test_a_rare_way_of_calling_is_found(target):
    for package in PACKAGES.get(target.partition(":")[0], ()):
        pytest.importorskip(package)
    found = only(f"{STYLES}/{target}")
    assert (found["convention"], found["variant"]) == NAMED[target]
    in_part = target in (*NEVER_RAN, ALSO_MICRO)
    assert found["evidence"]["confidence"] == ("verified in part" if in_part else "verified")
    assert (found["evidence"]["reason"] or "").endswith("never ran" if target in NEVER_RAN else "")
    assert ("fits as well" in found["evidence"]["summary"]) == (target == ALSO_MICRO)


def test_what_is_nan_without_hits_is_noted():
    assert any("NaN where nobody has a hit" in note for note in only(f"{STYLES}/rare.py:rank_of_click")["notes"])


def test_a_function_with_a_usual_way_is_asked_in_no_rare_one(tmp_path):
    """Beside its usual way of calling, the lists of everything would be asked for nothing."""
    path = tmp_path / "usual.py"
    path.write_text(
        "def recall(actual, predicted, k):\n    return len(set(actual) & set(predicted[:k])) / len(actual)\n"
    )
    rows = calls(f"{path}:recall")
    assert [row["rare"] for row in rows] == sorted(row["rare"] for row in rows)
    assert only(f"{path}:recall")["convention"] == "relevant,recommended"


def test_a_name_that_fails_at_size_is_not_given_by_a_rare_way(tmp_path):
    """It departs for lists of more than 25 hits, which lists of everything need not show."""
    path = tmp_path / "departs.py"
    path.write_text(
        "def recall(actual, predicted, k):\n"
        "    hits = len(set(actual) & set(predicted[:k]))\n"
        "    return (hits if hits < 25 else 24) / len(actual)\n"
    )
    found = only(f"{path}:recall")
    assert found["variant"] is None
    assert found["convention"] == "relevant,recommended"


def test_lists_of_everything_do_not_hide_what_a_missing_item_is_worth(tmp_path):
    """Where every item is listed, the relevant one is found, so that nobody sees the number for one that is not."""
    path = tmp_path / "worth.py"
    path.write_text(
        "def reciprocal_rank(actual, predicted):\n"
        "    places = [at for at, one in enumerate(predicted, 1) if one in actual]\n"
        "    return 1 / (places[0] if places else len(predicted) + 1)\n"
    )
    assert only(f"{path}:reciprocal_rank")["variant"] is None


def test_a_dict_of_new_names_is_put_back_and_said():
    pytest.importorskip("pandas")
    found = only(f"{STYLES}/rare_tables.py:mean_reciprocal_rank_of_counts")
    assert found["variant"] == "reciprocal_rank(over=first, cut=none)"
    assert any("removed in pandas 1.0" in row["message"] for row in found["findings"] if row["code"] == "OLD001")


def test_what_is_given_nothing_is_said():
    row = calls(f"{STYLES}/rare.py:recall_with_classes")[0]
    assert row["why"].endswith("item_classes and borders given nothing")


def test_an_entry_is_read_by_attribute_by_key_and_by_place():
    first, second = Entry(7, 0), Entry(9, 1)
    assert (first.item_id, first["docId"], first.get("movie"), first[0]) == (7, 7, 7, 7)
    assert (first.user_id, first.rating) == (0, 1.0)
    assert first.timestamp < second.timestamp
    assert first.score > second["score"]
    assert tuple(first) == (7, first[1])
    assert (first == 7, first == second, first in {7}, len(first)) == (True, False, True, 2)
    assert first.get("colour", "red") == "red"
    assert repr(first) == "Entry(item_id=7)"
    for wrong, error in (("colour", KeyError), (3, IndexError)):
        with pytest.raises(error):
            first[wrong]
    with pytest.raises(AttributeError):
        _ = first.colour
