"""Data in dicts and objects that name it is handed over so."""

import pytest

from metric_adapters.calls.records import Held
from metric_harness import audit
from tests.support.places import SUPPORT

STYLE = SUPPORT / "styles" / "held.py"
NAMED = {
    "recall_at_k": ("recall(divide_by=relevant)", "relevant,recommended:all-held"),
    "mrr": ("reciprocal_rank(over=first)", "relevant,recommended:held-truth-and-dict"),
    "precision_at_k": ("precision(divide_by=k)", "relevant,recommended:held-couples"),
    "mean_recall_at_k": ("recall(divide_by=relevant)", "grades,recommended:held-list-and-dict"),
    "hit_rate_at_k": ("hit_rate(value=any)", "relevant,recommended:held-truth"),
    "mean_hit_rate_at_k": ("hit_rate(value=any)", "recommended,relevant:entry-couples"),
    "mean_reciprocal_rank": ("reciprocal_rank(over=first)", "recommended,item:text-couples"),
    "ndcg_at_k": ("ndcg(gain=linear)", "recommended,grades:list-objects"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert (str(subject.variant), subject.convention) == NAMED[name]


def test_what_is_held_has_its_items_and_its_user_under_any_name_that_means_them():
    held = Held("truth", ["a", "b"], "7")
    assert held["relevant_ids"] == held.expected_chunks == held.get("gold") == ["a", "b"]
    assert held["query_id"] == held.id == "7"
    assert "score" not in held
    assert held.get("score", 0.5) == 0.5
    with pytest.raises(KeyError, match="retrieved"):
        held.__getitem__("retrieved")
    with pytest.raises(AttributeError, match="retrieved"):
        held.__getattr__("retrieved")
