"""Data in the forms of applications: retrieved documents, lists of cut-offs, names of results, frames beside dicts."""

import ast

import numpy as np
import pytest

from metric_adapters.calls import codes
from metric_adapters.calls.entries import Entry
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow
from metric_harness import audit
from metric_harness.naming.attempt import without_hits_zero
from metric_harness.naming.question import Question
from metric_harness.naming.trial import without_long_lists
from metric_harness.worker.reply import Reply
from metric_reference.case import case_from_lists
from tests.support.places import SUPPORT

STYLE = SUPPORT / "styles" / "retrieved.py"
RECALL, PRECISION = "recall(divide_by=relevant)", "precision(divide_by=k)"
WHOLE = "average_precision(divide_by=relevant, cut=none)"
FIRST, ANY = "reciprocal_rank(over=first)", "hit_rate(value=any)"
NAMED = {
    "recall_of_documents": [RECALL],
    "hit_of_chunks": [ANY],
    "ndcg_of_documents": ["ndcg(gain=linear)"],
    "precision_of_metadata": [PRECISION],
    "precision_of_texts": [PRECISION],
    "reciprocal_rank_of_one": [FIRST],
    "hit_rate_of_queries": [ANY],
    "two_lists_of_cuts": [RECALL, FIRST],
    "hits_at_places": [ANY, ANY],
    "named_results": [RECALL, PRECISION],
    "asked_for": [RECALL, PRECISION],
    "mrr_of_a_hundred": [FIRST],
    "mean_ndcg": ["ndcg(gain=linear, ideal=hits)"],
    "recall_or_precision": [PRECISION],
    "ndcg_with_flag": ["ndcg(gain=linear)"],
    "recall_of_rows": [RECALL],
    "recall_beside_a_frame": [RECALL],
    "mrr_of_groups": ["reciprocal_rank(over=first, cut=none)"],
    "precision_of_common_users": [PRECISION],
    "map_of_features": ["average_precision(divide_by=relevant, cut=none)"],
    "reciprocal_rank_of_a_query": ["reciprocal_rank(over=first, cut=none)"],
}
WHERE = {
    "mrr_of_a_hundred": "cut at 100",
    "recall_or_precision": "`kind = 'precision'`",
    "ndcg_with_flag": "`exponential = False`",
    "reciprocal_rank_of_one": "one relevant item a user",
}
"""A condition that the name has."""
FRAMES = ("recall_beside_a_frame", "mrr_of_groups", "precision_of_common_users")
RESULTS = SUPPORT / "styles" / "query_results.py"
OF_RESULTS = {
    "precision_of_chunks": (PRECISION, []),
    "recall_of_links": (RECALL, []),
    "recall_of_two_lists": (RECALL, []),
    "hit_rate_of_answers[mean]": (ANY, []),
    "mrr_of_found": (FIRST, ["one relevant item a user"]),
    "recall_of_helper": (RECALL, ["cut at 10"]),
    "precision_at_two_cuts[0]": (PRECISION, ["no list shorter than k", "cut at 5"]),
    "precision_at_two_cuts[1]": (PRECISION, ["cut at 20"]),
    "Ratings.mrr_of_ratings": (FIRST, []),
    "Ratings.mean_of_both": (FIRST, []),
    "map_of_codes_and_labels": ("average_precision(divide_by=hits)", []),
    "recall_of_sources": (RECALL, []),
    "hits_of_labels": (ANY, []),
    "ap_of_first_hits": (WHOLE, ["lists of every item"]),
    "dcg_beside_names": ("ndcg(gain=linear, ideal=none)", []),
    "ndcg_of_indices": ("ndcg(gain=exponential, ideal=list)", []),
    "metrics_of_names[0]": (FIRST, []),
    "metrics_of_names[1]": (RECALL, []),
    "share_above": ("filtered_rank(value=recall)", []),
    "ap_of_steps": ("pr_auc(area=step)", []),
    "mrr_of_ranked": (FIRST, ["one relevant item a user"]),
    "hits_of_column": (ANY, ["one relevant item a user"]),
    "ap_of_level": ("None", []),
    "average_recall_of_users": (RECALL, []),
    "map_without_junk[0]": (
        "average_precision(divide_by=relevant, sum_over=trapezoid, cut=none)",
        ["lists of every item"],
    ),
    "recalls_of_similarities[R1]": (f"{RECALL[:-1]}, times=100)", ["one relevant item a user", "cut at 1"]),
    "recalls_of_similarities[R5]": (f"{RECALL[:-1]}, times=100)", ["one relevant item a user", "cut at 5"]),
    "hits_at_one": (ANY, ["labels 0 or 1", "cut at 1"]),
    "map_of_flags": (WHOLE, []),
}
"""The name of each, and its conditions."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", OF_RESULTS)
def test_results_of_queries_are_named(name):
    if name == "map_of_flags":
        pytest.importorskip("pandas")
    (subject,) = audit(f"{RESULTS}:{name}").subjects
    where = [each for each in subject.to_json().get("where", []) if "default" not in each]
    assert (str(subject.variant), where) == OF_RESULTS[name]
    assert "NAM001" not in {row["code"] for row in subject.findings}


def test_an_id_has_the_keys_of_its_item():
    entry = Entry("a7", 0)
    assert (entry.chunk, entry.chunk.id, entry["document"]["id"], entry.chunk[0]) == ("a7", "a7", "a7", "a")
    with pytest.raises(AttributeError):
        entry.chunk.score  # noqa: B018
    with pytest.raises(KeyError):
        Entry(7, 0)["item"]["score"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    if name in FRAMES:
        pytest.importorskip("pandas")
    found = audit(f"{STYLE}:{name}").subjects
    assert [str(subject.variant) for subject in found] == NAMED[name]
    if name in WHERE:
        assert WHERE[name] in found[0].to_json()["where"]


def test_every_function_has_a_name():
    functions = {node.name for node in ast.parse(STYLE.read_text()).body if isinstance(node, ast.FunctionDef)}
    assert {name for name in functions if not name.startswith(("_", "first_"))} == set(NAMED)


def test_an_entry_is_a_dict_whose_keys_lead_to_the_item():
    entry = Entry("7", 0, 0.5)
    assert isinstance(entry, dict)
    assert entry["doc_id"] == entry.chunk_id == entry.metadata["id"] == entry.get("metadata", {}).get("source") == "7"
    assert "id" in entry
    assert "colour" not in entry
    assert entry.get("colour", "none") == "none"
    assert {entry} & {"7"}


CASE = case_from_lists([[3, 1, 0], [2, 0]], [[1], [2, 4]], 5, scores=[[0.9, 0.5, 0.2], [0.7, 0.1]])


def test_features_order_the_items_by_product_by_cosine_and_by_distance():
    view = View(CASE, 2)
    query, items = codes.query_features(view, False), codes.item_features(view, False)
    product = query @ items.T
    cosine = product / np.linalg.norm(items, axis=1)
    near = -np.linalg.norm(query[:, None] - items[None], axis=2)
    for user, listed in enumerate(([3, 1, 0], [2, 0])):
        for scores in (product, cosine, near):
            assert np.argsort(-scores[user])[: len(listed)].tolist() == listed


def test_features_do_not_show_equal_scores():
    tied = case_from_lists([[3, 1]], [[1]], 5, scores=[[0.5, 0.5]])
    with pytest.raises(CannotShow):
        codes.item_features(View(tied, 2), False)


def test_nan_of_a_mean_is_that_of_the_users_with_a_hit_times_their_share():
    asked, given = Question(CASE, 1), []

    def side(question):
        given.append(question.case.users)
        return Reply(value=0.8)

    assert without_hits_zero(Reply(value=float("nan")), asked, side).value == pytest.approx(0.4)
    assert given == [1]  # user 0 has no hit at rank 1
    assert np.isnan(without_hits_zero(Reply(value=float("nan")), Question(CASE, 2), side).value)


def test_a_long_list_inside_a_tuple_holds_no_results():
    curve = [f"[1][{place}]" for place in range(9)]
    assert without_long_lists(["[0]", *curve]) == ("[0]",)
    assert without_long_lists(curve) == tuple(curve)
    assert without_long_lists(["[0][0]", "[0][1]", "[1]"]) == ("[0][0]", "[0][1]", "[1]")


def test_a_view_of_one_user_holds_that_user_alone():
    part = View(CASE, 2).of_user(1).case
    assert part.check().users == 1
    assert part.recommended[0, :2].tolist() == [2, 0]
    assert part.relevant_of(0).tolist() == [2, 4]
