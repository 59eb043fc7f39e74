"""Functions that are handed a search are called with one."""

import pytest

from metric_adapters.calls.searches import Search
from metric_harness.naming.api import audit
from tests.support.named import names_of
from tests.support.places import SUPPORT

STYLE = SUPPORT / "styles" / "searches.py"
NAMED = {
    "hit_rate": "hit_rate(value=any)",
    "mrr": "reciprocal_rank(over=first)",
    "recall": "recall(divide_by=relevant, weight=micro)",
    "ndcg": "ndcg(gain=linear)",
    "hits_of_records": "hit_rate(value=any)",
    "rank_of_named": "reciprocal_rank(over=first)",
    "hits_of_answers": "hit_rate(value=any)",
    "rank_of_awaited": "reciprocal_rank(over=first)",
    "hits_of_users": "hit_rate(value=any)",
    "gains_of_queries": "ndcg(gain=linear)",
    "hits_of_collection": "hit_rate(value=any)",
}


@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    assert names_of(audit(f"{STYLE}:{name}").subjects) == {"": NAMED[name]}


@pytest.mark.parametrize(
    "found",
    [
        lambda search: search("0", 2),
        lambda search: search("0", k=2),
        lambda search: search.get_relevant_documents("0", top_k=2),
        lambda search: search(["0"], 2)[0],
        lambda search: search(query="0", k=2)["hits"]["hits"],
        lambda search: search("0", k=2).points,
    ],
)
def test_a_search_gives_as_many_as_are_wanted(found):
    assert [entry["id"] for entry in found(Search({"0": ["c", "a", "b"]}))] == ["c", "a"]


def test_a_search_has_no_other_methods():
    with pytest.raises(AttributeError):
        _ = Search({}).nothing
